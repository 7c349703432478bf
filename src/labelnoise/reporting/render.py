"""A summary -> a page, Markdown or JSON, by the ending of the path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from labelnoise import checks
from labelnoise.atomic_files import write_text_atomically
from labelnoise.errors import LabelNoiseError
from labelnoise.reporting.markdown import render_markdown

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from labelnoise.reporting.summary import Summary


def render_json(summary: Summary) -> str:
    """The summary as JSON."""
    return json.dumps(summary.to_document(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _html(summary: Summary) -> str:
    from labelnoise.reporting.html import render_html  # jinja2 is for pages alone

    return render_html(summary)


RENDERINGS: Mapping[str, Callable[[Summary], str]] = {
    ".html": _html,
    ".htm": _html,
    ".md": render_markdown,
    ".json": render_json,
}
"""Renderings by the ending of a path."""


def check_ending(path: str | os.PathLike[str]) -> str:
    """The ending of a path, if there is a rendering for it."""
    ending = Path(path).suffix.lower()
    if not ending:
        raise LabelNoiseError(
            f"{str(path)!r} has no ending that says what to write. End it in "
            f"{checks.named(list(RENDERINGS))}."
        )
    return checks.one_of(ending, f"ending of {str(path)!r}", RENDERINGS)


def write_summary(summary: Summary, path: str | os.PathLike[str]) -> None:
    """Write a summary, in one step."""
    write_text_atomically(path, RENDERINGS[check_ending(path)](summary))

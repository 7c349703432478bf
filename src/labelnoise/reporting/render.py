"""A summary -> a page, Markdown or JSON, by the ending of the path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from labelnoise.atomic_files import write_bytes_atomically
from labelnoise.errors import LabelNoiseError
from labelnoise.reporting.html import render_html
from labelnoise.reporting.markdown import render_markdown

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from labelnoise.reporting.summary import Summary


def render_json(summary: Summary) -> str:
    """The summary as JSON."""
    return json.dumps(summary.to_document(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


# By the ending of a path.
RENDERERS: Mapping[str, Callable[[Summary], str]] = {
    ".html": render_html,
    ".md": render_markdown,
    ".json": render_json,
}


def check_ending(path: str | os.PathLike[str]) -> str:
    """The ending of a path, if there is a renderer for it."""
    ending = Path(path).suffix.lower()
    if ending not in RENDERERS:
        raise LabelNoiseError("unknown_ending", path=str(path), endings=list(RENDERERS))
    return ending


def write_summary(summary: Summary, path: str | os.PathLike[str]) -> None:
    """Write a summary atomically."""
    text = RENDERERS[check_ending(path)](summary)
    write_bytes_atomically(path, text.encode("utf-8", "replace"))  # half of a character is "?"

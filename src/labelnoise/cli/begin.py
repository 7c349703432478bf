"""What every command does first: refuse what would only fail in the end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labelnoise.cli.memory import memory_limit
from labelnoise.errors import OutputError

if TYPE_CHECKING:
    from labelnoise.cli.options import RunOptions
    from labelnoise.cli.output import Output


def begin(run: RunOptions, output: Path | None = None, *inputs: Any) -> Output:
    """Refuse an output that is an input or cannot be written; returns where to print."""
    from labelnoise.cli.output import Output

    memory_limit(run.max_memory)
    if output is not None:
        check_output(output, *inputs)
    return Output.of(run)


def check_output(path: Path, *inputs: Path | str | None) -> None:
    """Refuse to write a file that is read, by any name, or that cannot be written."""
    from labelnoise.atomic_files import check_writable

    for given in inputs:
        if given is not None and str(given) != "-" and _same(path, Path(given)):
            raise OutputError("output_is_input", path=str(path))
    check_writable(path)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return os.path.abspath(one) == os.path.abspath(other)  # noqa: PTH100 - need not exist

"""A copy of a table with other labels, in one step."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, BinaryIO

from labelnoise.cli.calls import CallError
from labelnoise.data.table_files import ending_fits, rewrite_stream
from labelnoise.files import written_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from labelnoise.data.reading import Reading
    from labelnoise.data.table_files import Change, Source


def copied(
    stream: BinaryIO, source: Source, reading: Reading, change: Change, output: Path
) -> None:
    """Copy what was read to a file of the same format; gzipped, if its name says so."""
    if not ending_fits(output.name, source.format):
        raise CallError(
            f"the copy is {source.format}, as the data are, and {output.name!r} says otherwise. "
            "Choose a name with the ending of the data."
        )
    with written_atomically(output) as out:
        if output.suffix == ".gz":
            with gzip.GzipFile(fileobj=out, mode="wb", filename="", mtime=0) as zipped:
                rewrite_stream(stream, zipped, source, reading, change)  # type: ignore[arg-type]
        else:
            rewrite_stream(stream, out, source, reading, change)

"""What is known about a file before it is read, and what was read from it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa

from labelnoise.data.settings import BLOCK_BYTES, LONGEST_RECORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from labelnoise.wording import Note


def block_size(stream: BinaryIO) -> int:
    """Bytes that Arrow parses at once: a record must fit into a block."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    return min(max(size, BLOCK_BYTES), LONGEST_RECORD_BYTES)


def one_type(values: list[Any], as_text: Callable[[Any], str] = str) -> pa.Array:
    """Values as a column of one type: texts where they are of several kinds."""
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else as_text(value) for value in values])


@dataclass(frozen=True)
class ReadOptions:
    """How a file is to be read; what is None is guessed from its name and its beginning."""

    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool = True  # whether the first row names the columns
    text_columns: frozenset[str] | None = frozenset()  # cells stay as written; None: in all columns
    max_bytes: int | None = None  # up to which a compressed file is decompressed; None: no limit
    numeric_header: bool = False  # whether all columns may have numbers as names

    def keeps_text(self, column: str) -> bool:
        """Whether cells of a column stay as written; names in lower case match any case."""
        if self.text_columns is None:
            return True
        name = column.strip()
        return name in self.text_columns or name.lower() in self.text_columns


@dataclass(frozen=True, eq=False)
class FileTable:
    """A table and the file it was read from."""

    table: pa.Table
    format: str
    digest: str  # SHA-256 of the file, before decompression
    notes: tuple[Note, ...] = ()  # what was decided while it was read


@dataclass(frozen=True, eq=False)
class Relabeling:
    """Other labels in a column of a file that was read, by the position of the row, from 0."""

    found: FileTable
    column: str
    labels: Mapping[int, Any]

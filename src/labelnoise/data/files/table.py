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

ONLY_ARRAY = "X"
"""Name of the array in a .npy file, which has none."""


def block_size(stream: BinaryIO) -> int:
    """Bytes that Arrow parses at once: a record must fit into a block."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    return min(max(size, BLOCK_BYTES), LONGEST_RECORD_BYTES)


def one_type(values: list[Any], as_text: Callable[[Any], str] = str) -> pa.Array:
    """Values as a column of one type: texts where they are of several kinds.

    >>> one_type([1, None, "two"]).to_pylist()
    ['1', None, 'two']
    """
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else as_text(value) for value in values])


@dataclass(frozen=True)
class ReadOptions:
    """How a file is to be read.

    Attributes
    ----------
    format : str or None
        One of `FORMATS`; guessed from the name of the file and its first bytes if None.
    delimiter, encoding : str or None
        Of delimited text; guessed from its beginning if None.
    header : bool
        Whether the first line of delimited text names the columns.
    text_columns : frozenset of str, or None
        Columns whose cells are kept as they are written, such as labels and ids; names in lower
        case match any case. None means all columns.
    max_bytes : int or None
        Size up to which a compressed file is decompressed; None is limited by the disk only.
    numeric_header : bool
        Whether the columns of delimited text may all have numbers as names.
    """

    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool = True
    text_columns: frozenset[str] | None = frozenset()
    max_bytes: int | None = None
    numeric_header: bool = False

    def keeps_text(self, column: str) -> bool:
        """Whether cells of a column are kept as they are written."""
        if self.text_columns is None:
            return True
        name = column.strip()
        return name in self.text_columns or name.lower() in self.text_columns


@dataclass(frozen=True, eq=False)
class FileTable:
    """A table and the file it was read from.

    Attributes
    ----------
    table : pa.Table
    format : str
        One of `FORMATS`.
    digest : str
        SHA-256 of the file, before decompression.
    notes : tuple of Note
        What was decided while it was read.
    """

    table: pa.Table
    format: str
    digest: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class Relabeling:
    """Other labels in a column of a file that was read, by the position of the row, from 0."""

    found: FileTable
    column: str
    labels: Mapping[int, Any]

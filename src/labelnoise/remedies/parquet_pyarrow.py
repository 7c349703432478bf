"""Columns <-> Parquet, by pyarrow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Mapping


def to_bytes(columns: Mapping[str, Any]) -> bytes:
    """The content of a Parquet file."""
    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream)
    return stream.getvalue()


def from_bytes(content: bytes) -> dict[str, list[Any]]:
    """Columns of a Parquet file, read on one thread: a pool that outlives Python aborts it."""
    table = pq.read_table(io.BytesIO(content), use_threads=False, pre_buffer=False)
    found: dict[str, list[Any]] = table.to_pydict()
    return found

"""Columns <-> Parquet, by pyarrow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from labelnoise.data.table_pyarrow import parquet_table

if TYPE_CHECKING:
    from collections.abc import Mapping


def to_bytes(columns: Mapping[str, Any]) -> bytes:
    """The content of a Parquet file."""
    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream)
    return stream.getvalue()


def from_bytes(content: bytes) -> dict[str, list[Any]]:
    """Columns of a Parquet file."""
    found: dict[str, list[Any]] = parquet_table(io.BytesIO(content)).to_pydict()
    return found

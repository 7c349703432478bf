"""Options of a call -> options of the library."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from labelnoise.cli.errors import CallError, options_checked
from labelnoise.cli.memory import memory_limit

if TYPE_CHECKING:
    from labelnoise.cli.options import DataOptions, RunOptions
    from labelnoise.data.files import ReadOptions
    from labelnoise.data.table_options import TableOptions

TABS = {"\\t": "\t", "tab": "\t"}


def table_options(data: DataOptions) -> TableOptions:
    """What was specified about columns."""
    from labelnoise.data.table_options import TableOptions

    column_types = _column_types(data)
    if data.embeddings is not None and (data.features or column_types):
        raise CallError("columns_beside_embeddings", option="--embeddings")
    return TableOptions(
        label=data.label,
        features=tuple(data.features or ()),
        drop=tuple(data.drop or ()),
        id_column=data.id_column,
        shown=tuple(data.shown or ()),
        column_types=column_types,
        embeddings=data.embeddings,
        unlabeled=tuple(data.unlabeled or ()),
        new_classes=_new_classes(data),
    )


def _column_types(data: DataOptions) -> dict[str, str]:
    from labelnoise import checks
    from labelnoise.data.column_types import TYPES

    column_types = {}
    for given in data.column_types or ():
        name, sign, column_type = given.rpartition("=")
        if not sign:
            raise CallError("type_without_column", given=given)
        with options_checked():
            column_types[name] = checks.one_of(column_type, f"type of column {name!r}", TYPES)
    return column_types


def _new_classes(data: DataOptions) -> tuple[str, ...]:
    """Names of new classes, without spaces around them, as labels are."""
    names = tuple(name.strip() for name in data.new_class or ())
    if not all(names):
        raise CallError("new_class_without_name")
    return names


def read_options(data: DataOptions, run: RunOptions) -> ReadOptions:
    """What was specified about the file."""
    from labelnoise import checks
    from labelnoise.data.files import FORMATS, ReadOptions

    delimiter = TABS.get(str(data.delimiter), data.delimiter)
    if delimiter is not None and len(delimiter) != 1:
        raise CallError("delimiter_not_one_character", delimiter=delimiter)
    if data.encoding is not None:
        try:
            codecs.lookup(data.encoding)
        except LookupError as error:
            raise CallError("unknown_encoding", encoding=data.encoding) from error
    if data.format is not None:
        with options_checked():
            checks.one_of(data.format, "format", FORMATS)
    return ReadOptions(
        format=data.format,
        delimiter=delimiter,
        encoding=data.encoding,
        header=not data.no_header,
        max_bytes=memory_limit(run.max_memory),
    )

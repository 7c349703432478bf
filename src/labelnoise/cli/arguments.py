"""Options of a call -> options of the library."""

from __future__ import annotations

from labelnoise.cli.memory import memory_limit
from labelnoise.cli.options import DataOptions, RunOptions
from labelnoise.data.files import ReadOptions
from labelnoise.data.table_options import TableOptions
from labelnoise.errors import LabelNoiseError


def table_options(data: DataOptions) -> TableOptions:
    """What was specified about columns."""
    types = [given.rpartition("=") for given in data.column_types or ()]
    for name, _, given in types:
        if not name:
            facts = {"option": "--as", "value": given, "example": "zip=category"}
            raise LabelNoiseError("invalid_option_value", **facts)
    if data.embeddings is not None:
        refuse_columns(data, "--embeddings")
    return TableOptions(
        label=data.label,
        features=tuple(data.features or ()),
        drop=tuple(data.drop or ()),
        id_column=data.id_column,
        group=data.group,
        shown=tuple(data.shown or ()),
        column_types={name: column_type for name, _, column_type in types},
        embeddings=data.embeddings,
        unlabeled=tuple(data.unlabeled or ()),
        new_classes=tuple(name.strip() for name in data.new_class or () if name.strip()),
    )


def refuse_columns(data: DataOptions, option: str) -> None:
    """Refuse options about columns together with an option that replaces them."""
    if data.features or data.column_types:
        raise LabelNoiseError("exclude_each_other", first=option, other="--features or --as")


def read_options(data: DataOptions, run: RunOptions) -> ReadOptions:
    """What was specified about the file."""
    return ReadOptions(
        format=data.format,
        delimiter="\t" if data.delimiter == "\\t" else data.delimiter,
        encoding=data.encoding,
        header=not data.no_header,
        max_bytes=memory_limit(run.max_memory),
    )

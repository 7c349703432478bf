"""Options of a call -> options of the library."""

from __future__ import annotations

from labelnoise.cli.memory import memory_limit
from labelnoise.cli.options import DataOptions, RunOptions
from labelnoise.data.files import ReadOptions
from labelnoise.data.table_options import TableOptions
from labelnoise.errors import LabelNoiseError


def table_options(data: DataOptions) -> TableOptions:
    """What was specified about columns."""
    for given in data.column_types or ():
        if "=" not in given:
            raise invalid_value("--as", given, "zip=category")
    new_classes = tuple(name.strip() for name in data.new_class or ())  # as labels are
    if not all(new_classes):
        raise invalid_value("--new-class", "", "bird")
    if data.embeddings is not None:
        refuse_columns(data, "--embeddings")
    types = [given.rpartition("=") for given in data.column_types or ()]
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
        new_classes=new_classes,
    )


def refuse_columns(data: DataOptions, option: str) -> None:
    """Refuse options about columns together with an option that replaces them."""
    if data.features or data.column_types:
        raise LabelNoiseError("exclude_each_other", first=option, other="--features or --as")


def invalid_value(option: str, value: str, example: str) -> LabelNoiseError:
    """The error for an option with an invalid value."""
    return LabelNoiseError("invalid_option_value", option=option, value=value, example=example)


def read_options(data: DataOptions, run: RunOptions) -> ReadOptions:
    """What was specified about the file."""
    return ReadOptions(
        format=data.format,
        delimiter="\t" if data.delimiter == "\\t" else data.delimiter,
        encoding=data.encoding,
        header=not data.no_header,
        max_bytes=memory_limit(run.max_memory),
    )

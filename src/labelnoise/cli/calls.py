"""What a call says: options in the words of the library, and the other way round."""

from __future__ import annotations

import codecs
import re
import shlex
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.cli.settings import DataOptions
    from labelnoise.data.reading import Reading, Wanted


class CallError(LabelNoiseError):
    """The options cannot be used together, or as they stand."""


@contextmanager
def options_checked() -> Iterator[None]:
    """Whatever is wrong inside is wrong with the call, not with the data."""
    try:
        yield
    except LabelNoiseError as error:
        raise CallError(str(error)) from error


def wanted_of(data: DataOptions) -> Wanted:
    """What was said about columns."""
    from labelnoise import checks
    from labelnoise.data.column_roles import KINDS
    from labelnoise.data.reading import Wanted

    kinds = {}
    for said in data.kinds or ():
        name, sign, kind = said.rpartition("=")
        if not sign:
            raise CallError(f"--as {said!r} must be NAME=KIND, for example --as zip=category.")
        with options_checked():
            kinds[name] = checks.one_of(kind, f"kind of column {name!r}", KINDS)
    if data.embeddings is not None and (data.features or kinds):
        raise CallError(
            "--embeddings takes the place of all columns, so --features and --as say nothing. "
            "Leave them out, or --embeddings."
        )
    return Wanted(
        label=data.label,
        features=tuple(data.features or ()),
        drop=tuple(data.drop or ()),
        id=data.id,
        shown=tuple(data.text_column or ()),
        kinds=kinds,
        embeddings=data.embeddings,
        unlabeled=tuple(data.unlabeled or ()),
        new_classes=_new_classes(data),
    )


def _new_classes(data: DataOptions) -> tuple[str, ...]:
    """Names of new classes, without spaces around them, as labels are."""
    names = tuple(name.strip() for name in data.new_class or ())
    if not all(names):
        raise CallError("--new-class needs a name. Pass for example --new-class bird.")
    return names


def reading_of(data: DataOptions, wanted: Wanted) -> Reading:
    """What was said about the file; labels, names and what is shown stay as they are written."""
    from labelnoise import checks
    from labelnoise.data.reading import Reading
    from labelnoise.data.table_files import FORMATS

    delimiter = {"\\t": "\t", "tab": "\t"}.get(str(data.delimiter), data.delimiter)
    if data.format is not None:
        with options_checked():
            checks.one_of(data.format, "format", FORMATS)
    if data.encoding is not None:
        try:
            codecs.lookup(data.encoding)
        except LookupError as error:
            raise CallError(
                f"unknown encoding {data.encoding!r}. Pass for example --encoding cp1252."
            ) from error
    if delimiter is not None and len(delimiter) != 1:
        raise CallError(
            f"--delimiter must be one character, got {delimiter!r}. Pass for example ';'."
        )
    return Reading(
        name="standard input" if data.data == "-" else repr(data.data),
        format=data.format,
        delimiter=delimiter,
        encoding=data.encoding,
        header=not data.no_header,
        as_text=wanted.as_text,
    )


def again(command: str, data: DataOptions, *more: str, others: Sequence[Any] = ()) -> str:
    """Another command on the same data with the same options, to be copied from the terminal.

    `others` are more options that were given, to be carried on as well.
    """
    told = [part for one in (data, *others) for part in _told(one)]
    return shlex.join(["labelnoise", command, data.data, *more, *told])


def apply_next(data: DataOptions, fixes: str, *, labels_apart: bool) -> str:
    """The command that puts fixes into a copy of the data, or of the file of their labels."""
    if labels_apart:
        path = str(data.label)
        data = type(data)(path, new_class=data.new_class, unlabeled=data.unlabeled)
    return f"{again('apply', data, fixes)} -o {shlex.quote(_name_of_copy(data.data))}"


def _name_of_copy(path: str) -> str:
    """A name for a copy with other labels, beside the original.

    >>> _name_of_copy("data/zoo.csv.gz"), _name_of_copy("zoo-fixed.csv"), _name_of_copy("-")
    ('zoo-fixed.csv.gz', 'zoo-fixed-2.csv', 'fixed.csv')
    """
    if path == "-":
        return "fixed.csv"
    name, zipped = Path(path).name, ".gz" * path.endswith(".gz")
    plain = Path(name.removesuffix(zipped))
    found = re.fullmatch(r"(.*)-fixed(?:-(\d+))?", plain.stem)
    stem = f"{found[1]}-fixed-{int(found[2] or 1) + 1}" if found else f"{plain.stem}-fixed"
    return f"{stem}{plain.suffix}{zipped}"


def decisions_name(data: DataOptions) -> str:
    """What the decisions about these data are called, other data being called otherwise."""
    name = Path(data.data).name.removesuffix(".gz")
    return "decisions.csv" if data.data == "-" else f"{Path(name).stem}-decisions.csv"


def _told(options: Any) -> Iterator[str]:
    """Options as they would be typed, but for those that were left alone."""
    hints = get_type_hints(type(options), include_extras=True)
    for field in fields(options):
        value = getattr(options, field.name)
        if field.default is MISSING or value == field.default:
            continue
        (info,) = hints[field.name].__metadata__
        option = info.default  # in an annotation, typer takes the first name for the default
        for one in value if isinstance(value, list) else [value]:
            yield from [option] if one is True else [option, str(one)]

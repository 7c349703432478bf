"""How a file is to be read and its columns used, as far as somebody said so."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

LABEL_NAMES = ("label", "labels", "target", "y", "class", "category", "given_label", "noisy_label")
"""Columns that are taken for the labels if nobody says which, in any case of letters."""

ONLY_ARRAY = "X"
"""Name of the array in a .npy file, which has none."""


@dataclass(frozen=True)
class Reading:
    """What was said about a file.

    Attributes
    ----------
    name : str
        What the file is called in messages.
    format : str or None
        One of `table_files.FORMATS`; None goes by the ending and the first bytes.
    delimiter, encoding : str or None
        Of delimited text; None guesses.
    header : bool
        Whether the first line of delimited text names the columns.
    as_text : frozenset of str, or None
        Columns whose cells stay as they are written: labels and ids; None stands for all.
    """

    name: str
    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool = True
    as_text: frozenset[str] | None = frozenset()

    def keeps_text(self, column: str) -> bool:
        """Whether cells of a column stay as they are written, whatever its capitals."""
        if self.as_text is None:
            return True
        return column in self.as_text or column.strip().lower() in self.as_text


@dataclass(frozen=True)
class Wanted:
    """What the user said about the columns of a table.

    Attributes
    ----------
    label : str or None
        Column of the labels; for a .npy file the path of another one. None guesses.
    features : tuple of str
        The only columns to use as features; none stands for all that are left.
    drop : tuple of str
        Columns to leave alone.
    id : str or None
        Column that names the rows; else they are numbered from 0.
    shown : tuple of str
        Columns to show to reviewers and not to use as features.
    kinds : mapping from str to str
        What columns are to become, one of `column_roles.KINDS` each.
    embeddings : str or None
        Path of an array of features to use in the place of columns.
    unlabeled : tuple of str
        Labels that stand for none.
    new_classes : tuple of str
        Classes that hardly any row has, or none.
    kept_labels : tuple of str
        Labels that one row is enough for.
    """

    label: str | None = None
    features: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    id: str | None = None
    shown: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    embeddings: str | None = None
    unlabeled: tuple[str, ...] = ()
    new_classes: tuple[str, ...] = ()
    kept_labels: tuple[str, ...] = ()

    @property
    def as_text(self) -> frozenset[str]:
        """Columns whose cells stay as they are written."""
        labels = [*LABEL_NAMES, ONLY_ARRAY] if self.label is None else [self.label]
        shown = [*self.shown, *(part for name in self.shown for part in _parts(name))]
        return frozenset([*labels, *shown, *filter(None, [self.id])])

    def resolved(self, columns: Collection[str]) -> Wanted:
        """The same, with lists that were separated by commas as single names."""
        return replace(
            self,
            features=_single(self.features, columns),
            drop=_single(self.drop, columns),
            shown=_single(self.shown, columns),
        )

    def mentioned(self) -> Iterator[tuple[str, str]]:
        """Options, and the columns they name."""
        given = {
            "--label": [self.label],
            "--features": self.features,
            "--drop": self.drop,
            "--id": [self.id],
            "--text-column": self.shown,
            "--as": self.kinds,
        }
        for option, names in given.items():
            yield from ((option, name) for name in names if name is not None)


def _single(names: tuple[str, ...], columns: Collection[str]) -> tuple[str, ...]:
    """Names of columns; one that is none may be several, separated by commas.

    >>> _single(("a,b", "x,y"), ["a", "b", "x,y"])
    ('a', 'b', 'x,y')
    """
    return tuple(part for name in names for part in ([name] if name in columns else _parts(name)))


def _parts(name: str) -> list[str]:
    return [part.strip() for part in name.split(",") if part.strip()]

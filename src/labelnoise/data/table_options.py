"""What the user specified about the columns of a table."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from labelnoise.data.settings import ALMOST_THE_SAME, LABEL_NAMES
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OF_COLUMNS = ("label", "features", "drop", "id_column", "group", "shown", "column_types")
"""Options that name columns."""


@dataclass(frozen=True)
class TableOptions:
    """What the user specified about the columns of a table, as in `load_table`."""

    label: str | None = None
    features: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    id_column: str | None = None
    group: str | None = None
    shown: tuple[str, ...] = ()
    column_types: Mapping[str, str] = field(default_factory=dict)
    embeddings: str | None = None
    unlabeled: tuple[str, ...] = ()
    new_classes: tuple[str, ...] = ()  # that few rows have, or none
    kept_labels: tuple[str, ...] = ()  # even when only one row has them

    @property
    def text_columns(self) -> frozenset[str]:
        """Columns whose cells are kept as they are written."""
        labels = LABEL_NAMES if self.label is None else (self.label,)
        shown = [*self.shown, *(part for name in self.shown for part in _parts(name))]
        return frozenset(filter(None, [*labels, self.id_column, *shown]))

    def resolved(self, columns: Sequence[str]) -> TableOptions:
        """The same, with lists of names that are separated by commas as single names."""
        return replace(
            self,
            features=_single(self.features, columns),
            drop=_single(self.drop, columns),
            shown=_single(self.shown, columns),
        )

    def types_of(self, features: Sequence[str]) -> Mapping[str, str]:
        """Types of some features that were specified, "use" for those that were only named."""
        given = dict.fromkeys(self.features, "use") | dict(self.column_types)
        return {name: kind for name, kind in given.items() if name in features}

    def check(self, columns: Sequence[str], table: str) -> None:
        """Refuse names of columns that the table does not have, and contradictions."""
        for parameter in OF_COLUMNS:
            names = getattr(self, parameter)
            for name in filter(None, [names] if isinstance(names, str) else names or ()):
                refuse_unknown_column(name, columns, table, parameter)
        contested = [name for name in self.features if name in (*self.shown, *self.drop)]
        if contested:
            raise LabelNoiseError("column_used_twice", columns=contested)
        if self.label in self.features:
            raise LabelNoiseError("label_is_feature", column=self.label)
        if self.group is not None and self.group == self.label:
            raise LabelNoiseError("group_is_label", column=self.group)
        typed = [name for name, kind in self.column_types.items() if kind != "skip"]
        if self.group in (*self.features, *typed):
            raise LabelNoiseError("group_is_feature", column=self.group)


OF_TABLES = {one.name for one in fields(TableOptions)}


def refuse_unknown_column(name: str, columns: Sequence[str], table: str, parameter: str) -> None:
    """Refuse a column that is not there, and suggest the one that was probably meant."""
    if name in columns:
        return
    raise LabelNoiseError(
        "no_such_column",
        column=name,
        columns=list(columns),
        table=table,
        parameter=parameter,
        suggestion=nearest(name, columns),
        single=True if len(columns) == 1 else None,
    )


def suggestion_for(name: str, known: Sequence[str]) -> dict[str, str]:
    """What was probably meant by an unknown parameter: a known one, or an option of a table."""
    meant = nearest(name, known, ALMOST_THE_SAME)
    if meant is not None:
        return {"suggestion": f"{meant}="}
    return {"of_table": f"{name}="} if name in OF_TABLES else {}


def nearest(name: str, known: Sequence[str], cutoff: float = 0.6) -> str | None:
    """The known name that was probably meant, if one is similar; capitals do not matter."""
    close = difflib.get_close_matches(name.lower(), [one.lower() for one in known], 1, cutoff)
    return next((one for one in known if close and one.lower() == close[0]), None)


def _single(names: tuple[str, ...], columns: Sequence[str]) -> tuple[str, ...]:
    """Names of columns; a name that no column has is split at commas."""
    return tuple(part for name in names for part in ([name] if name in columns else _parts(name)))


def _parts(name: str) -> list[str]:
    return [part.strip() for part in name.split(",") if part.strip()]

"""A table with what was specified about it: its labels, ids, groups and features."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from labelnoise.data.column_types import USELESS
from labelnoise.data.columns import Column
from labelnoise.data.containers import row_ids
from labelnoise.data.label_column import LabelColumn, likely_label
from labelnoise.data.table_options import refuse_unknown_column
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import IntArray
    from labelnoise.data.column_types import ColumnType
    from labelnoise.data.table_options import TableOptions


@dataclass(frozen=True, eq=False)
class LabeledTable:
    """A whole table and the column of its labels."""

    table: pa.Table
    name: str  # in messages
    options: TableOptions  # checked, with the label column
    labels: LabelColumn  # of all rows
    notes: tuple[Note, ...]  # whether the label column was guessed
    index: Any  # of a pandas frame: names of the rows if no column holds them
    from_file: bool  # where whole numbers are texts

    @classmethod
    def of(
        cls,
        table: pa.Table,
        name: str,
        options: TableOptions,
        *,
        index: Any = None,
        from_file: bool = True,
    ) -> LabeledTable:
        """Find the label column; refuse options that the table does not have columns for."""
        columns = table.column_names
        options = options.resolved(columns)
        label = options.label or likely_label(columns, name)
        notes = () if options.label else (Note("label_guessed", {"column": label}),)
        options = replace(options, label=label)
        options.check(columns, name)
        labels = LabelColumn.of(
            label,
            table[label],
            unlabeled=options.unlabeled,
            new_classes=options.new_classes,
            from_file=from_file,
        )
        return cls(table, name, options, labels, notes, index, from_file)

    @property
    def ids(self) -> np.ndarray[Any, Any]:
        """What all rows are called, (n,): by a column, the index, or their position."""
        n_rows = self.table.num_rows
        if self.options.id_column is None:
            return row_ids(self.index, n_rows, None)
        ids = self.other_column(self.options.id_column, "id_column")
        if (ids.codes < 0).any():
            raise LabelNoiseError("ids_missing")
        return row_ids(ids.labels(np.arange(n_rows)), n_rows, None)

    def other_column(self, name: str, parameter: str) -> LabelColumn:
        """Another column that is read as labels are; `parameter` names it."""
        refuse_unknown_column(name, self.table.column_names, self.name, parameter)
        return LabelColumn.of(name, self.table[name], from_file=self.from_file)

    @property
    def kept_labels(self) -> tuple[str, ...]:
        """Labels to keep even when only one row has them."""
        return (*self.options.kept_labels, *self.options.new_classes)

    def features(self, rows: IntArray) -> pa.Table:
        """Some rows of all columns that may be a feature."""
        options = self.options
        apart = {options.label, options.id_column, options.group, *options.shown, *options.drop}
        names = [n for n in options.features or self.table.column_names if n not in apart]
        taken = self.table.select(names)
        return taken if len(rows) == taken.num_rows else taken.take(pa.array(rows))

    def groups(self, rows: IntArray) -> np.ndarray[Any, Any] | None:
        """The group of some rows as a text, None for a row without one."""
        name = self.options.group
        if name is None:
            return None
        texts = Column(name, self.table[name]).texts
        if texts is None:
            raise LabelNoiseError("not_single_values", name=f"column {name!r}")
        return texts[rows]

    def showable(self, types: Sequence[ColumnType]) -> tuple[str, ...]:
        """Columns of text, then other features, then other columns that are not constant."""
        texts = [kind.name for kind in types if kind.type == "text"]
        used = [kind.name for kind in types if kind.is_feature]
        useless = [kind.name for kind in types if kind.reason.code in USELESS]
        apart = {self.options.label, self.options.id_column, *self.options.drop, *useless}
        return tuple(
            name
            for name in dict.fromkeys([*texts, *used, *self.table.column_names])
            if name not in apart and not pa.types.is_nested(self.table[name].type)
        )

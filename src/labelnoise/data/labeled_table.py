"""A table with what was specified about it: its labels, and what its rows are called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.containers import row_ids
from labelnoise.data.label_column import LabelColumn, likely_label
from labelnoise.data.table_options import refuse_unknown_column
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    import pyarrow as pa

    from labelnoise.data.table_options import TableOptions


@dataclass(frozen=True, eq=False)
class LabeledTable:
    """A whole table and the column of its labels.

    Attributes
    ----------
    table : pa.Table
    name : str
        What the table is called in messages.
    options : TableOptions
        The checked options, with the label column.
    labels : LabelColumn
        The labels of all rows.
    notes : tuple of Note
        Whether the label column was guessed.
    index : pandas index, optional
        Names of the rows if no column holds them.
    from_file : bool
        Whether the table was read from a file, where whole numbers are texts.
    """

    table: pa.Table
    name: str
    options: TableOptions
    labels: LabelColumn
    notes: tuple[Note, ...]
    index: Any
    from_file: bool

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

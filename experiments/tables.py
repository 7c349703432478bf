"""Tables of results: means and standard errors, the two best of a row, CSV and Markdown."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

N_BEST = 2
"""How many entries of a row are bold, as in the paper."""


@dataclass(frozen=True)
class Entry:
    """The values of one setting over the seeds, and what others published for it."""

    values: tuple[float, ...] = ()
    published: dict[str, float] = field(default_factory=dict)  # by publisher

    @classmethod
    def without_nan(cls, values: Iterable[float]) -> Self:
        """Leave out values that are not defined."""
        return cls(tuple(value for value in values if not np.isnan(value)))

    @property
    def mean(self) -> float:
        """NaN without values."""
        return float(np.mean(self.values)) if self.values else float("nan")

    @property
    def standard_error(self) -> float:
        """NaN for a single value."""
        n = len(self.values)
        return float(np.std(self.values, ddof=1) / np.sqrt(n)) if n > 1 else float("nan")


Row = tuple[str, ...]
Entries = dict[tuple[Row, str], Entry]


@dataclass(frozen=True)
class Table:
    """Rows by columns of entries.

    Attributes
    ----------
    name : str
        Name of its files.
    title : str
        What it shows and how it was made.
    heads : tuple of str
        Headings of the columns that name a row.
    rows : tuple of tuples of str
        Names of the rows.
    columns : tuple of str
        Names of the columns.
    entries : dict
        Entries by row and column.
    bold : bool
        Whether the two lowest means of a row are bold.
    averaged : bool
        Whether the last row holds the means over the rows.
    """

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    entries: Entries
    bold: bool = False
    averaged: bool = False

    def entry(self, row: Row, column: str) -> Entry:
        """An entry, empty where nothing was measured."""
        return self.entries.get((row, column), Entry())

    @property
    def measured(self) -> bool:
        """Whether there is anything in it."""
        return any(self.entry(row, c).values for row in self.rows for c in self.columns)

    def complete_rows(self) -> list[Row]:
        """Rows in which every column was measured."""
        return [row for row in self.rows if all(self.entry(row, c).values for c in self.columns)]

    def column_mean(self, column: str) -> Entry:
        """Means over the complete rows: ours, and those published for all of these rows."""
        entries = [self.entry(row, column) for row in self.complete_rows()]
        published = {
            publisher: float(np.mean([entry.published[publisher] for entry in entries]))
            for publisher in entries[0].published
            if all(publisher in entry.published for entry in entries)
        }
        return Entry((float(np.mean([entry.mean for entry in entries])),), published)

    def best(self, row: Row) -> set[str]:
        """The two columns with the lowest means as printed; more if some are equal."""
        if not self.bold or len(self.columns) <= N_BEST:
            return set()
        means = {c: round(self.entry(row, c).mean, 2) for c in self.columns}
        measured = {c: mean for c, mean in means.items() if not np.isnan(mean)}
        lowest = sorted(measured.values())[:N_BEST]
        return {c for c, mean in measured.items() if mean <= lowest[-1]}

    def markdown(self) -> str:
        """A Markdown table of means and standard errors."""
        lines = [f"**{self.title}**", "", _line([*self.heads, *self.columns])]
        lines.append(_line(["---"] * len(self.heads) + ["---:"] * len(self.columns)))
        for row in self.rows:
            best = self.best(row)
            cells = [_shown(self.entry(row, c), bold=c in best) for c in self.columns]
            lines.append(_line([*row, *cells]))
        if len(self.complete_rows()) > 1 and self.averaged:
            means = [_shown(self.column_mean(c), bold=False) for c in self.columns]
            name = f"mean of {len(self.complete_rows())}"
            lines.append(_line([name, *[""] * (len(self.heads) - 1), *means]))
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """One line for each entry."""
        publishers = sorted({name for entry in self.entries.values() for name in entry.published})
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*self.heads, "column", "mean", "standard_error", "n", *publishers])
        for row in self.rows:
            for column in self.columns:
                entry = self.entry(row, column)
                numbers = [_number(entry.mean), _number(entry.standard_error), len(entry.values)]
                published = [_number(entry.published.get(p, float("nan"))) for p in publishers]
                writer.writerow([*row, column, *numbers, *published])
        return stream.getvalue()


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _shown(entry: Entry, *, bold: bool) -> str:
    if not entry.values:
        mean = "-"
    else:
        mean = f"**{entry.mean:.2f}**" if bold else f"{entry.mean:.2f}"
        if not np.isnan(entry.standard_error):
            mean += f" ± {entry.standard_error:.2f}"
    published = [f"{publisher} {value:.2f}" for publisher, value in entry.published.items()]
    return f"{mean} ({', '.join(published)})" if published else mean


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"

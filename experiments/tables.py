"""Results -> tables: means and standard errors, the two best of a row, CSV and Markdown."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BEST = 2
"""So many of a row are marked, as in the paper."""


@dataclass(frozen=True)
class Entry:
    """The values of one setting over the seeds, and what others published for it."""

    values: tuple[float, ...] = ()
    published: dict[str, float] = field(default_factory=dict)  # by who says so

    @classmethod
    def known(cls, values: Iterable[float]) -> Self:
        """Without the values that could not be worked out."""
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
        What is in it and how it was made.
    heads : tuple of str
        Heads of the columns that name a row.
    rows : tuple of tuples of str
        Names of the rows.
    columns : tuple of str
    entries : dict
        By row and column.
    marked : bool
        Whether the two lowest of a row are bold.
    averaged : bool
        Whether the last row holds means over the rows.
    """

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    entries: Entries
    marked: bool = False
    averaged: bool = False

    def entry(self, row: Row, column: str) -> Entry:
        """An entry, empty where nothing was measured."""
        return self.entries.get((row, column), Entry())

    def column_mean(self, column: str) -> Entry:
        """Means over the rows without a gap, ours and those that others published for all."""
        entries = [self.entry(row, column) for row in self.complete_rows()]
        published = {
            who: float(np.mean([entry.published[who] for entry in entries]))
            for who in entries[0].published
            if all(who in entry.published for entry in entries)
        }
        return Entry((float(np.mean([entry.mean for entry in entries])),), published)

    @property
    def measured(self) -> bool:
        """Whether there is anything in it."""
        return any(self.entry(row, c).values for row in self.rows for c in self.columns)

    def complete_rows(self) -> list[Row]:
        """Rows without a gap."""
        return [row for row in self.rows if all(self.entry(row, c).values for c in self.columns)]

    def best(self, row: Row) -> set[str]:
        """The two columns of a row with the lowest means, as shown; more if some are equal."""
        if not self.marked or len(self.columns) <= BEST:
            return set()
        means = {c: round(self.entry(row, c).mean, 2) for c in self.columns}
        measured = {c: mean for c, mean in means.items() if not np.isnan(mean)}
        limit = sorted(measured.values())[:BEST]
        return {c for c, mean in measured.items() if mean <= limit[-1]}

    def markdown(self) -> str:
        """As a Markdown table: mean and standard error, the two best in bold."""
        lines = [f"**{self.title}**", "", _line([*self.heads, *self.columns])]
        lines.append(_line(["---"] * len(self.heads) + ["---:"] * len(self.columns)))
        for row in self.rows:
            best = self.best(row)
            cells = [_shown(self.entry(row, c), marked=c in best) for c in self.columns]
            lines.append(_line([*row, *cells]))
        if len(self.complete_rows()) > 1 and self.averaged:
            means = [_shown(self.column_mean(c), marked=False) for c in self.columns]
            name = f"mean of {len(self.complete_rows())}"
            lines.append(_line([name, *[""] * (len(self.heads) - 1), *means]))
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """One line an entry."""
        others = sorted({who for entry in self.entries.values() for who in entry.published})
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*self.heads, "column", "mean", "standard_error", "n", *others])
        for row in self.rows:
            for column in self.columns:
                entry = self.entry(row, column)
                numbers = [_number(entry.mean), _number(entry.standard_error), len(entry.values)]
                theirs = [_number(entry.published.get(who, float("nan"))) for who in others]
                writer.writerow([*row, column, *numbers, *theirs])
        return stream.getvalue()


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _shown(entry: Entry, *, marked: bool) -> str:
    if not entry.values:
        mean = "-"
    else:
        mean = f"**{entry.mean:.2f}**" if marked else f"{entry.mean:.2f}"
        if not np.isnan(entry.standard_error):
            mean += f" ± {entry.standard_error:.2f}"
    theirs = [f"{who} {value:.2f}" for who, value in entry.published.items()]
    return f"{mean} ({', '.join(theirs)})" if theirs else mean


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"

"""The context of a report: the data, their names, and where they came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from labelnoise.reporting.settings import MAX_ROWS

if TYPE_CHECKING:
    from labelnoise.wording import Audience, Note

Content = Callable[[Any], Mapping[str, Sequence[Any]]]
"""Given the positions of some rows, returns their cells by column."""


@dataclass(frozen=True)
class ReportContext:
    """What is known about the data behind an estimate.

    Attributes
    ----------
    title : str
        Heading of the report.
    X : array of shape (n, d), optional
        Features, to show which of them are informative.
    feature_names : sequence of str
        Names of the features.
    ids : sequence, optional
        Names of the rows; if left out, rows are numbered from 0.
    id_source : str, optional
        The column that `ids` come from, or "ids" for another origin; None if rows are numbered.
    labels : array of shape (n,), optional
        Observed labels, to count them if the estimate has no results for single rows.
    lines : sequence of int, optional
        Row numbers in a spreadsheet.
    content : callable, optional
        Returns the cells of some rows.
    notes : sequence of Note or str
        Choices that were made while the data were read.
    digests : mapping from str to str
        SHA-256 of the data, by what they hold.
    seconds : float, optional
        Run time of the estimate.
    audience : {"python", "command line"}
        Who reads the report: the remedies and next steps depend on it.
    command : str, optional
        The command that was run.
    next_commands : sequence of str
        Commands to run, or calls to make, once decisions are downloaded.
    decisions_file : str
        Name of the file that decisions are downloaded to.
    max_rows : int
        Largest number of suspicious rows to show.
    """

    title: str = "Label noise report"
    X: Any = None
    feature_names: Sequence[str] = ()
    ids: Any = None
    id_source: str | None = None
    labels: Any = None
    lines: Sequence[int] | None = None
    content: Content | None = None
    notes: Sequence[Note | str] = ()
    digests: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    audience: Audience = "python"
    command: str | None = None
    next_commands: Sequence[str] = ()
    decisions_file: str = "decisions.csv"
    max_rows: int = MAX_ROWS

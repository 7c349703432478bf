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
    """What is known about the data behind an estimate."""

    title: str = "Label noise report"
    X: Any = None  # features (n, d), to show which of them are informative
    feature_names: Sequence[str] = ()
    ids: Any = None  # names of the rows; None if they are numbered from 0
    id_source: str | None = None  # the column that `ids` come from, or "ids" for another origin
    labels: Any = None  # (n,), to count them if the estimate has no results for single rows
    lines: Sequence[int] | None = None  # row numbers in a spreadsheet
    content: Content | None = None
    notes: Sequence[Note] = ()  # choices that were made while the data were read
    digests: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of the data, by their name
    seconds: float | None = None  # run time of the estimate
    audience: Audience = "python"  # the remedies and next steps depend on it
    command: str | None = None  # that was run
    next_commands: Sequence[str] = ()  # to run, or calls to make, with downloaded decisions
    decisions_file: str = "decisions.csv"  # name of the file that decisions are downloaded to
    max_rows: int = MAX_ROWS  # largest number of suspicious rows to show

"""What a report may know beside the estimate: the data, their names, and how they were read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelnoise.wording import Audience

Content = Callable[[Any], Mapping[str, Sequence[Any]]]
"""Cells of some rows, given their positions, by column."""

MOST_ROWS = 1000
"""Suspicious rows on a page, unless somebody asks for more or fewer."""


@dataclass(frozen=True)
class About:
    """What is known about the data behind an estimate.

    Attributes
    ----------
    name : str
        What the data are called.
    X : array of shape (n, d), optional
        Features, to say which of them matter.
    feature_names : sequence of str
        Their names.
    ids : sequence, optional
        What rows are called; else they are numbered from 0.
    content : callable, optional
        Cells of some rows.
    guesses : sequence of str
        What was guessed to read the data.
    named_by : str
        What `ids` are: a column of the data, "ids" of other origin, or "place".
    digests : mapping from str to str
        SHA-256 of the data, by what they hold.
    seconds : float, optional
        How long the estimate took.
    command : str, optional
        What was typed.
    next_commands : sequence of str
        What to type when decisions were made.
    decisions : str
        Name of the file that decisions are downloaded to.
    max_rows : int
        Suspicious rows to show.
    """

    name: str = "Label noise"
    X: Any = None
    feature_names: Sequence[str] = ()
    ids: Any = None
    named_by: str = "place"
    content: Content | None = None
    guesses: Sequence[str] = field(default_factory=tuple)
    digests: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    command: str | None = None
    next_commands: Sequence[str] = ()
    decisions: str = "decisions.csv"
    max_rows: int = MOST_ROWS

    @property
    def audience(self) -> Audience:
        """Who reads the report: whoever typed a command, or whoever called a function."""
        return "python" if self.command is None else "command line"

    def names_of_features(self, n_features: int) -> list[str]:
        """A name for every feature."""
        if len(self.feature_names) == n_features:
            return [str(name) for name in self.feature_names]
        return [f"feature {i}" for i in range(n_features)]

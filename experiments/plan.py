"""What a run covers (data sets, seeds, methods), and how its results are looked up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Self

from experiments.draws import LEVELS
from experiments.sources import TABULAR_SOURCES, Source
from experiments.store import Cell, Record
from experiments.text import TEXT_SETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from experiments.sources import DataFolder

OURS = "rank-gated"
IN_PAPER = ("t-revision", "confident-learning", "hoc", "x-kl", "x-tv", "a-kl", "a-tv")
ALL_METHODS = (*IN_PAPER, "t-vol", "t-tv", "selective", OURS)
QUICK_TABLES = ("banana", "heart", "titanic")
SLOW_ON_TEXT = ("selective",)
"""Left out of quick runs on text: a forest on embeddings takes twenty seconds for each draw."""


@dataclass(frozen=True)
class Plan:
    """What a run covers."""

    seeds: tuple[int, ...]
    methods: tuple[str, ...]
    tables: tuple[Source, ...]
    texts: tuple[Source, ...]
    missing: tuple[tuple[Source, str], ...]  # unavailable data sets, with the remedy for each
    quick: bool = False

    @classmethod
    def from_data(
        cls, data: DataFolder, seeds: Iterable[int], methods: Iterable[str], *, quick: bool = False
    ) -> Self:
        """Cover the data sets that are available."""
        tables = [s for s in TABULAR_SOURCES if not quick or s.name in QUICK_TABLES]
        texts = [source for name in TEXT_SETS for source in data.representations(name)]
        if quick:
            texts = [source for source in texts if source.name == "jigsaw"][-1:]
        reasons = {source: data.why_missing(source) for source in (*tables, *texts)}
        return cls(
            tuple(seeds),
            tuple(methods),
            tuple(source for source in tables if not reasons[source]),
            tuple(source for source in texts if not reasons[source]),
            tuple((source, reason) for source, reason in reasons.items() if reason),
            quick,
        )

    @property
    def levels(self) -> tuple[str, ...]:
        """Noise levels; a quick run keeps those that figure 1 and table 3 need."""
        return LEVELS[1:] if self.quick else LEVELS

    @property
    def text_methods(self) -> tuple[str, ...]:
        """Methods for text."""
        return tuple(m for m in self.methods if not (self.quick and m in SLOW_ON_TEXT))

    @property
    def reductions(self) -> str:
        """What a quick run leaves out, in words."""
        parts = [
            f"of the tabular sets only {', '.join(QUICK_TABLES)}",
            f"of the text sets only {', '.join(map(str, self.texts)) or 'Jigsaw'}",
            f"no {LEVELS[0]} noise",
            "half the points of each curve",
            "small sizes in the speed table",
            *(f"no {m} on text" for m in self.methods if m not in self.text_methods),
        ]
        return f"a quick run: {'; '.join(parts)}" if self.quick else ""

    def settings(self, sources: Iterable[Source]) -> dict[tuple[str, ...], tuple[Source, str]]:
        """Data sets and noise levels, by the names of their table rows."""
        return {(str(s), level): (s, level) for s, level in product(sources, self.levels)}

    def only(self, methods: Iterable[str]) -> tuple[str, ...]:
        """Those of the given methods that this run covers."""
        return tuple(m for m in methods if m in self.methods)


@dataclass(frozen=True)
class Results:
    """The records of a run, looked up setting by setting."""

    plan: Plan
    find: Callable[[Cell], Record | None]

    def values(
        self, job: str, source: Source, level: str, method: str, field: str = "error"
    ) -> tuple[float, ...]:
        """One number for every seed that was measured."""
        cells = [Cell(job, source, level, seed, method) for seed in self.plan.seeds]
        records = [self.find(cell) for cell in cells]
        return tuple(record[field] for record in records if record)

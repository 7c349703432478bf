"""What a run covers: sets, seeds, methods, and what is not there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Self

from experiments.text import TEXT_SETS
from experiments.draws import LEVELS
from experiments.library import TABLES, Source
from experiments.store import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from experiments.library import Library
    from experiments.store import Record, Store
    from experiments.tables import Row

OURS = "rank-gated"
IN_PAPER = ("t-revision", "confident-learning", "hoc", "x-kl", "x-tv", "a-kl", "a-tv")
ALL_METHODS = (*IN_PAPER, "t-vol", "t-tv", "selective", OURS)
IN_FIGURE_1 = ("t-revision", "confident-learning", "hoc", OURS)
QUICK_TABLES = ("banana", "heart", "titanic")
SLOW_ON_TEXT = ("selective",)
"""Left out of a quick run's text: a forest on embeddings takes twenty seconds a draw."""


@dataclass(frozen=True)
class Plan:
    """What a run covers."""

    seeds: tuple[int, ...]
    methods: tuple[str, ...]
    tables: tuple[Source, ...]
    texts: tuple[Source, ...]
    missing: tuple[tuple[Source, str], ...]  # what is not there, and what to do about it
    quick: bool = False

    @classmethod
    def of(
        cls, library: Library, seeds: Iterable[int], methods: Iterable[str], *, quick: bool = False
    ) -> Self:
        """Look what the library has."""
        wanted = [source for source in TABLES if not quick or source.name in QUICK_TABLES]
        texts = [source for name in TEXT_SETS for source in library.representations(name)]
        if quick:
            texts = [source for source in texts if source.name == "jigsaw"][-1:]
        reasons = {source: library.why_missing(source) for source in (*wanted, *texts)}
        return cls(
            tuple(seeds),
            tuple(methods),
            tuple(source for source in wanted if not reasons[source]),
            tuple(source for source in texts if not reasons[source]),
            tuple((source, reason) for source, reason in reasons.items() if reason),
            quick,
        )

    @property
    def levels(self) -> tuple[str, ...]:
        """Noise levels; a quick run has those that figure 1 and table 3 need."""
        return LEVELS[1:] if self.quick else LEVELS

    @property
    def text_methods(self) -> tuple[str, ...]:
        """Methods on text."""
        return tuple(m for m in self.methods if not (self.quick and m in SLOW_ON_TEXT))

    @property
    def cut(self) -> str:
        """In words, what a quick run does without."""
        parts = [
            f"of the tabular sets only {', '.join(QUICK_TABLES)}",
            f"of the text sets only {', '.join(map(str, self.texts)) or 'Jigsaw'}",
            f"no {LEVELS[0]} noise",
            "half the points of each curve",
            "small sizes in the speed table",
            *(f"no {m} on text" for m in self.methods if m not in self.text_methods),
        ]
        return f"a quick run: {'; '.join(parts)}" if self.quick else ""

    def settings(self, sources: Iterable[Source]) -> dict[Row, tuple[Source, str]]:
        """Sets and levels, by the names they have in a table."""
        return {(str(s), level): (s, level) for s, level in product(sources, self.levels)}

    def cells(
        self,
        job: str,
        sources: Iterable[Source],
        methods: Iterable[str],
        levels: Iterable[str] | None = None,
        seeds: Iterable[int] | None = None,
    ) -> list[Cell]:
        """All cells of a job, draw by draw: methods on one draw follow each other."""
        at = product(sources, levels or self.levels, seeds or self.seeds, methods)
        return [Cell(job, *where) for where in at]


@dataclass(frozen=True)
class Results:
    """Records of a run, looked up setting by setting."""

    store: Store
    plan: Plan

    def record(self, job: str, source: Source, level: str, seed: int, method: str) -> Record | None:
        """Everything measured in one cell."""
        return self.store.get(Cell(job, source, level, seed, method))

    def values(
        self, job: str, source: Source, level: str, method: str, field: str = "error"
    ) -> tuple[float, ...]:
        """A number for every seed that was measured."""
        records = [self.record(job, source, level, seed, method) for seed in self.plan.seeds]
        return tuple(record[field] for record in records if record)

"""The result: every annotator's T, the class frequencies, and a label for every row."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from labelnoise import checks
from labelnoise.annotators import saving
from labelnoise.annotators.annotator import Annotator, ends_of
from labelnoise.annotators.findings import chance_corrected
from labelnoise.annotators.sampler import CrowdDraws, Moments, together_with
from labelnoise.data.containers import as_frame, default_library
from labelnoise.errors import LabelNoiseError
from labelnoise.noise_estimate import SHOWN_LEVEL
from labelnoise.transition import TransitionMatrix, class_position
from labelnoise.uncertainty import Interval, Limits
from labelnoise.wording import Note

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from labelnoise.annotators.agreement import Agreement
    from labelnoise.arrays import BoolArray, FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.findings import Diagnosis

MAX_LISTED = 10


@dataclass(frozen=True, eq=False, repr=False)
class AnnotatorEstimate:
    """What several annotators' answers say about rows, classes and annotators.

    Attributes
    ----------
    annotators, classes : tuple
        Names of A annotators and K classes.
    rows : (n,) array
        Names of the rows.
    transition : (A, K, K) array
        T of every annotator.
    class_prior : (K,) array
        Frequencies of the true classes.
    posterior : (n, K) array
        P(true class | answers, features) of every row.
    n_answers : (n,) array
        Answers of each row.
    counts : (A, K, K) array
        Expected answers by annotator, true class and label.
    single_label : (A,) array of bool
        Sources that use a single label.
    agreement : Agreement
    diagnosis : Diagnosis
    method : str
    parameters : mapping
        Plain values.
    draws : CrowdDraws or None
        For intervals.
    """

    annotators: tuple[Label, ...]
    classes: tuple[Label, ...]
    rows: np.ndarray[Any, Any]
    transition: FloatArray
    class_prior: FloatArray
    posterior: FloatArray
    n_answers: IntArray
    counts: FloatArray
    single_label: BoolArray
    agreement: Agreement
    diagnosis: Diagnosis
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    draws: CrowdDraws | None = None

    def __post_init__(self) -> None:
        for name in ("transition", "class_prior", "posterior", "n_answers", "counts", "rows"):
            own = np.array(getattr(self, name))
            own.setflags(write=False)
            object.__setattr__(self, name, own)

    @property
    def consensus(self) -> np.ndarray[Any, Any]:
        """The most probable class of every row, (n,); also of rows without an answer."""
        return checks.label_array(self.classes)[self.posterior.argmax(axis=1)]

    @property
    def consensus_probability(self) -> FloatArray:
        """Probability of that class, (n,), if answers are independent given the true class."""
        return self.posterior.max(axis=1)

    def __getitem__(self, name: Label) -> Annotator:
        """An annotator, by name."""
        if name not in self.annotators:
            raise LabelNoiseError("no_such_annotator", name=name, annotators=list(self.annotators))
        return self._annotator(self.annotators.index(name))

    @property
    def together(self) -> Annotator:
        """All annotators as one: the noise of an answer that is drawn at random."""
        return self._annotator(len(self.annotators))

    @property
    def transition_matrix(self) -> TransitionMatrix:
        """T of all annotators together, as remedies for noisy labels use it."""
        return self.together.transition_matrix

    def interval(self, level: float = SHOWN_LEVEL) -> Interval:
        """Where T and the noise rate of all together, and class frequencies, lie."""
        found = self.together.interval(level)
        if self.draws is None:
            return found
        prior = ends_of(self.draws.prior, self.class_prior, level)
        lower, upper = (
            Limits(end.transition_matrix, prior[i], end.noise_rate)
            for i, end in enumerate((found.lower, found.upper))
        )
        return Interval(lower, upper, self.classes, level)

    def most_reliable(self, label: Label, n: int | None = None) -> list[Label]:
        """Annotators to trust on rows of a class: by the lower end of their share of right answers.

        Few answers make that end low. Sources that use a single label come last, by the share of
        their answers that are right for this class.

        Parameters
        ----------
        label : label
            A class.
        n : int, optional
            How many; all if left out.
        """
        i = class_position(label, self.classes)
        right = self.transition[:, i, i].copy()
        if self.draws is not None:
            of_all = self.draws.transition
            moments = Moments(of_all.mean[:-1, i, i], of_all.variance[:-1, i, i])
            right = ends_of(moments, right, SHOWN_LEVEL)[0]
        single = self.single_label
        right[single] = self.counts[single, i, i] / self.counts[single].sum(axis=(1, 2))
        order = np.lexsort((np.arange(len(right)), -right, single))
        return [self.annotators[a] for a in order[:n]]

    def to_frame(self, library: str | None = None) -> Any:
        """Consensus labels: columns row, label, probability, n_answers; one line for each row."""
        columns = {
            "row": self.rows,
            "label": self.consensus,
            "probability": self.consensus_probability,
            "n_answers": self.n_answers,
        }
        return as_frame(columns, library or default_library())

    def to_dict(self) -> dict[str, Any]:
        """As plain values that JSON can hold."""
        return saving.document_of(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a ``.json`` file, atomically, which `load` reads."""
        saving.save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote."""
        return cls(**saving.attributes_of(path))

    def _annotator(self, a: int) -> Annotator:
        every = a == len(self.annotators)
        counts = self.counts.sum(axis=0) if every else self.counts[a]
        transition = together_with(self.transition, self.counts)[-1] if every else None
        of_class = counts.sum(axis=1)
        realized = np.full_like(counts, np.nan)
        np.divide(counts, of_class[:, None], out=realized, where=of_class[:, None] > 0)
        parts = None
        if self.draws is not None:
            drawn = (self.draws.transition, self.draws.noise_rate)
            parts = tuple(Moments(one.mean[a], one.variance[a]) for one in drawn)
        return Annotator(
            "all together" if every else self.annotators[a],
            TransitionMatrix(
                self.transition[a] if transition is None else transition, self.classes
            ),
            of_class / of_class.sum(),
            round(counts.sum()),
            float(chance_corrected(counts[None])[0][0]),
            bool(self.single_label.all() if every else self.single_label[a]),
            realized,
            parts,  # type: ignore[arg-type]
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnnotatorEstimate) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        n_answers = int(self.n_answers.sum())
        names = f"{len(self.annotators)} annotators to {len(self.rows)} rows"
        lines = [
            f"AnnotatorEstimate by {self.method!r} from {n_answers} answers of {names}",
            *(textwrap.fill(line, width=100) for line in self.in_words()),
            "",
            *(f"  {line}" for line in self._lines()),
            "",
            repr(self.together),
            str(self.diagnosis),
        ]
        return "\n".join(lines)

    def in_words(self) -> list[str]:
        """How sure the consensus is, and how far annotators agree."""
        seen = self.n_answers > 0
        share = float(self.consensus_probability[seen].mean())
        found = self.agreement
        notes = [Note("consensus_probability", {"share": share})]
        if found.n_rows:
            alpha = None if np.isnan(found.alpha) else found.alpha
            facts = {"pairwise": found.pairwise, "alpha": alpha, "n": found.n_rows}
            notes.append(Note("agreement", facts))
        return [note.reason() for note in notes]

    def _lines(self) -> list[str]:
        """The annotators with the most answers, a line each."""
        order = np.argsort(-self.counts.sum(axis=(1, 2)), kind="stable")
        lines = []
        for a in order[:MAX_LISTED]:
            one = self._annotator(int(a))
            line = f"{one.name!s:.20}: {one.n_answers} answers, {one.noise_rate:.1%} wrong"
            if self.draws is not None:
                ends = one.interval()
                line += f" ({ends.lower.noise_rate:.1%} to {ends.upper.noise_rate:.1%})"
            lines.append(line + ", a single label" * one.single_label)
        more = len(order) - MAX_LISTED
        return [*lines, f"and {more} more"] if more > 0 else lines

"""An estimate of the noise: T, the clean prior, and how far to trust them."""

from __future__ import annotations

import json
import math
import textwrap
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from labelnoise import checks
from labelnoise.atomic_files import read_text, write_text_atomically
from labelnoise.errors import LabelNoiseError
from labelnoise.findings import Diagnosis
from labelnoise.transition import MAX_SHOWN, TransitionMatrix
from labelnoise.uncertainty import Bounds, Draws, Interval, Limits
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.row_model import RowModel

SHOWN_LEVEL = 0.9
"""Level of the interval that stands beside a noise rate."""

SAME = 0.005
"""Noise rates that differ by less are much the same."""


class NoiseLeft(NamedTuple):
    """Share of labels still wrong after a review, and its interval, None without draws."""

    share: float
    lower: float | None
    upper: float | None


@dataclass(frozen=True, eq=False, repr=False)
class NoiseEstimate:
    """What an estimator says about the noise.

    Attributes
    ----------
    transition_matrix : TransitionMatrix
        T, with ``T[i, j] = P(observed = j | true = i)``.
    class_prior : array of shape (K,)
        Frequencies of the true classes.
    method : str
        Name of the method that made the estimate.
    diagnosis : Diagnosis
        Verdict, reasons and remedies.
    assumption : Assumption, optional
        What has to hold for the numbers to mean what they say.
    parameters : mapping
        Settings of the method, as plain values.
    n_rows : int
        Rows the estimate was made from.
    draws : Draws, optional
        What T and the prior might be; where the method gives them.
    bounds : Bounds, optional
        The two ends that features and labels alone leave open, and what each assumes.
    corrected : tuple of K floats
        Share of all labels that audited rows proved wrong, by true class; empty without an audit.
    rows : RowModel, optional
        What is known about the single rows. Not saved, and not compared.
    """

    SCHEMA: ClassVar[str] = "labelnoise/noise-estimate"
    SCHEMA_VERSION: ClassVar[int] = 3

    transition_matrix: TransitionMatrix
    class_prior: FloatArray
    method: str
    diagnosis: Diagnosis
    assumption: Assumption | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    n_rows: int = 0
    draws: Draws | None = None
    bounds: Bounds | None = None
    corrected: tuple[float, ...] = ()
    rows: RowModel | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        prior = np.array(self.class_prior, dtype=np.float64)
        shape = (self.transition_matrix.n_classes,)
        if (
            prior.shape != shape
            or prior.min() < 0
            or not math.isclose(prior.sum(), 1, abs_tol=1e-6)
        ):
            raise LabelNoiseError(
                f"class_prior must be {shape[0]} probabilities that sum to 1, got {prior}. "
                "Divide it by its sum."
            )
        prior.setflags(write=False)
        object.__setattr__(self, "class_prior", prior)
        object.__setattr__(self, "parameters", {k: _plain(v) for k, v in self.parameters.items()})

    @property
    def classes(self) -> tuple[Label, ...]:
        """Names of the classes, in the order of T's rows and columns."""
        return self.transition_matrix.classes

    @property
    def noise_rate(self) -> float:
        """Expected share of all rows whose label is wrong, ``sum_i p_i (1 - T[i, i])``."""
        return float(self.class_prior @ self.transition_matrix.noise_rates)

    def noise_left(self, level: float = SHOWN_LEVEL) -> NoiseLeft:
        """Share of labels still wrong once audited rows are corrected, and its interval.

        Do not estimate anew from labels that were corrected where they looked wrong: what is left
        looks right, and the estimate would be far too low. This one knows which rows were seen.
        """
        corrected = sum(self.corrected)
        left = max(self.noise_rate - corrected, 0.0)
        if self.draws is None:
            return NoiseLeft(left, None, None)
        ends = self.interval(level)
        low, high = (max(e.noise_rate - corrected, 0.0) for e in (ends.lower, ends.upper))
        return NoiseLeft(left, low, high)

    def interval(self, level: float = 0.9) -> Interval:
        """Where each number lies with probability `level`: ``.lower`` and ``.upper``.

        Both ends have ``transition_matrix``, ``class_prior`` and ``noise_rate``. The interval
        holds under the estimate's `assumption`; `bounds` says what is open without it.
        """
        if self.draws is None:
            raise LabelNoiseError(
                f"this estimate by {self.method!r} has no draws, and so no intervals. Use "
                "method='rank-gated' with n_draws=100."
            )
        return self.draws.interval(level, self._limits(), self.classes)

    def _limits(self) -> Limits:
        return Limits(self.transition_matrix.values, self.class_prior, self.noise_rate)

    @property
    def row_posteriors(self) -> FloatArray:
        """P(true class | features, observed label) of every row, (n, K)."""
        return self.row_model("row_posteriors").posteriors()

    def suggest_audit(self, n: int) -> IntArray:
        """Name `n` rows to check by hand: those whose true labels would tighten T most.

        Above all rows that decide between "the classes overlap here" and "people err here".
        Rows that were audited already are not named again.
        """
        return self.row_model("suggest_audit").suggest(checks.positive_int(n, "n"))

    def with_audit(self, rows: Any, true_labels: Any) -> NoiseEstimate:
        """Fuse hand-checked rows into the estimate.

        Parameters
        ----------
        rows : sequence of int
            Which rows were checked, by position. They may be chosen at random, by
            `suggest_audit`, or in any way that looks at features and labels only.
        true_labels : sequence
            Their true classes, each one of `classes`.

        Returns
        -------
        NoiseEstimate
            A new estimate; with no rows, this one. Audits add up over calls.
        """
        positions = checks.row_positions(rows, self.n_rows)
        codes = checks.known_labels(true_labels, self.classes, len(positions), "true_labels")
        model = self.row_model("with_audit")
        if not len(positions):
            return self
        fused = model.audited(positions, codes)
        return replace(
            self,
            transition_matrix=TransitionMatrix(fused.transition, self.classes),
            class_prior=fused.prior,
            draws=fused.draws,
            diagnosis=fused.diagnosis,
            assumption=fused.assumption,
            corrected=tuple((_proved_wrong(fused.rows) / self.n_rows).tolist()),
            rows=fused.rows,
        )

    def row_model(self, wanted: str) -> RowModel:
        """What is known about the single rows, or an error that names what wanted to know."""
        if self.rows is None:
            raise LabelNoiseError(
                f"{wanted} needs to know the single rows. Estimates by other methods than "
                "'rank-gated', and loaded ones, do not. Estimate again with method='rank-gated'."
            )
        return self.rows

    def __deepcopy__(self, memo: Any) -> NoiseEstimate:
        return self  # it never changes; scikit-learn copies parameters for every fit of a search

    def true_given_observed(self) -> FloatArray:
        """Bayes' rule: entry [j, i] is P(true = i | observed = j), rows summing to one.

        The row of a label that is never seen is the class prior.
        """
        joint = (self.class_prior[:, None] * self.transition_matrix.values).T
        seen = joint.sum(axis=1, keepdims=True)
        return np.where(seen > 0, joint / np.where(seen > 0, seen, 1), self.class_prior)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the estimate as JSON, atomically; what it knows of single rows stays behind."""
        for label in self.classes:
            if not isinstance(label, str | int | float | bool):
                raise LabelNoiseError(
                    f"class {label!r} is a {type(label).__name__}, which JSON cannot hold. Convert "
                    "the labels to text or numbers before estimating."
                )
        document = {
            "schema": self.SCHEMA,
            "schema_version": self.SCHEMA_VERSION,
            "method": self.method,
            "classes": list(self.classes),
            "transition_matrix": self.transition_matrix.values.tolist(),
            "class_prior": self.class_prior.tolist(),
            "n_rows": self.n_rows,
            "assumption": self.assumption and self.assumption.to_document(),
            "diagnosis": self.diagnosis.to_document(),
            "corrected": list(self.corrected),
            "parameters": dict(self.parameters),
            "draws": self.draws and self.draws.to_document(),
            "bounds": self.bounds and self.bounds.to_document(),
        }
        write_text_atomically(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimate that `save` wrote."""
        text = read_text(path)
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise LabelNoiseError(f"{str(path)!r} is not JSON: {error}. Save it again.") from error
        if not isinstance(document, dict) or document.get("schema") != cls.SCHEMA:
            raise LabelNoiseError(
                f"{str(path)!r} does not hold a noise estimate. Pass a file written by "
                "NoiseEstimate.save, or by labelnoise estimate -o."
            )
        version = document.get("schema_version")
        if version != cls.SCHEMA_VERSION:
            raise LabelNoiseError(
                f"{str(path)!r} has schema version {version}, this labelnoise reads "
                f"{cls.SCHEMA_VERSION}. Read it with the labelnoise that wrote it."
            )
        try:
            return cls._from_document(document)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LabelNoiseError(
                f"{str(path)!r} is damaged: {type(error).__name__} {error}. Save it again."
            ) from error

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Self:
        draws, bounds = document.get("draws"), document.get("bounds")
        return cls(
            TransitionMatrix(document["transition_matrix"], document["classes"]),
            np.asarray(document["class_prior"], dtype=float),
            method=document["method"],
            diagnosis=Diagnosis.from_document(document["diagnosis"]),
            assumption=Assumption.from_document(document["assumption"]),
            parameters=document["parameters"],
            corrected=tuple(map(float, document["corrected"])),
            n_rows=checks.positive_int(document["n_rows"], "n_rows", minimum=0),
            draws=draws and Draws.from_document(draws),
            bounds=bounds and Bounds.from_document(bounds, tuple(document["classes"])),
        )

    def report(self, path: str | os.PathLike[str] = "report.html", **about: Any) -> None:
        """Write one page about the estimate, to send to a colleague.

        Parameters
        ----------
        path : path
            Ending in ``.html`` (needs no network), ``.md`` or ``.json``.
        **about
            ``X=`` (features, to show which matter) and ``feature_names=``, ``content=`` (what
            reviewers are to see of a row), ``ids=``, or ``table=`` for all of them (what
            `load_table` returned); ``title=``, ``max_rows=``.
        """
        _upstairs("reporting.estimate_report").write_report(self, path, **about)

    def plot(self, kind: str = "transition", ax: Any = None) -> Any:
        """Draw the estimate with matplotlib, and return the axes.

        Parameters
        ----------
        kind : {"transition", "intervals", "purity"}
            T as a heat map; intervals of its diagonal and of the class shares; or how labels
            change along the ranking of each class.
        ax : Axes, optional
            Where to draw; for "purity" an array of axes, one a class.
        """
        try:
            plots = _upstairs("reporting.plots_matplotlib")
        except ModuleNotFoundError as error:
            raise LabelNoiseError(
                "plots need matplotlib. Install it: pip install 'labelnoise[plot]'."
            ) from error
        return plots.plot_estimate(self, kind, ax)

    def _repr_html_(self) -> str:
        return str(_upstairs("reporting.notebook").estimate_html(self))

    def noise_in_words(self) -> list[str]:
        """The noise rate with all that belongs beside it: interval, assumption, bracket."""
        if not self.diagnosis.can_tell:
            told = f"{self.noise_rate:.1%} fit best, and that may be far off"
            return [f"these data cannot tell how many labels are wrong; {told}"]
        share = f"about {self.noise_rate:.1%} of the labels are wrong"
        if self.draws is not None:
            ends = self.interval(SHOWN_LEVEL)
            share += (
                f" ({SHOWN_LEVEL:.0%} interval {ends.lower.noise_rate:.1%} to "
                f"{ends.upper.noise_rate:.1%})"
            )
        if self.assumption:
            share += f", assuming {self.assumption}"
        if self.bounds is None:
            return [share]
        low, high = (
            f"{end.noise_rate:.1%}, assuming {end.assumption}"
            for end in (self.bounds.lower, self.bounds.upper)
        )
        if self.assumption == self.bounds.lower.assumption:
            return [share, f"{self._beside(self.bounds.upper)} {high}"]
        if self.assumption == self.bounds.upper.assumption:
            return [share, f"{self._beside(self.bounds.lower)} {low}"]
        return [share, f"from features and labels alone: between {low}, and {high}"]

    def _beside(self, other: Limits) -> str:
        return "much the same," if abs(other.noise_rate - self.noise_rate) < SAME else "or"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NoiseEstimate):
            return NotImplemented
        mine = (self.transition_matrix, self.method, self.diagnosis, self.assumption)
        theirs = (other.transition_matrix, other.method, other.diagnosis, other.assumption)
        return (
            mine == theirs
            and np.array_equal(self.class_prior, other.class_prior)
            and self.parameters == other.parameters
            and self.n_rows == other.n_rows
            and self.corrected == other.corrected
            and self.draws == other.draws
            and self.bounds == other.bounds
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        pairs = list(zip(self.classes, self.class_prior, strict=True))
        prior = ", ".join(f"{label}: {p:.3f}" for label, p in pairs[:MAX_SHOWN])
        prior += ", ..." if len(pairs) > MAX_SHOWN else ""
        lines = [
            f"NoiseEstimate by {self.method!r} from {self.n_rows} rows",
            *(textwrap.fill(line, width=100) for line in self.noise_in_words()),
            "",
            repr(self.transition_matrix),
            "",
            textwrap.fill(f"clean class prior: {prior}", width=100),
            f"diagnosis: {self.diagnosis}",
        ]
        return "\n".join(lines)


def _proved_wrong(rows: RowModel) -> FloatArray:
    """Labels that audited rows proved wrong, by true class, (K,)."""
    audited = rows.audits()
    chances = rows.posteriors()[audited]
    chances[np.arange(len(audited)), rows.observed()[audited]] = 0.0
    return chances.sum(axis=0)


def _upstairs(module: str) -> Any:
    """A module of a room above, loaded by name: this room knows nothing of what it does."""
    return import_module(f"labelnoise.{module}")


def _plain(value: Any) -> Any:
    """Turn a parameter into what JSON can hold, so that a round trip loses nothing."""
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return type(value).__name__  # its address would differ from run to run
    return repr(value)

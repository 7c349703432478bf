"""An estimate of the noise: T, the clean prior, and how far to trust them."""

from __future__ import annotations

import hashlib
import math
import textwrap
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.findings import Diagnosis
from labelnoise.json_values import json_value
from labelnoise.noise_estimate import saving
from labelnoise.noise_estimate.settings import SHOWN_LEVEL
from labelnoise.noise_estimate.words import noise_in_words
from labelnoise.transition import MAX_SHOWN, TransitionMatrix
from labelnoise.uncertainty import Limits
from labelnoise.wording import Note

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.findings import Finding
    from labelnoise.row_model import RowModel
    from labelnoise.uncertainty import Bounds, Draws, Interval
    from labelnoise.wording import Assumption


METHOD_WITH_ROWS = "rank-gated"  # the method whose estimates know single rows


class NoiseLeft(NamedTuple):
    """Share of labels still wrong after a review, and its interval, None without draws."""

    share: float
    lower: float | None
    upper: float | None


@dataclass(frozen=True, eq=False, repr=False)
class NoiseEstimate:
    """The result of an estimator of the noise.

    Attributes
    ----------
    transition_matrix : TransitionMatrix
        T, with ``T[i, j] = P(observed = j | true = i)``.
    class_prior : array of shape (K,)
        Frequencies of the true classes.
    method : str
        Name of the method that made the estimate.
    diagnosis : Diagnosis
        Whether the estimate is reliable, why not, and what helps.
    assumption : Assumption, optional
        The assumption under which the numbers hold.
    parameters : mapping
        Settings of the method, as plain values.
    n_rows : int
        Number of rows that the estimate was made from.
    draws : Draws, optional
        Draws of T and the prior from their posterior, if the method has them.
    bounds : Bounds, optional
        The two readings that features and labels leave open, and their assumptions.
    corrected : tuple of K floats
        Share of all labels that audited rows proved wrong, by true class; empty without an audit.
    labels_digest : str
        SHA-256 of the observed labels; empty if unknown.
    row_ids : array of shape (n_rows,), optional
        Names of the rows, if they are not their positions from 0: those of the `Dataset` that the
        estimate was made from. Not compared.
    rows : RowModel, optional
        Results for single rows. Not compared.
    """

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
    labels_digest: str = ""
    row_ids: Any = field(default=None, compare=False)
    rows: RowModel | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        prior, k = np.array(self.class_prior, dtype=np.float64), len(self.classes)
        priors = {"class_prior": prior}
        if self.draws is not None:
            priors["class_prior of draws"] = self.draws.prior[0]
        if self.bounds is not None:
            priors["class_prior of the lower bound"] = self.bounds.lower.class_prior
            priors["class_prior of the upper bound"] = self.bounds.upper.class_prior
        expected = f"({k},), as T has"
        for name, one in priors.items():
            if one.shape != (k,):
                raise LabelNoiseError("wrong_shape", name=name, shape=one.shape, expected=expected)
        if not prior.min() >= 0 or not math.isclose(prior.sum(), 1, abs_tol=1e-6):
            raise LabelNoiseError("not_distributions", name="class_prior")
        corrected = np.array(self.corrected, dtype=np.float64)
        if len(corrected) not in {0, k} or not (corrected >= 0).all() or corrected.sum() > 1:
            raise LabelNoiseError("corrected_invalid", n=k, values=list(self.corrected))
        if self.row_ids is not None and len(self.row_ids) != self.n_rows:
            facts = {"n": len(self.row_ids), "n_rows": self.n_rows}
            raise LabelNoiseError("wrong_length", name="row_ids", **facts)
        prior.setflags(write=False)
        object.__setattr__(self, "class_prior", prior)
        parameters = json_value(self.parameters, _parameter_as_text)  # nothing is lost by saving
        object.__setattr__(self, "parameters", parameters)

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

        Do not make a new estimate from labels that were corrected where they looked wrong: the
        errors that are left look right, and the estimate would be far too low. This one accounts
        for the reviewed rows.
        """
        corrected = sum(self.corrected)
        left = max(self.noise_rate - corrected, 0.0)
        if self.draws is None:
            return NoiseLeft(left, None, None)
        ends = self.interval(level)
        low, high = (max(e.noise_rate - corrected, 0.0) for e in (ends.lower, ends.upper))
        return NoiseLeft(left, low, high)

    def interval(self, level: float = SHOWN_LEVEL) -> Interval:
        """Where each number lies with probability `level`: ``.lower`` and ``.upper``.

        Both ends have ``transition_matrix``, ``class_prior`` and ``noise_rate``. The interval
        holds under the estimate's `assumption`; `bounds` shows what is open without it.
        """
        if self.draws is None:
            raise LabelNoiseError("no_draws", method=self.method)
        point = Limits(self.transition_matrix.values, self.class_prior, self.noise_rate)
        return self.draws.interval(level, point, self.classes)

    @property
    def row_posteriors(self) -> FloatArray:
        """P(true class | features, observed label) of every row, (n, K)."""
        return self.row_model("row_posteriors").posteriors()

    def suggest_audit(self, n: int) -> IntArray:
        """Positions of `n` rows to check by hand: the most informative ones about T.

        Above all rows that show whether classes overlap or labels err there. Audited rows are not
        suggested again.
        """
        return self.row_model("suggest_audit").suggest(checks.positive_int(n, "n"))

    def with_audit(self, rows: Any, true_labels: Any) -> NoiseEstimate:
        """Include hand-checked rows in the estimate.

        Parameters
        ----------
        rows : sequence of int
            Which rows were checked, by position. They may be chosen at random, by
            `suggest_audit`, or in any way that depends on features and labels only.
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
        after = model.audited(positions, codes)
        return replace(
            self,
            transition_matrix=TransitionMatrix(after.transition, self.classes),
            class_prior=after.prior,
            draws=after.draws,
            diagnosis=after.diagnosis,
            assumption=after.assumption,
            corrected=tuple((_proved_wrong(after.rows) / self.n_rows).tolist()),
            rows=after.rows,
        )

    def row_model(self, needed_by: str) -> RowModel:
        """The results for single rows, or an error that names what needs them."""
        if self.rows is None:
            without = self.without_rows(needed_by)
            raise LabelNoiseError(without.code, **without.facts)
        return self.rows

    def without_rows(self, needed_by: str) -> Note:
        """Why there are no results for single rows: the method has none, or they were not saved."""
        if self.method == METHOD_WITH_ROWS:
            return Note("saved_without_rows", {"name": needed_by})
        return Note("no_row_model", {"name": needed_by, "method": self.method})

    def with_findings(self, findings: Sequence[Finding]) -> NoiseEstimate:
        """With findings about the data, before all others; an audit keeps them."""
        return replace(
            self,
            diagnosis=Diagnosis.of([*findings, *self.diagnosis.findings]),
            rows=self.rows and self.rows.with_findings(tuple(findings)),
        )

    def check_labels(self, y: Any) -> None:
        """Refuse labels y (n,) that are not those of the estimate, in the same order."""
        codes = checks.known_labels(y, self.classes, self.n_rows, "y")
        if self.rows is not None:
            differ = np.flatnonzero(codes != self.rows.observed())
            if differ.size:
                facts = {"n": int(differ.size), "position": int(differ[0])}
                raise LabelNoiseError("estimate_of_other_labels", **facts)
        elif self.labels_digest and labels_digest(codes) != self.labels_digest:
            raise LabelNoiseError("estimate_of_other_labels")

    def true_given_observed(self) -> FloatArray:
        """Bayes' rule: entry [j, i] is P(true = i | observed = j), rows summing to one.

        The row of a label that never occurs is the class prior.
        """
        joint = (self.class_prior[:, None] * self.transition_matrix.values).T
        total = joint.sum(axis=1, keepdims=True)
        return np.where(total > 0, joint / np.where(total > 0, total, 1), self.class_prior)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the estimate to a file or a folder, which `load` reads.

        Parameters
        ----------
        path : path
            A ``.json`` file gets the estimate without the results for single rows. A folder (an
            existing one, or a path that ends in "/") gets ``noise.json`` and ``rows.npz``: then the
            rows to review can be found without the features. Both are written atomically.
        """
        saving.save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimate that `save` wrote to a file or a folder.

        An audit of a loaded estimate is not possible: estimate again for that.
        """
        return saving.load(cls, path)

    def report(self, path: str | os.PathLike[str] = "report.html", **context: Any) -> None:
        """Write one page about the estimate, to send to a colleague.

        Without results for single rows (`rows`), it has no rows to review.

        Parameters
        ----------
        path : path
            Ending in ``.html`` (needs no network), ``.md`` or ``.json``.
        **context
            ``X=`` (an array or a table: features, to show which matter) and ``feature_names=``.
            ``content=`` (what reviewers see of a row): a table, series, sequence of n entries, or
            a function that is given positions of rows and returns columns by name; if left out,
            the columns of X if it is a table. ``ids=`` (names of the rows); if left out, the pandas
            index of X or the content, or else positions, counted from 0. ``table=`` (what
            `load_table` returned) in place of all of these. ``title=``, and ``max_rows=``, the
            largest number of suspicious rows to show.
        """
        _import_reporting("estimate_report").write_report(self, path, **context)

    def plot(self, kind: str = "transition", ax: Any = None) -> Any:
        """Draw the estimate with matplotlib, and return the axes.

        Parameters
        ----------
        kind : {"transition", "intervals", "purity"}
            T as a heat map; intervals of its diagonal and of the class shares; or how labels
            change along the ranking of each class.
        ax : Axes, optional
            Where to draw; for "purity" an array of axes, one per class.
        """
        try:
            plots = _import_reporting("plots_matplotlib")
        except ModuleNotFoundError as error:
            raise LabelNoiseError("plots_need_matplotlib") from error
        return plots.plot_estimate(self, kind, ax)

    def noise_in_words(self) -> list[str]:
        """How many labels are wrong, with its assumption, and what other readings give."""
        return noise_in_words(self)

    def _repr_html_(self) -> str:
        return str(_import_reporting("html").notebook_html(self))

    def __deepcopy__(self, memo: Any) -> NoiseEstimate:
        return self  # it never changes; scikit-learn copies parameters for every fit of a search

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NoiseEstimate):
            return NotImplemented
        mine, others = (saving.document_of(est) for est in (self, other))
        return self.classes == other.classes and mine == others

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
            str(self.diagnosis),
        ]
        return "\n".join(lines)


def labels_digest(codes: IntArray) -> str:
    """SHA-256 of labels as codes (n,), the same on every machine."""
    return hashlib.sha256(codes.astype("<i8").tobytes()).hexdigest()


def _proved_wrong(rows: RowModel) -> FloatArray:
    """Labels that audited rows proved wrong, by true class, (K,)."""
    audited = rows.audits()
    wrong = rows.posteriors()[audited]
    wrong[np.arange(len(audited)), rows.observed()[audited]] = 0.0
    return wrong.sum(axis=0)


def _import_reporting(module: str) -> Any:
    """A module of the reports: the one import upwards, as users look for `est.report` here."""
    return import_module(f"labelnoise.reporting.{module}")


def _parameter_as_text(value: Any) -> str:
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return type(value).__name__  # its address would differ from run to run
    return value if isinstance(value, str) else repr(value)

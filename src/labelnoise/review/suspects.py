"""An estimate and its rows -> the rows whose labels are probably wrong, ranked, with evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import (
    KINDS,
    Table,
    as_columns,
    as_frame,
    kind_of,
    pandas_index,
    row_ids,
)
from labelnoise.errors import LabelNoiseError
from labelnoise.methods import DEFAULT_METHOD, estimate, warn_if_unreliable
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.rank_gate.estimator import SHOWN_NEIGHBORS
from labelnoise.review.decisions import REVIEWED
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label

COLUMNS = (
    "row",
    "given",
    "suggested",
    "p_wrong",
    "p_suggested",
    "p_true",
    "neighbors",
    "neighbor_labels",
    "expected_precision",
    "expected_found",
)
"""Columns of the frame that `find_label_issues` returns."""

LEAST_EXPECTED = 1e-9
"""Errors below this count as this: a label without any still has rows to divide up."""


def find_label_issues(
    data: Any,
    y: Any,
    *,
    budget: int | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    per_class: bool = True,
    n_neighbors: int = 5,
    ids: Any = None,
    content: Any = None,
    output: str | None = None,
    **parameters: Any,
) -> Any:
    """Find the rows whose labels are probably wrong.

    As many rows come back as labels are estimated to be wrong (`budget` and `threshold` ask for
    other numbers), the likeliest errors first; rows that `with_audit` was told about are settled,
    and left out. (On labels that are almost clean, T may say that more are wrong than any rows
    look it: then `expected_precision` is low.) How likely a row is wrong follows from the estimate:
    ``P(true = i | x, observed = j)`` is proportional to ``P(true = i | x) T[i, j]``.

    Parameters
    ----------
    data : NoiseEstimate, or features of shape (n, d)
        An estimate by method "rank-gated", made from these labels; or what `estimate` takes.
    y : array-like of shape (n,)
        The noisy labels.
    budget : int, optional
        Return this many rows, or all if there are fewer: those you have time to review.
    threshold : float or mapping from label to float, optional
        Return all rows that are wrong with at least this probability, one for all labels or one
        for each. A `budget` then keeps the likeliest of them, whatever their label.
    per_class : bool
        True: of the rows of each given label so many come back as of its labels are wrong, or the
        same share of them for a `budget`. So a label that is rare, or harder to be sure about, is
        not drowned by the others. False: the likeliest errors, whatever their label: more errors
        in the same number of rows.
    n_neighbors : int
        Neighbors to show as evidence, at most 10.
    ids : sequence, optional
        What rows are called. The index of `y` if it is a pandas series, else positions, if left
        out.
    content : frame, series or sequence of n entries, optional
        What reviewers are to see: its columns are carried along.
    output : {"pandas", "polars", "pyarrow", "table"}, optional
        Kind of the frame. That of `data`, `y` or `content` if left out; for plain arrays a
        small table of its own.
    **parameters
        For `estimate`, if `data` are features.

    Returns
    -------
    frame
        One line a row: `row` (its id), `given` and `suggested` labels (the likeliest other class),
        `p_wrong`, `p_suggested`, `p_true` (the probability of each class, in the order of the
        estimate's classes: sorted, if none was declared), `neighbors` and `neighbor_labels`, and,
        if you review down to this line, `expected_precision` (the share of the reviewed that is
        wrong) and `expected_found` (the share of all errors that is found).

    Examples
    --------
    >>> import labelnoise as ln
    >>> X, y = ln.make_twonorm(2000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], random_state=0)
    >>> est = ln.estimate(X, noisy)
    >>> issues = ln.find_label_issues(est, noisy)
    >>> len(issues) == round(est.noise_rate * 2000)
    True
    >>> wrong = noisy != y
    >>> bool(wrong[issues["row"]].mean() > 0.9)
    True
    """
    budget = None if budget is None else checks.positive_int(budget, "budget")
    k = checks.positive_int(n_neighbors, "n_neighbors", minimum=0)
    if k > SHOWN_NEIGHBORS:
        raise LabelNoiseError(
            f"n_neighbors must be at most {SHOWN_NEIGHBORS}, got {k}. Pass n_neighbors=5."
        )
    # Estimating takes long: what else may be wrong is looked at first.
    _refuse_what_knows_no_rows(data, parameters)
    codes = _codes(data, y) if isinstance(data, NoiseEstimate) else checks.labels(y, None).codes
    names = row_ids(ids, len(codes), y, data)
    index = pandas_index(data if pandas_index(y) is None else y)
    carried = contents(content, len(codes), index)
    kind = checks.one_of(output or kind_of(data, y, content), "output", KINDS)
    est = _estimate_of(data, y, parameters)
    suspects = Suspects(est)
    if threshold is None:
        chosen = suspects.most_suspicious(budget, per_class=per_class)
    else:
        chosen = suspects.above(_thresholds(threshold, est.classes))[:budget]
    columns = suspects.columns(chosen, names, k)
    columns |= {name: [values[i] for i in chosen] for name, values in carried.items()}
    return as_frame(columns, kind)


class Suspects:
    """Rows of an estimate with how likely each is wrong; audited rows are no suspects any more.

    Parameters
    ----------
    est : NoiseEstimate
        One that knows its rows.
    """

    def __init__(self, est: NoiseEstimate) -> None:
        self.est = est
        self.rows = est.row_model("find_label_issues")
        self.given = self.rows.observed()  # codes of the labels, (n,)
        self.p_true = est.row_posteriors
        self.p_wrong = 1 - self.p_true[np.arange(len(self.given)), self.given]
        # Equally likely errors (many are all but sure) come in the order of what features say.
        ranked = np.lexsort((-self.rows.lead(), -self.p_wrong))
        self.ranked = ranked[~np.isin(ranked, self.rows.audits())]

    @property
    def n_wrong(self) -> int:
        """Labels that are wrong, by the estimate, and not known to be so from an audit."""
        known = self.p_wrong[self.rows.audits()].sum()
        return max(0, round(self.est.noise_rate * len(self.given) - float(known)))

    def most_suspicious(self, budget: int | None, *, per_class: bool) -> IntArray:
        """As many rows as labels are wrong, or as the budget allows, likeliest errors first."""
        n_chosen = self.n_wrong if budget is None else budget
        chosen = self.in_order_of_review(per_class=per_class)[:n_chosen]
        return chosen[np.argsort(self.places(chosen))]

    def places(self, rows: IntArray) -> IntArray:
        """Where some of the suspects stand in the order of suspicion."""
        place = np.empty(len(self.given), dtype=np.int64)
        place[self.ranked] = np.arange(len(self.ranked))
        return place[rows]

    def in_order_of_review(self, *, per_class: bool) -> IntArray:
        """All suspects in the order in which a growing budget takes them in."""
        if not per_class:
            return self.ranked
        by_label = self.ranked[np.argsort(self.given[self.ranked], kind="stable")]
        size = np.bincount(self.given[by_label], minlength=len(self.est.classes))
        expected = np.bincount(self.given[by_label], self.p_wrong[by_label], len(size))
        # The r-th row of a label comes (r - 1/2) / expected of the way down to its last error: so
        # Webster and Sainte-Lague share out seats, and labels share any budget in proportion.
        place = np.arange(len(by_label)) - np.repeat(np.cumsum(size) - size, size)
        way = (place + 0.5) / np.repeat(np.maximum(expected, LEAST_EXPECTED), size)
        return by_label[np.argsort(way, kind="stable")]

    def above(self, thresholds: FloatArray) -> IntArray:
        """Rows that are wrong with at least the probability of their label's threshold (K,)."""
        enough = self.p_wrong >= thresholds[self.given]
        return self.ranked[enough[self.ranked]]

    def columns(self, chosen: IntArray, names: Any, k: int) -> dict[str, Any]:
        """What is known of some rows, by column."""
        est, given = self.est, self.given[chosen]
        labels = checks.label_array(est.classes)
        others = self.p_true[chosen].copy()
        others[np.arange(len(chosen)), given] = -1.0
        suggested = others.argmax(axis=1)
        near = self.rows.nearest(chosen, k)
        found = np.cumsum(self.p_wrong[chosen])
        total = max(float(self.p_wrong[self.ranked].sum()), LEAST_EXPECTED)
        values = (
            names[chosen],
            labels[given],
            labels[suggested],
            self.p_wrong[chosen],
            self.p_true[chosen, suggested],
            self.p_true[chosen].tolist(),
            [names[row[row >= 0]].tolist() for row in near],
            [labels[self.given[row[row >= 0]]].tolist() for row in near],
            found / np.arange(1, len(chosen) + 1),
            found / total,
        )
        return dict(zip(COLUMNS, values, strict=True))


def _refuse_what_knows_no_rows(data: Any, parameters: Mapping[str, Any]) -> None:
    if isinstance(data, TransitionMatrix):
        raise LabelNoiseError(
            "a TransitionMatrix says nothing about single rows. Pass features, or the estimate "
            "that labelnoise.estimate(X, y) returned."
        )
    if isinstance(data, NoiseEstimate) and parameters:
        raise LabelNoiseError(
            f"{checks.named(list(parameters))} is no parameter of find_label_issues, and an "
            "estimate needs none of estimate(). Leave it out, or pass features."
        )
    method = parameters.get("method", DEFAULT_METHOD)
    if method != DEFAULT_METHOD:
        raise LabelNoiseError(
            f"estimates by method={method!r} say nothing about single rows. Leave out method=, "
            f"which is {DEFAULT_METHOD!r} then."
        )


def _estimate_of(data: Any, y: Any, parameters: Mapping[str, Any]) -> NoiseEstimate:
    if isinstance(data, NoiseEstimate):
        return data
    est = estimate(data, y, **parameters)
    warn_if_unreliable(est, "labelnoise.estimate(X, y).diagnosis")
    return est


def _codes(est: NoiseEstimate, y: Any) -> IntArray:
    """Labels as codes, if they are those that the estimate was made from."""
    observed = est.row_model("find_label_issues").observed()
    codes = checks.known_labels(y, est.classes, est.n_rows, "y")
    differ = np.flatnonzero(codes != observed)
    if differ.size:
        raise LabelNoiseError(
            f"y differs from the labels that the estimate was made from in {differ.size} row(s), "
            f"the first at position {differ[0]}. Pass the same labels in the same order, or "
            "estimate again."
        )
    return codes


def _thresholds(given: Any, classes: tuple[Label, ...]) -> FloatArray:
    """A threshold for every label, (K,)."""
    if not isinstance(given, Mapping):
        return np.full(len(classes), checks.fraction(given, "threshold"))
    unknown = [label for label in given if label not in classes]
    missing = [label for label in classes if label not in given]
    if unknown or missing:
        problem = f"names {checks.named(unknown)}, no class" if unknown else "has none for "
        raise LabelNoiseError(
            f"threshold {problem}{'' if unknown else checks.named(missing)}. Give one for each "
            f"class: {checks.named(classes)}."
        )
    return np.array([checks.fraction(given[label], "threshold") for label in classes])


def same_index(content: Any, n_rows: int, index: Any) -> None:
    """Check that content that has an index has that of the data."""
    own = pandas_index(content)
    if own is not None and index is not None and len(own) == n_rows and not own.equals(index):
        raise LabelNoiseError(
            "content and the data have different indexes, so it is not clear which content belongs "
            "to which row. Align them: content.loc[y.index], or content.set_axis(y.index) if rows "
            "correspond already."
        )


def contents(
    content: Any, n_rows: int, index: Any, *, beside: Sequence[str] = (*COLUMNS, REVIEWED)
) -> dict[str, list[Any]]:
    """Columns to carry along, beside others."""
    if content is None:
        return {}
    same_index(content, n_rows, index)
    if hasattr(content, "columns") or isinstance(content, Mapping | Table):
        columns = as_columns(content, "content")
    else:
        name = getattr(content, "name", None) or "content"
        columns = as_columns({name: content}, "content")
    taken = [name for name in columns if name in beside]
    if taken:
        raise LabelNoiseError(f"content has columns {checks.named(taken)}. Rename them.")
    for name, values in columns.items():
        if len(values) != n_rows:
            raise LabelNoiseError(
                f"content {name!r} has {len(values)} entries, but there are {n_rows} rows. Pass "
                "one for each row."
            )
    return columns

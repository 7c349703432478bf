"""Measurements of a fit of the rank gate, from which its findings follow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Self

import numpy as np

from labelnoise.evidence.duplicates import cluster_agreement, duplicate_agreement
from labelnoise.evidence.findings import GroupReport
from labelnoise.evidence.predictive_gain import gain_in_standard_errors, log_gain
from labelnoise.rank_gate.settings import FEW_PLACES, JUDGED_LEVEL, MIN_LOG_GAIN, PURE
from labelnoise.uncertainty import Bounds

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.duplicates import ClusterAgreement, DuplicateAgreement
    from labelnoise.evidence.probability_agreement import ProbabilityAgreement
    from labelnoise.evidence.ranking import Ranking
    from labelnoise.rank_gate.posterior import GateFit
    from labelnoise.rank_gate.readings import Reading
    from labelnoise.uncertainty import Interval


@dataclass(frozen=True)
class RankReport:
    """The measurements; arrays have one entry for each class that occurs."""

    classes: tuple[Label, ...]
    absent: tuple[Label, ...]
    sources: tuple[str, ...]  # what predicted the labels of rows, in words
    label_counts: FloatArray  # (K,)
    n_places: float  # effective number of distinct places, as if rows were independent
    label_places: FloatArray  # (K,) the same for the rows of each label
    n_neighbors: int | None  # of each row, in a precomputed graph
    gain: float  # standard errors by which scores beat label frequencies, as if independent
    agreement: ProbabilityAgreement | None  # of given probabilities with the labels
    claims: FloatArray  # (K,) claims of T about each class, relative to what the features show
    pure_share: FloatArray  # (K,) share of each class's rows that are clear-cut
    transition: FloatArray  # (K, K)
    interval: Interval | None
    bounds: Bounds
    duplicates: DuplicateAgreement | None
    clusters: ClusterAgreement | None
    converged: bool
    groups: GroupReport | None  # what is known about groups, if there are any

    @classmethod
    def of(cls, labels: Labels, fit: GateFit, readings: dict[str, Reading], noise: str) -> Self:
        """Measure a fit of which the reading `noise` is reported."""
        ranking, reading = fit.ranking, readings[noise]
        cells, graph = ranking.evidence.cells, ranking.evidence.graph
        row_weight = ranking.row_weight
        counts = cells.counts_by_place()
        n_places, gain = effective_places(counts.sum(axis=1)), _gain(ranking, 1.0)
        ends = (reading.limits for reading in readings.values())
        low, high = sorted(ends, key=lambda end: end.noise_rate)
        return cls(
            classes=labels.present_classes,
            absent=labels.absent_classes,
            sources=tuple(source.name for source in ranking.evidence.sources),
            label_counts=labels.counts[labels.present_codes].astype(float),
            n_places=n_places,
            label_places=row_weight * np.array([effective_places(column) for column in counts.T]),
            n_neighbors=graph.k if graph and ranking.evidence.precomputed else None,
            gain=gain,
            claims=claims_relative_to_features(
                reading.transition, ranking.scores, cells, len(ranking.weights), row_weight
            ),
            agreement=ranking.agreement,
            pure_share=pure_share(fit.gates.point.clean_posterior(ranking.tail_depths), cells),
            transition=reading.transition,
            interval=reading.draws.interval(JUDGED_LEVEL, reading.limits, labels.present_classes)
            if reading.draws
            else None,
            bounds=Bounds(low, high, labels.present_classes),
            duplicates=duplicate_agreement(graph, ranking.evidence.counts_of_copies())
            if graph
            else None,
            clusters=_clusters(ranking),
            converged=fit.converged,
            groups=_group_report(ranking, gain, n_places),
        )


def _clusters(ranking: Ranking) -> ClusterAgreement | None:
    """Agreement of labels in small clusters of rows; None with groups, which are clusters."""
    evidence = ranking.evidence
    if evidence.graph is None or evidence.groups is not None:
        return None
    return cluster_agreement(
        evidence.graph, evidence.cells.counts_by_place(), evidence.place_values
    )


def _gain(ranking: Ranking, row_weight: float) -> float:
    """Gain of scores over label frequencies in standard errors, with this weight of a row."""
    cells = ranking.evidence.cells
    return gain_in_standard_errors(
        log_gain(ranking.own_label_probability, cells.label_frequencies[cells.label]),
        row_weight * cells.weight,
        len(ranking.weights),
    )


def _group_report(ranking: Ranking, gain: float, n_places: float) -> GroupReport | None:
    """Measurements of the groups, if there are any."""
    groups, row_weight = ranking.evidence.groups, ranking.row_weight
    if groups is None:
        return None
    return GroupReport.of(
        groups,
        ranking.evidence.cells,
        row_weight,
        (_gain(ranking, row_weight), gain),
        too_few_places=row_weight * n_places < FEW_PLACES <= n_places,
    )


def effective_places(rows: FloatArray) -> float:
    """Effective number of places, from the rows (G,) at each: the exponential of the entropy.

    Rows at one place show the curve of label frequencies at a single point only.

    >>> [round(effective_places(np.array(rows)), 1) for rows in ([1, 1, 1], [98, 1, 1])]
    [3.0, 1.1]
    """
    share = rows[rows > 0] / rows.sum()
    return float(np.exp(-share @ np.log(share)))


def pure_share(eta: FloatArray, cells: Cells) -> FloatArray:
    """Share of each class's rows that lie where hardly any row is of another class, (K,)."""
    belonging = cells.weight[:, None] * eta
    return (belonging * (eta > PURE)).sum(axis=0) / belonging.sum(axis=0)


def claims_relative_to_features(
    transition: FloatArray,
    scores: FloatArray,
    cells: Cells,
    n_fitted: int,
    row_weight: float = 1.0,
) -> FloatArray:
    """Claims of T about each class, relative to what the features show, (K,).

    For the rows labeled i or j, T claims a dependence ``1 - T'[i, j] - T'[j, i]`` of the label on
    which of the two classes is true, where T' is T restricted to the two. If features predict which
    of the two labels a row has with a gain of z standard errors, the relative error of the
    dependence is at least 1 / z. The result is the claim divided by z, for the class j for which it
    is largest. Rows of groups count as `row_weight` independent ones.
    """
    k = len(transition)
    found = np.zeros(k)
    of_label = [np.flatnonzero(cells.label == i) for i in range(k)]
    for i, j in combinations(range(k), 2):
        rows = np.concatenate([of_label[i], of_label[j]])
        weight, label = cells.weight[rows], cells.label[rows]
        own = scores[rows, label] / (scores[rows, i] + scores[rows, j])
        share = cells.weight[of_label[i]].sum() / weight.sum()
        counted = row_weight * weight
        won = log_gain(own, np.where(label == i, share, 1 - share))
        two = transition[[[i], [j]], [[i, j]]]
        two = two / two.sum(axis=1, keepdims=True)
        # The pool was fitted to all rows, and overfits each of them equally.
        fitted_here = n_fitted * weight.sum() / cells.n_rows
        gain = max(gain_in_standard_errors(won, counted, fitted_here), MIN_LOG_GAIN)
        claimed = (np.trace(two) - 1) / gain
        found[i], found[j] = max(found[i], claimed), max(found[j], claimed)
    return found

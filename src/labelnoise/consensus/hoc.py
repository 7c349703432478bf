"""HOC: T from the labels of a row and its two nearest neighbors (Zhu, Song and Liu, 2021)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from labelnoise import checks
from labelnoise.consensus.counts import depth_needed, expected_consensus
from labelnoise.consensus.findings import consensus_findings
from labelnoise.consensus.settings import MIN_ROWS_PER_CLASS_PAIR, SUBSAMPLE_SHARE
from labelnoise.consensus.solver import solve_consensus
from labelnoise.data.distinct_rows import count_labels, distinct_points
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.duplicates import duplicate_agreement
from labelnoise.neighbors.graph import NeighborGraph
from labelnoise.neighbors.settings import DEFAULT_MEMORY_MB
from labelnoise.noise_estimator import NoiseEstimator
from labelnoise.representation.weighting import Representation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels


class HOCEstimator(NoiseEstimator):
    """Estimate the transition matrix from consensus among nearest neighbors.

    If a row shares its true class with its two nearest neighbors, their three labels are
    independent draws from one row of T, and the frequencies of label triplets determine T and the
    clean prior. No model is trained and no probabilities are predicted.

    Parameters
    ----------
    metric : {"cosine", "euclidean"}
        Distance between rows; with a single coordinate always Euclidean, as the cosine of two
        numbers is only a sign.
    standardize : bool
        Give every feature mean 0 and variance 1 first.
    k : int, optional
        Neighbors to find for each row; by default as many as the subsampling needs.
    subsample : float, optional
        Share of the rows in a subsample. By default half of them, but at least 2 K^2 rows, as
        published; the published maximum of 15,000, a limit of memory, is dropped.
    n_starts : int
        Starts of the solver.
    classes : sequence, optional
        All classes in the order of T; needed if some do not occur.
    engine : {"auto", "faiss", "brute", "tree"}
        Search engine for the neighbors; all are exact.
    memory_mb : int
        Working memory of the neighbor search.
    random_state : None, int or Generator
        Seed of the solver's random starts. None is a fixed seed, so that the same data always give
        the same estimate.

    Attributes
    ----------
    estimate_ : NoiseEstimate
        T, the clean prior, the diagnosis and the parameters.
    transition_matrix_ : array of shape (K, K)
        ``T[i, j] = P(observed = j | true = i)``.
    class_prior_ : array of shape (K,)
    classes_ : array of shape (K,)
    n_features_in_ : int

    Examples
    --------
    >>> import labelnoise as ln
    >>> X, y = ln.make_twonorm(2000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], random_state=0)
    >>> HOCEstimator().fit(X, noisy).transition_matrix_.round(1)
    array([[0.8, 0.2],
           [0.1, 0.9]])
    """

    method_name = "hoc"
    assumption = "neighbors_share_class"

    def __init__(
        self,
        *,
        metric: str = "cosine",
        standardize: bool = True,
        k: int | None = None,
        subsample: float | None = None,
        n_starts: int = 4,
        classes: Sequence[Label] | None = None,
        engine: str = "auto",
        memory_mb: int = DEFAULT_MEMORY_MB,
        random_state: Any = None,
    ) -> None:
        self.metric = metric
        self.standardize = standardize
        self.k = k
        self.subsample = subsample
        self.n_starts = n_starts
        self.classes = classes
        self.engine = engine
        self.memory_mb = memory_mb
        self.random_state = random_state

    def fit(self, X: Any, y: Any, *, graph: Any = None) -> Self:
        """Estimate T.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d), or None with `graph`
            Features. The columns of a frame are encoded (`labelnoise.data.encoder`).
        y : array-like of shape (n,)
            Noisy labels.
        graph : NeighborGraph, index array (n, k) or sparse matrix (n, n), optional
            Precomputed neighbors, used instead of `X`.
        """
        labels, graph, place_counts = (
            self._from_features(X, y) if graph is None else self._from_graph(graph, X, y)
        )
        rng = checks.generator(self.random_state)
        n_starts = checks.positive_int(self.n_starts, "n_starts")
        counts = expected_consensus(graph, place_counts, self._n_kept(labels))
        present = labels.present_codes
        counts = replace(counts, third=counts.third[np.ix_(present, present, present)])
        solution = solve_consensus(counts, n_starts=n_starts, rng=rng)
        if not solution.converged:
            warn_user("not_converged")
        duplicates = duplicate_agreement(graph, place_counts)
        findings = consensus_findings(counts, solution, labels, duplicates)
        self._keep_solution(labels, solution.transition, solution.prior, findings)
        return self

    def _representation(self) -> Representation:
        return Representation(standardize=self.standardize)

    def _from_features(self, X: Any, y: Any) -> tuple[Labels, NeighborGraph, FloatArray]:
        """Labels, the graph of distinct points, and the labels at each of its places, (G, K)."""
        if X is None:
            raise LabelNoiseError("features_missing", instead="neighbors as graph=")
        labels, _, matrix = self._encode(X, y)
        points = distinct_points(matrix, labels)
        values = checks.varying_columns(points.values)
        Z = self._representation()(values, points.label_counts)
        k = depth_needed(len(matrix), self._n_kept(labels)) if self.k is None else self.k
        metric = "euclidean" if Z.shape[1] == 1 and self.metric == "cosine" else self.metric
        graph = NeighborGraph.build(
            Z, k, metric=metric, engine=self.engine, memory_mb=self.memory_mb
        )
        return labels, graph, graph.sum_by_place(points.label_counts)

    def _from_graph(self, given: Any, X: Any, y: Any) -> tuple[Labels, NeighborGraph, FloatArray]:
        """The same for a precomputed graph; features, if given, are only counted."""
        graph = NeighborGraph.accept(given, None if X is None else checks.n_rows(X))
        labels = self._encode_labels(y, graph.n_rows, of="graph")
        return labels, graph, count_labels(graph.place_of_row, labels, graph.n_places)

    def _n_kept(self, labels: Labels) -> int:
        """Rows of a subsample."""
        n_rows = len(labels.codes)
        if self.subsample is None:
            least = MIN_ROWS_PER_CLASS_PAIR * len(labels.present_codes) ** 2
            return min(n_rows, max(int(SUBSAMPLE_SHARE * n_rows), least, checks.MIN_ROWS))
        share = checks.fraction(self.subsample, "subsample")
        return max(checks.MIN_ROWS, round(share * n_rows))

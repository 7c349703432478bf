"""HOC: T from the labels of a row and its two nearest neighbors (Zhu, Song and Liu, 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from labelnoise import checks
from labelnoise.class_placement import Placement
from labelnoise.consensus.counts import (
    ConsensusCounts,
    depth_needed,
    expected_consensus,
    sampled_consensus,
)
from labelnoise.consensus.findings import ConsensusReport, diagnose_consensus
from labelnoise.consensus.solver import solve_consensus
from labelnoise.data.frames import features
from labelnoise.data.distinct_rows import count_labels, distinct_points
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.duplicates import duplicate_agreement
from labelnoise.neighbors.graph import NeighborGraph
from labelnoise.neighbors.settings import DEFAULT_MEMORY_MB
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.noise_estimator import NoiseEstimator
from labelnoise.representation.weighting import Representation
from labelnoise.transition import TransitionMatrix
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels

ASSUMPTION = Assumption("neighbors_share_class")


@dataclass(frozen=True)
class _LabeledGraph:
    """Rows on the way to evidence: their labels, their graph, and labels (G, K) by group."""

    labels: Labels
    graph: NeighborGraph
    group_counts: FloatArray


class HOCEstimator(NoiseEstimator):
    """Estimate the transition matrix from consensus among nearest neighbors.

    Rows that share their true class with their two nearest neighbors show three
    independent draws from one row of T; the frequencies of label triplets determine T and the
    clean prior. No training, no predicted probabilities.

    Parameters
    ----------
    metric : {"cosine", "euclidean"}
        Distance between rows. With a single coordinate the cosine sees only its sign, and
        Euclidean distance is used.
    standardize : bool
        Give every feature mean 0 and variance 1 first.
    k : int, optional
        Neighbors to find for each row; as many as the subsampling needs if left out.
    subsample : float, optional
        Share of the rows in a round. Half of them (but at least 2 K^2 rows) if left out, as
        published, without its ceiling of 15,000, which was a limit of memory.
    rounds : int, optional
        None counts the exact average over all subsamples; a number draws that many.
    n_starts : int
        Starts of the solver.
    classes : sequence, optional
        All classes in the order T is to have; needed for classes that do not occur.
    engine : {"auto", "faiss", "brute", "tree"}
        Search engine for the neighbors; all are exact.
    memory_mb : int
        Working memory of the neighbor search.
    random_state : None, int or Generator
        Seed of the solver's random starts and of `rounds`. None draws a fixed seed, so that
        the same data always give the same answer.

    Attributes
    ----------
    estimate_ : NoiseEstimate
        Everything: T, prior, diagnosis, parameters.
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

    def __init__(
        self,
        *,
        metric: str = "cosine",
        standardize: bool = True,
        k: int | None = None,
        subsample: float | None = None,
        rounds: int | None = None,
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
        self.rounds = rounds
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
            Features. Text columns of a frame are one-hot encoded.
        y : array-like of shape (n,)
            Noisy labels.
        graph : NeighborGraph, index array (n, k) or sparse matrix (n, n), optional
            Neighbors found elsewhere, used instead of `X`.
        """
        rows = self._neighbors(X, y) if graph is None else self._accept(graph, X, y)
        rng = checks.generator(self.random_state)
        n_starts = checks.positive_int(self.n_starts, "n_starts")
        counts = self._count(rows, rng)
        present = np.flatnonzero(counts.first)
        seen = ConsensusCounts(
            counts.third[np.ix_(present, present, present)], counts.independent_pairs
        )
        solution = solve_consensus(seen, n_starts=n_starts, rng=rng)
        found = tuple(rows.labels.classes[i] for i in present)
        report = ConsensusReport(
            counts=seen,
            duplicates=duplicate_agreement(rows.graph, rows.group_counts),
            solution=solution,
            classes=found,
            absent=tuple(label for label in rows.labels.classes if label not in found),
        )
        self._remember(rows.labels, report)
        return self

    def _representation(self) -> Representation:
        return Representation(standardize=self.standardize)

    def _neighbors(self, X: Any, y: Any) -> _LabeledGraph:
        """Features and labels -> points -> representation -> graph."""
        if X is None:
            raise LabelNoiseError("X is None. Pass features, or neighbors as graph=.")
        labels, _, matrix = self._encode(X, y)
        points = distinct_points(matrix, labels)
        values = checks.varying_columns(points.values, points.multiplicity)
        Z = self._representation()(values, points.label_counts)
        n_kept = self._n_kept(labels)
        k = depth_needed(len(matrix), n_kept) if self.k is None else self.k
        # The cosine of two numbers is their sign alone.
        metric = "euclidean" if Z.shape[1] == 1 and self.metric == "cosine" else self.metric
        graph = NeighborGraph.build(
            Z, k, metric=metric, engine=self.engine, memory_mb=self.memory_mb
        )
        return _LabeledGraph(labels, graph, graph.pool(points.label_counts))

    def _accept(self, given: Any, X: Any, y: Any) -> _LabeledGraph:
        """A ready-made graph and labels; features, if there are any, must be as many."""
        graph = NeighborGraph.accept(given, None if X is None else len(features(X)))
        labels = self._encode_labels(y, graph.n_rows, of="graph")
        counts = count_labels(graph.group_of_row, labels, graph.n_groups)
        return _LabeledGraph(labels, graph, counts)

    def _n_kept(self, labels: Labels) -> int:
        n_rows, n_classes = len(labels.codes), int((labels.counts > 0).sum())
        if self.subsample is None:
            return min(n_rows, max(n_rows // 2, 2 * n_classes**2, checks.MIN_ROWS))
        share = checks.fraction(self.subsample, "subsample")
        return max(checks.MIN_ROWS, round(share * n_rows))

    def _count(self, rows: _LabeledGraph, rng: np.random.Generator) -> ConsensusCounts:
        n_kept = self._n_kept(rows.labels)
        if self.rounds is None:
            return expected_consensus(rows.graph, rows.group_counts, n_kept)
        rounds = checks.positive_int(self.rounds, "rounds")
        return sampled_consensus(rows.graph, rows.group_counts, n_kept, rounds, rng)

    def _remember(self, labels: Labels, report: ConsensusReport) -> None:
        """Keep the solution, with the rows of absent classes filled in as noiseless."""
        place = Placement(labels)
        if not report.solution.converged:
            warn_user("solver_not_converged")
        self._keep(
            NoiseEstimate(
                TransitionMatrix(place.transition(report.solution.transition), labels.classes),
                place.prior(report.solution.prior),
                method=self.method_name,
                diagnosis=diagnose_consensus(report),
                assumption=ASSUMPTION,
                parameters=self.get_params(),
                n_rows=len(labels.codes),
            )
        )

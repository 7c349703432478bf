"""The rank-gated estimator: T read at the ends of the ranking, where each class is pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.data.frames import Encoding, encode, features
from labelnoise.data.points import distinct_points, group_identical
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.estimators.audit import GatedRows
from labelnoise.estimators.gate import GateModel
from labelnoise.estimators.gate_draws import fit_gate
from labelnoise.estimators.rank_diagnosis import RankReport, diagnose_ranks
from labelnoise.estimators.views import View, by_class, by_instance, gain, pure_share
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.choice import Candidate, Space, candidates, choose
from labelnoise.evidence.posteriors import (
    LinearPosterior,
    mixing_weights,
    own_label,
    scales_for,
)
from labelnoise.evidence.ranks import RankReference, tails
from labelnoise.evidence.sources import (
    Classifiers,
    Given,
    Linear,
    Neighbours,
    NewRows,
    Source,
)
from labelnoise.evidence.twins import twin_agreement
from labelnoise.neighbors.graph import DEFAULT_MEMORY_MB, METRICS, NeighborGraph
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.representation.weighting import Representation
from labelnoise.transition import TransitionMatrix
from labelnoise.uncertainty import Bounds, Draws, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label, Labels

VIEWS = {"class": by_class, "instance": by_instance}
MOST_LINEAR = 1024
"""Columns beyond which the linear posterior is left out: its cost grows with their cube."""


@dataclass(frozen=True)
class _Scored:
    """Training rows with everything that scores them and new ones."""

    cells: Cells
    sources: tuple[Source, ...]
    graph: NeighborGraph | None
    encoding: Encoding | None
    chosen: str


@dataclass(frozen=True)
class _Ranking:
    """Scores -> tails: the mixture of the sources, and the law of each class's score."""

    shares: FloatArray  # (M,) weights of the posteriors
    references: tuple[RankReference, ...]
    n_rows: int

    def __call__(self, posteriors: list[Any]) -> FloatArray:
        """Tails (m, K) of new rows."""
        scores = _mixed(self.shares, posteriors)
        ranks = [law(column) for law, column in zip(self.references, scores.T, strict=True)]
        return tails(np.column_stack(ranks), self.n_rows)


class RankGatedEstimator(BaseEstimator):
    """Estimate the transition matrix from how labels change along the ranking of the rows.

    Rows are ranked, class by class, by what their surroundings say without their own label.
    However classes overlap, label frequencies never leave the simplex spanned by the rows
    of T, and come close to row i where rows truly belong to class i. A gate from ranks to
    clean posteriors and T are fitted together: T is read at the ends of a whole curve,
    neither from a few extreme rows nor from an average that mistakes overlap for noise.

    Parameters
    ----------
    noise : {"class", "instance"}
        "class": labels err by class alone (the paper's assumption), and T describes that.
        "instance": people err where classes are alike; T is the average over all rows if
        every label that disagrees with its surroundings is wrong. The estimate's `bounds`
        hold both.
    representation : Representation, optional
        The space to look for neighbours in. Left out, the one among features as they are,
        standardised, decorrelated and weighted by mutual information that foretells
        labels best.
    metric : {"cosine", "euclidean"}, optional
        Left out, chosen together with the representation.
    scorers : sequence of scikit-learn classifiers, optional
        Trained on the noisy labels, cross-fitted, and mixed in as far as they foretell labels.
    n_draws : int
        Draws behind the intervals; the estimate is their mean. 0 gives the most probable
        parameters and no intervals.
    classes : sequence, optional
        All classes in the order T is to have; needed for classes that do not occur.
    engine : {"auto", "faiss", "brute", "tree"}
        Search engine for the neighbours; all are exact.
    memory_mb : int
        Working memory of the neighbour search.
    random_state : None, int or Generator
        Seed of the draws. None draws a fixed seed, so that the same data always give the same
        answer.

    Attributes
    ----------
    estimate_ : NoiseEstimate
        Everything: T, prior, intervals, bounds, diagnosis.
    transition_matrix_ : array of shape (K, K)
        ``T[i, j] = P(observed = j | true = i)``.
    class_prior_ : array of shape (K,)
    classes_ : array of shape (K,)
    row_posteriors_ : array of shape (n, K)
        P(true class | features, observed label) of the training rows.
    representation_ : str
        The representation that was used, in words.
    n_features_in_ : int

    Examples
    --------
    >>> import labelnoise as ln
    >>> X, y = ln.make_twonorm(2000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], random_state=0)
    >>> model = RankGatedEstimator().fit(X, noisy)
    >>> model.transition_matrix_.round(1)
    array([[0.8, 0.2],
           [0.1, 0.9]])
    >>> model.estimate_.interval(0.9).lower.noise_rate < 0.15
    True
    """

    method_name = "rank-gated"

    def __init__(
        self,
        *,
        noise: str = "class",
        representation: Representation | None = None,
        metric: str | None = None,
        scorers: Sequence[Any] | None = None,
        n_draws: int = 100,
        classes: Sequence[Label] | None = None,
        engine: str = "auto",
        memory_mb: int = DEFAULT_MEMORY_MB,
        random_state: Any = None,
    ) -> None:
        self.noise = noise
        self.representation = representation
        self.metric = metric
        self.scorers = scorers
        self.n_draws = n_draws
        self.classes = classes
        self.engine = engine
        self.memory_mb = memory_mb
        self.random_state = random_state

    def fit(self, X: Any, y: Any, *, graph: Any = None, pred_proba: Any = None) -> Self:
        """Estimate T.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d), or None
            Features; None with `graph` or `pred_proba`. Text columns of a frame are one-hot
            encoded.
        y : array-like of shape (n,)
            Noisy labels.
        graph : NeighborGraph, index array (n, k) or sparse matrix (n, n), optional
            Neighbours found elsewhere, used instead of `X`.
        pred_proba : array of shape (n, K), optional
            Class probabilities from your own model, columns in the order of the sorted classes
            (or of `classes`). Each row must have been predicted by a model that was not trained
            on it. Alone they are all that is used; with `X` they are mixed in.
        """
        checks.one_of(self.noise, "noise", VIEWS)
        n_draws = checks.positive_int(self.n_draws, "n_draws", minimum=0)
        rng = checks.generator(self.random_state)
        labels, scored = self._score(X, y, graph, pred_proba, rng)
        with threadpool_limits(1, user_api="blas"):  # sums in one order on any number of threads
            self._solve(labels, scored, n_draws, rng)
        return self

    def predict_proba(self, X: Any, y: Any = None, *, pred_proba: Any = None) -> FloatArray:
        """P(true class | x) of new rows, (m, K), or P(true class | x, observed label) with `y`."""
        check_is_fitted(self)
        depths = self._ranking(self._predict(X, pred_proba))
        found = np.zeros((len(depths), len(self.classes_)))
        if y is None:
            found[:, self._present] = self._gate.clean_posterior(depths)
            return found
        codes = checks.labels(y, len(depths), self.estimate_.classes).codes
        position = np.full(len(self.classes_), -1)
        position[self._present] = np.arange(len(self._present))
        if (position[codes] < 0).any():
            raise LabelNoiseError(
                "y has a label that no training row had, so nothing is known about it. Fit on "
                "data with all classes."
            )
        found[:, self._present] = self._gate.row_posterior(depths, position[codes])
        return found

    # ------------------------------------------------------------------ rows -> scores

    def _score(
        self, X: Any, y: Any, graph: Any, pred_proba: Any, rng: np.random.Generator
    ) -> tuple[Labels, _Scored]:
        if X is None and graph is None and pred_proba is None:
            raise LabelNoiseError(
                "X is None. Pass features, neighbours as graph=, or probabilities as pred_proba=."
            )
        if graph is not None:
            labels, scored = self._from_graph(graph, X, y)
        elif X is not None:
            labels, scored = self._from_features(X, y, rng)
        else:
            labels, scored = self._from_probabilities(pred_proba, y)
            return labels, scored
        if pred_proba is not None:
            given = self._given(pred_proba, labels)
            scored = replace(scored, sources=(*scored.sources, given))
        return labels, scored

    def _from_features(self, X: Any, y: Any, rng: np.random.Generator) -> tuple[Labels, _Scored]:
        """Features and labels -> points -> representation -> graph -> sources."""
        encoding, matrix = encode(X)
        labels = checks.estimable(checks.labels(y, len(matrix), self.classes))
        validate_data(self, X, skip_check_array=True)
        points = distinct_points(matrix, labels)
        values = checks.varying_columns(points.values, points.multiplicity)
        columns = np.flatnonzero(points.values.max(axis=0) > points.values.min(axis=0))
        present = np.flatnonzero(labels.counts)
        counts = points.label_counts[:, present]
        chosen = choose(values, counts, self._candidates(values.shape[1]), rng)
        maps, Z = chosen.representation.fit(values, counts)
        scales = scales_for(len(matrix), Z.shape[1])
        graph = NeighborGraph.build(
            Z, scales[-1], metric=chosen.metric, engine=self.engine, memory_mb=self.memory_mb
        )
        space = Space(columns, maps, chosen.metric)
        flat = Space(columns, chosen.unsupervised.fit(values, counts)[0], chosen.metric)
        _, first = np.unique(graph.group_of_row, return_index=True)
        places = points.values[first]
        cells = self._cells(graph.group_of_row[points.point_of_row], labels)
        with threadpool_limits(1, user_api="blas"):
            counts = cells.counts_by_place()
            sources: list[Source] = [Neighbours(graph, scales, counts, space, space(places))]
            if len(columns) <= MOST_LINEAR:
                sources.append(Linear(flat, LinearPosterior(flat(places), cells)))
        if self.scorers is not None:
            codes = cells.label[cells.cell_of_row]
            place = cells.place[cells.cell_of_row]
            sources.append(Classifiers(self.scorers, matrix, codes, place, rng))
        return labels, _Scored(cells, tuple(sources), graph, encoding, str(chosen))

    def _from_graph(self, given: Any, X: Any, y: Any) -> tuple[Labels, _Scored]:
        graph = NeighborGraph.accept(given)
        if X is not None and len(features(X)) != graph.n_rows:
            raise LabelNoiseError(
                f"the graph has {graph.n_rows} rows and X another number. Pass X=None, or the rows "
                "the graph was built from."
            )
        labels = checks.estimable(checks.labels(y, graph.n_rows, self.classes))
        cells = self._cells(graph.group_of_row, labels)
        scales = scales_for(min(graph.n_rows, 3 * graph.k), 1)
        source = Neighbours(graph, scales, cells.counts_by_place())
        return labels, _Scored(cells, (source,), graph, None, "a ready-made graph")

    def _from_probabilities(self, pred_proba: Any, y: Any) -> tuple[Labels, _Scored]:
        labels = checks.estimable(checks.labels(y, None, self.classes))
        given = self._given(pred_proba, labels)
        _, place_of_row = group_identical(given.pred_proba + 0.0)
        cells = self._cells(place_of_row, labels)
        return labels, _Scored(cells, (given,), None, None, "given probabilities")

    def _given(self, pred_proba: Any, labels: Labels) -> Given:
        found = checks.probabilities(pred_proba, len(labels.codes), labels.classes)
        present = np.flatnonzero(labels.counts)
        kept = found[:, present] + 1e-9
        return Given(kept / kept.sum(axis=1, keepdims=True))

    def _candidates(self, n_columns: int) -> list[Candidate]:
        if self.metric is not None:
            checks.one_of(self.metric, "metric", METRICS)
        if self.representation is not None and not isinstance(self.representation, Representation):
            raise LabelNoiseError(
                f"representation must be a Representation or None, got {self.representation!r}."
            )
        return [
            candidate
            for candidate in candidates(n_columns, self.representation)
            if self.metric in (None, candidate.metric) or n_columns == 1
        ]

    def _cells(self, place_of_row: IntArray, labels: Labels) -> Cells:
        """Cells of the classes that occur, numbered without gaps."""
        present = np.flatnonzero(labels.counts)
        position = np.zeros(len(labels.classes), dtype=np.int64)
        position[present] = np.arange(len(present))
        return Cells.of(place_of_row, position[labels.codes], len(present))

    def _predict(self, X: Any, pred_proba: Any) -> list[Any]:
        """Posteriors of new rows from every source."""
        scored = self._scored
        matrix = given = None
        if scored.encoding is not None:
            if X is None:
                raise LabelNoiseError("X is None. Pass the features of the new rows.")
            matrix = scored.encoding(X)
            validate_data(self, X, skip_check_array=True, reset=False)
        if pred_proba is not None:
            n_rows = None if matrix is None else len(matrix)
            all_classes = checks.probabilities(pred_proba, n_rows, self.estimate_.classes)
            given = all_classes[:, self._present] + 1e-9
            given /= given.sum(axis=1, keepdims=True)
        rows = NewRows(matrix, given)
        return [found for source in scored.sources for found in source.predict(rows)]

    # ------------------------------------------------------------------ scores -> T

    def _solve(
        self, labels: Labels, scored: _Scored, n_draws: int, rng: np.random.Generator
    ) -> None:
        cells, present = scored.cells, np.flatnonzero(labels.counts)
        posteriors = [found for source in scored.sources for found in source.left_out(cells)]
        own = np.array([own_label(found, cells) for found in posteriors])
        shares = mixing_weights(own, cells.weight)
        scores = _mixed(shares, posteriors)
        references = tuple(RankReference.of(column, cells) for column in scores.T)
        ranks = [
            law.left_out(column, cells) for law, column in zip(references, scores.T, strict=True)
        ]
        depths = tails(np.column_stack(ranks), cells.n_rows)
        fit, converged = fit_gate(GateModel(depths, cells), n_draws, rng)
        views = {name: view(fit, depths, cells, rng) for name, view in VIEWS.items()}
        report = RankReport(
            classes=tuple(labels.classes[i] for i in present),
            absent=tuple(c for c, n in zip(labels.classes, labels.counts, strict=True) if not n),
            label_counts=labels.counts[present].astype(float),
            gain=gain(shares @ own, cells),
            agreement=_agreement(scored),
            pure_share=pure_share(fit.point.clean_posterior(depths), cells),
            transition=views[self.noise].transition,
            interval=_interval(views[self.noise]),
            bounds=Bounds(views["class"].limits, views["instance"].limits),
            n_places=cells.n_places,
            twins=_twins(scored),
            converged=converged,
        )
        self._scored, self._present, self._gate = scored, present, fit.point
        self._ranking = _Ranking(shares, references, cells.n_rows)
        self._remember(
            labels,
            views,
            report,
            GatedRows(depths, cells, fit, present, len(labels.classes), diagnose_ranks(report)),
        )

    def _remember(
        self, labels: Labels, views: dict[str, View], report: RankReport, rows: GatedRows
    ) -> None:
        if not report.converged:
            warn_user("the fit stopped before it had converged. Merge small classes.")
        if report.agreement is not None and any("pred_proba" in r for r in rows.diagnosis.reasons):
            warn_user(next(r for r in rows.diagnosis.reasons if "pred_proba" in r) + ".")
        full = _Placed(len(labels.classes), rows.present)
        view = views[self.noise]
        self.estimate_ = NoiseEstimate(
            TransitionMatrix(full.transition(view.transition), labels.classes),
            full.prior(view.prior),
            method=self.method_name,
            diagnosis=rows.diagnosis,
            assumption=view.assumption,
            parameters={**self.get_params(deep=False), "representation": self._scored.chosen},
            n_rows=len(labels.codes),
            draws=full.draws(view.draws),
            bounds=Bounds(full.limits(report.bounds.lower), full.limits(report.bounds.upper)),
            rows=rows,
        )
        self.transition_matrix_ = np.array(self.estimate_.transition_matrix.values)
        self.class_prior_ = np.array(self.estimate_.class_prior)
        self.classes_ = checks.label_array(labels.classes)
        self.representation_ = self._scored.chosen

    @property
    def row_posteriors_(self) -> FloatArray:
        """P(true class | features, observed label) of the training rows, (n, K)."""
        check_is_fitted(self)
        return self.estimate_.row_posteriors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags()  # for predict_proba; there is no predict
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags


@dataclass(frozen=True)
class _Placed:
    """Puts results for the classes that occur among all declared ones, the others noiseless."""

    n_classes: int
    present: IntArray

    def transition(self, T: FloatArray) -> FloatArray:
        """(K, K), or (S, K, K)."""
        full = np.broadcast_to(np.eye(self.n_classes), (*T.shape[:-2], *(self.n_classes,) * 2))
        full = full.copy()
        full[..., self.present[:, None], self.present] = T
        return full

    def prior(self, prior: FloatArray) -> FloatArray:
        """(K,), or (S, K)."""
        full = np.zeros((*prior.shape[:-1], self.n_classes))
        full[..., self.present] = prior
        return full

    def draws(self, draws: Draws | None) -> Draws | None:
        return draws and Draws(self.transition(draws.transition), self.prior(draws.prior))

    def limits(self, end: Limits) -> Limits:
        T, prior = self.transition(end.transition_matrix), self.prior(end.class_prior)
        return Limits(T, prior, end.noise_rate, end.assumption)


def _mixed(shares: FloatArray, posteriors: list[Any]) -> FloatArray:
    """Weighted average of posteriors, (m, K)."""
    mixed = np.zeros(posteriors[0].shape)
    for share, found in zip(shares, posteriors, strict=True):
        mixed += share * found
    return mixed


def _interval(view: View) -> Any:
    return view.draws and view.draws.interval(0.9, view.limits)


def _agreement(scored: _Scored) -> float | None:
    """How often given probabilities agree with the labels."""
    for source in scored.sources:
        if isinstance(source, Given):
            labels = scored.cells.label[scored.cells.cell_of_row]
            return float((source.pred_proba.argmax(axis=1) == labels).mean())
    return None


def _twins(scored: _Scored) -> Any:
    return scored.graph and twin_agreement(scored.graph, scored.cells.counts_by_place())

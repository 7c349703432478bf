"""The rank-gated estimator: T read at the ends of the ranking, where each class is pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.class_placement import Placement
from labelnoise.data.frames import Encoding, features
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.evidence import Evidence, SearchOptions
from labelnoise.evidence.findings import classes_without_rows
from labelnoise.evidence.ranking import Ranking
from labelnoise.evidence.sources import NewRows
from labelnoise.findings import Diagnosis
from labelnoise.neighbors.graph import METRICS, NeighborGraph
from labelnoise.neighbors.settings import DEFAULT_MEMORY_MB
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.noise_estimator import NoiseEstimator
from labelnoise.progress import stage
from labelnoise.rank_gate.findings import early_warnings, findings_on_ranks
from labelnoise.rank_gate.measurements import RankReport
from labelnoise.rank_gate.posterior import GateFit, fit_gate
from labelnoise.rank_gate.readings import View, by_class, by_instance, dilution, likeliest_classes
from labelnoise.rank_gate.rows import GatedRows
from labelnoise.representation.weighting import Representation
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels

VIEWS = {"class": by_class, "instance": by_instance}
LEAST_DRAWS = 20

SHOWN_NEIGHBORS = 10
"""Neighbors of each row that an estimate remembers, to show them beside the row."""


class RankGatedEstimator(NoiseEstimator):
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
        The space to look for neighbors in. Left out, the one among features as they are,
        standardized, decorrelated and weighted by mutual information that foretells
        labels best.
    metric : {"cosine", "euclidean"}, optional
        Left out, chosen together with the representation.
    scorers : sequence of scikit-learn classifiers, optional
        Trained on the noisy labels, cross-fitted, and mixed in as far as they foretell labels.
    n_draws : int
        Draws behind the intervals, at least 20. 0 gives the most probable parameters and no
        intervals; otherwise the estimate for two classes is the posterior mean.
    classes : sequence, optional
        All classes in the order T is to have; needed for classes that do not occur.
    engine : {"auto", "faiss", "brute", "tree"}
        Search engine for the neighbors; all are exact.
    memory_mb : int
        Working memory of the neighbor search.
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
            Neighbors found elsewhere, used instead of `X`.
        pred_proba : array of shape (n, K), optional
            Class probabilities from your own model, columns in the order of the sorted classes
            (or of `classes`); a frame whose columns are named by class may have any order. Each
            row must have been predicted by a model that was not trained on it. Alone they are
            all that is used; with `X` they are mixed in.
        """
        checks.one_of(self.noise, "noise", VIEWS)
        n_draws = checks.positive_int(self.n_draws, "n_draws", minimum=0)
        if 0 < n_draws < LEAST_DRAWS:
            raise LabelNoiseError(
                f"n_draws must be 0 (no intervals) or at least {LEAST_DRAWS}, got {n_draws}: fewer "
                "say nothing about an interval. Pass n_draws=100."
            )
        if self.scorers is not None:
            checks.classifiers(self.scorers, "scorers")
            if X is None or graph is not None:
                raise LabelNoiseError(
                    "scorers are trained on features. Pass X and no graph=, or leave out scorers=."
                )
        self._encoding: Encoding | None = None
        rng = checks.generator(self.random_state)
        if graph is not None:
            labels, evidence = self._from_graph(graph, X, y)
        elif X is not None:
            labels, evidence = self._from_features(X, y, rng)
        elif pred_proba is not None:
            labels = self._encode_labels(y)
            evidence = Evidence.from_probabilities(_probabilities(pred_proba, labels), labels)
        else:
            raise LabelNoiseError(
                "X is None. Pass features, neighbors as graph=, or probabilities as pred_proba=."
            )
        if pred_proba is not None and (graph is not None or X is not None):
            evidence = evidence.with_probabilities(_probabilities(pred_proba, labels))
        with threadpool_limits(1, user_api="blas"):  # sums in one order on any number of threads
            with stage("weighing the evidence"):
                ranking = Ranking.of(evidence)
            fit = fit_gate(ranking, n_draws, rng)
            views = {
                name: view(fit.gates, fit.ranking.tail_depths, evidence.cells, rng)
                for name, view in VIEWS.items()
            }
        self._remember(labels, fit, views, RankReport.of(labels, fit, views, self.noise))
        return self

    def predict_proba(self, X: Any, y: Any = None, *, pred_proba: Any = None) -> FloatArray:
        """P(true class | x) of new rows, (m, K), or P(true class | x, observed label) with `y`.

        With ``noise="instance"`` the surroundings decide alone, and `y` changes nothing.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (m, d), or None
            Features of the new rows; None if the estimator was fitted on `pred_proba` alone.
        y : array-like of shape (m,), optional
            Their observed labels.
        pred_proba : array of shape (m, K), optional
            Their class probabilities, if the estimator was fitted with such.
        """
        check_is_fitted(self)
        depths = self._ranking(self._new_rows(X, pred_proba))
        found = np.zeros((len(depths), len(self.classes_)))
        eta = self._gate.clean_posterior(depths)
        eta = likeliest_classes(eta) if self._hard else eta @ self._dilution
        if y is None:
            found[:, self._place.present] = eta
            return found
        codes = checks.known_labels(y, self.estimate_.classes, len(depths), "y")
        position = np.full(len(self.classes_), -1)
        position[self._place.present] = np.arange(len(self._place.present))
        if (position[codes] < 0).any():
            raise LabelNoiseError(
                "y has a label that no training row had, so nothing is known about it. Fit on "
                "data with all classes."
            )
        # By instance the surroundings say all there is to say: T is no more than a summary.
        found[:, self._place.present] = (
            eta if self._hard else self._gate.given_labels(eta, position[codes])
        )
        return found

    @property
    def row_posteriors_(self) -> FloatArray:
        """P(true class | features, observed label) of the training rows, (n, K)."""
        check_is_fitted(self)
        return self.estimate_.row_posteriors

    def _from_features(self, X: Any, y: Any, rng: np.random.Generator) -> tuple[Labels, Evidence]:
        if self.metric is not None:
            checks.one_of(self.metric, "metric", METRICS)
        if self.representation is not None and not isinstance(self.representation, Representation):
            raise LabelNoiseError(
                f"representation must be a Representation or None, got {self.representation!r}. "
                "Pass for example labelnoise.Representation(decorrelate=True)."
            )
        labels, self._encoding, matrix = self._encode(X, y)
        search = SearchOptions(self.representation, self.metric, self.engine, self.memory_mb)
        evidence = Evidence.from_features(matrix, labels, search, rng)
        if self.scorers is not None:
            evidence = evidence.with_classifiers(self.scorers, matrix, rng)
        return labels, evidence

    def _from_graph(self, given: Any, X: Any, y: Any) -> tuple[Labels, Evidence]:
        graph = NeighborGraph.accept(given, None if X is None else len(features(X)))
        labels = self._encode_labels(y, graph.n_rows, of="graph")
        return labels, Evidence.from_graph(graph, labels)

    def _new_rows(self, X: Any, pred_proba: Any) -> NewRows:
        """New rows as the sources want them."""
        matrix = given = None
        if X is not None and self._encoding is not None:
            if hasattr(X, "columns"):  # names first: they say more than types
                validate_data(self, X, skip_check_array=True, reset=False)
            matrix = self._encoding(X)
            validate_data(self, X, skip_check_array=True, reset=False)
        if pred_proba is not None:
            if self._ranking.agreement is None:
                raise LabelNoiseError(
                    "pred_proba was given, but the estimator was fitted without. Leave it out, or "
                    "fit with pred_proba= as well."
                )
            n_rows = None if matrix is None else len(matrix)
            found = checks.probabilities(pred_proba, n_rows, self.estimate_.classes)
            given = self._place.probabilities(found)
        return NewRows(matrix, given)

    def _remember(
        self, labels: Labels, fit: GateFit, views: dict[str, View], report: RankReport
    ) -> None:
        """Keep the estimate, and what new rows need."""
        ranking = fit.ranking
        for finding in early_warnings(report):
            warn_user(finding)
        self._ranking, self._gate, self._hard = ranking, fit.gates.point, self.noise == "instance"
        self._dilution = dilution(
            self._gate.clean_posterior(ranking.tail_depths), ranking.evidence.cells
        )
        self._place = place = Placement(labels)
        findings = findings_on_ranks(report)
        cells, graph, view = ranking.evidence.cells, ranking.evidence.graph, views[self.noise]
        self.representation_ = ranking.evidence.representation
        estimate = NoiseEstimate(
            TransitionMatrix(place.transition(view.transition), labels.classes),
            place.prior(view.prior),
            method=self.method_name,
            diagnosis=Diagnosis.of([*findings, *classes_without_rows(report.absent)]),
            assumption=view.assumption,
            parameters={**self.get_params(deep=False), "representation": self.representation_},
            n_rows=len(labels.codes),
            draws=place.draws(view.draws),
            bounds=place.bounds(report.bounds),
            rows=GatedRows(
                ranking.tail_depths,
                cells,
                fit.gates,
                place.present,
                labels.classes,
                findings,
                graph and graph.first(SHOWN_NEIGHBORS),
                self._hard,
            ),
        )
        self._keep(estimate)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # for predict_proba; there is no predict
        return tags


def _probabilities(pred_proba: Any, labels: Labels) -> FloatArray:
    """Checked probabilities of the classes that occur, (n, K)."""
    found = checks.probabilities(pred_proba, len(labels.codes), labels.classes)
    return Placement(labels).probabilities(found)

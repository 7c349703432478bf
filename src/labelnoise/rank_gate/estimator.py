"""The rank-gated estimator: T read at the top of each class's ranking, where the class is pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.class_placement import Placement
from labelnoise.data.containers import group_codes, refuse_another_order
from labelnoise.data.frames import is_table
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.encoded_features import EncodedFeatures
from labelnoise.evidence.evidence import Evidence, SearchOptions
from labelnoise.evidence.findings import classes_without_rows
from labelnoise.evidence.groups import RowGroups
from labelnoise.evidence.ranking import Ranking
from labelnoise.evidence.sources import NewRows
from labelnoise.findings import Diagnosis
from labelnoise.neighbors.graph import METRICS, NeighborGraph
from labelnoise.neighbors.settings import DEFAULT_MEMORY_MB
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.noise_estimator import NoiseEstimator
from labelnoise.progress import stage
from labelnoise.rank_gate.findings import early_warnings, findings_on_ranks
from labelnoise.rank_gate.fitted_cells import FittedCells
from labelnoise.rank_gate.impurity import typical_mixing
from labelnoise.rank_gate.left_out_columns import columns_that_hide_noise, is_to_be_compared
from labelnoise.rank_gate.measurements import RankReport
from labelnoise.rank_gate.posterior import GateFit, fit_gate
from labelnoise.rank_gate.readings import READINGS, Reading, likeliest_classes
from labelnoise.rank_gate.rows import GatedRows
from labelnoise.rank_gate.settings import DRAWS_OF_CHECK, MIN_POSTERIOR_DRAWS
from labelnoise.representation.weighting import Representation
from labelnoise.row_model import SHOWN_NEIGHBORS
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels
    from labelnoise.data.encoder import TableEncoder
    from labelnoise.findings import Finding


class RankGatedEstimator(NoiseEstimator):
    """Estimate the transition matrix from how labels change along the ranking of the rows.

    Rows are ranked, class by class, by the labels of their surroundings, without their own. However
    classes overlap, label frequencies never leave the simplex spanned by the rows of T, and
    approach row i where rows truly belong to class i. A gate from ranks to clean posteriors and T
    are fitted together (`labelnoise.rank_gate.model` states the model): T is read at the ends of a
    whole curve, neither from a few extreme rows nor from an average that takes overlap for noise.

    Parameters
    ----------
    noise : {"class", "instance"}
        "class": labels err by class alone (the paper's assumption), and T describes that.
        "instance": labels err where classes are alike; T is the average over all rows if
        every label that disagrees with its surroundings is wrong. The estimate's `bounds`
        hold both.
    representation : Representation, optional
        The space in which neighbors are searched. By default features as they are,
        standardized, decorrelated or weighted by mutual information, whichever predicts
        labels best.
    metric : {"cosine", "euclidean"}, optional
        By default chosen together with the representation.
    scorers : sequence of scikit-learn classifiers, optional
        Trained on the noisy labels, cross-fitted, and weighted by how well they predict labels.
    dominant : bool
        Whether the largest entry of each row of T must be on the diagonal: the correct label is the
        most frequent one in each class. Set it to False only if you know that labels may be worse.
    n_draws : int
        Draws behind the intervals, at least 20. 0 gives the most probable parameters and no
        intervals; otherwise the estimate for two classes is the posterior mean.
    classes : sequence, optional
        All classes, in the order of the rows of T; needed for classes that do not occur.
    engine : {"auto", "faiss", "brute", "tree"}
        Search engine for the neighbors; all are exact.
    memory_mb : int
        Working memory of the neighbor search.
    random_state : None, int or Generator
        Seed of the draws. None is a fixed seed: the same data always give the same result.

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
    encoder_ : TableEncoder
        How a table was encoded: the type of each column (`column_types_`) and notes about it
        (`notes_`). Set if the estimator was fitted on features.
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
        dominant: bool = True,
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
        self.dominant = dominant
        self.n_draws = n_draws
        self.classes = classes
        self.engine = engine
        self.memory_mb = memory_mb
        self.random_state = random_state

    def fit(
        self, X: Any, y: Any, *, graph: Any = None, pred_proba: Any = None, groups: Any = None
    ) -> Self:
        """Estimate T.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n, d), or None
            Features; None with `graph` or `pred_proba`. The columns of a table (a pandas or polars
            frame, an Arrow table, a Hugging Face dataset) may be of any type: see `TableEncoder`.
        y : array-like of shape (n,)
            Noisy labels.
        graph : NeighborGraph, index array (n, k) or sparse matrix (n, n), optional
            Neighbors found elsewhere, used instead of `X`.
        pred_proba : array of shape (n, K), optional
            Class probabilities from your own model, columns in the order of the sorted classes
            (or of `classes`); a frame whose columns are named by class may have any order. Each
            row must have been predicted by a model that was not trained on it. Without `X`
            nothing else is used; with `X` they are combined with what features predict.
        groups : array-like of shape (n,), optional
            Which rows belong together, such as the patient or the recording they come from. Rows of
            a group are not neighbors of one another, and weigh less than independent rows if they
            share errors.
        """
        n_draws = self._checked_settings(X, graph)
        rng = checks.generator(self.random_state)
        labels, evidence, features = self._evidence(X, y, graph, pred_proba, groups, rng)
        fit, readings = self._fitted(evidence, n_draws, rng)
        report = RankReport.of(labels, fit, readings, self.noise)
        findings = findings_on_ranks(report)
        alone = pred_proba is None and self.scorers is None
        if features and alone and is_to_be_compared((*findings, *self._data_findings)):
            by_class = report
            if self.noise != "class":
                by_class = RankReport.of(labels, fit, readings, "class")
            with stage("comparing columns"):
                findings += columns_that_hide_noise(by_class, features, self._measured)
        self._remember(labels, fit, readings, report, findings)
        return self

    def _measured(self, features: EncodedFeatures) -> RankReport:
        """A report on a fit to features alone, if labels err by class."""
        rng = np.random.default_rng(0)
        evidence = self._from_features(features, rng)
        return RankReport.of(features.labels, *self._fitted(evidence, DRAWS_OF_CHECK, rng), "class")

    def _fitted(
        self, evidence: Evidence, n_draws: int, rng: np.random.Generator
    ) -> tuple[GateFit, dict[str, Reading]]:
        """The fitted gate, and T under both readings."""
        with threadpool_limits(1, user_api="blas"):  # sums in one order on any number of threads
            with stage("weighing the evidence"):
                ranking = Ranking.of(evidence)
            fit = fit_gate(ranking, n_draws, rng, dominant=self.dominant)
            counted = evidence.cells.weighted(ranking.row_weight)
            readings = {
                name: reading(fit.gates, fit.ranking.tail_depths, counted, rng)
                for name, reading in READINGS.items()
            }
        return fit, readings

    def predict_proba(self, X: Any, y: Any = None, *, pred_proba: Any = None) -> FloatArray:
        """P(true class | x) of new rows, (m, K), or P(true class | x, observed label) with `y`.

        With ``noise="instance"`` the surroundings alone are decisive, and `y` has no effect.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (m, d), or None
            Features of the new rows, of the kind that the estimator was fitted on; None if it was
            fitted on `pred_proba` alone.
        y : array-like of shape (m,), optional
            Their observed labels.
        pred_proba : array of shape (m, K), optional
            Their class probabilities, if the estimator was fitted with class probabilities.
        """
        check_is_fitted(self)
        depths = self._ranking(self._new_rows(X, pred_proba))
        eta = self._gate.clean_posterior(depths)
        eta = likeliest_classes(eta) if self._by_instance else eta @ self._mixing
        if y is not None:
            labels = self._codes_of_occurring(y, len(depths))
            # By instance, surroundings are decisive, and T is only a summary.
            eta = eta if self._by_instance else self._gate.given_labels(eta, labels)
        found = np.zeros((len(depths), len(self.classes_)))
        found[:, self._place.present_codes] = eta
        return found

    @property
    def row_posteriors_(self) -> FloatArray:
        """P(true class | features, observed label) of the training rows, (n, K)."""
        check_is_fitted(self)
        return self.estimate_.row_posteriors

    def _checked_settings(self, X: Any, graph: Any) -> int:
        """Check all parameters but those of the search, and return the number of draws."""
        checks.one_of(self.noise, "noise", READINGS)
        n_draws = checks.positive_int(self.n_draws, "n_draws", minimum=0)
        if 0 < n_draws < MIN_POSTERIOR_DRAWS:
            expected = f"0 (no intervals) or at least {MIN_POSTERIOR_DRAWS}"
            facts = {"expected": expected, "example": "n_draws=100"}
            raise LabelNoiseError("wrong_value", name="n_draws", value=n_draws, **facts)
        if self.scorers is not None:
            checks.classifiers(self.scorers, "scorers")
            if X is None or graph is not None:
                raise LabelNoiseError(
                    "exclude_each_other", first="scorers=", other="graph= or X=None"
                )
        return n_draws

    def _evidence(
        self, X: Any, y: Any, graph: Any, pred_proba: Any, groups: Any, rng: np.random.Generator
    ) -> tuple[Labels, Evidence, EncodedFeatures | None]:
        """Labels, the evidence from everything that was passed, and the features if there are."""
        if groups is not None and (graph is not None or X is None):
            raise LabelNoiseError("groups_without_features")
        features = None
        if graph is not None:
            labels, evidence = self._from_graph(graph, X, y)
        elif X is not None:
            features = self._encoded_features(X, y, groups)
            labels, evidence = features.labels, self._from_features(features, rng)
        elif pred_proba is not None:
            labels = self._encode_labels(y)
            given = _probabilities(pred_proba, labels)
            return labels, Evidence.from_probabilities(given, labels), None
        else:
            raise LabelNoiseError("features_missing", instead="neighbors as graph=, or pred_proba=")
        if pred_proba is not None:
            evidence = evidence.with_probabilities(_probabilities(pred_proba, labels))
        return labels, evidence, features

    def _encoded_features(self, X: Any, y: Any, groups: Any) -> EncodedFeatures:
        if self.metric is not None:
            checks.one_of(self.metric, "metric", METRICS)
        if self.representation is not None and not isinstance(self.representation, Representation):
            raise LabelNoiseError(
                "wrong_value",
                name="representation",
                expected="a Representation or None",
                value=self.representation,
                example="labelnoise.Representation(decorrelate=True)",
            )
        labels, encoder, matrix = self._encode(X, y)
        together = None
        if groups is not None:
            refuse_another_order(X=X, groups=groups)
            refuse_another_order(y=y, groups=groups)
            codes = labels.compact_codes
            together = RowGroups.of(group_codes(groups, len(codes)), codes, matrix)
            together.refuse_labels(codes)
        return EncodedFeatures(encoder, matrix, labels, together)

    def _from_features(self, features: EncodedFeatures, rng: np.random.Generator) -> Evidence:
        evidence = Evidence.from_features(
            features.matrix, features.labels, self._search(), rng, features.groups
        )
        if self.scorers is not None:
            evidence = evidence.with_classifiers(self.scorers, features.matrix, rng)
        return evidence

    def _search(self) -> SearchOptions:
        return SearchOptions(self.representation, self.metric, self.engine, self.memory_mb)

    def _from_graph(self, graph: Any, X: Any, y: Any) -> tuple[Labels, Evidence]:
        accepted = NeighborGraph.accept(graph, None if X is None else checks.n_rows(X))
        labels = self._encode_labels(y, accepted.n_rows, of="graph")
        return labels, Evidence.from_graph(accepted, labels)

    def _new_rows(self, X: Any, pred_proba: Any) -> NewRows:
        """New rows in the form that the sources of evidence take."""
        matrix = given = None
        encoder: TableEncoder | None = getattr(self, "encoder_", None)
        if X is not None and encoder is not None:
            of_the_same_kind = is_table(X) == bool(encoder.column_types_)
            if of_the_same_kind and len(getattr(X, "shape", ())) == 2:
                validate_data(self, X, skip_check_array=True, reset=False)  # names and numbers
            matrix = encoder.transform(X)
        if pred_proba is not None:
            if self._ranking.agreement is None:
                raise LabelNoiseError("pred_proba_unlike_fit")
            n_rows = None if matrix is None else len(matrix)
            found = checks.probabilities(pred_proba, n_rows, self.estimate_.classes)
            given = self._place.probabilities(found)
        return NewRows(matrix, given)

    def _codes_of_occurring(self, y: Any, n_rows: int) -> np.ndarray[Any, Any]:
        """Labels of new rows (m,) as positions among the classes that occur."""
        codes = checks.known_labels(y, self.estimate_.classes, n_rows, "y")
        position = np.full(len(self.classes_), -1)
        position[self._place.present_codes] = np.arange(len(self._place.present_codes))
        unseen = np.unique(codes[position[codes] < 0])
        if unseen.size:
            labels = [self.estimate_.classes[i] for i in unseen]
            raise LabelNoiseError("labels_of_no_training_row", labels=labels)
        return position[codes]

    def _remember(
        self,
        labels: Labels,
        fit: GateFit,
        readings: dict[str, Reading],
        report: RankReport,
        findings: tuple[Finding, ...],
    ) -> None:
        """Keep the estimate, and what is needed to score new rows."""
        for finding in early_warnings(report):
            warn_user(finding)
        ranking, reading = fit.ranking, readings[self.noise]
        self._ranking, self._gate = ranking, fit.gates.point
        self._by_instance = self.noise == "instance"
        cells, graph = ranking.evidence.cells, ranking.evidence.graph
        if ranking.evidence.groups is not None:
            graph = None  # it holds neighbors of a row's own group, which did not score the row
        self._mixing = typical_mixing(self._gate.clean_posterior(ranking.tail_depths), cells)
        self._place = place = Placement(labels)
        self.representation_ = ranking.evidence.representation
        rows = GatedRows(
            FittedCells(ranking.tail_depths, cells, fit.gates, self._by_instance),
            place.present_codes,
            labels.classes,
            findings,
            None if graph is None else graph.first(SHOWN_NEIGHBORS),
        )
        self._keep(
            NoiseEstimate(
                TransitionMatrix(place.transition(reading.transition), labels.classes),
                place.prior(reading.prior),
                method=self.method_name,
                diagnosis=Diagnosis.of([*findings, *classes_without_rows(report.absent)]),
                assumption=reading.assumption,
                parameters=self._parameters(ranking),
                n_rows=len(labels.codes),
                draws=place.draws(reading.draws),
                bounds=place.bounds(report.bounds),
                rows=rows,
            )
        )

    def _parameters(self, ranking: Ranking) -> dict[str, Any]:
        """The parameters of the estimate."""
        found = {**self.get_params(deep=False), "representation": self.representation_}
        groups = ranking.evidence.groups
        if groups is not None:
            found |= {"n_groups": groups.n_groups, "row_weight": round(ranking.row_weight, 4)}
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # for predict_proba; there is no predict
        return tags


def _probabilities(pred_proba: Any, labels: Labels) -> FloatArray:
    """Checked probabilities of the classes that occur, (n, K)."""
    found = checks.probabilities(pred_proba, len(labels.codes), labels.classes)
    return Placement(labels).probabilities(found)

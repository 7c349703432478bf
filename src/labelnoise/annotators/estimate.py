"""``estimate_annotators``: from answers, and features if there are any, to the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.annotators.agreement import agreement
from labelnoise.annotators.answer_tables import FeatureRows, read_answers
from labelnoise.annotators.crowd import fit_crowd
from labelnoise.annotators.dawid_skene import dawid_skene
from labelnoise.annotators.features import fit_with_features
from labelnoise.annotators.findings import findings_of
from labelnoise.annotators.result import AnnotatorEstimate
from labelnoise.annotators.sampler import draw
from labelnoise.data.encoder import encoded
from labelnoise.data.frames import is_table, split_column
from labelnoise.errors import LabelNoiseError, LabelNoiseTypeError
from labelnoise.findings import Diagnosis
from labelnoise.noise_estimator import warn_about_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.annotators.answers import Answers
    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label

DEFAULT_METHOD, PLAIN = "hierarchical", "dawid-skene"
METHODS = (DEFAULT_METHOD, PLAIN)


def estimate_annotators(
    annotations: Any,
    X: Any = None,
    *,
    row: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    ids: Any = None,
    classes: Sequence[Label] | None = None,
    method: str = DEFAULT_METHOD,
    random_state: Any = None,
) -> AnnotatorEstimate:
    """Estimate every annotator's T, and the true class of every row, from several answers a row.

    The model is in `labelnoise.annotators.crowd`: Dawid-Skene with priors that the crowd
    determines, so that annotators with few answers are taken to be like the others. It assumes
    that annotators are better than chance on average, and that their answers are independent given
    the true class of the row. If they make the same mistakes, probabilities are too confident.

    Parameters
    ----------
    annotations : table, matrix of shape (n, A), or tuple of three arrays
        Answers. A long table has a line for each answer, with columns for the row, the annotator
        and the label, which are found by usual names (row, task, item; annotator, worker, rater;
        label, answer). A tuple holds these three. Any other table or array is a matrix with a line
        for each row and a column for each annotator; None, NaN, masked values and, in arrays of
        whole numbers, -1 are gaps. Columns of a table must share labels. The same answer twice
        counts once.
    X : table, array or sparse matrix of shape (n, d), optional
        Features. Rows are named by `ids`, in a long table and in a matrix with a column or an index
        that names its rows; without names, they have the order of the matrix.
    row, annotator, label : str, optional
        Names of the columns of a long table.
    ids : array-like of shape (n,), or str, optional
        Names of the rows of X, or the column of X that holds them; its index if it is a pandas
        frame, else 0 to n-1.
    classes : sequence, optional
        All classes, in the order of T; sorted if left out.
    method : {"hierarchical", "dawid-skene"}
        The second is maximum likelihood without priors, features or intervals, to compare with.
    random_state : int, Generator or None
        Of the draws for intervals; nothing else is random.

    Returns
    -------
    AnnotatorEstimate

    Examples
    --------
    >>> import labelnoise as ln
    >>> rng = np.random.default_rng(0)
    >>> true = rng.integers(2, size=300)
    >>> wrong = rng.random((300, 4)) < [0.1, 0.1, 0.2, 0.4]
    >>> est = ln.estimate_annotators(np.where(wrong, 1 - true[:, None], true[:, None]))
    >>> bool((est.consensus == true).mean() > 0.93)
    True
    >>> sorted(est.most_reliable(1, 2))
    [0, 1]
    """
    checks.one_of(method, "method", METHODS)
    rng = checks.generator(random_state)
    features = _features(X, ids)
    columns = {"row": row, "annotator": annotator, "label": label}
    answers = read_answers(annotations, columns, classes, features)
    if method == PLAIN:
        if features is not None:
            raise LabelNoiseError("input_not_used_by_method", method=method, name="X")
        return _plain(answers)
    if features is None:
        return _hierarchical(answers, None, rng)
    encoder, matrix = encoded(features.X)
    warn_about_columns(encoder)
    return _hierarchical(answers, matrix, rng)


def _features(X: Any, ids: Any) -> FeatureRows | None:
    """Features and how their rows are named; None without features."""
    if X is None:
        if ids is not None:
            raise LabelNoiseError("ids_without_features")
        return None
    if isinstance(ids, str):
        X, ids = split_column(X, ids, "ids")
    n = X.num_rows if is_table(X) and hasattr(X, "num_rows") else checks.n_rows(X)
    if n is None:
        raise LabelNoiseTypeError("features_not_usable", reason=f"X is {X!r:.100}")
    return FeatureRows(X, n, ids)


def _plain(answers: Answers) -> AnnotatorEstimate:
    fit = dawid_skene(answers)
    counts = answers.expected_counts(np.where(answers.answered[:, None], fit.posterior, 0.0))
    transition = fit.transition / fit.transition.sum(axis=2, keepdims=True)
    return _result(answers, transition, fit.prior, fit.posterior, counts, PLAIN)


def _hierarchical(
    answers: Answers, X: FloatArray | None, rng: np.random.Generator
) -> AnnotatorEstimate:
    log_prior, weights = None, None
    if X is None:
        fit = fit_crowd(answers)
    else:
        with_features = fit_with_features(answers, X)
        fit, log_prior = with_features.fit, with_features.log_prior
        weights = with_features.weights
    crowd, counts = fit.crowd, answers.expected_counts(fit.posterior)
    found = {
        "strength": crowd.strength,
        "careful_shares": crowd.careful.tolist(),
        "common_matrix": crowd.common.tolist(),
        "feature_weights": None if weights is None else weights.tolist(),
        "converged": fit.converged,
    }
    draws = draw(answers, crowd, log_prior, rng)
    return _result(
        answers,
        crowd.transition,
        crowd.prior,
        fit.posterior,
        counts,
        DEFAULT_METHOD,
        weights=weights,
        parameters=found,
        draws=draws,
    )


def _result(
    answers: Answers,
    transition: FloatArray,
    prior: FloatArray,
    posterior: FloatArray,
    counts: FloatArray,
    method: str,
    *,
    weights: FloatArray | None = None,
    **more: Any,
) -> AnnotatorEstimate:
    found = agreement(answers.votes)
    return AnnotatorEstimate(
        annotators=answers.annotators,
        classes=answers.classes,
        rows=answers.rows,
        transition=transition,
        class_prior=prior,
        posterior=posterior,
        n_answers=answers.n_answers,
        counts=counts,
        single_label=answers.single_label,
        agreement=found,
        diagnosis=Diagnosis.of(list(findings_of(answers, counts, found, weights))),
        method=method,
        **more,
    )

"""scikit-learn's logistic regression, trained through the noise by a corrected loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import validate_data

from labelnoise.errors import warn_user
from labelnoise.learning.linear import Task, train_layer

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.learning.losses import NoisyLoss

SUPPORTED = {
    "l1_ratio": (0, None),
    "class_weight": (None,),
    "fit_intercept": (True,),
    "penalty": ("deprecated", "l2", None),
    "multi_class": ("deprecated", "auto", "multinomial"),
}
"""Parameters with which a logistic regression is a ridge-penalized softmax layer. Versions of
scikit-learn differ in which of them there are."""


def is_softmax_regression(model: Any) -> bool:
    """Whether a model is a logistic regression with a ridge penalty only."""
    return (
        type(model) is LogisticRegression
        and model.solver != "liblinear"  # which shrinks the intercept
        and all(getattr(model, name, allowed[0]) in allowed for name, allowed in SUPPORTED.items())
    )


def train_through_noise(
    model: Any, X: Any, codes: IntArray, T: FloatArray, loss: NoisyLoss
) -> LogisticRegression:
    """A copy of the model with the weights that minimize the corrected loss.

    The objective is scikit-learn's, ``C sum loss + |w|^2 / 2``, with the loss replaced. With two
    classes, scikit-learn has one vector of weights, which is the difference of the two here. The
    penalty of two halves of a difference is half as large, so it is doubled.
    """
    fitted = clone(model)
    X = validate_data(fitted, X, accept_sparse="csr", dtype=np.float64)
    n_classes = len(T)
    free = np.isinf(model.C) or getattr(model, "penalty", "l2") is None
    ridge = 0.0 if free else 1 / (model.C * len(codes))
    task = Task(X, codes, n_classes)
    trained = train_layer(task, T, loss=loss, weight_decay=(2 if n_classes == 2 else 1) * ridge)
    if not trained.converged:
        warn_user("corrected_loss_not_converged")
    reached = loss(trained.layer.logits(X), T, codes).value
    if reached < -np.log(n_classes):  # further below 0 than guessing is above
        warn_user("corrected_loss_negative", loss=reached)
    weights = trained.layer.weights
    if n_classes == 2:
        weights = weights[:, 1:] - weights[:, :1]
    else:
        weights = weights - weights.mean(axis=1, keepdims=True)  # as scikit-learn's are
    fitted.coef_, fitted.intercept_ = weights[:-1].T.copy(), weights[-1].copy()
    fitted.n_iter_ = np.array([trained.n_steps], dtype=np.int32)
    return fitted

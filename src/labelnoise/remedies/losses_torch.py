"""Losses for PyTorch models that are trained on noisy labels.

Both replace `torch.nn.CrossEntropyLoss` and take the same arguments: logits of the *true* classes
and noisy labels. At test time the model predicts the true classes.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from labelnoise import checks
from labelnoise.errors import wrong_shape
from labelnoise.learning.losses import log_transition
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.transition import TransitionMatrix

Reduction = Literal["mean", "sum", "none"]


class _CorrectedLoss(nn.Module):
    """Common base of both losses: T, class weights, the index to ignore, and the reduction."""

    weight: Tensor | None

    def __init__(
        self,
        noise: Any,
        weight: Tensor | None = None,
        *,
        ignore_index: int = -100,
        reduction: Reduction = "mean",
    ) -> None:
        super().__init__()
        checks.one_of(reduction, "reduction", ("mean", "sum", "none"))
        T = _transition(noise)
        self.n_classes = T.n_classes
        weight = None if weight is None else torch.as_tensor(weight)
        if weight is not None and tuple(weight.shape) != (self.n_classes,):
            expected = f"one weight for each of {self.n_classes} classes"
            raise wrong_shape("weight", weight.shape, expected)
        self.register_buffer("weight", weight)
        self.ignore_index, self.reduction = ignore_index, reduction
        self._register(T)

    def _register(self, T: TransitionMatrix) -> None:
        """Register what is needed of T as a buffer, which moves with the module."""
        raise NotImplementedError

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        """The loss.

        Parameters
        ----------
        logits : Tensor of shape (K,), (N, K) or (N, K, d1, ...)
        target : Tensor of shape (), (N,) or (N, d1, ...)
            Noisy labels as class indices; rows with `ignore_index` do not count.
        """
        axis = 0 if logits.ndim == 1 else 1
        if logits.shape[axis] != self.n_classes:
            raise wrong_shape("logits", logits.shape, f"{self.n_classes} classes on axis {axis}")
        target = _checked_target(target, tuple(n for i, n in enumerate(logits.shape) if i != axis))
        counts = target != self.ignore_index
        label = torch.where(counts, target, 0)
        # Values in rows that do not count, NaN included, must not reach the others.
        logits = torch.where(counts.unsqueeze(axis), logits, 0.0)
        # Half precision is too coarse for a loss: single precision is used, as under autocast.
        if logits.dtype in (torch.float16, torch.bfloat16):
            logits = logits.float()
        loss = self._of_rows(functional.log_softmax(logits, dim=axis).movedim(axis, -1), label)
        share = counts.to(loss.dtype)
        if self.weight is not None:
            share = share * _chosen(self.weight[:, None].to(loss.dtype), label)[..., 0]
        loss = loss * share
        if self.reduction == "none":
            return loss
        return loss.sum() if self.reduction == "sum" else loss.sum() / share.sum()

    def extra_repr(self) -> str:
        """Parameters in the text of ``print``."""
        return f"n_classes={self.n_classes}, reduction={self.reduction!r}"

    def _of_rows(self, log_f: Tensor, label: Tensor) -> Tensor:
        """Loss (...) of each row, from log-probabilities (..., K) and labels (...)."""
        raise NotImplementedError


class ForwardCorrectedLoss(_CorrectedLoss):
    """``-log (softmax(logits) T)_y``: the negative log-likelihood of the noisy labels.

    Computed in log space: with finite logits, losses and gradients are finite. If label errors
    depend on the true class alone, the minimum is at the clean posteriors (Patrini et al. 2017).
    On devices without double precision (Apple's MPS), use ``loss.float().to("mps")``.

    Parameters
    ----------
    noise : NoiseEstimate, TransitionMatrix or array of shape (K, K)
        Rows are true classes, in the order of the logits.
    weight : Tensor of shape (K,), optional
        Weights of the (noisy) classes, as in `torch.nn.CrossEntropyLoss`.
    ignore_index : int
        Target of rows that do not count.
    reduction : {"mean", "sum", "none"}

    Examples
    --------
    With T = I it is the cross-entropy:

    >>> logits, labels = torch.tensor([[2.0, 0.0], [0.0, 1.0]]), torch.tensor([0, 0])
    >>> loss = ForwardCorrectedLoss([[1.0, 0.0], [0.0, 1.0]])
    >>> torch.allclose(loss(logits, labels), functional.cross_entropy(logits, labels))
    True
    """

    log_transition: Tensor

    def _register(self, T: TransitionMatrix) -> None:
        self.register_buffer("log_transition", torch.from_numpy(log_transition(T.values)))

    def _of_rows(self, log_f: Tensor, label: Tensor) -> Tensor:
        # Row y of T': the probability that each true class is labeled y.
        by_label = _chosen(self.log_transition.T.to(log_f.dtype), label)
        return -torch.logsumexp(log_f + by_label, dim=-1)


class BackwardCorrectedLoss(_CorrectedLoss):
    """``-sum_i (T^-1)[y, i] log softmax(logits)_i``: the clean loss, on average over labels.

    The loss of a row may be negative, and so may that of all rows: it has no lower bound
    for a model that can fit every row. Use the forward loss unless you need this one.

    Parameters
    ----------
    noise : NoiseEstimate, TransitionMatrix or array of shape (K, K)
        Rows are true classes, in the order of the logits. It must have an inverse.
    weight : Tensor of shape (K,), optional
        Weights of the (noisy) classes, as in `torch.nn.CrossEntropyLoss`.
    ignore_index : int
        Target of rows that do not count.
    reduction : {"mean", "sum", "none"}

    Examples
    --------
    >>> logits, labels = torch.tensor([[2.0, 0.0], [0.0, 1.0]]), torch.tensor([0, 0])
    >>> loss = BackwardCorrectedLoss([[1.0, 0.0], [0.0, 1.0]])
    >>> torch.allclose(loss(logits, labels), functional.cross_entropy(logits, labels))
    True
    """

    inverse: Tensor

    def _register(self, T: TransitionMatrix) -> None:
        self.register_buffer("inverse", torch.from_numpy(T.inverse()))

    def _of_rows(self, log_f: Tensor, label: Tensor) -> Tensor:
        by_label = _chosen(self.inverse.to(log_f.dtype), label)
        # A class of weight 0 adds nothing, even if its log-probability is -inf.
        return -torch.where(by_label == 0, 0.0, by_label * log_f).sum(dim=-1)


def _transition(noise: Any) -> TransitionMatrix:
    if isinstance(noise, NoiseEstimate):
        return noise.transition_matrix
    if isinstance(noise, Tensor):
        noise = noise.detach().cpu().numpy()
    return noise if isinstance(noise, TransitionMatrix) else TransitionMatrix(noise)


def _checked_target(target: Any, expected: tuple[int, ...]) -> Tensor:
    """Noisy labels as class indices of the expected shape."""
    indices = isinstance(target, Tensor) and not target.is_floating_point()
    if not indices or tuple(target.shape) != expected:
        kind = str(getattr(target, "dtype", type(target).__name__))
        required = f"class indices of shape {expected}"
        raise wrong_shape(f"target ({kind})", np.shape(target), required)
    return target.long()


def _chosen(table: Tensor, label: Tensor) -> Tensor:
    """Rows of a table (K, ...) by label; a label that is no class is an error, as in torch."""
    return functional.embedding(label, table)

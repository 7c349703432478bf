"""Fisher information of the gate: how precisely the data determine its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from labelnoise.rank_gate.settings import JITTER, NUMBERS_PER_BLOCK, PRIOR_ROWS, SLOPE_SCALE

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.rank_gate.model import Gate, GateModel


class Directions(NamedTuple):
    """Entries of T whose log-odds may change: their true and observed classes, (m,) each.

    All entries off the diagonal determine T; those on the diagonal determine only how often each
    class is labeled correctly.
    """

    true: IntArray
    observed: IntArray

    @classmethod
    def all_of(cls, model: GateModel) -> Directions:
        """All confusions, K (K - 1)."""
        return cls(*np.nonzero(model.off))

    @classmethod
    def diagonal_of(cls, model: GateModel) -> Directions:
        """Correct labels only, K."""
        return cls(np.arange(model.n_classes), np.arange(model.n_classes))


def fisher_information(
    model: GateModel,
    gate: Gate,
    directions: Directions,
    prior_of_T: FloatArray,
    row_weight: float = 1.0,
) -> FloatArray:
    """Empirical Fisher information (m + 2 K, m + 2 K), plus the curvature of the priors.

    The sum over rows of ``s s'``, where s is the gradient of the row's log-likelihood in the
    log-odds of T, in the log-slopes and in the offsets.

    Parameters
    ----------
    prior_of_T : (m,) array
        Curvature of the prior of T in these directions.
    row_weight : float
        Factor of the weights of all rows; 1 for tempered rows.
    """
    k, m = model.n_classes, len(directions.true)
    information, moved = np.zeros((m + 2 * k, m + 2 * k)), np.zeros((k, k))
    block = max(1, NUMBERS_PER_BLOCK // (m + 2 * k))
    for low in range(0, len(model.depths), block):
        part = slice(low, low + block)
        depths, label, share = model.depths[part], model.label[part], model.share[part]
        eta = gate.clean_posterior(depths)
        r = gate.given_labels(eta, label)
        in_T = (label[:, None] == directions.observed) - gate.transition[directions]
        in_logits = r - eta
        scores = np.hstack(
            [r[:, directions.true] * in_T, in_logits * depths * gate.slopes, in_logits]
        )
        information += (scores * model.weight[part, None]).T @ scores * row_weight
        moved += np.diag(share @ eta) - (eta * share[:, None]).T @ eta  # of p with the offsets
    priors = np.concatenate([prior_of_T, SLOPE_SCALE / gate.slopes, np.zeros(k)])
    information[np.diag_indices(m + 2 * k)] += priors + JITTER
    p = np.einsum("c,ck->k", model.share, gate.clean_posterior(model.depths))
    information[m + k :, m + k :] += (
        1 / k + (moved * (PRIOR_ROWS * model.frequencies / p**2)) @ moved.T
    )
    return information


def unsure_share(model: GateModel, gate: Gate) -> FloatArray:
    """Share of the rows of each class whose true class is not sure, (K,).

    With responsibilities r, ``1 - sum r^2 / sum r``: 0 if all are 0 or 1.
    """
    r = gate.row_posterior(model.depths, model.label)
    return 1 - (model.share @ r**2) / (model.share @ r)

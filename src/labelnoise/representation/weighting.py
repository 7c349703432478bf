"""Weights of the coordinates, from their mutual information with the noisy labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

from labelnoise import checks
from labelnoise.representation.divergences import DIVERGENCES
from labelnoise.representation.mutual_information import coordinate_information
from labelnoise.representation.settings import MIN_RELATIVE_WEIGHT, N_BINS
from labelnoise.representation.whitening import LinearMap, decorrelation, standardization

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray


def linear(information: FloatArray) -> FloatArray:
    """Min-max of the information, in (0, 1]: the paper's choice for tables.

    The least informative coordinate gets a weight of about zero, however informative it is; with
    two coordinates that is one of the two. Equal values all become 1.

    >>> linear(np.array([0.1, 0.2, 0.5])).round(2)
    array([0.  , 0.25, 1.  ])
    """
    raised = information - information.min() + MIN_RELATIVE_WEIGHT
    return raised / raised.max()


def log(information: FloatArray) -> FloatArray:
    """Min-max of the logarithm: the paper's choice for text, gentler on weak coordinates."""
    positive = information[information > 0]
    smallest = positive.min() if positive.size else 1.0
    return linear(np.log(np.maximum(information, smallest)))


def rank(information: FloatArray) -> FloatArray:
    """Rank of the information divided by the number of coordinates; ties share their rank.

    >>> rank(np.array([0.1, 0.5, 0.2, 0.2]))
    array([0.25 , 1.   , 0.625, 0.625])
    """
    return rankdata(information) / len(information)


ACTIVATIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "linear": linear,
    "log": log,
    "rank": rank,
}


@dataclass(frozen=True)
class Representation:
    """Points -> the space in which neighbors are searched (paper, algorithm 2, steps 1 and 2).

    Parameters
    ----------
    standardize : bool
        Give every feature mean 0 and variance 1 first, as the paper does with tables.
    decorrelate : bool
        Then remove correlation (the paper's A variants) or not (X).
    divergence : str or None
        Which f-mutual information weights the coordinates; None leaves them unweighted.
    activation : str
        How information becomes a weight w: "linear", "log" or "rank".
    weight_power : float
        Coordinates are multiplied by ``w ** weight_power``. It is 0.5 in the paper's text (where
        the similarity has W = diag(w)), and 1 in its published code and hence in its tables.
    n_bins : int
        Bins of the histograms.
    """

    standardize: bool = True
    decorrelate: bool = False
    divergence: str | None = None
    activation: str = "linear"
    weight_power: float = 1.0
    n_bins: int = N_BINS

    def __post_init__(self) -> None:
        if self.divergence is not None:
            checks.one_of(self.divergence, "divergence", DIVERGENCES)
        checks.one_of(self.activation, "activation", ACTIVATIONS)
        checks.positive_int(self.n_bins, "n_bins", minimum=2)
        checks.positive_number(self.weight_power, "weight_power")

    def __call__(self, X: FloatArray, label_counts: FloatArray) -> FloatArray:
        """Map points, (U, d) -> (U, d'), given their labels (U, K)."""
        return self.fit(X, label_counts)[1]

    def fit(
        self, X: FloatArray, label_counts: FloatArray
    ) -> tuple[tuple[LinearMap, ...], FloatArray]:
        """Fit the linear maps, in their order, and apply them to the points."""
        rows = label_counts.sum(axis=1)
        maps: list[LinearMap] = []
        if self.standardize:
            maps.append(standardization(X, rows))
            X = maps[-1](X)
        if self.decorrelate:
            maps.append(decorrelation(X, rows))
            X = maps[-1](X)
        if self.divergence is not None:
            information = coordinate_information(X, label_counts, self.divergence, self.n_bins)
            weights = ACTIVATIONS[self.activation](information) ** self.weight_power
            maps.append(LinearMap(np.zeros(X.shape[1]), weights))
            X = maps[-1](X)
        return tuple(maps), X

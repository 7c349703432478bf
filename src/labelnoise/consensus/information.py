"""The paper's estimator: HOC on features weighted by their f-mutual information."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from labelnoise.consensus.hoc import HOCEstimator
from labelnoise.errors import LabelNoiseError
from labelnoise.neighbors.settings import DEFAULT_MEMORY_MB
from labelnoise.representation.settings import N_BINS
from labelnoise.representation.weighting import Representation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.checks import Label


class InformationEstimator(HOCEstimator):
    """Estimate the transition matrix after down-weighting uninformative features.

    Zhu, Wang and Liu (2022), algorithm 2: remove correlation between features, weight each
    coordinate by its f-mutual information with the noisy labels, then apply HOC with the
    resulting (soft cosine) similarity. Noise preserves the order of the weights: a coordinate
    with more information about the true labels has more about the noisy ones, too (see
    `labelnoise.theory`).

    Parameters
    ----------
    decorrelate : bool
        Whether to remove correlation first (the paper's A variants) or not (X).
    divergence : str
        "kl", "tv", "jensen-shannon", "squared-hellinger", "pearson", "neyman" or "reverse-kl".
    activation : {"linear", "log", "rank"}
        How information becomes a weight w in (0, 1]: min-max of it (the paper's choice for
        tables), min-max of its logarithm (for text), or its rank. Min-max gives the least
        informative coordinate a weight of about zero.
    weight_power : float
        Coordinates are multiplied by ``w ** weight_power``: 1 in the published code and in the
        paper's tables, 0.5 in the paper's text.
    n_bins : int
        Bins of the histograms behind the mutual information.
    metric, standardize, k, subsample, n_starts, classes, engine, memory_mb, random_state
        As for `HOCEstimator`.

    Attributes
    ----------
    estimate_, transition_matrix_, class_prior_, classes_, n_features_in_
        As for `HOCEstimator`.

    Examples
    --------
    >>> import labelnoise as ln
    >>> X, y = ln.make_twonorm(2000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], random_state=0)
    >>> InformationEstimator(divergence="tv").fit(X, noisy).transition_matrix_.round(1)
    array([[0.8, 0.2],
           [0.1, 0.9]])
    """

    method_name = "information"

    def __init__(
        self,
        *,
        decorrelate: bool = True,
        divergence: str = "kl",
        activation: str = "linear",
        weight_power: float = 1.0,
        n_bins: int = N_BINS,
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
        super().__init__(
            metric=metric,
            standardize=standardize,
            k=k,
            subsample=subsample,
            n_starts=n_starts,
            classes=classes,
            engine=engine,
            memory_mb=memory_mb,
            random_state=random_state,
        )
        self.decorrelate = decorrelate
        self.divergence = divergence
        self.activation = activation
        self.weight_power = weight_power
        self.n_bins = n_bins

    def _from_features(self, X: Any, y: Any) -> Any:
        if X is None:
            raise LabelNoiseError("features_missing")
        return super()._from_features(X, y)

    def _from_graph(self, given: Any, X: Any, y: Any) -> NoReturn:  # noqa: ARG002
        raise LabelNoiseError(
            "exclude_each_other", first="a method that weights features", other="graph="
        )

    def _representation(self) -> Representation:
        return Representation(
            standardize=self.standardize,
            decorrelate=self.decorrelate,
            divergence=self.divergence,
            activation=self.activation,
            weight_power=self.weight_power,
            n_bins=self.n_bins,
        )

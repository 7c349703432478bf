"""The table of methods, and the one call that uses it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from inspect import signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from labelnoise import checks
from labelnoise.baselines.confident_learning import ConfidentLearningEstimator
from labelnoise.baselines.selective import SelectiveEstimator
from labelnoise.baselines.t_revision import TRevisionEstimator
from labelnoise.baselines.t_tv import TTVEstimator
from labelnoise.baselines.t_vol import TVolEstimator
from labelnoise.consensus.hoc import HOCEstimator
from labelnoise.consensus.information import InformationEstimator
from labelnoise.data.dataset import Dataset
from labelnoise.data.frames import split_column
from labelnoise.data.table_options import suggestion_for
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.rank_gate.estimator import RankGatedEstimator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.noise_estimator import NoiseEstimator


@dataclass(frozen=True)
class Method:
    """A named method: an estimator with some of its parameters set."""

    estimator: type[NoiseEstimator]
    preset: Mapping[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> set[str]:
        """Parameters of the estimator, and what its `fit` takes."""
        return {*self.estimator._get_param_names(), *signature(self.estimator.fit).parameters}

    def build(self, parameters: Mapping[str, Any]) -> NoiseEstimator:
        """Make the estimator, with `parameters` on top of the method's own."""
        known = self.estimator._get_param_names()
        unknown = [name for name in parameters if name not in known]
        if unknown:
            raise LabelNoiseError(
                "unknown_parameters",
                estimator=self.estimator.__name__,
                names=unknown,
                known=list(known),
                **suggestion_for(unknown[0], (*known, "graph", "pred_proba", "groups")),
            )
        return self.estimator(**{**self.preset, **parameters})


def _weighted_by(divergence: str, *, decorrelate: bool) -> Method:
    """Neighbors in features weighted by their information about the labels."""
    return Method(InformationEstimator, {"decorrelate": decorrelate, "divergence": divergence})


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "rank-gated": Method(RankGatedEstimator),
        "hoc": Method(HOCEstimator),
        "x-kl": _weighted_by("kl", decorrelate=False),
        "x-tv": _weighted_by("tv", decorrelate=False),
        "a-kl": _weighted_by("kl", decorrelate=True),
        "a-tv": _weighted_by("tv", decorrelate=True),
        "confident-learning": Method(ConfidentLearningEstimator),
        "t-revision": Method(TRevisionEstimator),
        "t-vol": Method(TVolEstimator),
        "t-tv": Method(TTVEstimator),
        "selective": Method(SelectiveEstimator),
    }
)
"""Methods that `estimate` knows, by name."""

DEFAULT_METHOD = "rank-gated"


def method_taking(name: str, arguments: Iterable[str] = ()) -> Method:
    """The method of a name; refused if it does not take one of the arguments."""
    method = METHODS[checks.one_of(name, "method", METHODS)]
    for one in arguments:
        if one not in method.arguments:
            raise LabelNoiseError("input_not_used_by_method", method=name, name=f"{one}=")
    return method


def warn_if_unreliable(est: NoiseEstimate, where: str) -> None:
    """Warn if an estimate that the user has not seen is not to be relied on.

    `where` is what the user would look at to read its diagnosis.
    """
    if est.diagnosis.verdict != "reliable":
        reasons = "; ".join(est.diagnosis.reasons)
        warn_user("estimate_not_reliable", reasons=reasons, where=where)


def estimate(
    X: Any,
    y: Any = None,
    *,
    method: str = DEFAULT_METHOD,
    graph: Any = None,
    pred_proba: Any = None,
    groups: Any = None,
    **parameters: Any,
) -> NoiseEstimate:
    """Estimate how the labels go wrong, from features and noisy labels alone.

    Parameters
    ----------
    X : table, array or sparse matrix of shape (n, d), or Dataset, or None
        Features. The columns of a table (a pandas or polars frame, an Arrow table, a Hugging Face
        dataset) may be of any type: see `TableEncoder`. A `Dataset`, from `load_table`, has its
        own labels. None with `graph` or `pred_proba`.
    y : array-like of shape (n,), or str
        Noisy labels of any type, or the name of the column of the table X that holds them; its
        other columns are the features.
    method : str
        A key of `METHODS`: "rank-gated"; "hoc", "x-kl", "x-tv", "a-kl", "a-tv" (the paper);
        "confident-learning", "t-revision", "t-vol", "t-tv", "selective" (to compare with).
    graph : NeighborGraph, index array (n, k) or sparse matrix (n, n), optional
        Neighbors found elsewhere, used instead of `X`.
    pred_proba : array of shape (n, K), optional
        Out-of-sample class probabilities from your own model, for methods that use them.
    groups : array-like of shape (n,), or str, optional
        Which rows belong together (a patient, a recording), or the name of a column of the table X:
        see `RankGatedEstimator.fit`. A `Dataset` has its own.
    **parameters
        Parameters of the method's estimator, such as ``classes=`` or ``random_state=``: see
        `RankGatedEstimator`, `HOCEstimator`, `InformationEstimator`, or the estimator of the
        method in `METHODS`.

    Returns
    -------
    NoiseEstimate

    Examples
    --------
    >>> import labelnoise as ln
    >>> X, y = ln.make_twonorm(2000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], random_state=0)
    >>> est = ln.estimate(X, noisy)
    >>> est.transition_matrix.values.round(1)
    array([[0.8, 0.2],
           [0.1, 0.9]])
    >>> print(est.diagnosis)
    This estimate: reliable
    """
    method_taking(method)
    row_ids = group_name = None
    if isinstance(X, Dataset):
        if y is not None or isinstance(groups, str):
            other = "labels y, or a name of groups"
            raise LabelNoiseError("exclude_each_other", first="a Dataset", other=other)
        row_ids = X.row_ids
        if groups is None:
            groups, group_name = _groups_of(X, method, graph), X.group_name
        y, parameters = X.y, _classes_of(X) | parameters
    if isinstance(groups, str):
        if isinstance(y, str) and y == groups:
            raise LabelNoiseError("group_is_label", column=groups)
        group_name = groups
        X, groups = split_column(X, groups, "groups")
    if isinstance(y, str):
        X, y = split_column(X, y, "y")
    given = {"graph": graph, "pred_proba": pred_proba, "groups": groups}
    inputs = {name: value for name, value in given.items() if value is not None}
    estimator = method_taking(method, inputs).build(parameters)
    est: NoiseEstimate = estimator.fit(X, y, **inputs).estimate_
    if group_name is not None and "n_groups" in est.parameters:
        est = replace(est, parameters={**est.parameters, "groups": group_name})
    return replace(est, method=method, row_ids=row_ids)


def _groups_of(dataset: Dataset, method: str, graph: Any) -> Any:
    """The groups (n,) of a data set; None, with a warning, where they cannot be used."""
    if dataset.groups is None:
        return None
    if "groups" not in METHODS[method].arguments:
        warn_user("groups_of_dataset_not_used", why=f"by method {method!r}")
    elif graph is not None:
        warn_user("groups_of_dataset_not_used", why="with graph=")
    else:
        return dataset.groups
    return None


def _classes_of(dataset: Dataset) -> dict[str, Any]:
    """The classes of a data set as a parameter, if they are more than occur."""
    has_absent = len(dataset.classes) > len(set(dataset.y.tolist()))
    return {"classes": dataset.classes} if has_absent else {}

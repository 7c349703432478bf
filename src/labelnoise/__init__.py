"""labelnoise: estimate how labels go wrong, from features and noisy labels alone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from labelnoise._version import __version__ as __version__

if TYPE_CHECKING:
    from labelnoise.annotators.annotator import Annotator as Annotator
    from labelnoise.annotators.estimate import estimate_annotators as estimate_annotators
    from labelnoise.annotators.result import AnnotatorEstimate as AnnotatorEstimate
    from labelnoise.baselines.confident_learning import (
        ConfidentLearningEstimator as ConfidentLearningEstimator,
    )
    from labelnoise.baselines.selective import SelectiveEstimator as SelectiveEstimator
    from labelnoise.baselines.t_revision import TRevisionEstimator as TRevisionEstimator
    from labelnoise.baselines.t_tv import TTVEstimator as TTVEstimator
    from labelnoise.baselines.t_vol import TVolEstimator as TVolEstimator
    from labelnoise.consensus.hoc import HOCEstimator as HOCEstimator
    from labelnoise.consensus.information import InformationEstimator as InformationEstimator
    from labelnoise.data.dataset import Dataset as Dataset
    from labelnoise.data.dataset import load_table as load_table
    from labelnoise.data.encoder import TableEncoder as TableEncoder
    from labelnoise.data.generators import make_twonorm as make_twonorm
    from labelnoise.data.generators import make_waveform as make_waveform
    from labelnoise.data.noise import inject_noise as inject_noise
    from labelnoise.data.noise import pair_noise as pair_noise
    from labelnoise.data.noise import paper_noise_rate as paper_noise_rate
    from labelnoise.data.noise import random_noise as random_noise
    from labelnoise.data.noise import realized_transition as realized_transition
    from labelnoise.data.noise import symmetric_noise as symmetric_noise
    from labelnoise.errors import LabelNoiseError as LabelNoiseError
    from labelnoise.errors import LabelNoiseWarning as LabelNoiseWarning
    from labelnoise.errors import NotIdentifiableError as NotIdentifiableError
    from labelnoise.findings import Diagnosis as Diagnosis
    from labelnoise.methods import METHODS as METHODS
    from labelnoise.methods import estimate as estimate
    from labelnoise.metrics import prior_error as prior_error
    from labelnoise.metrics import transition_error as transition_error
    from labelnoise.neighbors.graph import NeighborGraph as NeighborGraph
    from labelnoise.noise_estimate import NoiseEstimate as NoiseEstimate
    from labelnoise.rank_gate.estimator import RankGatedEstimator as RankGatedEstimator
    from labelnoise.remedies.losses_torch import BackwardCorrectedLoss as BackwardCorrectedLoss
    from labelnoise.remedies.losses_torch import ForwardCorrectedLoss as ForwardCorrectedLoss
    from labelnoise.remedies.scores import CorrectedScore as CorrectedScore
    from labelnoise.remedies.scores import CorrectedScorer as CorrectedScorer
    from labelnoise.remedies.scores import corrected_score as corrected_score
    from labelnoise.remedies.training import NoiseCorrectedClassifier as NoiseCorrectedClassifier
    from labelnoise.representation.divergences import f_divergence as f_divergence
    from labelnoise.representation.mutual_information import (
        f_mutual_information as f_mutual_information,
    )
    from labelnoise.representation.similarity import soft_cosine as soft_cosine
    from labelnoise.representation.weighting import Representation as Representation
    from labelnoise.review.correction import apply_fixes as apply_fixes
    from labelnoise.review.decisions import export_label_issues as export_label_issues
    from labelnoise.review.label_issues import find_label_issues as find_label_issues
    from labelnoise.transition import TransitionMatrix as TransitionMatrix

_NAMES = {
    "annotators.annotator": "Annotator",
    "annotators.estimate": "estimate_annotators",
    "annotators.result": "AnnotatorEstimate",
    "baselines.confident_learning": "ConfidentLearningEstimator",
    "baselines.selective": "SelectiveEstimator",
    "baselines.t_revision": "TRevisionEstimator",
    "baselines.t_tv": "TTVEstimator",
    "baselines.t_vol": "TVolEstimator",
    "consensus.hoc": "HOCEstimator",
    "consensus.information": "InformationEstimator",
    "data.dataset": "Dataset load_table",
    "data.encoder": "TableEncoder",
    "data.generators": "make_twonorm make_waveform",
    "data.noise": (
        "inject_noise pair_noise paper_noise_rate random_noise realized_transition symmetric_noise"
    ),
    "errors": "LabelNoiseError LabelNoiseWarning NotIdentifiableError",
    "findings": "Diagnosis",
    "methods": "METHODS estimate",
    "metrics": "prior_error transition_error",
    "neighbors.graph": "NeighborGraph",
    "noise_estimate": "NoiseEstimate",
    "rank_gate.estimator": "RankGatedEstimator",
    "remedies.scores": "CorrectedScore CorrectedScorer corrected_score",
    "remedies.training": "NoiseCorrectedClassifier",
    "representation.divergences": "f_divergence",
    "representation.mutual_information": "f_mutual_information",
    "representation.similarity": "soft_cosine",
    "representation.weighting": "Representation",
    "review.correction": "apply_fixes",
    "review.decisions": "export_label_issues",
    "review.label_issues": "find_label_issues",
    "transition": "TransitionMatrix",
}
"""Public names by the module that defines them; the imports above tell type checkers the same."""

_WITH_TORCH = {"remedies.losses_torch": "BackwardCorrectedLoss ForwardCorrectedLoss"}
"""Public names that need PyTorch, and so are not among those that ``import *`` brings."""

_HOME = {name: module for module, names in (_NAMES | _WITH_TORCH).items() for name in names.split()}

__all__ = [name for names in _NAMES.values() for name in names.split()]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: scikit-learn alone takes a second."""
    if name == "theory":
        return import_module("labelnoise.theory")
    if name not in _HOME:
        raise AttributeError(f"module 'labelnoise' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"labelnoise.{_HOME[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise ImportError(
            f"{name} needs PyTorch, which is not installed. Install it: "
            "pip install 'labelnoise[torch]'."
        ) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*_HOME, "__version__", "theory"]

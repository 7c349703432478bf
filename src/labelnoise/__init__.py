"""labelnoise: estimate how labels go wrong, from features and noisy labels alone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelnoise.data.generators import make_twonorm, make_waveform
    from labelnoise.data.labelled_table import LabelledTable, load_table
    from labelnoise.data.noise import (
        inject_noise,
        pair_noise,
        paper_noise_rate,
        random_noise,
        realised_transition,
        symmetric_noise,
    )
    from labelnoise.data.tabular import TABULAR_SETS, load_tabular
    from labelnoise.diagnosis import Diagnosis
    from labelnoise.errors import LabelNoiseError, LabelNoiseWarning, NotIdentifiableError
    from labelnoise.estimators.confident_learning import ConfidentLearningEstimator
    from labelnoise.estimators.hoc import HOCEstimator
    from labelnoise.estimators.information import InformationEstimator
    from labelnoise.estimators.methods import METHODS, estimate
    from labelnoise.estimators.rank_gated import RankGatedEstimator
    from labelnoise.estimators.selective import SelectiveEstimator
    from labelnoise.estimators.t_revision import TRevisionEstimator
    from labelnoise.estimators.t_tv import TTVEstimator
    from labelnoise.estimators.t_vol import TVolEstimator
    from labelnoise.metrics import prior_error, transition_error
    from labelnoise.neighbors.graph import NeighborGraph
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.remedies.fixes import apply_fixes
    from labelnoise.remedies.issue_files import export_label_issues
    from labelnoise.remedies.label_issues import find_label_issues
    from labelnoise.remedies.losses_torch import BackwardCorrectedLoss as BackwardCorrectedLoss
    from labelnoise.remedies.losses_torch import ForwardCorrectedLoss as ForwardCorrectedLoss
    from labelnoise.remedies.scores import CorrectedScore, CorrectedScorer, corrected_score
    from labelnoise.remedies.training import NoiseCorrectedClassifier
    from labelnoise.representation.divergences import f_divergence
    from labelnoise.representation.mutual_information import f_mutual_information
    from labelnoise.representation.similarity import soft_cosine
    from labelnoise.representation.weighting import Representation
    from labelnoise.transition import TransitionMatrix

__version__ = "0.1.0"

_WITH_TORCH = {
    "BackwardCorrectedLoss": "remedies.losses_torch",
    "ForwardCorrectedLoss": "remedies.losses_torch",
}
"""Public names that need PyTorch, and so are not among those that ``import *`` brings."""

_HOME = _WITH_TORCH | {
    "ConfidentLearningEstimator": "estimators.confident_learning",
    "CorrectedScore": "remedies.scores",
    "CorrectedScorer": "remedies.scores",
    "Diagnosis": "diagnosis",
    "HOCEstimator": "estimators.hoc",
    "InformationEstimator": "estimators.information",
    "LabelNoiseError": "errors",
    "LabelledTable": "data.labelled_table",
    "LabelNoiseWarning": "errors",
    "METHODS": "estimators.methods",
    "NeighborGraph": "neighbors.graph",
    "NoiseCorrectedClassifier": "remedies.training",
    "NoiseEstimate": "noise_estimate",
    "NotIdentifiableError": "errors",
    "RankGatedEstimator": "estimators.rank_gated",
    "Representation": "representation.weighting",
    "SelectiveEstimator": "estimators.selective",
    "TABULAR_SETS": "data.tabular",
    "TRevisionEstimator": "estimators.t_revision",
    "TVolEstimator": "estimators.t_vol",
    "TTVEstimator": "estimators.t_tv",
    "TransitionMatrix": "transition",
    "apply_fixes": "remedies.fixes",
    "corrected_score": "remedies.scores",
    "estimate": "estimators.methods",
    "export_label_issues": "remedies.issue_files",
    "f_divergence": "representation.divergences",
    "f_mutual_information": "representation.mutual_information",
    "find_label_issues": "remedies.label_issues",
    "inject_noise": "data.noise",
    "load_table": "data.labelled_table",
    "load_tabular": "data.tabular",
    "make_twonorm": "data.generators",
    "make_waveform": "data.generators",
    "pair_noise": "data.noise",
    "paper_noise_rate": "data.noise",
    "prior_error": "metrics",
    "random_noise": "data.noise",
    "realised_transition": "data.noise",
    "soft_cosine": "representation.similarity",
    "symmetric_noise": "data.noise",
    "transition_error": "metrics",
}

__all__ = [
    "METHODS",
    "TABULAR_SETS",
    "ConfidentLearningEstimator",
    "CorrectedScore",
    "CorrectedScorer",
    "Diagnosis",
    "HOCEstimator",
    "InformationEstimator",
    "LabelNoiseError",
    "LabelNoiseWarning",
    "LabelledTable",
    "NeighborGraph",
    "NoiseCorrectedClassifier",
    "NoiseEstimate",
    "NotIdentifiableError",
    "RankGatedEstimator",
    "Representation",
    "SelectiveEstimator",
    "TRevisionEstimator",
    "TTVEstimator",
    "TVolEstimator",
    "TransitionMatrix",
    "apply_fixes",
    "corrected_score",
    "estimate",
    "export_label_issues",
    "f_divergence",
    "f_mutual_information",
    "find_label_issues",
    "inject_noise",
    "load_table",
    "load_tabular",
    "make_twonorm",
    "make_waveform",
    "pair_noise",
    "paper_noise_rate",
    "prior_error",
    "random_noise",
    "realised_transition",
    "soft_cosine",
    "symmetric_noise",
    "transition_error",
]


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
    return [*__all__, *_WITH_TORCH, "__version__", "theory"]

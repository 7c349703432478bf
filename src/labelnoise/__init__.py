"""labelnoise: estimate how labels go wrong, from features and noisy labels alone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from labelnoise._version import __version__ as __version__

if TYPE_CHECKING:
    from labelnoise.baselines.confident_learning import ConfidentLearningEstimator
    from labelnoise.baselines.selective import SelectiveEstimator
    from labelnoise.baselines.t_revision import TRevisionEstimator
    from labelnoise.baselines.t_tv import TTVEstimator
    from labelnoise.baselines.t_vol import TVolEstimator
    from labelnoise.consensus.hoc import HOCEstimator
    from labelnoise.consensus.information import InformationEstimator
    from labelnoise.data.dataset import Dataset
    from labelnoise.data.encoder import TableEncoder
    from labelnoise.data.generators import make_twonorm, make_waveform
    from labelnoise.data.loading import load_table
    from labelnoise.data.noise import (
        inject_noise,
        pair_noise,
        paper_noise_rate,
        random_noise,
        realized_transition,
        symmetric_noise,
    )
    from labelnoise.errors import LabelNoiseError, LabelNoiseWarning, NotIdentifiableError
    from labelnoise.findings import Diagnosis
    from labelnoise.methods import METHODS, estimate
    from labelnoise.metrics import prior_error, transition_error
    from labelnoise.neighbors.graph import NeighborGraph
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.rank_gate.estimator import RankGatedEstimator
    from labelnoise.remedies.losses_torch import BackwardCorrectedLoss as BackwardCorrectedLoss
    from labelnoise.remedies.losses_torch import ForwardCorrectedLoss as ForwardCorrectedLoss
    from labelnoise.remedies.scores import CorrectedScore, CorrectedScorer, corrected_score
    from labelnoise.remedies.training import NoiseCorrectedClassifier
    from labelnoise.representation.divergences import f_divergence
    from labelnoise.representation.mutual_information import f_mutual_information
    from labelnoise.representation.similarity import soft_cosine
    from labelnoise.representation.weighting import Representation
    from labelnoise.review.correction import apply_fixes
    from labelnoise.review.decisions import export_label_issues
    from labelnoise.review.label_issues import find_label_issues
    from labelnoise.transition import TransitionMatrix


_WITH_TORCH = {
    "BackwardCorrectedLoss": "remedies.losses_torch",
    "ForwardCorrectedLoss": "remedies.losses_torch",
}
"""Public names that need PyTorch, and so are not among those that ``import *`` brings."""

_HOME = _WITH_TORCH | {
    "ConfidentLearningEstimator": "baselines.confident_learning",
    "CorrectedScore": "remedies.scores",
    "CorrectedScorer": "remedies.scores",
    "Dataset": "data.dataset",
    "Diagnosis": "findings",
    "HOCEstimator": "consensus.hoc",
    "InformationEstimator": "consensus.information",
    "LabelNoiseError": "errors",
    "LabelNoiseWarning": "errors",
    "METHODS": "methods",
    "NeighborGraph": "neighbors.graph",
    "NoiseCorrectedClassifier": "remedies.training",
    "NoiseEstimate": "noise_estimate",
    "NotIdentifiableError": "errors",
    "RankGatedEstimator": "rank_gate.estimator",
    "Representation": "representation.weighting",
    "SelectiveEstimator": "baselines.selective",
    "TRevisionEstimator": "baselines.t_revision",
    "TVolEstimator": "baselines.t_vol",
    "TTVEstimator": "baselines.t_tv",
    "TableEncoder": "data.encoder",
    "TransitionMatrix": "transition",
    "apply_fixes": "review.correction",
    "corrected_score": "remedies.scores",
    "estimate": "methods",
    "export_label_issues": "review.decisions",
    "f_divergence": "representation.divergences",
    "f_mutual_information": "representation.mutual_information",
    "find_label_issues": "review.label_issues",
    "inject_noise": "data.noise",
    "load_table": "data.loading",
    "make_twonorm": "data.generators",
    "make_waveform": "data.generators",
    "pair_noise": "data.noise",
    "paper_noise_rate": "data.noise",
    "prior_error": "metrics",
    "random_noise": "data.noise",
    "realized_transition": "data.noise",
    "soft_cosine": "representation.similarity",
    "symmetric_noise": "data.noise",
    "transition_error": "metrics",
}

__all__ = [
    "METHODS",
    "ConfidentLearningEstimator",
    "CorrectedScore",
    "CorrectedScorer",
    "Dataset",
    "Diagnosis",
    "HOCEstimator",
    "InformationEstimator",
    "LabelNoiseError",
    "LabelNoiseWarning",
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
    "TableEncoder",
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
    "make_twonorm",
    "make_waveform",
    "pair_noise",
    "paper_noise_rate",
    "prior_error",
    "random_noise",
    "realized_transition",
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

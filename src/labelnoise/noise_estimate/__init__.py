"""An estimate of the noise, its sentences, and saving and loading."""

from labelnoise.noise_estimate.estimate import NoiseEstimate, NoiseLeft
from labelnoise.noise_estimate.labels import labels_digest
from labelnoise.noise_estimate.settings import SHOWN_LEVEL
from labelnoise.noise_estimate.words import (
    lower_limit,
    n_reviewed,
    no_clear_sign,
    noise_statement,
    states_noise_rate,
    touches_zero,
)

__all__ = [
    "SHOWN_LEVEL",
    "NoiseEstimate",
    "NoiseLeft",
    "labels_digest",
    "lower_limit",
    "n_reviewed",
    "no_clear_sign",
    "noise_statement",
    "states_noise_rate",
    "touches_zero",
]

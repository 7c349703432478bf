"""An estimate of the noise, its words, and how it is saved and loaded."""

from labelnoise.noise_estimate.estimate import NoiseEstimate, NoiseLeft
from labelnoise.noise_estimate.labels import labels_digest
from labelnoise.noise_estimate.words import CLEAR_SIGN, SHOWN_LEVEL, no_clear_sign, touches_zero

__all__ = [
    "CLEAR_SIGN",
    "SHOWN_LEVEL",
    "NoiseEstimate",
    "NoiseLeft",
    "labels_digest",
    "no_clear_sign",
    "touches_zero",
]

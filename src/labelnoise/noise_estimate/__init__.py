"""An estimate of the noise, its words, and how it is saved and loaded."""

from labelnoise.noise_estimate.estimate import NoiseEstimate, NoiseLeft
from labelnoise.noise_estimate.labels import labels_digest
from labelnoise.noise_estimate.words import SHOWN_LEVEL

__all__ = ["SHOWN_LEVEL", "NoiseEstimate", "NoiseLeft", "labels_digest"]

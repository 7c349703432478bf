"""An estimate of the noise, its sentences, and saving and loading."""

from labelnoise.noise_estimate.estimate import NoiseEstimate as NoiseEstimate
from labelnoise.noise_estimate.estimate import NoiseLeft as NoiseLeft
from labelnoise.noise_estimate.estimate import labels_digest as labels_digest
from labelnoise.noise_estimate.settings import SHOWN_LEVEL as SHOWN_LEVEL
from labelnoise.noise_estimate.words import lower_limit as lower_limit
from labelnoise.noise_estimate.words import n_reviewed as n_reviewed
from labelnoise.noise_estimate.words import no_clear_sign as no_clear_sign
from labelnoise.noise_estimate.words import noise_statement as noise_statement
from labelnoise.noise_estimate.words import states_noise_rate as states_noise_rate
from labelnoise.noise_estimate.words import touches_zero as touches_zero

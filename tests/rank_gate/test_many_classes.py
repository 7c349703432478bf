"""Many classes of skewed frequencies."""

import numpy as np
import pytest

import labelnoise as ln
from seeds import SEEDS


@pytest.mark.parametrize("seed", SEEDS)
def test_the_interval_of_the_rate_holds_for_25_classes_of_skewed_frequencies(seed):
    rng = np.random.default_rng(seed)
    frequency = 1 / np.arange(1, 26)
    clean = rng.choice(25, 3000, p=frequency / frequency.sum())
    X = (2.2 * rng.standard_normal((25, 10)))[clean] + rng.standard_normal((3000, 10))
    noisy = ln.inject_noise(clean, ln.random_noise(25, 0.2, rng), rng)
    est = ln.estimate(X, noisy)
    ends = est.interval(0.95)
    assert ends.lower.noise_rate <= (noisy != clean).mean() <= ends.upper.noise_rate
    assert ends.upper.noise_rate - ends.lower.noise_rate < 0.05
    assert ln.transition_error(ln.realized_transition(clean, noisy), est.transition_matrix) < 0.04

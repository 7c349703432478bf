import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.evidence.predictive_gain import gain_in_standard_errors, log_gain, probability_gain

seeds = st.integers(0, 10**6)


def test_frequencies_gain_nothing_over_themselves():
    frequencies = np.array([0.5, 0.5, 0.5, 1 / 3, 1 / 3, 1 / 6])
    assert gain_in_standard_errors(log_gain(frequencies, frequencies)) == 0
    better = np.array([0.8, 0.9, 0.8, 0.9, 0.8, 0.9])
    assert gain_in_standard_errors(log_gain(better, frequencies)) > 3


@given(seeds)
def test_a_weight_is_a_number_of_equal_rows(seed):
    rng = np.random.default_rng(seed)
    gain, weight = rng.normal(size=20), rng.integers(1, 5, size=20)
    np.testing.assert_allclose(
        gain_in_standard_errors(gain, weight.astype(float)),
        gain_in_standard_errors(np.repeat(gain, weight)),
    )


@given(seeds)
def test_the_same_prediction_for_all_rows_gains_nothing(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=50)
    same = np.tile(rng.dirichlet(np.ones(3)), (50, 1))
    np.testing.assert_allclose(probability_gain(same, codes).sum(), 0, atol=1e-9)

"""Features that are independent of the labels rarely exceed their thresholds."""

import numpy as np
import pytest

from labelnoise.reporting.feature_information import informative_features


def exceeds(X, codes):
    return [one.information > one.threshold for one in informative_features(X, codes)]


@pytest.mark.parametrize("kind", ["cauchy", "rare"])
def test_independent_features_rarely_exceed_their_thresholds(kind):
    n_tables = 0
    for seed in range(16):
        rng = np.random.default_rng(seed)
        heavy, rare = rng.standard_cauchy(size=(400, 6)), rng.random((400, 6)) < 0.02
        X = heavy if kind == "cauchy" else rare
        codes = rng.choice(4, size=400, p=[0.4, 0.3, 0.2, 0.1])
        n_tables += any(exceeds(X, codes))
    assert n_tables <= 4  # of 16; 1 in 20 is nominal, and 5 or more would come in 1 of 1200


def test_a_weakly_informative_feature_exceeds_its_threshold():
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=3000)
    X = np.column_stack([rng.normal(size=3000) + 0.3 * codes, rng.normal(size=(3000, 9))])
    first, *_ = informative_features(X, codes)
    assert first.name == "feature 0"
    assert exceeds(X, codes) == [True] + 9 * [False]

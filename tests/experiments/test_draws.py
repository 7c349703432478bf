import numpy as np
import pytest
from experiments.draws import LEVELS, RATES, TwoNormals, random_centers, tabular_draw, text_draw

import labelnoise as ln


@pytest.mark.parametrize("level", LEVELS)
def test_exactly_the_given_share_of_a_table_s_labels_is_flipped(level):
    X, y = ln.make_twonorm(500, 0)
    drawn = tabular_draw(X, y, level, 3)
    assert len(drawn.X) == 400
    np.testing.assert_allclose(drawn.X.mean(axis=0), 0, atol=1e-9)
    for label, rate in enumerate(RATES[level]):
        rows = drawn.clean == label
        assert (drawn.noisy[rows] != label).sum() == int(rows.sum() * rate)
    again = tabular_draw(X, y, level, 3)
    np.testing.assert_array_equal(drawn.noisy, again.noisy)


def test_noise_of_text_is_near_the_papers_rate():
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=20_000)
    rates = [
        np.mean(text_draw(rng.normal(size=(20_000, 2)), y, level, 0).noisy != y) for level in LEVELS
    ]
    np.testing.assert_allclose(rates, [ln.paper_noise_rate(r, 4) for r in (8, 4, 1.5)], atol=0.05)


def test_generated_classes_overlap_as_specified():
    drawn = TwoNormals.at("overlap=0.1").draw(0)
    assert TwoNormals.at("n=500").n == 500
    assert TwoNormals.at("noise=0.3").noise == 0.3
    direction = drawn.X.sum(axis=1)
    best = direction > np.mean([direction[drawn.clean == c].mean() for c in (0, 1)])
    assert np.mean(best != drawn.clean) == pytest.approx(0.1, abs=0.03)
    assert np.mean(drawn.clean != drawn.noisy) == pytest.approx(0.2, abs=0.03)


def test_centers_have_the_requested_shape_and_noise():
    drawn = random_centers(5000, 3, 4, seed=0)
    assert drawn.X.shape == (5000, 3)
    assert np.mean(drawn.clean != drawn.noisy) == pytest.approx(0.3, abs=0.03)

import numpy as np
import pytest

import labelnoise as ln


def test_twonorm_has_its_means_and_unit_covariance():
    X, y = ln.make_twonorm(40_000, random_state=0)
    shift = 2 / np.sqrt(20)
    np.testing.assert_allclose(X[y == 0].mean(axis=0), shift, atol=0.05)
    np.testing.assert_allclose(X[y == 1].mean(axis=0), -shift, atol=0.05)
    np.testing.assert_allclose(np.cov(X[y == 0].T), np.eye(20), atol=0.06)
    wrong = np.mean((X.sum(axis=1) < 0) != (y == 1))
    assert wrong == pytest.approx(0.0228, abs=0.004)  # the Bayes error, Phi(-2)


def test_waveform_classes_have_the_mean_of_their_two_waves():
    X, y = ln.make_waveform(30_000, random_state=0)
    at = np.arange(1, 22)
    wave = {peak: np.maximum(6 - np.abs(at - peak), 0) for peak in (7, 11, 15)}
    for label, (a, b) in enumerate([(11, 15), (11, 7), (15, 7)]):
        np.testing.assert_allclose(X[y == label].mean(axis=0), (wave[a] + wave[b]) / 2, atol=0.1)


@pytest.mark.parametrize("make", [ln.make_twonorm, ln.make_waveform])
def test_same_seed_same_rows(make):
    first, second = make(50, 3), make(50, 3)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])
    assert not np.array_equal(first[0], make(50, 4)[0])


@pytest.mark.parametrize("make", [ln.make_twonorm, ln.make_waveform])
def test_number_of_rows_must_be_positive(make):
    with pytest.raises(ln.LabelNoiseError, match="n_rows"):
        make(0)

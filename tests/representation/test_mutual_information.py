import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.representation.divergences import DIVERGENCES
from labelnoise.representation.mutual_information import (
    bin_range,
    coordinate_information,
    histograms_of_rows,
    information_from_histograms,
    joint_histograms,
)

seeds = st.integers(0, 10**9)


def rows(seed, n=200, d=4, n_classes=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), np.eye(n_classes)[rng.integers(n_classes, size=n)]


def test_columns_are_counted_block_by_block_as_all_at_once(monkeypatch):
    X, labels = rows(0)
    at_once = joint_histograms(X, labels)
    monkeypatch.setattr("labelnoise.representation.mutual_information.PAIRS_PER_BLOCK", 500)
    np.testing.assert_array_equal(joint_histograms(X, labels), at_once)
    np.testing.assert_array_equal(histograms_of_rows(X, labels.argmax(axis=1), 3), at_once)


@given(seeds)
def test_every_row_is_counted_in_every_coordinate(seed):
    Z, counts = rows(seed)
    histograms = joint_histograms(Z, counts)
    np.testing.assert_array_equal(histograms.sum(axis=1), np.tile(counts.sum(axis=0), (4, 1)))


@given(seeds)
def test_histogram_agrees_with_numpy(seed):
    Z, counts = rows(seed)
    ours = joint_histograms(Z, counts, 10)
    for column, (low, high) in enumerate(np.transpose(bin_range(Z, counts.sum(axis=1)))):
        clipped = np.clip(Z[:, column], low, high)
        for label in range(3):
            expected, _ = np.histogram(clipped[counts[:, label] > 0], bins=10, range=(low, high))
            # Rounding may put a value that is exactly on an edge into either bin.
            assert np.abs(ours[column, :, label] - expected).sum() <= 2


@given(seeds, st.integers(1, 5))
def test_repeating_rows_is_the_same_as_weighting_points(seed, times):
    Z, counts = rows(seed, n=60)
    weighted = coordinate_information(Z, times * counts)
    repeated = coordinate_information(np.repeat(Z, times, axis=0), np.repeat(counts, times, axis=0))
    np.testing.assert_allclose(weighted, repeated, rtol=1e-9)


@pytest.mark.parametrize("name", DIVERGENCES)
def test_independence_has_no_information(name):
    product = np.outer([0.2, 0.3, 0.5], [0.6, 0.4])[None] * 1000
    # Half a pseudo-count in every cell keeps a product of margins only nearly one.
    tolerance = 1e-12 if DIVERGENCES[name].finite_at_zero else 1e-5
    assert information_from_histograms(product, name)[0] == pytest.approx(0, abs=tolerance)


@pytest.mark.parametrize("name", DIVERGENCES)
@given(seed=seeds)
def test_information_is_finite_and_not_negative(name, seed):
    Z, counts = rows(seed)
    information = coordinate_information(Z, counts, name)
    assert np.isfinite(information).all()
    assert (information >= -1e-12).all()


def test_a_coordinate_that_is_the_label_has_its_entropy():
    labels = np.repeat([0, 1], [30, 70])
    information = coordinate_information(labels[:, None].astype(float), np.eye(2)[labels], "kl")
    assert information[0] == pytest.approx(-0.3 * np.log(0.3) - 0.7 * np.log(0.7))


def test_a_rare_indicator_is_not_lost():
    """Its 0.5 and 99.5 percentiles coincide; the published histogram sees a constant."""
    rare = np.zeros((1000, 1))
    rare[:4] = 1
    labels = np.zeros(1000, dtype=int)
    labels[:4] = 1
    labels[500:] = 1
    assert coordinate_information(rare, np.eye(2)[labels], "kl")[0] > 0


def test_informative_coordinates_come_first():
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=4000)
    Z = rng.normal(size=(4000, 3)) + labels[:, None] * [0.0, 1.0, 3.0]
    for name in DIVERGENCES:
        information = coordinate_information(Z, np.eye(2)[labels], name)
        assert information[0] < information[1] < information[2], name


def test_features_and_labels_of_any_kind():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(300, 3)), rng.integers(2, size=300)
    expected = coordinate_information(X, np.eye(2)[codes], "tv")
    named = ln.f_mutual_information(pl.DataFrame(X), np.array(["a", "b"])[codes], "tv")
    np.testing.assert_allclose(named, expected)
    with pytest.raises(ln.LabelNoiseError) as caught:
        ln.f_mutual_information(X, codes, "foo")
    assert caught.value.note.code == "unknown_choice"

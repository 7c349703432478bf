import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import labelnoise as ln
from labelnoise.representation.weighting import ACTIVATIONS, Representation

information = arrays(float, st.integers(2, 20), elements=st.floats(1e-6, 5, allow_subnormal=False))


@pytest.mark.parametrize("name", ACTIVATIONS)
@given(values=information)
def test_weights_keep_the_order_and_stay_in_the_unit_interval(name, values):
    weights = ACTIVATIONS[name](values)
    assert (weights > 0).all()
    assert weights.max() <= 1
    order = np.argsort(values, kind="stable")
    assert (np.diff(weights[order]) >= -1e-12).all()


@pytest.mark.parametrize("name", ["linear", "log"])
def test_least_informative_coordinate_gets_almost_no_weight(name):
    weights = ACTIVATIONS[name](np.array([0.1, 0.3, 0.2]))
    assert weights[0] < 1e-6
    assert weights[1] == 1


def test_the_logarithm_is_finite_without_information():
    assert np.isfinite(ACTIVATIONS["log"](np.array([0.0, 0.1, 0.2]))).all()
    np.testing.assert_array_equal(ACTIVATIONS["log"](np.zeros(3)), 1)


def test_uninformative_features_are_weighted_down():
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=2000)
    X = rng.normal(size=(2000, 6))
    X[:, 2] += 2 * labels
    Z = Representation(divergence="kl")(X, np.eye(2)[labels])
    spread = Z.std(axis=0)
    assert spread.argmax() == 2
    assert np.delete(spread, 2).max() < 0.2 * spread[2]


def test_plain_representation_leaves_the_features():
    X = np.random.default_rng(0).normal(size=(20, 3))
    np.testing.assert_array_equal(Representation(standardize=False)(X, np.ones((20, 1))), X)


def test_power_acts_on_the_weights():
    rng = np.random.default_rng(0)
    X, counts = rng.normal(size=(500, 4)), np.eye(2)[rng.integers(2, size=500)]
    plain = Representation()(X, counts)
    full, half = (
        Representation(divergence="tv", weight_power=power)(X, counts) for power in (1, 0.5)
    )
    np.testing.assert_allclose((half / plain) ** 2, full / plain)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"divergence": "foo"}, "unknown_choice"),
        ({"activation": "foo"}, "unknown_choice"),
        ({"n_bins": 1}, "not_a_whole_number"),
        ({"weight_power": 0}, "not_a_positive_number"),
    ],
)
def test_wrong_arguments_are_refused(wrong, code):
    with pytest.raises(ln.LabelNoiseError) as caught:
        Representation(**wrong)
    assert caught.value.note.code == code
    assert caught.value.note.facts["name"] == next(iter(wrong))

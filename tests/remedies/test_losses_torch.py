"""The PyTorch losses: equal to the NumPy ones, and to torch's cross-entropy without noise."""

import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

import labelnoise as ln
from labelnoise import remedies
from labelnoise.learning import losses
from messages import refused

BOTH = [
    (ln.ForwardCorrectedLoss, losses.forward_loss),
    (ln.BackwardCorrectedLoss, losses.backward_loss),
]
both = pytest.mark.parametrize(("torch_loss", "numpy_loss"), BOTH)
each = pytest.mark.parametrize("torch_loss", [loss for loss, _ in BOTH])


def case(seed, n=9, k=4):
    rng = np.random.default_rng(seed)
    T = 0.5 * np.eye(k) + 0.5 * rng.dirichlet(np.ones(k), size=k)
    return 3 * rng.normal(size=(n, k)), T, rng.integers(k, size=n)


@both
@given(seed=st.integers(0, 10**6))
def test_value_and_gradient_are_those_of_the_numpy_losses(torch_loss, numpy_loss, seed):
    logits, T, labels = case(seed)
    z = torch.tensor(logits, requires_grad=True)
    value = torch_loss(T)(z, torch.tensor(labels))
    value.backward()
    expected = numpy_loss(logits, T, labels)
    assert value.item() == pytest.approx(expected.value, rel=1e-12)
    np.testing.assert_allclose(z.grad.numpy(), expected.logits_gradient, atol=1e-12)


@each
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(), (6,), (6, 2), (6, 2, 3)])
def test_without_noise_they_are_torch_s_cross_entropy(torch_loss, reduction, weighted, shape):
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn((*shape[:1], 4, *shape[1:]), generator=generator)
    target = torch.randint(4, shape, generator=generator)
    if shape:
        target.view(-1)[::3] = -100
    weight = torch.tensor([0.2, 1.0, 3.0, 0.5]) if weighted else None
    loss = torch_loss(np.eye(4), weight, reduction=reduction)
    expected = functional.cross_entropy(logits, target, weight, reduction=reduction)
    torch.testing.assert_close(loss(logits, target), expected)


@each
def test_another_index_can_be_ignored(torch_loss):
    logits, T, labels = case(0)
    kept = labels != 2
    loss = torch_loss(T, ignore_index=2)(torch.tensor(logits), torch.tensor(labels))
    only = torch_loss(T)(torch.tensor(logits[kept]), torch.tensor(labels[kept]))
    torch.testing.assert_close(loss, only)


@each
def test_rows_that_do_not_count_may_hold_anything(torch_loss):
    logits = torch.tensor([[3.0, 0.0], [float("nan"), 0.0]], requires_grad=True)
    loss = torch_loss(np.eye(2))(logits, torch.tensor([0, -100]))
    loss.backward()
    torch.testing.assert_close(loss, functional.cross_entropy(logits[:1], torch.tensor([0])))
    assert torch.isfinite(logits.grad).all()


@each
def test_a_label_that_is_no_class_is_refused(torch_loss):
    for label in (-1, 2):
        with pytest.raises(IndexError):
            torch_loss(np.eye(2))(torch.zeros(1, 2), torch.tensor([label]))


@each
def test_targets_of_another_shape_or_type_are_refused(torch_loss):
    loss, logits = torch_loss(np.eye(2), [1, 2]), torch.zeros(6, 2)
    for target in (
        torch.zeros(6, 1).long(),
        torch.zeros(1).long(),
        torch.full((6, 2), 0.5),
        np.zeros(6),
    ):
        with refused("wrong_shape"):
            loss(logits, target)
    assert loss(logits, torch.zeros(6, dtype=torch.uint8)) == loss(logits, torch.zeros(6).long())
    assert "n_classes=2" in repr(loss)


def test_rows_that_are_surely_mistaken_have_a_slope():
    logits = torch.tensor([[400.0, 0.0]], requires_grad=True)
    ln.ForwardCorrectedLoss(np.eye(2))(logits, torch.tensor([1])).backward()
    torch.testing.assert_close(logits.grad, torch.tensor([[1.0, -1.0]]))


@each
def test_a_class_that_is_ruled_out_adds_nothing(torch_loss):
    logits = torch.tensor([[3.0, 0.0, -torch.inf]])
    expected = functional.cross_entropy(logits, torch.tensor([0]))
    torch.testing.assert_close(torch_loss(np.eye(3))(logits, torch.tensor([0])), expected)


def test_extreme_logits_have_finite_losses_and_gradients():
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        logits = torch.tensor([[900.0, -900.0], [-900.0, 900.0]], dtype=dtype, requires_grad=True)
        loss = ln.ForwardCorrectedLoss([[1.0, 0.0], [0.2, 0.8]])(logits, torch.tensor([1, 1]))
        loss.backward()
        assert loss.dtype == torch.float32
        assert torch.isfinite(loss)
        assert torch.isfinite(logits.grad).all()


def test_noise_may_be_an_estimate_a_matrix_an_array_or_a_tensor():
    T = ln.symmetric_noise(3, 0.2)
    est = ln.NoiseEstimate(T, np.full(3, 1 / 3), "known", ln.Diagnosis())
    logits, labels = torch.randn(50, 3), torch.arange(50) % 3
    given_as = (est, T, T.values, torch.tensor(np.array(T.values)))
    values = [ln.ForwardCorrectedLoss(noise)(logits, labels).item() for noise in given_as]
    assert len(set(values)) == 1


def test_T_moves_with_the_module_and_is_no_parameter():
    loss = ln.ForwardCorrectedLoss(np.eye(3), torch.ones(3))
    assert list(loss.parameters()) == []
    assert set(loss.state_dict()) == {"weight", "log_transition"}


def test_a_model_trained_through_the_noise_finds_the_clean_classes():
    torch.manual_seed(0)
    X, clean = ln.make_twonorm(3000, random_state=0)
    T = ln.TransitionMatrix([[0.95, 0.05], [0.45, 0.55]])
    noisy = torch.tensor(ln.inject_noise(clean, T, random_state=1))
    features, right = torch.tensor(X, dtype=torch.float32), torch.tensor(clean)
    accuracy = {}
    for name, loss in {
        "plain": torch.nn.CrossEntropyLoss(),
        "forward": ln.ForwardCorrectedLoss(T),
    }.items():
        layer = torch.nn.Linear(20, 2)
        optimizer = torch.optim.LBFGS(layer.parameters(), max_iter=50)

        def closure(layer=layer, loss=loss, optimizer=optimizer):
            optimizer.zero_grad()
            value = loss(layer(features), noisy)
            value.backward()
            return value

        optimizer.step(closure)
        accuracy[name] = (layer(features).argmax(dim=1) == right).float().mean().item()
    assert accuracy["forward"] > 0.95
    assert accuracy["plain"] < 0.85


@each
def test_bad_input_is_refused(torch_loss):
    with refused("wrong_shape"):
        torch_loss(np.eye(3), torch.ones(2))
    with refused("unknown_choice"):
        torch_loss(np.eye(3), reduction="median")
    with refused("wrong_shape"):
        torch_loss(np.eye(3))(torch.zeros(4, 2), torch.zeros(4, dtype=torch.long))
    with refused("transition_row_sum"):
        torch_loss([[0.5, 0.4], [0.5, 0.5]])


def test_a_singular_T_has_no_backward_loss():
    with refused("transition_not_invertible"):
        ln.BackwardCorrectedLoss([[0.5, 0.5], [0.5, 0.5]])
    assert ln.ForwardCorrectedLoss([[0.5, 0.5], [0.5, 0.5]])


def test_without_torch_the_error_names_the_extra(monkeypatch):
    for name in ("ForwardCorrectedLoss", "BackwardCorrectedLoss"):
        monkeypatch.delitem(vars(ln), name, raising=False)
    monkeypatch.delitem(sys.modules, "labelnoise.remedies.losses_torch")
    monkeypatch.delattr(remedies, "losses_torch")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"labelnoise\[torch\]"):
        _ = ln.ForwardCorrectedLoss

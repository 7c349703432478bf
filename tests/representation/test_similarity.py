import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import sqrtm

import labelnoise as ln

X1, X2, X3 = [1, 0, 1], [0, 1, 0], [0.8, 1, 0.7]
PAPER = [
    (np.eye(3), 0.73, 0.69),
    (np.diag([1, 1, 0.1]), 0.64, 0.77),
    ([[1, -0.2, -0.5], [-0.2, 1, 0.5], [-0.5, 0.5, 1]], 0.75, 0.85),
]


@pytest.mark.parametrize(("W", "first", "second"), PAPER)
def test_the_paper_s_worked_examples(W, first, second):
    assert round(float(ln.soft_cosine(X1, X3, W)), 2) == first
    assert round(float(ln.soft_cosine(X2, X3, W)), 2) == second


@given(st.integers(0, 10**9))
def test_it_is_the_cosine_after_the_square_root_of_W(seed):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(4, 4))
    W, x, y = factor @ factor.T, rng.normal(size=4), rng.normal(size=4)
    a, b = np.real(sqrtm(W)) @ x, np.real(sqrtm(W)) @ y
    expected = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    similarity = ln.soft_cosine(x, y, W)
    assert similarity == pytest.approx(expected, abs=1e-6)
    assert -1 - 1e-9 <= similarity <= 1 + 1e-9
    assert similarity == pytest.approx(ln.soft_cosine(y, 3 * x, W))


def test_a_vector_of_zeros_has_similarity_zero():
    assert ln.soft_cosine([0, 0], [1, 1], [1, 1]) == 0


@pytest.mark.parametrize(
    ("W", "code"),
    [
        (np.eye(2), "wrong_shape"),
        ([[1, 2, 0], [0, 1, 0], [0, 0, 1]], "soft_cosine_matrix_invalid"),
        (np.diag([1, 1, -1]), "soft_cosine_matrix_invalid"),
    ],
)
def test_unusable_matrices_are_refused(W, code):
    with pytest.raises(ln.LabelNoiseError) as caught:
        ln.soft_cosine(X1, X3, W)
    assert caught.value.note.code == code

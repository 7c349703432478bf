import numpy as np
import pytest

import labelnoise as ln
from labelnoise.remedies.comparison import compare_estimates
from labelnoise.remedies.fixes import reviewed_rows


@pytest.fixture(scope="module")
def estimates(task):
    X, clean, noisy, _ = task
    fixed = np.where(np.arange(len(noisy)) % 2 == 0, clean, noisy)  # every second row was reviewed
    return ln.estimate(X, noisy), ln.estimate(X, fixed)


def test_less_noise_is_less_noise(estimates):
    before, after = estimates
    found = compare_estimates(before, after)
    assert found.change == after.noise_rate - before.noise_rate < -0.05
    assert found.p_less_noise > 0.95
    assert found.in_words().startswith("There is less noise")
    assert [label for label, _, _ in found.by_class] == [0, 1, 2]


def test_looking_the_other_way_round_turns_it_round(estimates):
    before, after = estimates
    there, back = compare_estimates(before, after), compare_estimates(after, before)
    assert there.change == -back.change
    assert there.p_less_noise == pytest.approx(1 - back.p_less_noise)
    assert back.in_words().startswith("There is more noise")


def test_nothing_changed_cannot_be_told(estimates):
    same = compare_estimates(estimates[0], estimates[0])
    assert same.change == 0
    assert same.p_less_noise == pytest.approx(0.5)
    assert "cannot tell" in same.in_words()


def test_without_draws_nobody_knows_how_sure(task):
    X, _, noisy, _ = task
    est = ln.estimate(X, noisy, method="hoc")
    found = compare_estimates(est, est)
    assert found.p_less_noise is None
    assert "as much noise" in found.in_words()


def test_reviewed_rows_are_what_an_audit_takes():
    y = ["cat", "dog", "dog", "cat"]
    fixes = [
        {"row": "b", "reviewed": "cat"},
        {"row": "c", "reviewed": ""},
        {"row": "d", "reviewed": "cat"},
    ]
    rows, labels = reviewed_rows(y, fixes, ids=list("abcd"))
    assert rows.tolist() == [1, 3]
    assert labels == ["cat", "cat"]  # the second was found right, which is worth knowing too

import dataclasses

import numpy as np
import pytest

import labelnoise as ln
from labelnoise.findings import Finding
from labelnoise.review.comparison import compare_estimates
from labelnoise.review.correction import reviewed_rows
from messages import refused


@pytest.fixture(scope="module")
def estimates(task):
    X, clean, noisy, _ = task
    fixed = np.where(np.arange(len(noisy)) % 2 == 0, clean, noisy)  # every second row was reviewed
    return ln.estimate(X, noisy), ln.estimate(X, fixed)


def test_less_noise_is_found(estimates):
    before, after = estimates
    found = compare_estimates(before, after)
    assert found.change == after.noise_rate - before.noise_rate < -0.05
    assert found.p_less_noise > 0.95
    assert found.conclusion.facts["less_or_more"] == "less"
    assert [label for label, _, _ in found.by_class] == [0, 1, 2]


def test_estimates_of_different_classes_are_not_compared(estimates):
    before, after = estimates
    pairs = {
        tuple(names): [
            dataclasses.replace(
                one,
                transition_matrix=ln.TransitionMatrix(one.transition_matrix.values, labels),
                bounds=None,
                draws=None,
            )
            for one, labels in zip(estimates, ([1, 2, 3], names), strict=True)
        ]
        for names in (["1", "2", "3"], ["1", "2", "4"])
    }
    same, different = pairs.values()
    assert compare_estimates(*same).change == after.noise_rate - before.noise_rate
    with refused("estimates_of_other_classes"):
        compare_estimates(*different)


def test_the_reverse_comparison_has_the_reverse_result(estimates):
    before, after = estimates
    there, back = compare_estimates(before, after), compare_estimates(after, before)
    assert there.change == -back.change
    assert there.p_less_noise == pytest.approx(1 - back.p_less_noise)
    assert back.conclusion.facts["less_or_more"] == "more"
    assert back.conclusion.facts["probability"] == pytest.approx(there.p_less_noise)


def test_a_review_is_a_gain_in_either_direction(task, estimates):
    _, clean, noisy, _ = task
    before, _ = estimates
    rows = ln.find_label_issues(before, noisy, budget=60)["row"]
    after = before.with_audit(rows, clean[rows])
    there, back = compare_estimates(before, after), compare_estimates(after, before)
    assert there.p_less_noise == 1.0
    assert back.p_less_noise == 0.0
    # The gain is what was corrected, not what the review taught about the other rows.
    assert there.same_labels
    assert there.change == pytest.approx(-sum(after.corrected)) == pytest.approx(-back.change)
    assert there.before.share == pytest.approx(after.noise_rate)
    fewer = [earlier - later for _, earlier, later in there.by_class]
    assert after.class_prior @ fewer == pytest.approx(sum(after.corrected))


def test_a_review_does_not_count_as_a_gain_over_other_labels(task, estimates):
    X, clean, noisy, _ = task
    before, _ = estimates
    rows = ln.find_label_issues(before, noisy, budget=20)["row"]
    reviewed, anew = before.with_audit(rows, clean[rows]), ln.estimate(X, clean)
    found = compare_estimates(reviewed, anew)  # all rows were labeled again
    assert found.change < -0.1
    assert found.p_less_noise > 0.95
    assert compare_estimates(anew, reviewed).p_less_noise < 0.05


def test_no_change_is_unclear(estimates):
    same = compare_estimates(estimates[0], estimates[0])
    assert same.change == 0
    assert same.p_less_noise == pytest.approx(0.5)
    assert same.conclusion.code == "change_of_noise_unclear"


def test_without_draws_there_is_no_probability(estimates):
    est = dataclasses.replace(estimates[0], draws=None)
    found = compare_estimates(est, est)
    assert found.p_less_noise is None
    assert found.conclusion.code == "change_of_noise_unclear"


def test_reviewed_rows_are_what_an_audit_takes():
    y = ["cat", "dog", "dog", "cat"]
    fixes = [{"row": r, "reviewed": label} for r, label in (("b", "cat"), ("c", ""), ("d", "cat"))]
    rows, labels, before = reviewed_rows(y, fixes, ids=list("abcd"))
    assert rows.tolist() == [1, 3]
    assert labels == ["cat", "cat"]  # the second was confirmed, which is worth knowing too
    assert before.tolist() == y


@pytest.mark.parametrize("names", [[0, 1, 2], ["a", "b", "c"]])
def test_fixes_that_were_applied_are_undone(names):
    names = np.array(names)
    y = names[[0, 1, 2, 1, 0]]
    fixes = [
        {"row": 1, "given": str(names[1]), "reviewed": str(names[0])},
        {"row": 2, "given": str(names[2]), "reviewed": str(names[2])},
        {"row": 3, "given": str(names[1]), "reviewed": str(names[2])},
    ]
    fixed = ln.apply_fixes(y, fixes)
    for labels in (y, fixed):  # a class that was corrected away altogether is still a class
        found = reviewed_rows(labels, fixes)
        assert found.rows.tolist() == [1, 2, 3]
        assert found.labels == names[[0, 2, 2]].tolist()
        np.testing.assert_array_equal(found.before, y)
    half = fixed.copy()
    half[1] = y[1]
    with refused("labels_changed_since_review"):
        reviewed_rows(half, fixes)


def test_an_audit_knows_what_is_left_and_a_new_estimate_does_not():
    """Errors were corrected where they showed: what is left looks right to any estimate."""
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=3000)
    X = 1.5 * clean[:, None] * [1, 1, 0] + rng.normal(size=(3000, 3))
    noisy = ln.inject_noise(clean, ln.symmetric_noise(2, 0.25), random_state=0)
    est = ln.estimate(X, noisy)
    rows = ln.find_label_issues(est, noisy, budget=300)["row"]
    fixed = noisy.copy()
    fixed[rows] = clean[rows]
    truly_left = np.mean(fixed != clean)
    audited = est.with_audit(rows, clean[rows])
    left, low, high = audited.noise_left()
    assert low <= truly_left <= high
    assert abs(left - truly_left) < 0.05
    assert sum(audited.corrected) == pytest.approx(np.mean(fixed != noisy))
    assert abs(ln.estimate(X, fixed, n_draws=0).noise_rate - truly_left) > 0.08
    assert compare_estimates(est, audited).p_less_noise > 0.5
    assert est.noise_left().share == est.noise_rate


def test_what_was_corrected_is_saved(estimates, tmp_path):
    before, _ = estimates
    audited = before.with_audit([0, 1, 2], [1, 1, 1])
    audited.save(tmp_path / "e.json")
    loaded = ln.NoiseEstimate.load(tmp_path / "e.json")
    assert loaded == audited
    assert loaded.noise_left() == audited.noise_left()


def test_nothing_follows_from_estimates_that_may_hide_wrong_labels(estimates):
    before, after = estimates
    facts = {"column": "score", "share": 0.9, "others": 0.2}
    hidden = after.with_findings([Finding("column_predicts_label", facts, hides_noise=True)])
    found = compare_estimates(before, hidden)
    assert found.hides_noise
    assert found.conclusion.code == "change_of_noise_hidden"
    assert not compare_estimates(before, after).hides_noise

import numpy as np
import pytest

import labelnoise as ln
from messages import refused


def finding(est, code):
    """The facts of a finding, or None."""
    found = {one.code: one.facts for one in est.diagnosis.findings}
    return found.get(code)


@pytest.fixture(scope="module")
def by_people():
    """Labels wrong mostly near the boundary of two classes: features, true and given labels."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    clean = (X[:, 0] > 0).astype(int)
    wrong = rng.random(3000) < 0.6 * np.exp(-3 * np.abs(X[:, 0]))
    noisy = np.where(wrong, 1 - clean, clean)
    return X, clean, noisy, ln.estimate(X, noisy)


def error(est, clean, noisy):
    return ln.transition_error(ln.realized_transition(clean, noisy), est.transition_matrix)


def test_no_audit_changes_nothing(by_people):
    _, _, _, est = by_people
    assert est.with_audit([], []) is est


def test_with_all_rows_audited_the_answer_is_the_count(by_people):
    _, clean, noisy, est = by_people
    full = est.with_audit(np.arange(3000), clean)
    np.testing.assert_allclose(
        full.transition_matrix, ln.realized_transition(clean, noisy), atol=1e-9
    )
    np.testing.assert_allclose(full.class_prior, np.bincount(clean) / 3000)
    np.testing.assert_array_equal(full.row_posteriors.argmax(axis=1), clean)
    ends = full.interval(0.9)  # nothing is open about the rows at hand
    assert ends.lower.noise_rate == pytest.approx(ends.upper.noise_rate)


def test_a_few_audited_rows_settle_what_the_bounds_leave_open(by_people):
    _, clean, noisy, est = by_people
    rows = est.suggest_audit(150)
    audited = est.with_audit(rows, clean[rows])
    assert error(audited, clean, noisy) < 0.6 * error(est, clean, noisy)
    assert (audited.assumption.code, audited.assumption.facts) == (
        "rows_like_audited_rows",
        {"n": 150},
    )
    assert finding(audited, "audited_rows_included") == {"n": 150}


@pytest.mark.parametrize("choice", ["random", "suggested", "suspicious"])
def test_how_rows_were_chosen_does_not_bias(task, estimate, choice):
    """On data the model fits, audited rows must leave T where it is, however they were chosen."""
    _, clean, noisy, _ = task
    est = estimate
    doubt = 1 - est.row_posteriors[np.arange(len(noisy)), noisy]
    rows = {
        "random": np.random.default_rng(0).choice(len(noisy), 120, replace=False),
        "suggested": est.suggest_audit(120),
        "suspicious": np.argsort(-doubt)[:120],
    }[choice]
    audited = est.with_audit(rows, clean[rows])
    assert error(audited, clean, noisy) < 0.04
    assert audited.noise_rate == pytest.approx(np.mean(clean != noisy), abs=0.02)


def test_one_audited_row_settles_nothing(by_people):
    _, clean, _, est = by_people
    assert est.diagnosis.verdict == "rough"  # the bounds are far apart
    one = est.with_audit([7], clean[[7]])
    assert one.diagnosis.verdict == "rough"
    assert set(est.diagnosis.findings) < set(one.diagnosis.findings)


def test_rows_that_contradict_the_fit_are_believed():
    """A place where two classes meet in one proportion looks like noise, until rows are checked."""
    rng = np.random.default_rng(1)
    group = rng.integers(2, size=2000)
    clean = np.where(group == 1, 1, (rng.random(2000) < 0.3).astype(int))
    X = np.column_stack([6 * group, 0 * group]) + rng.normal(size=(2000, 2))
    est = ln.estimate(X, clean)  # every label is right
    rows = rng.choice(2000, 150, replace=False)
    audited = est.with_audit(rows, clean[rows])
    assert audited.noise_rate < 0.5 * est.noise_rate
    assert audited.interval().lower.noise_rate < 0.01


def test_a_contradicted_fit_stays_weak_until_many_rows_are_audited(by_people):
    _, clean, _, est = by_people
    swapped = 1 - clean  # an audit that says the opposite of everything
    rows = est.suggest_audit(120)
    audited = est.with_audit(rows, swapped[rows])
    assert audited.diagnosis.verdict != "reliable"
    assert finding(audited, "audit_contradicts_fit")


def test_an_audit_starts_from_the_reading_in_use(by_people):
    X, clean, noisy, _ = by_people
    est = ln.estimate(X, noisy, noise="instance")
    one = est.with_audit([7], clean[[7]])
    assert one.noise_rate == pytest.approx(est.noise_rate, abs=0.04)


def test_without_draws_there_are_none_after_an_audit(by_people):
    X, clean, noisy, _ = by_people
    est = ln.estimate(X, noisy, n_draws=0).with_audit([7], clean[[7]])
    assert est.draws is None


def test_audits_add_up(by_people):
    _, clean, _, est = by_people
    rows = est.suggest_audit(60)
    at_once = est.with_audit(rows, clean[rows])
    in_turn = est.with_audit(rows[:30], clean[rows[:30]]).with_audit(rows[30:], clean[rows[30:]])
    np.testing.assert_allclose(at_once.transition_matrix, in_turn.transition_matrix)
    again = in_turn.with_audit(rows[:5], clean[rows[:5]])
    np.testing.assert_allclose(again.transition_matrix, in_turn.transition_matrix)


def test_suggestions_are_distinct_new_and_as_many_as_asked_for(by_people):
    _, clean, _, est = by_people
    rows = est.suggest_audit(100)
    assert len(set(rows.tolist())) == 100
    later = est.with_audit(rows, clean[rows]).suggest_audit(100)
    assert not set(rows.tolist()) & set(later.tolist())
    assert len(est.suggest_audit(10_000)) == 3000
    np.testing.assert_array_equal(rows, est.suggest_audit(100))


def test_suggestions_go_where_the_two_readings_differ(by_people):
    X, _, _, est = by_people
    suggested = np.abs(X[est.suggest_audit(100), 0])
    assert np.median(suggested[:50]) < 0.5 * np.median(np.abs(X[:, 0]))


def test_half_of_the_suggestions_do_not_depend_on_the_fit(by_people):
    """Both readings may be wrong about rows that seem right, so those are suggested as well."""
    X, _, _, est = by_people
    far = np.abs(X[:, 0]) > 1.0
    assert far[est.suggest_audit(200)].mean() > 0.4 * far.mean()


@pytest.mark.parametrize("noise", ["class", "instance"])
def test_labels_by_appearance_are_seen_through_by_an_audit(noise):
    """Rows that look like the other class are labeled as such: labels agree with surroundings."""
    rng = np.random.default_rng(3)
    clean = rng.integers(2, size=2000)
    X = rng.normal(size=(2000, 3)) + 1.2 * clean[:, None]
    other = 1 / (1 + np.exp(np.where(clean == 1, 1, -1) * (1.2 * X.sum(axis=1) - 2.16)))
    noisy = np.where(rng.random(2000) < 1.2 * np.minimum(other, 0.75), 1 - clean, clean)
    est = ln.estimate(X, noisy, noise=noise)
    rows = est.suggest_audit(400)
    audited = est.with_audit(rows, clean[rows])
    assert error(audited, clean, noisy) < 0.5 * error(est, clean, noisy)
    assert error(audited, clean, noisy) < 0.06


def test_intervals_tighten_with_audited_rows(task, estimate):
    X, clean, _, _ = task

    def width(e):
        ends = e.interval(0.9)
        return ends.upper.noise_rate - ends.lower.noise_rate

    audited = estimate.with_audit(np.arange(0, len(X), 2), clean[::2])
    assert width(audited) < width(estimate)


def test_true_classes_that_were_never_a_label_can_be_named(task):
    X, _, noisy, _ = task
    names = np.array(["a", "b", "c"])
    est = ln.estimate(X, names[noisy], classes=["a", "b", "c", "d"])
    audited = est.with_audit([0, 1, 2], ["d", "d", "a"])
    assert audited.class_prior[3] == pytest.approx(2 / len(X))


@pytest.mark.parametrize(
    ("rows", "labels", "code"),
    [
        ([3000], [0], "rows_out_of_range"),
        ([1, 1], [0, 1], "rows_repeated"),
        ([0.5], [0], "rows_not_whole_numbers"),
        ([1, 2], [0], "wrong_length"),
        ([1], [7], "labels_not_among_classes"),
        ([1, 2], [0, np.nan], "missing_labels"),
    ],
)
def test_bad_audits_are_refused(by_people, rows, labels, code):
    _, _, _, est = by_people
    with refused(code):
        est.with_audit(rows, labels)


def test_nothing_is_suggested_without_a_number(by_people):
    _, _, _, est = by_people
    with refused("not_a_whole_number"):
        est.suggest_audit(0)


@pytest.fixture(scope="module")
def rare_class():
    """Three classes, the last of them rare and next to the second."""
    rng = np.random.default_rng(0)
    clean = rng.choice(3, 1500, p=[0.48, 0.48, 0.04])
    X = np.array([[0.0], [6.0], [7.5]])[clean] + rng.standard_normal((1500, 2))
    noisy = ln.inject_noise(clean, ln.symmetric_noise(3, 0.2), rng)
    return clean, noisy, ln.estimate(X, noisy)


def test_rows_that_say_nothing_about_a_class_leave_it_as_open_as_it_was(rare_class):
    clean, noisy, est = rare_class
    far = np.flatnonzero((clean == 0) & (noisy == 0))[:120]
    audited = est.with_audit(far, clean[far])
    assert audited.diagnosis.verdict == "rough"
    assert finding(audited, "few_audited_of_class")["classes"] == [1, 2]
    low, high = est.interval().at(true=2, observed=2)
    audited_low, audited_high = audited.interval().at(true=2, observed=2)
    assert audited_high - audited_low > 0.8 * (high - low)


def test_a_rare_class_is_known_once_enough_of_its_rows_are_audited(rare_class):
    clean, noisy, est = rare_class
    assert est.diagnosis.verdict == "rough"
    rows = est.suggest_audit(500)
    assert np.bincount(clean[rows])[2] > 0.5 * np.sum(clean == 2)
    audited = est.with_audit(rows, clean[rows])
    assert audited.diagnosis.verdict == "reliable"
    assert error(audited, clean, noisy) < min(0.06, error(est, clean, noisy))


def test_suggestions_do_not_depend_on_the_order_of_the_rows(task):
    X, _, noisy, _ = task
    order = np.random.default_rng(0).permutation(len(X))
    rows = ln.estimate(X, noisy, n_draws=0).suggest_audit(60)
    mixed = ln.estimate(X[order], noisy[order], n_draws=0).suggest_audit(60)
    assert set(order[mixed]) == set(rows)


def test_a_class_without_labels_ceases_to_be_a_placeholder(task):
    X, clean, noisy, _ = task
    given = np.where(noisy == 2, 1, noisy)  # nobody uses the label 2
    est = ln.estimate(X, given, classes=[0, 1, 2])
    assert finding(est, "class_without_rows") == {"classes": [2]}
    rows = np.flatnonzero(clean == 2)[:30]
    audited = est.with_audit(rows, clean[rows])
    assert finding(audited, "class_without_rows") is None
    assert finding(audited, "class_known_from_audit_only") == {"classes": [2]}


@pytest.fixture(scope="module")
def overlapping_classes():
    """Two classes that nothing separates, so that noise cannot be told from overlap."""
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=600)
    X = np.column_stack([clean, np.zeros(600)]) + rng.standard_normal((600, 2))
    noisy = ln.inject_noise(clean, ln.symmetric_noise(2, 0.2), rng)
    return clean, ln.estimate(X, noisy)


def test_an_audit_of_all_rows_leaves_nothing_open(overlapping_classes):
    clean, est = overlapping_classes
    assert est.diagnosis.verdict == "cannot tell"
    full = est.with_audit(np.arange(600), clean)
    assert full.diagnosis.verdict == "reliable"
    assert [one.code for one in full.diagnosis.findings] == ["audited_rows_included"]


def test_widths_are_those_of_intervals_after_the_audit(overlapping_classes):
    clean, est = overlapping_classes
    rows = np.random.default_rng(1).choice(600, 120, replace=False)
    audited = est.with_audit(rows, clean[rows])
    ends = audited.interval(0.9)
    width = np.diag(ends.upper.transition_matrix) - np.diag(ends.lower.transition_matrix)
    wide = finding(audited, "wide_intervals")
    assert (wide is not None) == (width.mean() > 0.2 or width.max() > 0.35)
    if wide is not None and "points" in wide:
        assert wide["points"] == pytest.approx(50 * width.mean(), abs=0.5)

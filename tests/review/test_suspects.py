"""Mislabeled rows: as many as estimated, ranked, in the user's kind of frame, with evidence."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import labelnoise as ln
from labelnoise.data.containers import as_columns
from labelnoise.review import suspects as label_issues
from labelnoise.review.suspects import COLUMNS, Suspects

NAMES = np.array(["ant", "bee", "cat"])


@pytest.fixture(scope="module")
def named(task):
    """Features, clean and noisy labels by name, and their estimate."""
    X, clean, noisy, _ = task
    return X, NAMES[clean], NAMES[noisy], ln.estimate(X, NAMES[noisy])


def test_as_many_rows_as_labels_are_estimated_to_be_wrong(named):
    _, clean, noisy, est = named
    issues = ln.find_label_issues(est, noisy)
    assert len(issues) == round(est.noise_rate * len(noisy))
    assert tuple(issues.keys()) == COLUMNS
    wrong = clean != noisy
    assert wrong[issues["row"]].mean() > 0.85
    assert (np.diff(issues["p_wrong"]) <= 0).all()
    assert (issues["given"] == noisy[issues["row"]]).all()
    assert (issues["given"] != issues["suggested"]).all()
    assert (issues["suggested"] == clean[issues["row"]])[wrong[issues["row"]]].mean() > 0.95


def test_probabilities_are_those_of_the_estimate(named):
    _, _, noisy, est = named
    issues = ln.find_label_issues(est, noisy, budget=50)
    p_true = np.array(issues["p_true"])
    np.testing.assert_array_equal(p_true, est.row_posteriors[issues["row"]])
    np.testing.assert_allclose(p_true.sum(axis=1), 1)
    for name, column in (("given", 1 - issues["p_wrong"]), ("suggested", issues["p_suggested"])):
        code = np.searchsorted(NAMES, issues[name])
        np.testing.assert_allclose(column, p_true[np.arange(50), code])


def test_features_give_the_same_rows_as_their_estimate(named):
    X, _, noisy, est = named
    assert dict(ln.find_label_issues(X, noisy, output="polars").to_dict(as_series=False)) == dict(
        ln.find_label_issues(est, noisy, output="polars").to_dict(as_series=False)
    )


def test_evidence_is_the_nearest_rows_and_their_labels(named):
    X, _, noisy, _ = named
    est = ln.estimate(
        X, noisy, representation=ln.Representation(standardize=False), metric="euclidean"
    )
    issues = ln.find_label_issues(est, noisy, budget=20, n_neighbors=3)
    for row, near, labels in zip(
        issues["row"], issues["neighbors"], issues["neighbor_labels"], strict=True
    ):
        away = np.linalg.norm(X - X[row], axis=1)
        assert near == np.argsort(away)[1:4].tolist()
        assert labels == noisy[near].tolist()


def test_a_budget_says_what_it_will_yield(named):
    _, clean, noisy, est = named
    wrong = clean != noisy
    for budget in (50, 200, len(noisy)):
        issues = ln.find_label_issues(est, noisy, budget=budget)
        assert len(issues) == budget
        found = wrong[issues["row"]]
        assert abs(issues["expected_precision"][-1] - found.mean()) < 0.08
        assert abs(issues["expected_found"][-1] - found.sum() / wrong.sum()) < 0.08
    assert issues["expected_found"][-1] == pytest.approx(1)
    np.testing.assert_allclose(
        issues["expected_precision"], np.cumsum(issues["p_wrong"]) / np.arange(1, budget + 1)
    )


def test_a_larger_budget_only_adds_rows(named):
    _, _, noisy, est = named
    some, more = (set(ln.find_label_issues(est, noisy, budget=n)["row"]) for n in (40, 90))
    assert some < more


class KnownRows:
    """Row model with given posteriors, to test the choice of rows alone."""

    def __init__(self, posteriors, codes):
        self._posteriors, self._codes = posteriors, codes

    def posteriors(self):
        return self._posteriors

    def lead(self):
        return np.zeros(len(self._codes))

    def audits(self):
        return np.empty(0, int)

    def observed(self):
        return self._codes

    def nearest(self, rows, k):
        return np.full((len(rows), k), -1)


def with_a_rare_class():
    """200 rows surely wrong by a half labeled 0, and 20 labeled 1 that are wrong by 0.4."""
    codes = np.repeat([0, 1], [200, 20])
    p_wrong = np.where(codes == 0, np.linspace(0.99, 0.01, 220), 0.4)
    posteriors = np.where(np.eye(2)[codes] == 1, 1 - p_wrong[:, None], p_wrong[:, None])
    rate = p_wrong.mean()
    T = ln.symmetric_noise(2, rate)
    est = ln.NoiseEstimate(
        T,
        np.array([0.5, 0.5]),
        "known",
        ln.Diagnosis("reliable"),
        n_rows=220,
        rows=KnownRows(posteriors, codes),
    )
    return est, codes, p_wrong


def test_a_rare_class_is_not_drowned():
    est, codes, p_wrong = with_a_rare_class()
    issues = ln.find_label_issues(est, codes)
    assert len(issues) == round(p_wrong.sum())
    for label in (0, 1):
        expected = p_wrong[codes == label].sum()
        assert abs((issues["given"] == label).sum() - expected) <= 1
    # The likeliest errors first, the rare label comes last, or not at all with a budget.
    few = ln.find_label_issues(est, codes, budget=50)
    assert (few["given"] == 1).sum() == round(50 * p_wrong[codes == 1].sum() / p_wrong.sum())
    assert not (ln.find_label_issues(est, codes, budget=50, per_class=False)["given"] == 1).any()


def test_thresholds_for_all_labels_or_for_each():
    est, codes, p_wrong = with_a_rare_class()
    issues = ln.find_label_issues(est, codes, threshold=0.5)
    assert set(issues["row"]) == set(np.flatnonzero(p_wrong >= 0.5))
    issues = ln.find_label_issues(est, codes, threshold={0: 0.9, 1: 0.3})
    assert set(issues["row"]) == set(np.flatnonzero(p_wrong >= np.where(codes == 0, 0.9, 0.3)))
    assert len(ln.find_label_issues(est, codes, threshold=0.5, budget=7)) == 7
    assert len(ln.find_label_issues(est, codes, threshold=1.0)) == 0


def test_no_errors_give_an_empty_frame_with_all_columns():
    codes = np.repeat([0, 1], 10)
    est = ln.NoiseEstimate(
        ln.TransitionMatrix.identity(2),
        np.array([0.5, 0.5]),
        "known",
        ln.Diagnosis("reliable"),
        n_rows=20,
        rows=KnownRows(np.eye(2)[codes], codes),
    )
    for kind in ("table", "pandas", "polars", "pyarrow"):
        issues = ln.find_label_issues(est, codes, output=kind)
        assert len(issues) == 0
        assert tuple(as_columns(issues, "issues")) == COLUMNS
    assert repr(ln.find_label_issues(est, codes)).startswith("row  given")


def test_the_frame_is_of_the_kind_that_went_in(named):
    X, _, noisy, est = named
    index = [f"r{i}" for i in range(len(X))]
    frame = pd.DataFrame(X, columns=list("abcdef"), index=index)
    series = pd.Series(noisy, index=index)
    by_pandas = ln.find_label_issues(frame, series, budget=5)
    assert isinstance(by_pandas, pd.DataFrame)
    assert by_pandas["row"].tolist()[0].startswith("r")
    by_series = ln.find_label_issues(est, series, budget=5)
    pd.testing.assert_frame_equal(by_pandas, by_series)
    by_polars = ln.find_label_issues(pl.DataFrame(X, schema=list("abcdef")), noisy, budget=5)
    assert isinstance(by_polars, pl.DataFrame)
    assert [f"r{i}" for i in by_polars["row"]] == by_pandas["row"].tolist()
    assert isinstance(ln.find_label_issues(est, pl.Series(noisy), budget=5), pl.DataFrame)
    assert isinstance(ln.find_label_issues(est, noisy, budget=5, output="pyarrow"), pa.Table)
    plain = ln.find_label_issues(est, list(noisy), budget=5)
    assert pd.DataFrame(dict(plain)).shape == (5, len(COLUMNS))
    assert "row" in plain
    assert len(plain[:2]) == len(plain[plain["p_wrong"] >= plain["p_wrong"][1]]) == 2
    assert plain[["row", "given"]].keys() == ["row", "given"]
    with pytest.raises(KeyError, match="the columns are 'row'"):
        plain["rows"]


def test_content_is_carried_along(named):
    _, _, noisy, est = named
    texts = [f"text {i}" for i in range(len(noisy))]
    for content in (
        texts,
        pd.Series(texts, name="content"),
        {"content": texts},
        pl.DataFrame({"content": texts}),
    ):
        issues = as_columns(ln.find_label_issues(est, noisy, budget=3, content=content), "issues")
        assert issues["content"] == [f"text {row}" for row in issues["row"]]


def test_a_table_shows_hostile_text_as_text(named):
    _, _, noisy, est = named
    content = ["<script>alert(1)</script>"] * len(noisy)
    table = ln.find_label_issues(est, noisy, content=content)
    assert "<script>" not in table._repr_html_()
    assert f"({len(table)} rows)" in repr(table)


def test_audited_rows_are_settled(named):
    _, clean, noisy, est = named
    rows = est.suggest_audit(100)
    audited = est.with_audit(rows, clean[rows])
    issues = ln.find_label_issues(audited, noisy)
    known = int((clean[rows] != noisy[rows]).sum())
    assert len(issues) == round(audited.noise_rate * len(noisy) - known)
    assert not set(rows) & set(ln.find_label_issues(audited, noisy, budget=len(noisy))["row"])


def test_rows_that_are_equally_likely_wrong_come_in_the_order_of_what_features_say(named):
    X, clean, noisy, _ = named
    est = ln.estimate(X, noisy, noise="instance")  # every disagreeing label is as likely wrong
    issues = ln.find_label_issues(est, noisy, budget=100)
    assert len(set(issues["p_wrong"])) == 1
    lead = est.rows.lead()[issues["row"]]
    assert (np.diff(lead) <= 0).all()
    assert (clean != noisy)[issues["row"]].mean() > 0.9


def test_rows_are_called_by_the_labels_index_and_never_by_another(named):
    X, _, noisy, _ = named
    frame = pd.DataFrame(X, columns=list("abcdef"), index=np.arange(len(X))[::-1])
    by_position = ln.find_label_issues(frame, noisy, budget=5)
    assert (noisy[by_position["row"]] == by_position["given"]).all()
    with pytest.raises(ln.LabelNoiseError, match="X and y have different indexes"):
        ln.find_label_issues(frame, pd.Series(noisy), budget=5)


def test_probabilities_alone_have_no_neighbors(named):
    X, _, noisy, _ = named
    model = LogisticRegression(max_iter=1000)
    proba = cross_val_predict(model, X, noisy, method="predict_proba")
    issues = ln.find_label_issues(None, noisy, pred_proba=proba, budget=3)
    assert issues["neighbors"] == [[], [], []]


def test_an_estimate_that_cannot_be_trusted_is_said():
    rng = np.random.default_rng(0)
    with pytest.warns(
        ln.LabelNoiseWarning, match=r"the noise that was estimated is '(weak|not id)"
    ):
        ln.find_label_issues(rng.standard_normal((200, 2)), rng.integers(2, size=200))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"budget": 0}, "budget must be a whole number of at least 1, got 0"),
        ({"budget": 2.5}, "budget must be a whole number"),
        ({"threshold": 0.0}, "threshold must be a number above 0"),
        ({"threshold": {"ant": 0.5}}, "threshold has none for 'bee', 'cat'"),
        ({"threshold": {"ant": 0.5, "cow": 0.5}}, "threshold names 'cow', no class"),
        ({"n_neighbors": 11}, "n_neighbors must be at most 10"),
        ({"ids": ["a"]}, r"ids has 1 entries, but there are 1500 rows"),
        ({"ids": 7}, "ids must name every row, got 7"),
        ({"ids": [float("nan"), *range(1499)]}, "ids has missing values"),
        ({"ids": [0] * 1500}, "row ids are not distinct: 0 occur"),
        ({"output": "spark"}, "unknown output 'spark'"),
        ({"content": ["a"]}, r"content 'content' has 1 entries"),
        ({"content": {"row": ["a"] * 1500}}, "content has columns 'row'"),
        ({"content": {"reviewed": ["a"] * 1500}}, "content has columns 'reviewed'"),
        ({"method": "hoc"}, "'method' is no parameter of find_label_issues"),
    ],
)
def test_bad_input_is_refused(named, change, message):
    _, _, noisy, est = named
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.find_label_issues(est, noisy, **change)


def test_labels_that_are_not_the_estimate_s_are_refused(named):
    X, _, noisy, est = named
    with pytest.raises(ln.LabelNoiseError, match="'cow', which is no class of the estimate"):
        ln.find_label_issues(est, np.where(noisy == "cat", "cow", noisy))
    with pytest.raises(ln.LabelNoiseError, match=r"there are 1500 row\(s\) but y has 1499"):
        ln.find_label_issues(est, noisy[1:])
    changed = noisy.copy()
    changed[7] = "bee" if noisy[7] != "bee" else "ant"
    with pytest.raises(ln.LabelNoiseError, match=r"in 1 row\(s\), the first at position 7"):
        ln.find_label_issues(est, changed)
    with pytest.raises(ln.LabelNoiseError, match="says nothing about single rows"):
        ln.find_label_issues(est.transition_matrix, noisy)
    with pytest.raises(ln.LabelNoiseError, match="find_label_issues needs to know the single rows"):
        ln.find_label_issues(ln.estimate(X, noisy, method="hoc"), noisy)


def test_what_is_wrong_is_told_before_anything_is_estimated(named, monkeypatch):
    X, _, noisy, _ = named
    monkeypatch.setattr(label_issues, "estimate", lambda *_, **__: pytest.fail("estimated"))
    y = pd.Series(noisy)
    shuffled = pd.Series([f"text {i}" for i in range(len(y))]).sample(frac=1, random_state=0)
    for change, message in (
        ({"content": shuffled}, "content and the data have different indexes"),
        (
            {"content": shuffled, "y": noisy, "data": pd.DataFrame(X)},
            "content and the data have different indexes",
        ),
        ({"content": ["a"]}, "content 'content' has 1 entries"),
        ({"ids": [0] * len(y)}, "row ids are not distinct"),
        ({"output": "spark"}, "unknown output"),
        ({"method": "hoc"}, "method='hoc' say nothing about single rows"),
        ({"data": pd.DataFrame(X, index=y.index + 1)}, "X and y have different indexes"),
    ):
        with pytest.raises(ln.LabelNoiseError, match=message):
            ln.find_label_issues(**{"data": X, "y": y, **change})


def test_probabilities_do_not_depend_on_the_order_of_rows(named):
    X, _, noisy, est = named
    order = np.random.default_rng(0).permutation(len(X))
    turned = ln.estimate(X[order], noisy[order])
    a, b = (Suspects(e).p_wrong for e in (est, turned))
    np.testing.assert_allclose(a[order], b, atol=1e-6)

"""Mislabeled rows: as many as estimated, ranked, in the user's kind of frame, with evidence."""

import dataclasses
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import labelnoise as ln
from labelnoise.data.containers import as_columns
from labelnoise.findings import Finding
from labelnoise.noise_estimate import states_noise_rate
from labelnoise.review import label_issues
from labelnoise.review.suspects import COLUMNS, Suspects
from messages import refused, warned

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
    assert tuple(issues.columns) == COLUMNS
    wrong = clean != noisy
    assert wrong[issues["row"]].mean() > 0.85
    assert (np.diff(issues["p_wrong"]) <= 0).all()
    assert (issues["given"] == noisy[issues["row"]]).all()
    assert (issues["given"] != issues["suggested"]).all()
    assert not [name for name in issues if name.startswith("p_true")]
    assert (issues["suggested"] == clean[issues["row"]])[wrong[issues["row"]]].mean() > 0.95


def test_probabilities_are_those_of_the_estimate(named):
    _, _, noisy, est = named
    issues = ln.find_label_issues(est, noisy, budget=50, probabilities=True)
    p_true = issues[[f"p_true[{name}]" for name in NAMES]].to_numpy()  # one column per class
    np.testing.assert_array_equal(p_true, est.row_posteriors[issues["row"]])
    np.testing.assert_allclose(p_true.sum(axis=1), 1)
    for name, column in (("given", 1 - issues["p_wrong"]), ("suggested", issues["p_suggested"])):
        code = np.searchsorted(NAMES, issues[name])
        np.testing.assert_allclose(column, p_true[np.arange(50), code])


def test_features_give_the_same_rows_as_their_estimate(named):
    X, _, noisy, est = named
    by_estimate, by_features = ln.find_label_issues(est, noisy), ln.find_label_issues(X, noisy)
    pd.testing.assert_frame_equal(by_features, by_estimate)


def test_evidence_is_the_nearest_rows_and_their_labels(named):
    X, _, noisy, _ = named
    plain = ln.Representation(standardize=False)
    est = ln.estimate(X, noisy, representation=plain, metric="euclidean", n_draws=0)
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
        last = issues.iloc[-1]
        assert abs(last["expected_precision"] - found.mean()) < 0.08
        assert abs(last["expected_found"] - found.sum() / wrong.sum()) < 0.08
    estimated = max(np.sum(issues["p_wrong"]), round(est.noise_rate * len(noisy)))
    assert last["expected_found"] == pytest.approx(np.sum(issues["p_wrong"]) / estimated)
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

    def log_odds_margin(self):
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
        ln.Diagnosis(),
        n_rows=220,
        rows=KnownRows(posteriors, codes),
    )
    return est, codes, p_wrong


def test_a_rare_class_is_not_crowded_out():
    est, codes, p_wrong = with_a_rare_class()
    issues = ln.find_label_issues(est, codes)
    assert len(issues) == round(p_wrong.sum())
    for label in (0, 1):
        expected = p_wrong[codes == label].sum()
        assert abs((issues["given"] == label).sum() - expected) <= 1
    # By probability alone the rare label would not come within this budget.
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
        ln.Diagnosis(),
        n_rows=20,
        rows=KnownRows(np.eye(2)[codes], codes),
    )
    for kind in ("pandas", "polars", "pyarrow"):
        issues = ln.find_label_issues(est, codes, output=kind)
        assert len(issues) == 0
        assert tuple(as_columns(issues, "issues")) == COLUMNS


def test_the_frame_is_of_the_kind_that_went_in(named, monkeypatch):
    X, _, noisy, est = named
    monkeypatch.setattr(label_issues, "estimate", lambda *_, **__: est)
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
    assert isinstance(ln.find_label_issues(est, list(noisy), budget=5), pd.DataFrame)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_labels_may_be_a_column_of_the_table(named, monkeypatch, make):
    X, _, noisy, est = named
    seen = []
    monkeypatch.setattr(label_issues, "estimate", lambda X, y: seen.append((X, y)) or est)
    table = make({"size": X[:, 0], "animal": noisy})
    if make is pd.DataFrame:
        table.index = [f"r{i}" for i in range(len(X))]
    issues = ln.find_label_issues(table, "animal", budget=5)
    assert isinstance(issues, type(table))
    ids = table.index if make is pd.DataFrame else range(len(X))
    rows = [list(ids).index(row) for row in as_columns(issues, "issues")["row"]]
    assert as_columns(issues, "issues")["given"] == noisy[rows].tolist()
    ((features, labels),) = seen
    assert features.column_names == ["size"]
    assert labels.tolist() == noisy.tolist()


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
    est = ln.estimate(
        X, noisy, noise="instance", n_draws=0
    )  # every disagreeing label is as likely wrong
    issues = ln.find_label_issues(est, noisy, budget=100)
    assert len(set(issues["p_wrong"])) == 1
    margin = est.rows.log_odds_margin()[issues["row"]]
    assert (np.diff(margin) <= 0).all()
    assert (clean != noisy)[issues["row"]].mean() > 0.9


def test_ids_are_the_index_of_the_labels_and_never_of_the_features(named):
    X, _, noisy, _ = named
    frame = pd.DataFrame(X, columns=list("abcdef"), index=np.arange(len(X))[::-1])
    by_position = ln.find_label_issues(frame, noisy, budget=5)
    assert (noisy[by_position["row"]] == by_position["given"]).all()
    with refused("index_of_features_differs"):
        ln.find_label_issues(frame, pd.Series(noisy), budget=5)


def test_probabilities_alone_have_no_neighbors(named):
    X, _, noisy, _ = named
    model = LogisticRegression(max_iter=1000)
    proba = cross_val_predict(model, X, noisy, method="predict_proba")
    issues = ln.find_label_issues(None, noisy, pred_proba=proba, budget=3)
    assert issues["neighbors"].tolist() == [[], [], []]


def test_an_estimate_that_is_rough_is_warned_of(named):
    X, _, noisy, _ = named
    rough = ln.estimate(X[:100], noisy[:100])
    assert rough.diagnosis.verdict == "rough"
    assert states_noise_rate(rough)
    with warned("estimate_not_reliable"):
        issues = ln.find_label_issues(X[:100], noisy[:100])
    assert not np.isnan(issues["expected_precision"]).any()


def test_where_no_share_of_wrong_labels_is_stated_nothing_is_expected_of_a_review(named):
    _, _, noisy, est = named
    finding = Finding("duplicates_agree", {"duplicates": 1.0, "nearest": 0.5}, hides_noise=True)
    unknown = Finding("labels_not_predicted", {"source": "neighbors"}, "cannot tell")
    for one in (finding, unknown):
        doubtful = est.with_findings([one])
        with warned("expectations_unknown"):
            issues = ln.find_label_issues(doubtful, noisy, budget=20)
        assert issues[["expected_precision", "expected_found"]].isna().all(axis=None)
        assert (issues["p_wrong"] > 0).all()


def test_what_is_not_known_is_warned_of_once_and_missing_in_files(tmp_path):
    rng = np.random.default_rng(0)
    with warned("expectations_unknown"):
        issues = ln.find_label_issues(rng.standard_normal((200, 2)), rng.integers(2, size=200))
    for name in ("issues.csv", "issues.parquet"):
        ln.export_label_issues(issues, tmp_path / name)
    for found in (
        pd.read_csv(tmp_path / "issues.csv"),
        pd.read_parquet(tmp_path / "issues.parquet"),
    ):
        assert found["expected_precision"].isna().all()
        assert found["p_wrong"].notna().all()
    ln.export_label_issues(issues, tmp_path / "tasks.json")
    (task, *_) = json.loads((tmp_path / "tasks.json").read_text())
    assert task["data"]["expected_found"] is None
    assert task["predictions"][0]["score"] > 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"budget": 0}, "not_a_whole_number"),
        ({"budget": 2.5}, "not_a_whole_number"),
        ({"threshold": 0.0}, "not_a_positive_number"),
        ({"threshold": {"ant": 0.5}}, "thresholds_of_other_classes"),
        ({"threshold": {"ant": 0.5, "cow": 0.5}}, "thresholds_of_other_classes"),
        ({"n_neighbors": 11}, "wrong_value"),
        ({"ids": ["a"]}, "wrong_length"),
        ({"ids": 7}, "not_a_sequence"),
        ({"ids": [float("nan"), *range(1499)]}, "ids_missing"),
        ({"ids": [0] * 1500}, "ids_not_distinct"),
        ({"output": "spark"}, "unknown_choice"),
        ({"content": ["a"]}, "wrong_length"),
        ({"content": {"row": ["a"] * 1500}}, "content_column_taken"),
        ({"content": {"reviewed": ["a"] * 1500}}, "content_column_taken"),
        ({"content": {"spreadsheet_row": ["a"] * 1500}}, "content_column_taken"),
        ({"method": "hoc"}, "unknown_parameters"),
    ],
)
def test_bad_input_is_refused(named, change, code):
    _, _, noisy, est = named
    with refused(code):
        ln.find_label_issues(est, noisy, **change)


def test_labels_that_are_not_the_estimate_s_are_refused(named):
    _, _, noisy, est = named
    with refused("labels_not_among_classes"):
        ln.find_label_issues(est, np.where(noisy == "cat", "cow", noisy))
    with refused("wrong_length"):
        ln.find_label_issues(est, noisy[1:])
    changed = noisy.copy()
    changed[7] = "bee" if noisy[7] != "bee" else "ant"
    with refused("estimate_of_other_labels") as caught:
        ln.find_label_issues(est, changed)
    assert caught.value.note.facts == {"n": 1, "position": 7}
    with refused("matrix_without_rows"):
        ln.find_label_issues(est.transition_matrix, noisy)


def test_an_estimate_that_does_not_know_its_rows_is_refused(named):
    _, _, noisy, est = named
    with pytest.raises(ln.LabelNoiseError):
        ln.find_label_issues(dataclasses.replace(est, rows=None), noisy)


def test_bad_input_is_refused_before_anything_is_estimated(named, monkeypatch):
    X, _, noisy, _ = named
    monkeypatch.setattr(label_issues, "estimate", lambda *_, **__: pytest.fail("estimated"))
    y = pd.Series(noisy)
    shuffled = pd.Series([f"text {i}" for i in range(len(y))]).sample(frac=1, random_state=0)
    for change, code in (
        ({"content": shuffled}, "content_index_differs"),
        ({"content": shuffled, "y": noisy, "data": pd.DataFrame(X)}, "content_index_differs"),
        ({"content": ["a"]}, "wrong_length"),
        ({"ids": [0] * len(y)}, "ids_not_distinct"),
        ({"output": "spark"}, "unknown_choice"),
        ({"method": "hoc"}, "method_without_rows"),
        ({"data": pd.DataFrame(X, index=y.index + 1)}, "index_of_features_differs"),
    ):
        with refused(code):
            ln.find_label_issues(**{"data": X, "y": y, **change})


def test_probabilities_do_not_depend_on_the_order_of_rows(named):
    X, _, noisy, est = named
    order = np.random.default_rng(0).permutation(len(X))
    turned = ln.estimate(X[order], noisy[order], n_draws=0)
    a, b = (Suspects(e).p_wrong for e in (est, turned))
    np.testing.assert_allclose(a[order], b, atol=1e-6)


def test_a_data_set_needs_no_labels_beside_it():
    frame = pd.DataFrame(np.repeat([[0.0], [5.0]], 60, axis=0) + np.arange(120)[:, None] / 100)
    frame = frame.set_axis(["a"], axis=1).assign(label=np.repeat(["x", "y"], 60))
    frame.loc[::6, "label"] = "y"
    dataset = ln.load_table(frame, "label")
    with_labels = ln.find_label_issues(ln.estimate(dataset), dataset, budget=3)
    pd.testing.assert_frame_equal(ln.find_label_issues(dataset, budget=3), with_labels)


def test_an_unknown_parameter_is_refused_with_the_one_that_was_meant(task):
    X, _, noisy, _ = task
    est = ln.estimate(X, noisy)
    with refused("unknown_parameters") as caught:
        ln.find_label_issues(est, noisy, bugdet=5)
    assert caught.value.note.facts["suggestion"] == "budget="

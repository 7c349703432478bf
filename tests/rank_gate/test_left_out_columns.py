"""Columns that were made from the labels cover for one another, but not for the other columns."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import labelnoise as ln

RATE = 0.2


def table(seed, n_classes=2):
    """Four columns that tell classes apart, and noisy labels."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=600)
    centers = 3.5 * np.eye(4)[:n_classes]
    X = centers[truth] + rng.standard_normal((600, 4))
    noisy = ln.inject_noise(truth, ln.symmetric_noise(n_classes, RATE), rng)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"]).assign(label=noisy)
    return frame, rng


def scores(frame, rng):
    """Two scores, each of them the label with an error."""
    return {name: frame["label"] + 0.4 * rng.standard_normal(len(frame)) for name in ("s", "t")}


def copies(frame, rng):
    """Two copies of the label, each of them right in nine of ten rows."""
    labels = frame["label"].to_numpy()
    kept = rng.random((2, len(frame))) < 0.9
    return {
        name: np.where(keep, labels, rng.permutation(labels)).astype(str)
        for name, keep in zip(("s", "t"), kept, strict=True)
    }


def finding_of(est):
    return [one for one in est.diagnosis.findings if one.code == "columns_hide_noise"]


@pytest.mark.parametrize("made", [scores, copies])
@pytest.mark.parametrize("seed", [0])
def test_two_columns_made_from_the_labels_are_named_together(made, seed):
    frame, rng = table(seed)
    assert ln.estimate(frame, "label").diagnosis.verdict == "reliable"
    est = ln.estimate(frame.assign(**made(frame, rng)), "label")
    assert est.diagnosis.verdict != "reliable"
    assert est.diagnosis.hides_noise
    named = [name for one in finding_of(est) for name in one.facts["columns"]]
    named += [one.facts["column"] for one in est.diagnosis.findings if "column" in one.facts]
    assert {"s", "t"} & set(named)
    assert not {"a", "b", "c", "d"} & set(named)


def test_the_finding_says_how_much_noise_there_is_without_the_columns():
    frame, rng = table(0)
    (found,) = finding_of(ln.estimate(frame.assign(**scores(frame, rng)), "label"))
    assert sorted(found.facts["columns"]) == ["s", "t"]
    assert found.facts["high"] < found.facts["least"] < RATE
    assert abs(found.facts["most"] - RATE) < 0.05


def test_columns_of_an_array_are_named_by_their_position():
    frame, rng = table(0)
    X = frame.assign(**scores(frame, rng)).drop(columns="label").to_numpy()
    (found,) = finding_of(ln.estimate(X, frame["label"]))
    assert sorted(found.facts["columns"]) == ["x4", "x5"]


def test_a_score_of_one_class_alone_is_found():
    frame, rng = table(0, 3)
    of_one = (frame["label"] == 0) + 0.3 * rng.standard_normal(len(frame))
    est = ln.estimate(frame.assign(score=of_one), "label")
    assert est.diagnosis.hides_noise
    assert any("score" in str(one.facts) for one in est.diagnosis.findings_hiding_noise)


def test_columns_whose_types_were_confirmed_are_trusted():
    frame, rng = table(0)
    frame = frame.assign(**scores(frame, rng))
    confirmed = ln.load_table(frame, "label", column_types={"s": "number", "t": "number"})
    assert not finding_of(ln.estimate(confirmed))
    assert finding_of(ln.estimate(ln.load_table(frame, "label")))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("seed", [3])
def test_columns_that_were_not_made_from_the_labels_hide_nothing(n_classes, seed):
    frame, _ = table(seed, n_classes)
    assert not ln.estimate(frame, "label").diagnosis.hides_noise


def test_the_answer_does_not_depend_on_the_order_of_rows():
    frame, rng = table(0)
    frame = frame.assign(**scores(frame, rng))
    shuffled = frame.sample(frac=1, random_state=0)
    first, second = (ln.estimate(rows, "label") for rows in (frame, shuffled))
    assert finding_of(first)
    assert [one.to_document() for one in finding_of(first)] == [
        one.to_document() for one in finding_of(second)
    ]


@pytest.mark.full
def test_columns_are_compared_as_if_labels_err_by_class_whatever_is_reported():
    """Without good columns, more labels disagree with their surroundings; that is overlap."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=1500)
    good = 2.8 * y[:, None] + rng.standard_normal((1500, 2))
    fair = 1.25 * y[:, None] + rng.standard_normal((1500, 4))
    est = ln.estimate(np.column_stack([good, fair]), y, noise="instance")
    assert not est.diagnosis.hides_noise
    frame, rng = table(0)
    assert finding_of(ln.estimate(frame.assign(**scores(frame, rng)), "label", noise="instance"))


@pytest.mark.full
def test_categories_that_are_absent_among_the_examined_rows_are_no_news():
    """Warnings are errors here: constant features of a few rows must cause none."""
    rng = np.random.default_rng(0)
    n = 4000
    y = rng.integers(2, size=n)
    frame = pd.DataFrame(3.0 * y[:, None] + rng.standard_normal((n, 3)), columns=list("abc"))
    frame["rare"] = np.where(np.arange(n) < 10, "x", np.where(np.arange(n) < 2000, "y", "z"))

    frame["label"] = np.where(rng.random(n) < 0.2, 1 - y, y)
    frame["score"] = frame["label"] + 0.4 * rng.standard_normal(n)
    frame["other"] = frame["label"] + 0.4 * rng.standard_normal(n)
    assert ln.estimate(frame, "label").diagnosis.hides_noise


@pytest.mark.full
def test_groups_are_kept_apart_when_columns_are_left_out():
    frame, rng = table(0)
    frame = frame.assign(**scores(frame, rng))
    (found,) = finding_of(ln.estimate(frame, "label", groups=np.arange(len(frame)) // 2))
    assert sorted(found.facts["columns"]) == ["s", "t"]


def test_embeddings_of_a_file_have_no_columns_to_leave_out(tmp_path):
    frame, rng = table(0)
    frame = frame.assign(**scores(frame, rng))
    frame[["label"]].to_csv(tmp_path / "labels.csv", index=False)
    np.save(tmp_path / "X.npy", frame.drop(columns="label").to_numpy())
    dataset = ln.load_table(tmp_path / "labels.csv", "label", embeddings=tmp_path / "X.npy")
    assert not finding_of(ln.estimate(dataset))


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_genuine_columns_of_clean_tables_hide_nothing(load):
    """Two of iris's four columns tell its species apart, and the others do not."""
    assert not ln.estimate(*load(return_X_y=True)).diagnosis.hides_noise

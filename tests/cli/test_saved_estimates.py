"""Estimates that are saved and used again, and probabilities of a model in place of features."""

import json

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from cli.zoo import FEATURES, animals
from labelnoise import methods


@pytest.fixture
def fits(monkeypatch):
    """A list that gets longer with every estimate that is made."""
    made = []
    fit = methods.estimate

    def counted(*arguments, **options):
        made.append(options)
        return fit(*arguments, **options)

    monkeypatch.setattr(methods, "estimate", counted)
    return made


@pytest.fixture(params=["folder", "file"])
def either(request, saved):
    return f"{saved}/" if request.param == "folder" else saved / "noise.json"


def test_all_commands_show_the_same_numbers(zoo, saved, either, run, tmp_path):
    """Whether they estimate or use a saved estimate, and in which form."""
    call = (zoo / "zoo.csv", *FEATURES)
    new = run("estimate", *call, "--json").document
    old = ("--estimate", either)
    documents = [
        new,
        run("report", *call, "-o", "new.json", "--json").document,
        run("report", *call, *old, "-o", "old.json", "--json").document,
        json.loads((tmp_path / "old.json").read_text()),
    ]
    for name in ("noise_rate", "transition", "verdict", "findings", "readings", "confusions"):
        assert all(one[name] == new[name] for one in documents), name
    for name in ("name", "n_given", "given", "clean", "correct"):
        classes = [[one[name] for one in document["classes"]] for document in documents]
        assert all(one == classes[0] for one in classes), name
    for check in (run("check", *call, "--json"), run("check", *call, *old, "--json")):
        for name in ("noise_rate", "verdict", "reasons", "remedies"):
            assert check.document["diagnosis"][name] == new[name]
    score = ("score", zoo / "with-truth.csv", "-l", "label", "-p", "truth", *old, "--json")
    assert run(*score).document["noise"] == {
        "noise_rate": new["noise_rate"]["value"],
        "verdict": new["verdict"],
    }
    same = run("compare", either, saved / "noise.json", "--json").document
    assert same["before"] == same["after"] == new["noise_rate"]["value"]


def test_a_saved_estimate_is_not_made_again(zoo, saved, run, fits):
    call = (zoo / "zoo.csv", *FEATURES, "--estimate", saved, "-q")
    for command in ("check", "report", "find"):
        run(command, *call)
    assert not fits
    run("find", zoo / "zoo.csv", *FEATURES, "-q")
    assert len(fits) == 1


def test_rows_from_a_folder_are_those_of_a_new_estimate(zoo, saved, run):
    call = ("find", zoo / "zoo.csv", *FEATURES, "--json")
    for selection in (("-n", 30), ("--threshold", 0.8), ("--for-audit", "-n", 10)):
        new = run(*call, *selection).document
        old = run(*call, *selection, "--estimate", saved).document
        assert [one["row"] for one in new["rows"]] == [one["row"] for one in old["rows"]]
        chances = [[one["p_wrong"] for one in found["rows"]] for found in (new, old)]
        np.testing.assert_allclose(*chances, atol=1e-6)


def test_a_saved_estimate_that_is_used_is_not_overwritten(zoo, saved, run):
    before = {path: path.read_bytes() for path in saved.iterdir()}
    for used, output in (("noise.json", "noise.json"), ("", "noise.json")):
        call = ("report", zoo / "zoo.csv", *FEATURES, "--estimate", saved / used)
        assert run(*call, "-o", saved / output, code=4).error == "output_is_input"
    assert {path: path.read_bytes() for path in saved.iterdir()} == before


def test_rows_need_the_folder(zoo, saved, run):
    call = ("find", zoo / "zoo.csv", *FEATURES, "--estimate", saved / "noise.json")
    refused = run(*call, code=3)
    assert refused.error == "saved_without_rows"
    assert "rank-gated" not in refused.err  # it was
    report = ("report", zoo / "zoo.csv", *FEATURES, "--estimate")
    assert "saved_without_rows" in run(*report, saved / "noise.json").notes
    assert "saved_without_rows" not in run(*report, saved).notes


@pytest.mark.parametrize("kind", [bool, float])
def test_an_estimate_made_in_python_fits_the_file(run, tmp_path, kind):
    """Files hold text, frames hold truth values and numbers."""
    frame = animals(200).drop(columns=["truth", "home", "text"])
    frame["label"] = (frame["label"] == "fox").astype(kind)
    frame.to_csv(tmp_path / "foxes.csv", index=False)
    ln.estimate(frame, "label").save(f"{tmp_path}/noise/")
    call = ("foxes.csv", "-l", "label", "--estimate", "noise/", "-q")
    assert run("find", *call, "-n", 5, "--json", "-o", "issues.csv").document["n_rows"] == 200
    fixes = ("issues.csv", "--column", "suggested", "-o", "fixed.csv", "--json")
    assert run("apply", call[0], fixes[0], *call[1:], *fixes[1:]).document["n_changed"] == 5
    report = run("report", *call, "-o", "report.json", "--json").document
    assert sum(one["n_given"] for one in report["classes"]) == 200


def test_a_method_that_knows_no_rows_can_be_saved_and_reported(zoo, run):
    call = (zoo / "zoo.csv", *FEATURES, "-q", "--json")
    new = run("estimate", *call, "--method", "hoc", "-o", "hoc/").document
    old = run("report", *call, "--estimate", "hoc/").document
    assert old["noise_rate"] == new["noise_rate"]
    assert old["classes"] == new["classes"]
    assert run("find", *call, "--estimate", "hoc/", code=3).error == "no_row_model"


def test_the_next_command_uses_what_was_saved(zoo, run, tmp_path, fits):
    call = ("estimate", zoo / "zoo.csv", *FEATURES, "--seed", 2)
    (hinted,) = run(*call, "-o", "noise/").next_commands
    assert {path.name for path in (tmp_path / "noise").iterdir()} == {"noise.json", "rows.npz"}
    assert len(fits) == 1
    run(*hinted)
    assert len(fits) == 1
    (hinted,) = run(*call, "-o", "noise.json").next_commands
    assert "--estimate" not in hinted


def test_an_estimate_of_other_data_is_refused(zoo, saved, either, run, tmp_path):
    df = pd.read_csv(zoo / "zoo.csv")
    other = df["label"].mask(df.index == 5, "dog" if df["label"][5] != "dog" else "cat")
    tables = {
        "fewer": df[:-1],
        "others": df.assign(label=other),
        "renamed": df.assign(label=df["label"].str.upper()),
        "shuffled": df.sample(frac=1, random_state=0),
    }
    (tmp_path / "fixes.csv").write_text("row,reviewed\n5,cat\n")
    for name, table in tables.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
        call = (f"{name}.csv", *FEATURES, "--estimate", either)
        for command in ("check", "report", "find"):
            assert run(command, *call, code=3).error == "estimate_of_other_labels", name
        assert run("apply", f"{name}.csv", "fixes.csv", "--estimate", either, "-o", "f.csv", code=3)
    assert not (tmp_path / "f.csv").exists()


def test_apply_knows_the_classes_of_the_estimate(zoo, run, tmp_path):
    call = ("estimate", zoo / "zoo.csv", *FEATURES, "--new-class", "emu", "-q")
    run(*call, "-o", "noise.json")
    (tmp_path / "fixes.csv").write_text("row,reviewed\n5,emu\n")
    call = ("apply", zoo / "zoo.csv", "fixes.csv", "-o", "fixed.csv")
    assert run(*call, code=3).error == "unknown_labels"
    assert run(*call, "--estimate", "noise.json", "--json").document["n_changed"] == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--method", "hoc"),
        ("--noise", "instance"),
        ("--pred-proba", "p.npy"),
        ("--audit", "a.csv"),
    ],
)
def test_options_about_how_to_estimate_contradict_a_saved_estimate(zoo, saved, run, options):
    call = ("check", zoo / "zoo.csv", *FEATURES, "--estimate", saved, *options)
    assert run(*call, code=2).error == "exclude_each_other"


def test_findings_about_the_data_are_saved_once(zoo, run, tmp_path):
    df = pd.read_csv(zoo / "zoo.csv").drop(columns="text")
    status = np.where(np.arange(len(df)) % 15 > 0, df["label"], "cat")
    df.assign(status=status).to_csv(tmp_path / "leak.csv", index=False)
    new = run("estimate", "leak.csv", "-o", "noise/", "--json").document
    old = run("check", "leak.csv", "--estimate", "noise/", "--json").document
    assert old["diagnosis"]["reasons"] == new["reasons"]
    assert [one["code"] for one in new["findings"]].count("column_predicts_label") == 1


def test_leaks_are_not_looked_for_again_with_a_saved_estimate(zoo, saved, run, monkeypatch):
    def not_again(*_):
        raise AssertionError

    monkeypatch.setattr("labelnoise.data.dataset.leaks_among", not_again)
    run("find", zoo / "zoo.csv", *FEATURES, "--estimate", saved)


def test_labels_of_one_row_that_were_left_out_stay_out(zoo, run, tmp_path):
    df = pd.read_csv(zoo / "zoo.csv")
    df.loc[3, "label"] = "emu"
    df.to_csv(tmp_path / "emu.csv", index=False)
    run("estimate", "emu.csv", *FEATURES, "-o", "noise/", "-q")
    found = run("check", "emu.csv", *FEATURES, "--estimate", "noise/", "--json").document
    assert found["n_rows"] == len(df) - 1
    assert "emu" not in found["labels"]


@pytest.fixture(scope="module")
def probabilities(zoo):
    """Class probabilities (n, 3) of a model that never saw the labels."""
    df = pd.read_csv(zoo / "with-truth.csv")
    centers = np.array([[0, 0], [4, 0], [0, 4]])
    distances = ((df[["weight", "height"]].to_numpy()[:, None] - centers) ** 2).sum(axis=2)
    odds = np.exp(-distances / 2)
    return odds / odds.sum(axis=1, keepdims=True)


def test_probabilities_take_the_place_of_features(zoo, run, tmp_path, probabilities):
    """As in Python; in any file, with columns in any order if they are named."""
    np.save(tmp_path / "p.npy", probabilities)
    frame = pd.DataFrame(probabilities, columns=["cat", "dog", "fox"])
    frame[["fox", "cat", "dog"]].to_csv(tmp_path / "named.csv", index=False)
    frame.to_parquet(tmp_path / "named.parquet")
    y = pd.read_csv(zoo / "zoo.csv")["label"].to_numpy()
    expected = ln.estimate(None, y, pred_proba=probabilities).transition_matrix.values
    for name in ("p.npy", "named.csv", "named.parquet"):
        found = run("estimate", zoo / "zoo.csv", "--pred-proba", name, "--json").document
        np.testing.assert_allclose(found["transition"], expected, atol=1e-9)
    call = (zoo / "zoo.csv", "--pred-proba", "p.npy", "--json")
    assert run("check", *call).document["diagnosis"]["noise_rate"] == found["noise_rate"]
    report = run("report", *call, "-o", "r.html").document
    assert report["noise_rate"] == found["noise_rate"]
    assert set(report["provenance"]["sha256"]) == {"data", "probabilities"}
    (first, *_) = run("find", *call, "-n", 5).document["rows"]
    assert {"text", "weight"} <= set(first)


def test_probabilities_follow_their_rows(zoo, run, tmp_path, probabilities):
    """Rows without a label are left out of both."""
    np.save(tmp_path / "p.npy", probabilities)
    df = pd.read_csv(zoo / "zoo.csv")
    df.loc[:9, "label"] = "NA"
    df.to_csv(tmp_path / "gaps.csv", index=False)
    found = run("estimate", "gaps.csv", "--pred-proba", "p.npy", "--unlabeled", "NA", "--json")
    expected = ln.estimate(None, df["label"].to_numpy()[10:], pred_proba=probabilities[10:])
    np.testing.assert_allclose(
        found.document["transition"], expected.transition_matrix.values, atol=1e-9
    )


def test_probabilities_that_do_not_fit_are_refused(zoo, run, tmp_path, probabilities):
    data = zoo / "zoo.csv"
    frame = pd.DataFrame(probabilities, columns=["cat", "dog", "emu"])
    frame.to_csv(tmp_path / "others.csv", index=False)
    np.save(tmp_path / "few.npy", probabilities[:9])
    np.save(tmp_path / "two.npy", probabilities[:, :2])
    np.save(tmp_path / "p.npy", probabilities)
    codes = {
        "others.csv": "probabilities_partly_named",
        "few.npy": "embeddings_of_other_shape",
        "two.npy": "probabilities_of_wrong_shape",
        "none.npy": "no_such_file",
    }
    for name, code in codes.items():
        assert run("estimate", data, "--pred-proba", name, code=3).error == code
    call = ("estimate", data, "--pred-proba", "p.npy")
    assert run(*call, "--method", "hoc", code=2).error == "input_not_used_by_method"
    assert run(*call, *FEATURES, code=2).error == "exclude_each_other"

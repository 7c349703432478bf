"""What the commands do to real files, run in this process."""

import csv
import gzip
import hashlib
import json
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from cli.zoo import FEATURES, T, animals
from labelnoise.cli.main import COMMANDS
from labelnoise.noise_estimate import noise_statement


def rows(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def write_decisions(path, lines, head="row,given,reviewed"):
    path.write_text("\n".join([head, *lines]) + "\n")


@pytest.mark.parametrize(
    "call",
    [
        ("zoo.csv", *FEATURES),
        ("zoo.tsv", *FEATURES),
        ("zoo.xlsx", *FEATURES),
        ("zoo.parquet", *FEATURES),
        ("zoo.feather", *FEATURES),
        ("zoo.arrow", *FEATURES),
        ("zoo.jsonl", *FEATURES),
        ("zoo.npz", "--label", "y"),
        ("X.npy", "--label", "y.npy"),
    ],
    ids=lambda call: call[0],
)
def test_every_format_gives_the_same_estimate(zoo, saved, run, call):
    found = run("estimate", *call, "--json", cwd=zoo).document
    expected = ln.NoiseEstimate.load(saved / "noise.json")
    assert [one["name"] for one in found["classes"]] == ["cat", "dog", "fox"]
    np.testing.assert_array_equal(found["transition"], expected.transition_matrix.values)


def test_estimate_tells_people_what_they_need(zoo, run, tmp_path):
    done = run("estimate", zoo / "zoo.csv", "--drop", "text", "-o", "noise.json")
    assert re.search(r"\d+\.\d% of the labels are wrong \(90% interval", done.out)
    assert re.search(r"\d+% of true 'fox' are labeled 'dog'", done.out)
    assert "reliable" in done.out
    assert {"label_guessed", "columns_by_type"} <= set(done.notes)
    assert done.next_commands[0][0] == "report"
    est = ln.NoiseEstimate.load(tmp_path / "noise.json")
    assert ln.transition_error(T, est.transition_matrix) < 0.1


def test_the_same_call_gives_the_same_answer(zoo, run):
    documents = [run("estimate", zoo / "zoo.csv", "--json", "--seed", 3).document for _ in "ab"]
    for document in documents:
        for changing in ("created_at", "seconds"):
            document["provenance"].pop(changing)
    assert documents[0] == documents[1]


def test_standard_input(zoo, run):
    with (zoo / "zoo.csv").open() as stream:
        done = run("estimate", "-", "--json", "-q", *FEATURES, stdin=stream)
    assert done.document["title"] == "standard input"
    assert done.err == ""


def test_check_shows_every_column_and_the_verdict(zoo, run):
    done = run("check", zoo / "with-truth.csv", "--label", "label", "--json").document
    assert done["n_rows"] == 600
    assert done["diagnosis"]["verdict"] in ("reliable", "rough")
    assert {one["name"] for one in done["columns"]} == {
        "weight", "height", "home", "text", "truth",
    }  # fmt: skip
    quick = run("check", zoo / "zoo.csv", "--only-table", "--json").document
    assert quick["labels"] == pd.read_csv(zoo / "zoo.csv")["label"].value_counts().to_dict()
    assert "diagnosis" not in quick
    types = {column["name"]: column["type"] for column in quick["columns"]}
    assert types == {"weight": "number", "height": "number", "home": "category", "text": "text"}
    shown = run("check", zoo / "zoo.csv", "--only-table").out
    assert all(name in shown for name in (*types, *types.values(), "cat", "dog", "fox"))


def test_check_fails_where_the_data_cannot_tell(run, nothing):
    found = run("check", nothing, "--json", code=1).document
    assert found["diagnosis"]["verdict"] == "cannot tell"


def test_gates_do_not_pass_where_the_data_cannot_tell(run, nothing):
    run("estimate", nothing, "--max-noise", 0.99, "-o", "e.json", code=1)
    assert run("compare", "e.json", "e.json", "--max-noise", 0.99, code=1)


def test_from_the_file_to_clean_labels(zoo, saved, run, tmp_path):
    """Find, review, apply, compare: the whole loop, with the truth as reviewer."""
    data = pd.read_csv(zoo / "with-truth.csv")
    before = data.drop(columns="truth")
    before.to_csv(tmp_path / "data.csv", index=False)
    call = (*FEATURES, "--text-column", "text", "--estimate", f"{saved}/")
    done = run("find", "data.csv", *call, "--budget", 100, "-o", "issues.csv")
    (hinted,) = done.next_commands
    assert hinted[:3] == ["apply", "data.csv", "issues.csv"]
    assert hinted[-1] == "data-fixed.csv"
    issues = rows(tmp_path / "issues.csv")
    assert len(issues) == 100
    assert issues[0]["text"] == before["text"][int(issues[0]["row"])]
    assert int(issues[0]["spreadsheet_row"]) == int(issues[0]["row"]) + 2
    reviewed = [int(issue["row"]) for issue in issues]
    pd.DataFrame(issues).assign(reviewed=data["truth"][reviewed].to_numpy()).to_csv(
        tmp_path / "issues.csv", index=False
    )

    run("apply", "data.csv", "issues.csv", "-o", "fixed.csv")
    after = pd.read_csv(tmp_path / "fixed.csv")
    pd.testing.assert_frame_equal(after.drop(columns="label"), before.drop(columns="label"))
    assert (after["label"][reviewed] == data["truth"][reviewed]).all()
    others = np.setdiff1d(np.arange(len(data)), reviewed)
    assert (after["label"][others] == before["label"][others]).all()

    call = ("estimate", *FEATURES, "--audit", "issues.csv", "--json", "-q")
    audited = run(*call, "data.csv").document
    assert audited["n_reviewed"] == 100
    again = run(*call, "fixed.csv", "-o", "after.json").document  # the decisions were applied
    assert again["transition"] == audited["transition"]
    assert again["remaining"] == audited["remaining"]
    still_wrong = np.mean(after["label"] != data["truth"])
    assert abs(again["remaining"]["value"] - still_wrong) < 0.08

    old = saved / "noise.json"
    passed = run("compare", old, "after.json", "--max-noise", 0.18, "--json").document
    assert passed["passed"]
    assert passed["p_less_noise"] > 0.8
    assert passed["change"] == pytest.approx(passed["after"] - passed["before"])
    done = run("compare", "after.json", old, "--max-noise", 0.1, code=1)
    assert "failed" in done.err
    assert "passed" not in done.err
    assert "--audit" in done.err  # what was corrected where it looked wrong looks right


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "parquet", "feather", "jsonl", "npz"])
def test_apply_writes_the_format_it_reads(zoo, run, tmp_path, ending):
    label = "y" if ending == "npz" else "label"
    before = pd.read_csv(zoo / "zoo.csv")["label"]
    new = {"cat": "dog", "dog": "fox", "fox": "cat"}[before[5]]
    write_decisions(tmp_path / "fixes.csv", [f"5,{before[5]},{new}"])
    call = ("apply", zoo / f"zoo.{ending}", "fixes.csv", "-l", label, "-o", f"new.{ending}")
    assert run(*call, "--json").document["n_changed"] == 1
    again = run("check", f"new.{ending}", "-l", label, "--only-table", "--json").document
    expected = before.copy()
    expected[5] = new
    assert again["labels"] == expected.value_counts().to_dict()


def test_apply_does_all_or_nothing(zoo, run, tmp_path):
    write_decisions(tmp_path / "fixes.csv", ["5,cat", "99999,cat"], "row,reviewed")
    (tmp_path / "out.csv").write_text("precious")
    call = ("apply", zoo / "zoo.csv", "fixes.csv", "-o", "out.csv")
    assert run(*call, code=3).error == "unknown_rows"
    assert (tmp_path / "out.csv").read_text() == "precious"
    write_decisions(tmp_path / "fixes.csv", ["5,emu"], "row,reviewed")
    assert run(*call, code=3).error == "unknown_labels"
    run(*call, "--new-class", "emu")
    assert rows(tmp_path / "out.csv")[5]["label"] == "emu"


def test_decisions_may_come_from_any_spreadsheet(zoo, run, tmp_path):
    given = pd.read_csv(zoo / "zoo.csv")["label"]
    (tmp_path / "semi.csv").write_text(f"row;given;reviewed\r\n5;{given[5]};dog\r\n")
    run("apply", zoo / "zoo.csv", "semi.csv", "-o", "fixed.csv")
    assert rows(tmp_path / "fixed.csv")[5]["label"] == "dog"
    done = run("apply", zoo / "zoo.csv", "semi.csv", "--id", "home", "-o", "fixed.csv", code=3)
    assert done.error == "ids_not_distinct"


def test_apply_leaves_rows_without_a_label_alone(run, tmp_path):
    (tmp_path / "gaps.csv").write_text("x,label\n1,a\n2,\n3,NA\n4,b\n")
    write_decisions(tmp_path / "fixes.csv", ["3,b,a"])
    call = ("apply", "gaps.csv", "fixes.csv", "--unlabeled", "NA", "-o", "fixed.csv")
    assert run(*call, "--json").document == {
        "schema": "labelnoise/apply", "schema_version": 2,
        "n_changed": 1, "n_rows": 4, "written": "fixed.csv",
    }  # fmt: skip
    assert (tmp_path / "fixed.csv").read_text() == "x,label\n1,a\n2,\n3,NA\n4,a\n"
    write_decisions(tmp_path / "fixes.csv", ["1,a"], "row,reviewed")
    assert run(*call, code=3).error == "unknown_rows"


def test_a_file_that_changes_while_it_is_copied_is_not_copied(zoo, run, tmp_path, monkeypatch):
    from labelnoise.cli import label_files

    (tmp_path / "data.csv").write_bytes((zoo / "zoo.csv").read_bytes())
    (tmp_path / "fixed.csv").write_text("precious")
    write_decisions(tmp_path / "fixes.csv", ["5,cat"], "row,reviewed")
    write = label_files.written_atomically

    def rewritten_meanwhile(path):
        (tmp_path / "data.csv").write_text("weight,height,home,text,label\n1,2,barn,-,cat\n")
        return write(path)

    monkeypatch.setattr(label_files, "written_atomically", rewritten_meanwhile)
    done = run("apply", "data.csv", "fixes.csv", "-o", "fixed.csv", code=3)
    assert done.error == "input_changed"
    assert (tmp_path / "fixed.csv").read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {"data.csv", "fixed.csv", "fixes.csv"}


def test_clean_data_look_clean(run, clean):
    done = run("estimate", clean, "--label", "label", "-o", "clean/")
    assert "No clear sign of wrong labels" in done.out
    call = ("find", clean, "--label", "label", "--estimate", "clean/")
    for options in ((), ("--budget", 20), ("--threshold", 0.99)):
        found = run(*call, *options).out
        assert "No clear sign of wrong labels" in found
        assert "of all wrong labels" not in found


def test_find_promises_nothing_where_the_data_cannot_tell(run, nothing):
    found = run("find", nothing, "--budget", 20).out
    assert "do not show which labels are wrong" in found
    assert "of all wrong labels" not in found


def test_find_for_label_studio_and_by_threshold(zoo, saved, run, tmp_path):
    call = ("find", zoo / "zoo.csv", *FEATURES, "--estimate", saved)
    run(*call, "--threshold", 0.9, "--by-probability", "-o", "tasks.json", "-q")
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert all(task["predictions"][0]["score"] >= 0.9 for task in tasks)
    assert "animal number" in tasks[0]["data"]["text"]
    listed = run(*call, "--budget", 3, "--json").document["rows"]
    assert len(listed) == 3
    assert {"row", "given", "suggested", "p_wrong", "text"} <= set(listed[0])


def test_rows_that_would_make_an_estimate_reliable(zoo, saved, run, tmp_path):
    call = ("find", zoo / "zoo.csv", *FEATURES, "--estimate", saved, "--label", "label")
    call = (*call, "--for-audit", "--budget", 40, "-o", "audit.csv")
    (hinted,) = run(*call).next_commands
    assert hinted[0] == "estimate"
    assert hinted[hinted.index("--audit") + 1] == "audit.csv"
    assert "--estimate" not in hinted
    assert len(rows(tmp_path / "audit.csv")) == 40
    refused = run(*call, "--threshold", 0.5, code=2)
    assert refused.error == "exclude_each_other"


def test_of_many_columns_the_most_informative_are_shown(zoo, saved, run, tmp_path):
    rng = np.random.default_rng(0)
    df = pd.read_csv(zoo / "zoo.csv")
    noise = {f"noise {i}": rng.normal(size=len(df)).round(3) for i in range(20)}
    pd.DataFrame({**noise, **df}).to_csv(tmp_path / "wide.csv", index=False)
    call = ("find", "wide.csv", "--estimate", saved, "-n", 2, "--json")
    (first, *_) = run(*call).document["rows"]
    assert {"text", "weight", "height"} <= set(first)
    assert sum(name.startswith("noise") for name in first) == 9
    columns = list(noise)[:15]
    named = [part for name in columns for part in ("--text-column", name)]
    (first, *_) = run(*call, *named).document["rows"]
    assert set(columns) <= set(first)  # those that were named, however many


def test_columns_with_the_names_of_ours_are_shown_under_other_names(zoo, saved, run, tmp_path):
    df = pd.read_csv(zoo / "zoo.csv").rename(columns={"home": "row", "text": "reviewed"})
    df.to_csv(tmp_path / "taken.csv", index=False)
    run("find", "taken.csv", *FEATURES, "--estimate", saved, "-n", 3, "-o", "issues.csv")
    issue = rows(tmp_path / "issues.csv")[0]
    assert issue["row (data)"] == df["row"][int(issue["row"])]
    assert issue["reviewed"] == ""


@pytest.mark.parametrize("name", ["zoo.csv", "zoo.xlsx", "bare.csv"])
def test_spreadsheets_show_the_numbers_that_are_named(zoo, saved, run, tmp_path, name):
    lines = (zoo / "zoo.csv").read_text().splitlines(keepends=True)
    (tmp_path / "bare.csv").write_text("".join(lines[1:]))
    call, first = (zoo / name, *FEATURES), 2
    if name == "bare.csv":
        call, first = (name, "--no-header", "-f", "c1,c2", "-l", "c5"), 1
    found = run("find", *call, "--estimate", saved, "-n", 5, "--json").document["rows"]
    assert [one["spreadsheet_row"] - one["row"] for one in found] == 5 * [first]


@pytest.mark.parametrize("options", [("zoo.parquet",), ("zoo.csv", "--id", "text")])
def test_rows_of_no_spreadsheet_have_no_such_number(zoo, saved, run, options):
    call = ("find", *options, *FEATURES, "--estimate", saved, "-n", 5, "--json")
    assert not any("spreadsheet_row" in one for one in run(*call, cwd=zoo).document["rows"])


def test_texts_that_are_only_shown_are_remarked_on(run, tmp_path):
    rng = np.random.default_rng(0)
    words = ["good", "bad", "fine", "poor", "red", "blue", "old", "new"]
    text = [" ".join(rng.choice(words, 5)) + f" {i}" for i in range(200)]
    df = pd.DataFrame({"x": rng.normal(size=200), "text": text, "label": ["a", "b"] * 100})
    df.to_csv(tmp_path / "texts.csv", index=False)
    call = ("check", "texts.csv", "--only-table")
    assert "shown_only" in run(*call, "--text-column", "text").notes
    assert "shown_only" not in run(*call).notes


def test_the_fingerprint_covers_every_file(zoo, run):
    call = ("estimate", zoo / "X.npy", "--label", zoo / "y.npy", "--json")
    files = {"data": "X.npy", "labels": "y.npy"}
    assert run(*call).document["provenance"]["sha256"] == {
        what: hashlib.sha256((zoo / name).read_bytes()).hexdigest() for what, name in files.items()
    }
    call = ("estimate", zoo / "zoo.csv", "--embeddings", zoo / "X.npy", "--json")
    assert set(run(*call).document["provenance"]["sha256"]) == {"data", "embeddings"}


def test_documents_name_their_schema(zoo, saved, run):
    schemas = {"report": "report", "find": "find", "check": "check"}
    for command, name in schemas.items():
        call = (command, zoo / "zoo.csv", *FEATURES, "--estimate", saved, "--json")
        found = run(*call).document
        assert (found["schema"], found["schema_version"]) == (f"labelnoise/{name}", 2)


def test_copies_have_the_format_and_the_compression_of_the_data(zoo, run, tmp_path):
    (tmp_path / "zoo.csv.gz").write_bytes(gzip.compress((zoo / "zoo.csv").read_bytes()))
    run("simulate", "zoo.csv.gz", "-o", "noisy.csv.gz")
    assert gzip.decompress((tmp_path / "noisy.csv.gz").read_bytes()).startswith(b"weight,height")
    large = run("check", "zoo.csv.gz", "--only-table", "--max-memory", "1KB", code=3)
    assert large.error == "unpacks_beyond_memory"
    refused = run("simulate", "zoo.csv.gz", "-o", "noisy.parquet", code=2)
    assert refused.error == "copy_of_other_format"
    assert not (tmp_path / "noisy.parquet").exists()


def test_hints_can_be_followed(zoo, saved, run, tmp_path):
    """They repeat what was specified about the data: without --id, rows would be others."""
    df = pd.read_csv(zoo / "zoo.csv")
    df.insert(0, "nr", np.arange(1, len(df) + 1))
    df.rename(columns={"label": "kind of animal"}).to_csv(tmp_path / "my data.csv", index=False)
    call = ("find", "my data.csv", "-l", "kind of animal", "--id", "nr", "--estimate", saved)
    (hinted,) = run(*call, *FEATURES, "-n", 5, "-o", "to review.csv").next_commands
    run(*hinted, "--column", "suggested")
    fixed = pd.read_csv(tmp_path / "my data-fixed.csv")
    for issue in rows(tmp_path / "to review.csv"):
        changed = fixed.loc[fixed["nr"] == int(issue["row"]), "kind of animal"]
        assert changed.item() == issue["suggested"]


def test_the_next_command_has_all_options_of_this_one(zoo, run):
    call = ("--drop", "text", "--as", "home=skip", "--noise", "instance", "--seed", 3)
    call = (*call, "--unlabeled", "n/a")
    (hinted,) = run("estimate", zoo / "zoo.parquet", *call).next_commands
    pairs = set(pairwise(hinted))
    assert set(zip(map(str, call[::2]), map(str, call[1::2]), strict=True)) <= pairs
    assert hinted[:2] == ["report", str(zoo / "zoo.parquet")]


def test_simulate_then_find_again(zoo, saved, run, tmp_path):
    df = pd.read_csv(zoo / "with-truth.csv")
    df.assign(label=df["truth"]).drop(columns="truth").to_csv(tmp_path / "clean.csv", index=False)
    call = ("simulate", "clean.csv", "--rate", 0.2, "--kind", "pair", "--seed", 1)
    done = run(*call, "-o", "noisy.csv", "--truth", "truth.csv", "--json")
    assert done.document["noise_rate"] == pytest.approx(0.2, abs=0.05)
    noisy = pd.read_csv(tmp_path / "noisy.csv")
    changed = np.flatnonzero(noisy["label"] != df["truth"])
    assert [int(row["row"]) for row in rows(tmp_path / "truth.csv")] == changed.tolist()
    found = run("find", "noisy.csv", *FEATURES, "--budget", len(changed), "--json").document["rows"]
    assert np.isin([row["row"] for row in found], changed).mean() > 0.75
    run("apply", "noisy.csv", "truth.csv", "-o", "again.csv")
    assert (pd.read_csv(tmp_path / "again.csv")["label"] == df["truth"]).all()
    call = ("simulate", "clean.csv", "--like", saved / "noise.json", "-o", "like.csv", "--json")
    np.testing.assert_allclose(run(*call).document["transition_matrix"], T, atol=0.15)


def test_score_of_a_noisy_test_set(zoo, saved, run):
    call = ("score", zoo / "with-truth.csv", "-l", "label", "-p", "truth", "--estimate", saved)
    found = run(*call, "--json").document
    assert found["naive"] < 0.85
    assert found["lower"] <= 1.0 <= found["upper"] + 0.05
    listed = run(*call, "--drop", "weight,height", "--json").document
    assert listed["value"] == found["value"]
    recall = run(*call, "--metric", "recall", "--average", "none", "--json").document
    assert len(recall["value"]) == 3
    missing = run("score", zoo / "zoo.csv", "-p", "truth", "--estimate", saved, code=3)
    assert missing.error == "no_such_column"
    wrong = run(*call[:5], "home", *call[6:], code=3)
    assert wrong.error == "labels_not_among_classes"
    assert "--prediction has" in wrong.err


@pytest.mark.parametrize("ending", ["html", "md", "json"])
def test_report_in_every_rendering(zoo, saved, run, tmp_path, ending):
    call = ("report", zoo / "zoo.csv", *FEATURES, "--id", "text", "--estimate", saved)
    run(*call, "-o", f"report.{ending}", "--rows", 7)
    page = (tmp_path / f"report.{ending}").read_text()
    assert "labels are wrong" in page
    assert "<b>zoo</b>" not in page or ending == "json"
    if ending == "json":
        assert len(json.loads(page)["suspicious"]) == 7


def test_the_demo_prints_both_matrices_and_writes_a_report_and_the_data(run, tmp_path):
    done = run("demo", "-o", "demo.html", "--data", "digits.csv", "--json")
    assert done.document["error"] < 0.05
    assert done.err == ""
    assert "wrong" in (tmp_path / "demo.html").read_text()
    assert len(rows(tmp_path / "digits.csv")) == 1797
    refused = run("demo", "-o", "one.html", "--data", "./one.html", code=4)
    assert refused.error == "output_is_input"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_examples(run, command):
    done = run(command, "--help")
    assert done.out.count(f"labelnoise {command}") >= 2
    assert "Examples" in done.out


def test_new_classes_and_several_rounds_of_review(zoo, saved, run, tmp_path):
    """A class that reviewers made up goes all the way; rounds add up, applied or not."""
    df = pd.read_csv(zoo / "zoo.csv")
    first = {7: "emu, large", 8: df["label"][8]}
    second = {9: "emu, large", 10: "cat"}
    for name, decided in {"one.csv": first, "two.csv": second}.items():
        lines = [f'{row},{df["label"][row]},"{label}"' for row, label in decided.items()]
        write_decisions(tmp_path / name, lines)
    new = ("--new-class", "emu, large")
    run("apply", zoo / "zoo.csv", "one.csv", *new, "-o", "once.csv")
    run("apply", "once.csv", "two.csv", *new, "-o", "twice.csv")
    call = (*FEATURES, *new, "--audit", "one.csv", "--audit", "two.csv", "--json", "-q")
    found = [run("estimate", data, *call).document for data in (zoo / "zoo.csv", "twice.csv")]
    assert found[0]["transition"] == found[1]["transition"]
    assert found[0]["n_reviewed"] == 4
    assert [one["name"] for one in found[0]["classes"]] == ["cat", "dog", "emu, large", "fox"]
    alone = run("estimate", "once.csv", *FEATURES, *new, "--audit", "one.csv", "--json", "-q")
    assert alone.document["n_reviewed"] == 2  # its only row is kept
    run("estimate", "once.csv", *FEATURES, *new, "--audit", "one.csv", "-o", "new.json", "-q")
    assert "different classes" in run("compare", saved / "noise.json", "new.json").err
    refused = run("estimate", zoo / "zoo.csv", *FEATURES, "--audit", "one.csv", code=3)
    assert "--new-class" in refused.err


def test_a_round_of_review_counts_once(zoo, run, tmp_path):
    label = pd.read_csv(zoo / "zoo.csv")["label"][3]
    write_decisions(tmp_path / "one.csv", [f"3,{label},emu"], "row,given,verdict")
    call = ("estimate", zoo / "zoo.csv", *FEATURES, "--audit", "one.csv")
    assert run(*call, "--audit", "one.csv", code=2).error == "review_file_repeated"
    assert run(*call, "--audit-column", "verdict", code=3).error == "labels_not_among_classes"


def test_an_audit_without_decisions_is_no_audit(zoo, run, tmp_path):
    """Corrected data without their decisions look far cleaner than they are."""
    write_decisions(tmp_path / "open.csv", ["3,cat,"])
    write_decisions(tmp_path / "none.csv", ["3"], "row")
    call = ("estimate", zoo / "zoo.csv", *FEATURES, "-q", "--audit")
    assert run(*call, "open.csv", code=3).error == "no_decisions"
    assert run(*call, "none.csv", code=3).error == "decisions_without_column"
    assert run(*call, zoo / "zoo.csv", code=3).error == "decisions_without_column"
    misspelled = run(*call, "open.csv", "--audit-column", "reveiwed", code=3)
    assert misspelled.error == "decisions_without_column"
    assert "--audit-column" in misspelled.err


def test_a_review_of_the_same_labels_is_a_sure_gain(zoo, saved, run, tmp_path):
    truth = pd.read_csv(zoo / "with-truth.csv")
    wrong = np.flatnonzero(truth["label"] != truth["truth"])[:20]
    lines = [f"{i},{truth['label'][i]},{truth['truth'][i]}" for i in wrong]
    write_decisions(tmp_path / "d.csv", lines)
    run("estimate", zoo / "zoo.csv", *FEATURES, "--audit", "d.csv", "-o", "b.json", "-q")
    found = run("compare", saved / "noise.json", "b.json", "--json").document
    assert found["p_less_noise"] == 1


def test_a_file_that_is_called_as_the_labels_are_is_not_a_file_of_labels(zoo, saved, run, tmp_path):
    (tmp_path / "label").write_text("nothing")
    call = ("find", zoo / "zoo.csv", *FEATURES, "--estimate", saved, "--label", "label")
    (hinted,) = run(*call, "-o", "issues.csv").next_commands
    assert hinted[:3] == ["apply", str(zoo / "zoo.csv"), "issues.csv"]


def test_labels_of_a_file_of_their_own_are_corrected_there(zoo, run, tmp_path):
    call = ("find", zoo / "X.npy", "--label", zoo / "y.npy", "-n", 4, "-o", "issues.csv")
    (hinted,) = run(*call).next_commands
    run(*hinted, "--column", "suggested")
    before, after = np.load(zoo / "y.npy"), np.load(tmp_path / "y-fixed.npy")
    changed = {int(row["row"]): row["suggested"] for row in rows(tmp_path / "issues.csv")}
    assert {int(i): str(after[i]) for i in np.flatnonzero(before != after)} == changed


def test_a_column_that_may_be_made_from_the_labels_is_not_trusted(zoo, run, tmp_path):
    rng = np.random.default_rng(0)
    df = pd.read_csv(zoo / "zoo.csv").drop(columns="text")
    other = rng.choice(["cat", "dog", "fox"], len(df))
    df["status"] = np.where(rng.random(len(df)) < 0.93, df["label"], other)
    df.to_csv(tmp_path / "leak.csv", index=False)
    call = ("estimate", "leak.csv", "--json", "-q")
    found = run(*call).document
    assert found["verdict"] == "rough"
    assert found["findings"][0]["code"] == "column_predicts_label"
    assert "--drop" in found["remedies"][0]
    named = [one for one in found["findings"] if one["code"] == "column_predicts_label"]
    assert [one["facts"]["column"] for one in named] == ["status"]
    assert "--as status=category" in found["remedies"][0]
    assert found["hides_noise"]
    (statement,) = found["statements"]
    assert "column 'status'" in statement
    gated = run("estimate", "leak.csv", "--max-noise", 0.5, code=1)
    assert statement in gated.err
    find = run("find", "leak.csv", "-o", "issues.csv")
    for shown in (gated.out, find.out):
        assert statement[1:] in " ".join(shown.split())
    assert {one["expected_found"] for one in rows(tmp_path / "issues.csv")} == {""}
    run("estimate", "leak.csv", "-o", "leak.json")
    compared = run("compare", "leak.json", "leak.json")
    assert "wrong labels may be hidden" in compared.err
    vouched = run(*call, "--as", "status=category").document
    assert "column_predicts_label" not in {one["code"] for one in vouched["findings"]}
    quick = ("check", "leak.csv", "--only-table", "--json")
    assert "'status' predicts the labels" in " ".join(run(*quick).document["findings"])
    assert "'status' predicts the labels" in " ".join(run(*quick[:-1]).out.split())
    assert run(*quick, "--as", "status=category").document["findings"] == []
    dropped = run(*call, "--drop", "status").document
    assert dropped["noise_rate"]["value"] > found["noise_rate"]["value"] + 0.05


def test_gates_compare_the_estimate_and_show_its_interval(zoo, run, saved):
    share = ln.NoiseEstimate.load(saved / "noise.json").noise_rate
    call = ("estimate", zoo / "zoo.csv", *FEATURES, "--max-noise")
    done = run(*call, share + 0.001)
    statement = noise_statement(ln.NoiseEstimate.load(saved / "noise.json"))
    assert statement.code == "noise_rate"
    assert re.search(r"passed \([\d.]+% allowed\): ", done.err)
    assert statement.reason() in done.err
    assert "failed" in run(*call, share - 0.001, code=1).err


def test_a_gate_passes_where_there_is_no_clear_sign_of_wrong_labels(run, clean):
    call = ("estimate", clean, "--json")
    found = run(*call).document
    assert found["no_clear_sign"]
    assert found["noise_rate"]["value"] > 0
    assert found["statement"] in run(*call, "--max-noise", 0).err


def test_a_misspelled_label_that_means_unlabeled_is_refused(run, tmp_path):
    df = animals(200).drop(columns=["truth", "text"])
    df.loc[:20, "label"] = "unknown"
    df.to_csv(tmp_path / "some.csv", index=False)
    assert run("estimate", "some.csv", "--unlabeled", "unkown", code=3).error == (
        "unlabeled_misspelled"
    )
    done = run("estimate", "some.csv", "--unlabeled", "unknown", "--unlabeled", "n/a")
    assert "unlabeled_not_found" in done.notes


def test_rows_on_the_terminal_name_their_columns_and_say_that_there_are_more(run, tmp_path):
    df = animals(400).drop(columns=["truth", "text"])
    df.insert(0, "animal_id", np.random.default_rng(1).permutation(len(df)) + 5000)
    df.to_csv(tmp_path / "ids.csv", index=False)
    done = run("find", "ids.csv", "-n", 16, "-o", "issues.csv")
    assert "The first 15:" in done.out
    assert "weight=" in done.out
    assert "animal_id=" not in done.out
    assert rows(tmp_path / "issues.csv")[0]["animal_id"]  # in the file, to look rows up
    assert "The first" not in run("find", "ids.csv", "-n", 15).out
    named = run("find", "ids.csv", "-n", 5, "--text-column", "animal_id,home")
    assert "animal_id=" in named.out
    alone = run("find", "ids.csv", "-n", 5, "--text-column", "home")
    assert "home=" not in alone.out
    assert "home" in alone.out


def test_a_report_from_python_is_the_report_of_the_command_line(zoo, run, tmp_path):
    table = ln.load_table(zoo / "zoo.csv", features=["weight", "height"], id_column="text")
    ln.estimate(table.X, table.y).report(tmp_path / "python.json", table=table)
    run("report", zoo / "zoo.csv", *FEATURES, "--id", "text", "-o", "commands.json")
    ours, theirs = (
        json.loads((tmp_path / f"{name}.json").read_text()) for name in ("python", "commands")
    )
    assert ours["suspicious"] == theirs["suspicious"]
    assert ours["features"] == theirs["features"]
    assert ours["provenance"]["sha256"] == theirs["provenance"]["sha256"]


def test_numbers_in_json_are_finite_and_terminals_obey_no_label(run, tmp_path):
    rng = np.random.default_rng(0)
    names = np.array(["\x1b[31mred\x1b[0m", "[bold]dog[/bold]"])
    y = rng.integers(2, size=300)
    df = pd.DataFrame({"x": 4 * y + rng.normal(size=300), "label": names[y]})
    df.to_csv(tmp_path / "names.csv", index=False)
    for command in ("estimate", "check", "find"):
        done = run(command, "names.csv")
        assert "\x1b" not in done.out + done.err
        assert "[bold]dog" in done.out


def test_odd_values_are_not_bugs(run, tmp_path):
    """Half of a character, a number beyond all floats, in columns that are only shown."""
    lines = [
        f'{{"x": {i % 2 + i / 100}, "s": "half \\ud83d", "h": {"9" * 400}, "label": "{"ab"[i % 2]}"}}'
        for i in range(60)
    ]
    (tmp_path / "odd.jsonl").write_text("\n".join(lines))
    call = ("odd.jsonl", "--features", "x", "--text-column", "s,h")
    run("report", *call, "-o", "r.html")
    run("find", *call, "-n", 3, "--json")
    run("find", *call, "-n", 3, "-o", "i.csv")

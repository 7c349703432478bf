"""The command line as people use it: a process of its own, on real files."""

import csv
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln

LABELNOISE = Path(sys.executable).with_name("labelnoise")
T = [[0.8, 0.15, 0.05], [0.05, 0.9, 0.05], [0.0, 0.3, 0.7]]
COMMANDS = (
    "estimate",
    "check",
    "find",
    "apply",
    "report",
    "score",
    "simulate",
    "compare",
    "tables",
    "demo",
)
FEATURES = ("--features", "weight,height")


def rows(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize(
    "call",
    [
        ("zoo.csv", *FEATURES),
        ("zoo.tsv", *FEATURES),
        ("zoo.parquet", *FEATURES),
        ("zoo.feather", *FEATURES),
        ("zoo.arrow", *FEATURES),
        ("zoo.jsonl", *FEATURES),
        ("zoo.npz", "--label", "y"),
        ("X.npy", "--label", "y.npy"),
    ],
    ids=lambda call: call[0],
)
def test_every_format_gives_the_same_estimate(zoo, run, call, estimate_in_python):
    found = run("estimate", *call, "--json", cwd=zoo).document
    assert [one["name"] for one in found["classes"]] == ["cat", "dog", "fox"]
    # Numbers of a table are standardized, those of an array are taken as they are.
    np.testing.assert_allclose(found["transition"], estimate_in_python, atol=0.03)


@pytest.fixture(scope="session")
def estimate_in_python(zoo):
    data = np.load(zoo / "zoo.npz")
    return ln.estimate(data["X"], data["y"]).transition_matrix.values


def test_estimate_tells_people_what_they_need(zoo, run, tmp_path):
    done = run("estimate", zoo / "zoo.csv", "--drop", "text", "-o", "noise.json")
    assert re.search(r"About \d+\.\d% of the labels are wrong \(90% interval", done.out)
    assert re.search(r"about 1 in [2345] 'fox' are labeled 'dog'", done.out)
    assert "Verdict: reliable" in done.out
    assert "guessed: column 'label' holds the labels (--label)" in done.err
    kinds = "columns hold numbers ('weight', 'height'), categories ('home')"
    assert f"guessed: {kinds} (--as)" in done.err
    assert "wrote noise.json" in done.err
    assert "next: labelnoise report" in done.err
    est = ln.NoiseEstimate.load(tmp_path / "noise.json")
    assert ln.transition_error(T, est.transition_matrix) < 0.08


def test_the_same_call_gives_the_same_answer_on_any_number_of_threads(zoo, run):
    calls = [
        run("estimate", zoo / "zoo.csv", "--json", "-q", "--seed", 3, "--threads", n).document
        for n in (1, 2, 2)
    ]
    for document in calls:
        for changing in ("made_at", "seconds", "command"):
            document["made"].pop(changing)
    assert calls[0] == calls[1] == calls[2]


def test_standard_input(zoo, run):
    with (zoo / "zoo.csv").open("rb") as stream:
        done = run("estimate", "-", "--json", "-q", *FEATURES, stdin=stream)
    assert done.document["title"] == "standard input"
    assert done.err == ""
    done = run("estimate", "-", code=3, stdin=subprocess.DEVNULL)
    assert "standard input is empty" in done.err
    closed = subprocess.run(
        f"{LABELNOISE} estimate - <&-", shell=True, capture_output=True, text=True, check=False
    )
    assert closed.returncode == 3
    assert "standard input" in closed.stderr


def test_check_shows_every_column_and_the_verdict(zoo, run):
    done = run("check", zoo / "with-truth.csv", "--label", "label")
    for part in ("weight", "number", "home", "category", "text", "Verdict: ", "900 labeled rows"):
        assert part in done.out
    quick = run("check", zoo / "zoo.csv", "--only-table", "--json").document
    assert quick["labels"] == pd.read_csv(zoo / "zoo.csv")["label"].value_counts().to_dict()
    becomes = {column["name"]: column["becomes"] for column in quick["columns"]}
    assert becomes == {"weight": "number", "height": "number", "home": "category", "text": "text"}


def test_check_says_no_where_the_data_cannot_tell(run, tmp_path):
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"x": rng.normal(size=400), "label": rng.choice(["a", "b"], 400)})
    df.to_csv(tmp_path / "nothing.csv", index=False)
    done = run("check", "nothing.csv", code=1)
    assert "Verdict: not identifiable" in done.out


def test_from_the_file_to_clean_labels(zoo, run, tmp_path):
    """Find, review, apply, compare: the whole loop, with the truth as reviewer."""
    data = pd.read_csv(zoo / "with-truth.csv")
    before = data.drop(columns="truth")
    before.to_csv(tmp_path / "data.csv", index=False)
    run("estimate", "data.csv", *FEATURES, "-q", "-o", "before.json")
    done = run(
        "find", "data.csv", *FEATURES, "--text-column", "text", "--budget", 150, "-o", "issues.csv"
    )
    assert "150 rows to review, of 900" in done.out
    call = "labelnoise apply data.csv issues.csv --features weight,height --text-column text"
    assert f"next: {call} -o data-fixed.csv" in done.err
    issues = rows(tmp_path / "issues.csv")
    assert len(issues) == 150
    assert issues[0]["text"] == before["text"][int(issues[0]["row"])]
    for issue in issues:
        issue["reviewed"] = data["truth"][int(issue["row"])]
    with (tmp_path / "issues.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, issues[0])
        writer.writeheader()
        writer.writerows(issues)

    run("apply", "data.csv", "issues.csv", "-o", "fixed.csv")
    after = pd.read_csv(tmp_path / "fixed.csv")
    pd.testing.assert_frame_equal(after.drop(columns="label"), before.drop(columns="label"))
    reviewed = [int(issue["row"]) for issue in issues]
    assert (after["label"][reviewed] == data["truth"][reviewed]).all()
    others = np.setdiff1d(np.arange(900), reviewed)
    assert (after["label"][others] == before["label"][others]).all()

    call = ("estimate", *FEATURES, "--audit", "issues.csv", "--json", "-q")
    audited = run(*call, "data.csv").document
    assert "150 rows were checked by hand" in audited["reasons"][-1]
    again = run(*call, "fixed.csv", "-o", "after.json").document  # the decisions were applied
    assert again["transition"] == audited["transition"]
    assert again["left"] == audited["left"]
    truly_left = np.mean(after["label"] != data["truth"])
    assert abs(again["left"]["value"] - truly_left) < 0.08
    assert again["headline"].endswith("once the 150 reviewed rows are corrected")

    done = run("compare", "before.json", "after.json")
    assert "noise than before" in done.out
    passed = run("compare", "before.json", "after.json", "--max-noise", 0.15, "--json").document
    assert passed["passed"]
    assert passed["p_less_noise"] > 0.8
    wrong = (after["label"] != data["truth"]).groupby(data["truth"]).mean()
    left = {one["class"]: one["after"] for one in passed["by_class"]}
    assert all(abs(left[name] - wrong[name]) < 0.15 for name in left)
    done = run("compare", "after.json", "before.json", "--max-noise", 0.1, code=1)
    assert "failed: " in done.err
    assert "pass" not in done.err
    assert "the later estimate is too low" in done.err


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "feather", "jsonl", "npz"])
def test_apply_writes_the_format_it_reads(zoo, run, tmp_path, ending):
    label = "y" if ending == "npz" else "label"
    before = pd.read_csv(zoo / "zoo.csv")["label"]
    new = {"cat": "dog", "dog": "fox", "fox": "cat"}[before[5]]
    (tmp_path / "fixes.csv").write_text(f"row,given,reviewed\n5,{before[5]},{new}\n")
    done = run(
        "apply", zoo / f"zoo.{ending}", "fixes.csv", "-l", label, "-o", f"new.{ending}", "--json"
    )
    assert done.document["n_changed"] == 1
    again = run("check", f"new.{ending}", "-l", label, "--only-table", "--json").document
    expected = before.copy()
    expected[5] = new
    assert again["labels"] == expected.value_counts().to_dict()


def test_apply_does_all_or_nothing(zoo, run, tmp_path):
    (tmp_path / "fixes.csv").write_text("row,reviewed\n5,cat\n99999,cat\n")
    (tmp_path / "out.csv").write_text("precious")
    done = run("apply", zoo / "zoo.csv", "fixes.csv", "-o", "out.csv", code=3)
    assert "rows that do not exist: '99999'" in done.err
    assert (tmp_path / "out.csv").read_text() == "precious"
    (tmp_path / "fixes.csv").write_text("row,reviewed\n5,emu\n")
    assert "no class" in run("apply", zoo / "zoo.csv", "fixes.csv", "-o", "out.csv", code=3).err
    run("apply", zoo / "zoo.csv", "fixes.csv", "-o", "out.csv", "--new-class", "emu")
    assert rows(tmp_path / "out.csv")[5]["label"] == "emu"


def test_decisions_may_come_from_any_spreadsheet_and_errors_speak_of_options(zoo, run, tmp_path):
    given = pd.read_csv(zoo / "zoo.csv")["label"]
    (tmp_path / "semi.csv").write_text(f"row;given;reviewed\r\n5;{given[5]};dog\r\n")
    run("apply", zoo / "zoo.csv", "semi.csv", "-o", "fixed.csv")
    assert rows(tmp_path / "fixed.csv")[5]["label"] == "dog"
    done = run("apply", zoo / "zoo.csv", "semi.csv", "--id", "home", "-o", "fixed.csv", code=3)
    assert "Choose another column for --id" in done.err
    (tmp_path / "emu.csv").write_text("row,reviewed\n5,emu\n")
    done = run("apply", zoo / "zoo.csv", "emu.csv", "-o", "fixed.csv", code=3)
    assert "--new-class" in done.err
    assert "pandas" not in done.err


def test_find_for_label_studio_and_by_threshold(zoo, run, tmp_path):
    run("find", zoo / "zoo.csv", "--threshold", 0.9, "--by-probability", "-o", "tasks.json", "-q")
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert all(task["predictions"][0]["score"] >= 0.9 for task in tasks)
    assert "animal number" in tasks[0]["data"]["text"]
    listed = run("find", zoo / "zoo.csv", "--budget", 3, "--json").document["rows"]
    assert len(listed) == 3
    assert {"row", "given", "suggested", "p_wrong", "text"} <= set(listed[0])


def test_of_many_columns_those_that_tell_most_are_shown(zoo, run, tmp_path):
    rng = np.random.default_rng(0)
    df = pd.read_csv(zoo / "zoo.csv")
    noise = {f"noise {i}": rng.normal(size=len(df)).round(3) for i in range(20)}
    df = pd.DataFrame({**noise, **df})
    df.to_csv(tmp_path / "wide.csv", index=False)
    (first, *_) = run("find", "wide.csv", "-n", 2, "--json").document["rows"]
    assert {"text", "weight", "height"} <= set(first)
    assert sum(name.startswith("noise") for name in first) == 9
    columns = list(noise)[:15]
    named = [part for name in columns for part in ("--text-column", name)]
    (first, *_) = run("find", "wide.csv", "-n", 2, "--json", *named).document["rows"]
    assert set(columns) <= set(first)  # as said, however many


def test_texts_that_are_only_shown_are_remarked_on(run, tmp_path):
    rng = np.random.default_rng(0)
    words = ["good", "bad", "fine", "poor", "red", "blue", "old", "new"]
    text = [" ".join(rng.choice(words, 5)) + f" {i}" for i in range(200)]
    df = pd.DataFrame({"x": rng.normal(size=200), "text": text, "label": ["a", "b"] * 100})
    df.to_csv(tmp_path / "texts.csv", index=False)
    remark = "'text' is only shown (--text-column): its words are not used"
    call = ("check", "texts.csv", "--only-table")
    assert remark in run(*call, "--text-column", "text").err
    assert remark not in run(*call).err


def test_the_fingerprint_covers_every_file(zoo, run, tmp_path):
    made = run("estimate", zoo / "X.npy", "--label", zoo / "y.npy", "--json").document["made"]
    files = {"data": "X.npy", "labels": "y.npy"}
    assert made["sha256"] == {
        what: hashlib.sha256((zoo / name).read_bytes()).hexdigest() for what, name in files.items()
    }
    call = ("estimate", zoo / "zoo.csv", "--embeddings", zoo / "X.npy", "--json")
    assert set(run(*call).document["made"]["sha256"]) == {"data", "embeddings"}


def test_documents_say_what_they_are(zoo, run):
    for command in ("estimate", "find", "check"):
        found = run(command, zoo / "zoo.csv", *FEATURES, "--json").document
        what = {"estimate": "report"}.get(command, command)
        assert (found["schema"], found["schema_version"]) == (f"labelnoise/{what}", 1)


def test_rows_that_would_make_a_verdict_reliable(zoo, run, tmp_path):
    call = ("find", zoo / "zoo.csv", *FEATURES, "--for-audit", "--budget", 40, "-o", "audit.csv")
    done = run(*call, "--label", "label")
    assert "--audit audit.csv" in done.err
    assert len(rows(tmp_path / "audit.csv")) == 40
    assert "goes with --budget only" in run(*call, "--threshold", 0.5, code=2).err


def test_copies_have_the_format_and_the_packing_of_the_data(zoo, run, tmp_path):
    import gzip

    (tmp_path / "zoo.csv.gz").write_bytes(gzip.compress((zoo / "zoo.csv").read_bytes()))
    run("simulate", "zoo.csv.gz", "-o", "noisy.csv.gz")
    assert gzip.decompress((tmp_path / "noisy.csv.gz").read_bytes()).startswith(b"weight,height")
    done = run("simulate", "zoo.csv.gz", "-o", "noisy.parquet", code=2)
    assert "the copy is csv, as the data are" in done.err
    assert not (tmp_path / "noisy.parquet").exists()


def test_hints_can_be_followed(zoo, run, tmp_path):
    """They repeat what was said about the data: without --id, rows would be others."""
    df = pd.read_csv(zoo / "zoo.csv")
    df.insert(0, "nr", np.arange(1, len(df) + 1))
    df.rename(columns={"label": "kind of animal"}).to_csv(tmp_path / "my data.csv", index=False)
    call = ("find", "my data.csv", "-l", "kind of animal", "--id", "nr", "-n", 5, "-o", "i.csv")
    done = run(*call)
    hint = re.search(r"next: labelnoise (apply .*)", done.err).group(1)
    run(*shlex.split(hint), "--column", "suggested")
    fixed = pd.read_csv(tmp_path / "my data-fixed.csv")
    for issue in rows(tmp_path / "i.csv"):
        changed = fixed.loc[fixed["nr"] == int(issue["row"]), "kind of animal"]
        assert changed.item() == issue["suggested"]


def test_simulate_then_find_again(zoo, run, tmp_path):
    df = pd.read_csv(zoo / "with-truth.csv")
    df.assign(label=df["truth"]).drop(columns="truth").to_csv(tmp_path / "clean.csv", index=False)
    done = run(
        "simulate", "clean.csv", "--rate", 0.2, "--kind", "pair", "--seed", 1, "-o", "noisy.csv",
        "--truth", "truth.csv", "--json",
    )  # fmt: skip
    assert done.document["noise_rate"] == pytest.approx(0.2, abs=0.05)
    noisy = pd.read_csv(tmp_path / "noisy.csv")
    changed = np.flatnonzero(noisy["label"] != df["truth"])
    assert [int(row["row"]) for row in rows(tmp_path / "truth.csv")] == changed.tolist()
    found = run("find", "noisy.csv", *FEATURES, "--budget", len(changed), "--json").document["rows"]
    assert np.isin([row["row"] for row in found], changed).mean() > 0.75
    run("apply", "noisy.csv", "truth.csv", "-o", "again.csv")
    assert (pd.read_csv(tmp_path / "again.csv")["label"] == df["truth"]).all()
    run("estimate", zoo / "zoo.csv", *FEATURES, "-o", "noise.json")
    like = run("simulate", "clean.csv", "--like", "noise.json", "-o", "like.csv", "--json").document
    np.testing.assert_allclose(like["transition_matrix"], T, atol=0.12)


def test_score_of_a_noisy_test_set(zoo, run):
    run("estimate", zoo / "zoo.csv", *FEATURES, "-o", "noise.json")
    call = ("score", zoo / "with-truth.csv", "-l", "label", "-p", "truth", "--noise", "noise.json")
    found = run(*call, "--json").document
    assert found["naive"] < 0.85
    assert found["lower"] <= 1.0 <= found["upper"] + 0.05
    assert "accuracy on clean labels" in run(*call).out
    listed = run(*call, "--drop", "weight,height", "--json").document
    assert listed["value"] == found["value"]
    recall = run(*call, "--metric", "recall", "--average", "none", "--json").document
    assert len(recall["value"]) == 3


@pytest.mark.parametrize("ending", ["html", "md", "json"])
def test_report_in_every_rendering(zoo, run, tmp_path, ending):
    done = run("report", zoo / "zoo.csv", "--id", "text", "-o", f"report.{ending}", "--rows", 7)
    assert f"wrote report.{ending}" in done.out
    page = (tmp_path / f"report.{ending}").read_text()
    assert "of the labels are wrong" in page
    assert "<b>zoo</b>" not in page or ending == "json"
    if ending == "json":
        assert len(json.loads(page)["suspicious"]) == 7


def test_demo_prints_both_matrices_and_writes_a_report_and_the_data(run, tmp_path):
    done = run("demo", "-o", "demo.html", "--data", "digits.csv")
    assert "estimated T" in done.out
    error = float(re.search(r"error \(average total variation\): ([\d.]+)", done.out).group(1))
    assert error < 5
    assert done.err == ""
    assert "how the labels go wrong" in (tmp_path / "demo.html").read_text()
    assert len(rows(tmp_path / "digits.csv")) == 1797


def test_tables_are_the_experiments(run):
    done = run("tables", "--help")
    assert "labelnoise tables table1 figure1 --data DATA" in done.out
    assert "unknown table or figure" in run("tables", "table99", code=2).err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_examples(run, command):
    done = run(command, "--help")
    assert f"labelnoise {command}" in done.out
    assert "xample" in done.out


def test_help_is_light():
    """What takes long to load is loaded when there is work to do."""
    code = (
        "import sys; from labelnoise.cli.main import app\n"
        "try: app(['report', '--help'])\n"
        "except SystemExit: pass\n"
        "print('\\n' + ' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {"numpy", "scipy", "sklearn", "pandas", "jinja2", "pydantic"}


def test_threads_are_bounded(zoo):
    code = (
        "import sys; from labelnoise.cli.main import app\n"
        f"try: app(['check', {str(zoo / 'zoo.csv')!r}, '--threads', '1', '--json', '-q'])\n"
        "except SystemExit: pass\n"
        "from threadpoolctl import threadpool_info\n"
        "print('\\n', *{one['num_threads'] for one in threadpool_info()})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split() == ["1"]


def test_version_and_completion(run):
    assert run("--version").out == f"labelnoise {ln.__version__}\n"
    environment = {
        **os.environ,
        "_LABELNOISE_COMPLETE": "complete_bash",
        "COMP_WORDS": "labelnoise es",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [LABELNOISE], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["estimate"]
    module = subprocess.run(
        [sys.executable, "-m", "labelnoise", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert module.stdout == f"labelnoise {ln.__version__}\n"


def test_new_classes_and_several_rounds_of_review(zoo, run, tmp_path):
    """A class that reviewers made up goes all the way; rounds add up, applied or not."""
    df = pd.read_csv(zoo / "zoo.csv")
    first = {7: "emu, large", 8: df["label"][8]}
    second = {9: "emu, large", 10: "cat"}
    for name, said in {"one.csv": first, "two.csv": second}.items():
        lines = [f'{row},{df["label"][row]},"{label}"' for row, label in said.items()]
        (tmp_path / name).write_text("\n".join(["row,given,reviewed", *lines]) + "\n")
    new = ("--new-class", "emu, large")
    run("apply", zoo / "zoo.csv", "one.csv", *new, "-o", "once.csv")
    run("apply", "once.csv", "two.csv", *new, "-o", "twice.csv")
    call = (*FEATURES, *new, "--audit", "one.csv", "--audit", "two.csv", "--json", "-q")
    found = [run("estimate", data, *call).document for data in (zoo / "zoo.csv", "twice.csv")]
    assert found[0]["transition"] == found[1]["transition"]
    assert found[0]["n_audited"] == 4
    assert [one["name"] for one in found[0]["classes"]] == ["cat", "dog", "emu, large", "fox"]
    alone = run("estimate", "once.csv", *FEATURES, *new, "--audit", "one.csv", "--json", "-q")
    assert alone.document["n_audited"] == 2  # its only row is kept
    refused = run("estimate", zoo / "zoo.csv", *FEATURES, "--audit", "one.csv", code=3)
    assert "--new-class" in refused.err


def test_the_next_command_has_all_options_of_this_one(zoo, run, tmp_path):
    call = ("--drop", "text", "--as", "home=skip", "--noise", "instance", "--seed", 3)
    done = run("estimate", zoo / "zoo.parquet", *call, "--unlabeled", "n/a")
    (line,) = [one for one in done.err.splitlines() if one.startswith("next: labelnoise report")]
    for part in ("--drop text", "--as home=skip", "--noise instance", "--seed 3", "n/a"):
        assert part in line
    done = run("find", zoo / "zoo.parquet", *FEATURES, "-n", 5, "-o", "to review.csv")
    (line,) = [one for one in done.err.splitlines() if one.startswith("next: ")]
    pd.read_csv(tmp_path / "to review.csv").assign(reviewed="cat").to_csv(
        tmp_path / "to review.csv", index=False
    )
    run(*shlex.split(line)[2:])
    assert (pd.read_parquet(tmp_path / "zoo-fixed.parquet")["label"] == "cat").sum() >= 5


def test_who_does_not_listen_to_advice_gets_the_answer_still(zoo):
    call = f"{LABELNOISE} estimate zoo.csv --features weight,height --json 2> >(true)"
    done = subprocess.run(["bash", "-c", call], cwd=zoo, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["n_rows"] == 900


def test_a_report_from_python_knows_what_the_table_knows(zoo, tmp_path):
    table = ln.load_table(zoo / "zoo.csv", features=["weight", "height"], id_column="text")
    est = ln.estimate(table.X, table.y)
    est.report(tmp_path / "r.json", table=table)
    told = json.loads((tmp_path / "r.json").read_text())
    assert told["suspicious"][0]["row"].startswith("animal number")
    assert {one["name"] for one in told["features"]} == {"weight", "height"}
    assert told["made"]["sha256"] == dict(table.digests)


def test_a_column_that_may_be_made_from_the_labels_is_not_trusted(zoo, run, tmp_path):
    rng = np.random.default_rng(0)
    df = pd.read_csv(zoo / "zoo.csv").drop(columns="text")
    other = rng.choice(["cat", "dog", "fox"], len(df))
    df["status"] = np.where(rng.random(len(df)) < 0.93, df["label"], other)
    df.to_csv(tmp_path / "leak.csv", index=False)
    found = run("estimate", "leak.csv", "--json", "-q").document
    assert found["verdict"] == "weak"
    assert found["reasons"][0].startswith("'status' alone tells")
    gated = run("estimate", "leak.csv", "--max-noise", 0.5).err
    assert re.search(r"passed: .* 50.0% are allowed; the verdict is weak", gated)
    assert "--drop status" in found["remedies"][0]
    vouched = run("estimate", "leak.csv", "--as", "status=category", "--json", "-q").document
    assert not any("alone tells" in reason for reason in vouched["reasons"])
    dropped = run("estimate", "leak.csv", "--drop", "status", "--json").document
    assert dropped["noise_rate"]["value"] > found["noise_rate"]["value"] + 0.05


def test_a_round_of_review_counts_once(zoo, run, tmp_path):
    label = pd.read_csv(zoo / "zoo.csv")["label"][3]
    (tmp_path / "one.csv").write_text(f"row,given,verdict\n3,{label},emu\n")
    call = ("estimate", zoo / "zoo.csv", *FEATURES, "--audit", "one.csv")
    assert "is named twice" in run(*call, "--audit", "one.csv", code=2).err
    assert "--new-class" in run(*call, "--audit-column", "verdict", code=3).err
    call = (*call, "--audit-column", "verdict")
    assert "--new-class needs a name" in run(*call, "--new-class", " ", code=2).err


def test_an_audit_without_decisions_is_no_audit(zoo, run, tmp_path):
    """Corrected data without their decisions look far cleaner than they are."""
    (tmp_path / "open.csv").write_text("row,given,reviewed\n3,cat,\n")
    call = ("estimate", zoo / "zoo.csv", *FEATURES, "-q", "--audit", "open.csv")
    assert "'open.csv' holds no decision: its column 'reviewed' is empty" in run(*call, code=3).err
    (tmp_path / "none.csv").write_text("row\n3\n")
    without = run(*call[:-1], "none.csv", code=3).err
    assert "'none.csv' has no column 'reviewed' (--audit-column). Its columns are" in without
    misspelt = run(*call, "--audit-column", "reveiwed", code=3).err
    assert "no column 'reveiwed' (--audit-column). Did you mean 'reviewed'?" in misspelt


def test_gates_say_how_sure_they_are(zoo, run):
    done = run("estimate", zoo / "zoo.csv", *FEATURES, "--max-noise", 0.5)
    told = r"passed: [\d.]+% \([\d.]+% to [\d.]+%\) of the labels are wrong; 50.0% are allowed\n"
    assert re.search(told, done.err)


def test_a_review_of_the_same_labels_is_a_sure_gain(zoo, run, tmp_path):
    truth = pd.read_csv(zoo / "with-truth.csv")
    wrong = np.flatnonzero(truth["label"] != truth["truth"])[:20]
    lines = [f"{i},{truth['label'][i]},{truth['truth'][i]}" for i in wrong]
    (tmp_path / "d.csv").write_text("\n".join(["row,given,reviewed", *lines]) + "\n")
    run("estimate", zoo / "zoo.csv", *FEATURES, "-o", "a.json", "-q")
    run("estimate", zoo / "zoo.csv", *FEATURES, "--audit", "d.csv", "-o", "b.json", "-q")
    assert run("compare", "a.json", "b.json", "--json").document["p_less_noise"] == 1


def test_a_file_that_is_called_as_the_labels_are_is_no_file_of_labels(zoo, run, tmp_path):
    (tmp_path / "label").write_text("nothing")
    done = run("find", zoo / "zoo.csv", *FEATURES, "--label", "label", "-o", "issues.csv")
    assert f"next: labelnoise apply {zoo / 'zoo.csv'} issues.csv --label label" in done.err


def test_the_demo_does_not_write_its_data_and_its_report_to_one_file(run):
    done = run("demo", "-o", "one.html", "--data", "./one.html", code=2)
    assert "--data and --output are both" in done.err

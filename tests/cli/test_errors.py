"""Whatever goes wrong: an exit code, a code of the error, and nothing lost."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def folder(tmp_path):
    """Files that cannot be used, each for a reason of its own."""
    labels = np.array(["a", "b"])[np.arange(60) % 2]
    good = pd.DataFrame({"x": np.sin(np.arange(60)), "label": labels})
    good.assign(site=["", "a", "b"] * 20).to_csv(tmp_path / "sites.csv", index=False)
    good.to_csv(tmp_path / "good.csv", index=False)
    good.assign(label="a").to_csv(tmp_path / "one.csv", index=False)
    good.assign(label=[f"l{i}" for i in range(60)]).to_csv(tmp_path / "unique.csv", index=False)
    good.assign(x=1).to_csv(tmp_path / "constant.csv", index=False)
    good.to_csv(tmp_path / "semicolons.csv", index=False, sep=";")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "header.csv").write_text("x,label\n")
    (tmp_path / "not.parquet").write_text("x,label\n1,a\n")
    (tmp_path / "folder").mkdir()
    np.save(tmp_path / "p.npy", np.full((60, 2), 0.5))
    np.savez(tmp_path / "wrong.npz", A=np.zeros((4, 2)), B=np.zeros(3))
    (tmp_path / "not.json").write_text("{}")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(
    ("call", "code", "error"),
    [
        ("estimate missing.csv", 3, "no_such_file"),
        ("estimate god.csv", 3, "no_such_file"),
        ("estimate folder", 3, "cannot_read"),
        ("estimate empty.csv", 3, "file_is_empty"),
        ("estimate header.csv", 3, "file_without_rows"),
        ("estimate semicolons.csv --delimiter , --label label", 3, "no_such_column"),
        ("estimate good.csv --encoding utf-16", 3, "not_this_encoding"),
        ("estimate good.csv --label lable", 3, "no_such_column"),
        ("estimate good.csv --features y", 3, "no_such_column"),
        ("estimate one.csv", 3, "one_class_only"),
        ("estimate unique.csv", 3, "labels_look_like_ids"),
        ("estimate constant.csv", 3, "no_usable_column"),
        ("estimate good.csv --drop x", 3, "no_features"),
        ("estimate not.parquet", 3, "not_the_format_of_its_name"),
        ("estimate wrong.npz", 3, "arrays_of_other_shapes"),
        ("estimate good.csv --method magic", 2, "unknown_choice"),
        ("estimate good.csv --method hoc --noise class", 2, "input_not_used_by_method"),
        ("estimate good.csv --max-memory 1MB", 3, "too_large_for_memory"),
        ("estimate good.csv --max-memory lots", 2, "invalid_option_value"),
        (f"estimate good.csv --max-memory {'9' * 400}", 2, "invalid_option_value"),
        ("estimate good.csv --as x=color", 2, "unknown_choice"),
        ("estimate good.csv --as x", 2, "invalid_option_value"),
        ("estimate good.csv --embeddings x.npy --features x", 2, "exclude_each_other"),
        ("estimate good.csv --group label", 2, "group_is_label"),
        ("estimate good.csv --features x --group x", 2, "group_is_feature"),
        ("estimate good.csv --as x=number --group x", 2, "group_is_feature"),
        ("estimate good.csv --pred-proba p.npy --group x", 2, "groups_without_features"),
        ("estimate sites.csv --method hoc --group site", 2, "input_not_used_by_method"),
        ("estimate sites.csv --group site", 3, "groups_missing"),
        ("estimate good.csv --noise foo", 2, "unknown_choice"),
        ("estimate good.csv --delimiter ab", 2, "delimiter_not_one_character"),
        ("estimate good.csv --format exe", 2, "unknown_choice"),
        ("estimate good.csv --encoding klingon", 2, "unknown_encoding"),
        (f"estimate good.csv --label {'y' * 300}", 3, "no_such_column"),
        ("estimate good.csv -o good.csv", 2, "estimate_saved_as_other"),
        ("estimate good.csv -o T.csv", 2, "estimate_saved_as_other"),
        ("estimate good.csv --audit not.json -o not.json", 4, "output_is_input"),
        ("estimate good.csv --audit not.json -o folder/../not.json", 4, "output_is_input"),
        ("estimate good.csv -o nowhere/noise.json", 4, "cannot_write"),
        ("estimate good.csv -o nowhere/noise/", 4, "cannot_write"),
        ("estimate good.csv -o good.csv/noise.json", 4, "cannot_write"),
        (f"estimate good.csv -o {'n' * 300}.json", 4, "cannot_write"),
        ("find good.csv --threshold 0", 2, "not_a_positive_number"),
        ("find good.csv --method hoc", 2, "method_without_rows"),
        ("find good.csv --for-audit --by-probability", 2, "exclude_each_other"),
        ("find good.csv -o issues.docx", 2, "unknown_ending"),
        ("find good.csv -o good.csv", 4, "output_is_input"),
        ("report good.csv -o report", 2, "unknown_ending"),
        ("report good.csv -o report.pdf", 2, "unknown_ending"),
        ("check good.csv --estimate missing.json", 3, "cannot_read"),
        ("check good.csv --estimate not.json", 3, "not_an_estimate"),
        ("check good.csv --estimate folder", 3, "cannot_read"),
        ("apply good.csv missing.csv -o new.csv", 3, "no_such_file"),
        ("apply good.csv good.csv -o good.csv", 4, "output_is_input"),
        ("score good.csv -p label --estimate not.json --metric foo", 3, "not_an_estimate"),
        ("score good.csv -p label --estimate missing.json", 3, "cannot_read"),
        ("compare not.json not.json", 3, "not_an_estimate"),
        ("simulate good.csv --rate 2 -o new.csv", 2, "not_a_noise_rate"),
        ("simulate good.csv --kind odd -o new.csv", 2, "unknown_choice"),
        ("simulate good.csv --like missing.json -o new.csv", 3, "cannot_read"),
        ("simulate good.csv -o good.csv", 4, "output_is_input"),
        ("simulate good.csv -o new.csv --truth good.csv", 4, "output_is_input"),
        ("simulate good.csv --embeddings not.json -o not.json", 4, "output_is_input"),
        ("simulate good.csv -o pipe", 4, "cannot_write"),
        ("simulate good.csv -o folder", 4, "cannot_write"),
        ("demo -o demo.docx", 2, "unknown_ending"),
        # What typer refuses by itself.
        ("estimate", 2, None),
        ("estimate good.csv --nonsense", 2, None),
        ("estimate good.csv --seed -1", 2, None),
        ("nonsense", 2, None),
    ],
)
def test_every_error_has_its_code_and_its_remedy(folder, run, call, code, error):
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = run(*call.split(), code=code, cwd=folder)
    assert done.error == error
    assert done.out == ""
    assert "Traceback" not in done.err
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_standard_input_that_is_empty(folder, run):
    with Path(os.devnull).open() as nothing:
        assert run("check", "-", code=3, stdin=nothing).error == "file_is_empty"


@pytest.mark.parametrize("call", ["god.csv", "good.csv --label lable"])
def test_what_was_probably_meant_is_suggested(folder, run, call):
    assert "Did you mean" in run("estimate", *call.split(), code=3, cwd=folder).err


def test_an_input_is_not_written_over_under_another_name(folder, run):
    (folder / "link.csv").symlink_to(folder / "good.csv")
    os.link(folder / "good.csv", folder / "twin.csv")
    before = (folder / "good.csv").read_bytes()
    for name in ("link.csv", "twin.csv"):
        done = run("simulate", "good.csv", "-o", name, code=4, cwd=folder)
        assert done.error == "output_is_input"
    assert (folder / "good.csv").read_bytes() == before


def test_a_link_stays_a_link(folder, run):
    (folder / "target.csv").write_text("old")
    (folder / "link.csv").symlink_to("target.csv")
    run("simulate", "good.csv", "-o", "link.csv", cwd=folder)
    assert (folder / "link.csv").is_symlink()
    assert (folder / "target.csv").read_text().startswith("x,label")


@pytest.mark.parametrize(
    ("raised", "code", "error"),
    [
        (MemoryError(), 3, "not_enough_memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (RuntimeError("odd"), 5, "unexpected_error"),
    ],
)
def test_what_goes_wrong_during_work_has_an_exit_code(
    folder, run, monkeypatch, raised, code, error
):
    def fail(*arguments, **options):
        raise raised

    (folder / "report.html").write_text("precious")
    monkeypatch.setattr("labelnoise.methods.estimate", fail)
    done = run("report", "good.csv", code=code, cwd=folder)
    assert done.error == error
    assert ("Traceback" in done.err) == (code == 5)
    assert (folder / "report.html").read_text() == "precious"

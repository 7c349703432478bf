"""Whatever goes wrong: a message that says what to do, an exit code, and nothing lost."""

import json
import os
import pty
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

LABELNOISE = Path(sys.executable).with_name("labelnoise")


@pytest.fixture
def folder(tmp_path):
    """Files that cannot be used, each for a reason of its own."""
    labels = np.array(["a", "b"])[np.arange(60) % 2]
    good = pd.DataFrame({"x": np.sin(np.arange(60)), "label": labels})
    good.to_csv(tmp_path / "good.csv", index=False)
    good.assign(label="a").to_csv(tmp_path / "one.csv", index=False)
    good.assign(label=[f"l{i}" for i in range(60)]).to_csv(tmp_path / "unique.csv", index=False)
    good.assign(x=1).to_csv(tmp_path / "constant.csv", index=False)
    good.to_csv(tmp_path / "semicolons.csv", index=False, sep=";")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "header.csv").write_text("x,label\n")
    (tmp_path / "bytes.csv").write_bytes(b"x,label\n1,\xff\n")
    (tmp_path / "not.parquet").write_text("x,label\n1,a\n")
    (tmp_path / "folder").mkdir()
    np.savez(tmp_path / "wrong.npz", A=np.zeros((4, 2)), B=np.zeros(3))
    (tmp_path / "not.json").write_text("{}")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        ("estimate missing.csv", 3, "there is no file 'missing.csv'. Check the path."),
        ("estimate god.csv", 3, "there is no file 'god.csv'. Did you mean 'good.csv'?"),
        ("estimate folder", 3, "'folder' is a folder. Name a file in it."),
        ("estimate empty.csv", 3, "'empty.csv' is empty."),
        ("estimate header.csv", 3, "has a header and no rows below it"),
        ("estimate semicolons.csv --delimiter , --label label", 3, "There is one column only"),
        ("estimate bytes.csv", 3, "is not UTF-8 text: see line 2"),
        (
            "estimate good.csv --label lable",
            3,
            "no column 'lable' (--label). Did you mean 'label'?",
        ),
        ("estimate one.csv", 3, "column 'label' has one label only"),
        ("estimate unique.csv", 3, "60 different values in 60 rows: these are no classes"),
        ("estimate constant.csv", 3, "no column is left to use as a feature ('x': constant)"),
        ("estimate good.csv --drop x", 3, "no column is left to use as a feature"),
        ("estimate not.parquet", 3, "is no parquet file, whatever its name says"),
        ("estimate wrong.npz", 3, "arrays of one length, (n, d) or (n,): it has A (4, 2), B (3,)"),
        (
            "estimate good.csv --method magic",
            2,
            "unknown method 'magic'. Choose one of: rank-gated",
        ),
        (
            "estimate good.csv --max-memory 1MB",
            3,
            "need about 0.3 GB, more than the 0.0 GB allowed",
        ),
        ("estimate good.csv --max-memory lots", 2, "--max-memory must be a size, got 'lots'"),
        ("estimate good.csv --as x=color", 2, "unknown kind of column 'x' 'color'"),
        ("estimate good.csv --noise foo", 2, "unknown noise 'foo'"),
        ("find good.csv --threshold 0", 2, "--threshold must be a number above 0"),
        ("score good.csv -p label --noise not.json --metric foo", 3, "not.json"),
        ("estimate good.csv --as x", 2, "--as 'x' must be NAME=KIND"),
        ("estimate good.csv --delimiter ab", 2, "--delimiter must be one character"),
        ("estimate good.csv --format exe", 2, "unknown format 'exe'"),
        ("estimate", 2, "Missing argument"),
        ("estimate good.csv --nonsense", 2, "No such option: --nonsense"),
        ("estimate good.csv --seed -1", 2, "'--seed'"),
        ("nonsense", 2, "No such command 'nonsense'"),
        (
            "estimate good.csv -o good.csv",
            4,
            "'good.csv' is an input, and inputs are never written",
        ),
        ("estimate good.csv -o folder/../good.csv", 4, "is an input"),
        ("estimate good.csv -o nowhere/noise.json", 4, "cannot write 'nowhere/noise.json'"),
        ("estimate good.csv -o good.csv/noise.json", 4, "cannot write 'good.csv/noise.json'"),
        ("estimate good.csv -o T.csv", 2, "saved as JSON, and 'T.csv' says otherwise"),
        ("estimate good.csv -o folder", 4, "cannot write 'folder': it is a folder"),
        ("find good.csv -o issues.docx", 2, "unknown ending of 'issues.docx' '.docx'"),
        ("report good.csv -o report", 2, "'report' has no ending that says what to write"),
        ("report good.csv -o report.pdf", 2, "unknown ending of 'report.pdf' '.pdf'"),
        ("report good.csv -o good.csv", 2, "unknown ending"),
        ("apply good.csv missing.csv -o new.csv", 3, "cannot read 'missing.csv'"),
        ("apply good.csv good.csv -o good.csv", 4, "is an input"),
        ("score good.csv -p label --noise not.json", 3, "not.json"),
        ("score good.csv -p label --noise missing.json", 3, "cannot read 'missing.json'"),
        ("score good.csv -p nope --noise not.json", 3, "not.json"),
        ("compare not.json not.json", 3, "not.json"),
        ("simulate good.csv --rate 2 -o new.csv", 2, "rate must be a number above 0 and at most 1"),
        ("simulate good.csv --kind odd -o new.csv", 2, "unknown kind 'odd'"),
        ("simulate good.csv -o good.csv", 4, "is an input"),
        ("simulate good.csv -o new.csv --truth good.csv", 4, "is an input"),
        ("demo -o demo.docx", 2, "unknown ending"),
        ("estimate good.csv --encoding klingon", 2, "unknown encoding 'klingon'"),
        ("estimate good.csv --max-noise nan", 2, "it must be a share from 0 to 1"),
        (f"estimate good.csv --max-memory {'9' * 400}", 2, "--max-memory must be a size"),
        (f"estimate good.csv --label {'y' * 300}", 3, "has no column"),
        (f"estimate good.csv -o {'n' * 300}.json", 4, "File name too long"),
        ("find good.csv --method hoc", 2, "says nothing about single rows"),
        ("simulate good.csv --like missing.json -o new.csv", 3, "cannot read 'missing.json'"),
        ("simulate good.csv --embeddings not.json -o not.json", 4, "is an input"),
        ("simulate good.csv -o pipe", 4, "it is no file, but a device or a pipe"),
    ],
)
def test_every_error_has_its_code_and_its_remedy(folder, run, call, code, message):
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = run(*call.split(), code=code, cwd=folder)
    told = " ".join(done.err.replace("│", " ").split())
    assert message in told
    assert "Traceback" not in told
    assert done.out == ""
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_an_input_is_not_written_over_under_another_name(folder, run):
    (folder / "link.csv").symlink_to(folder / "good.csv")
    os.link(folder / "good.csv", folder / "twin.csv")
    before = (folder / "good.csv").read_bytes()
    for name in ("link.csv", "twin.csv"):
        done = run("simulate", "good.csv", "-o", name, code=4, cwd=folder)
        assert "inputs are never written over" in done.err
    assert (folder / "good.csv").read_bytes() == before


def test_a_full_disk_leaves_the_old_file(zoo, run, tmp_path):
    """The system refuses to write beyond a size, as a full disk does."""

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

    (tmp_path / "new.csv").write_text("precious")
    call = ("simulate", zoo / "zoo.csv", "-o", "new.csv")
    done = run(*call, code=4, preexec_fn=small_files)
    assert "cannot write 'new.csv': File too large" in done.err
    assert (tmp_path / "new.csv").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]


def heeds_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs the tests may not


def test_interrupted_work_leaves_nothing_behind(tmp_path):
    (tmp_path / "report.html").write_text("precious")
    call = [LABELNOISE, "report", "-", "-o", "report.html"]
    pipe = subprocess.PIPE
    settings = {"stdin": pipe, "stderr": pipe, "preexec_fn": heeds_interrupts}
    with subprocess.Popen(call, cwd=tmp_path, **settings) as process:
        process.stdin.write(b"x,label\n" + b"1.5,a\n2.5,b\n" * 50_000)
        process.stdin.flush()  # more than a pipe holds: it is at work when this is over
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert b"stopped; no file was left half-written" in err
    assert (tmp_path / "report.html").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>/dev/full", "1>/dev/full --json"])
def test_streams_that_are_closed_or_full_are_no_bug(zoo, closed):
    call = f"{LABELNOISE} check zoo.csv --only-table {closed}"
    done = subprocess.run(
        ["bash", "-c", call], cwd=zoo, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == (4 if "full" in closed else 0)


def test_a_link_stays_a_link(zoo, run, tmp_path):
    (tmp_path / "target.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("target.csv")
    run("simulate", zoo / "zoo.csv", "-o", "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "target.csv").read_text().startswith("weight,height")


def test_gzip_comes_through_a_pipe(zoo):
    call = f"gzip -c zoo.csv | {LABELNOISE} check - --label label --only-table --json"
    done = subprocess.run(["bash", "-c", call], cwd=zoo, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["n_rows"] == 900


def test_an_interrupt_while_it_starts_is_no_traceback():
    code = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from labelnoise.cli.start import start\n"
        "start()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def on_a_terminal(*call):
    """What a process writes to a terminal that is its stderr."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [LABELNOISE, *map(str, call)], stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
        out = process.communicate()[0]
    os.close(ours)
    assert process.returncode == 0
    return out.decode(), said.decode()


def test_progress_is_shown_on_a_terminal_and_nowhere_else(zoo, run):
    out, said = on_a_terminal("estimate", zoo / "zoo.csv", "--json")
    assert "finding neighbors" in said
    assert out.startswith("{")
    _, said = on_a_terminal("estimate", zoo / "zoo.csv", "-q")
    assert said == ""
    assert "finding neighbors" not in run("estimate", zoo / "zoo.csv").err


def test_output_may_be_cut_short(zoo):
    for command in ("check", "estimate --json", "find --json"):
        call = f"set -o pipefail; {LABELNOISE} {command} {zoo / 'zoo.csv'} -q | true"
        done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    call = f"set -o pipefail; {LABELNOISE} estimate {zoo / 'zoo.csv'} --max-noise 0.01 | true"
    done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
    assert done.returncode == 1  # the gate says no, whoever listens


def test_gates_do_not_pass_where_the_data_cannot_tell(run, tmp_path):
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"x": rng.normal(size=400), "label": rng.choice(["a", "b"], 400)})
    df.to_csv(tmp_path / "nothing.csv", index=False)
    done = run("estimate", "nothing.csv", "--max-noise", 0.99, "-o", "e.json", code=1)
    assert "these data cannot tell" in done.err
    assert "hese data cannot tell how many labels are wrong" in done.out
    assert run("compare", "e.json", "e.json", "--max-noise", 0.99, code=1)


def test_odd_values_are_no_bugs(run, tmp_path):
    """Half of a character, a number beyond all floats, infinity in a column that is only shown."""
    lines = [
        f'{{"x": {i % 2 + i / 100}, "s": "half \\ud83d", "h": {"9" * 400}, "label": "{"ab"[i % 2]}"}}'
        for i in range(60)
    ]
    (tmp_path / "odd.jsonl").write_text("\n".join(lines))
    call = ("odd.jsonl", "--features", "x", "--text-column", "s,h")
    run("report", *call, "-o", "r.html")
    run("find", *call, "-n", 3, "--json")
    run("find", *call, "-n", 3, "-o", "i.csv")
    assert "unknown encoding" in run("check", "odd.jsonl", "--encoding", "foo", code=2).err
    (tmp_path / "good.csv").write_text("x,label\n1,a\n2,b\n" * 3)
    assert "is not utf-16" in run("check", "good.csv", "--encoding", "utf-16", code=3).err


def test_a_terminal_obeys_no_label(run, tmp_path):
    rng = np.random.default_rng(0)
    names = np.array(["\x1b[31mred\x1b[0m", "[bold]dog[/bold]"])
    y = rng.integers(2, size=300)
    df = pd.DataFrame({"x": 4 * y + rng.normal(size=300), "label": names[y]})
    df.to_csv(tmp_path / "names.csv", index=False)
    for command in ("estimate", "check", "find"):
        done = run(command, "names.csv")
        assert "\x1b" not in done.out + done.err
        assert "[bold]dog" in done.out

"""What only a process of its own shows: streams, signals, threads, and how quickly it starts."""

import gzip
import json
import os
import pty
import resource
import signal
import subprocess
import sys

import numpy as np
import pytest

import labelnoise as ln
from cli.zoo import BIN, FEATURES, start

LABELNOISE = BIN / "labelnoise"


def test_help_is_light():
    """What takes long to load is loaded when there is work to do."""
    code = (
        "import sys; from labelnoise.cli.main import main\n"
        "try: main(['report', '--help'])\n"
        "except SystemExit: pass\n"
        "print('\\n' + ' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {"numpy", "scipy", "sklearn", "pandas", "pyarrow", "jinja2", "pydantic"}


def test_version_and_completion(tmp_path):
    assert start("python -m labelnoise --version", tmp_path).stdout == (
        f"labelnoise {ln.__version__}\n"
    )
    words = "_LABELNOISE_COMPLETE=complete_bash COMP_WORDS='labelnoise es' COMP_CWORD=1"
    assert start(f"{words} labelnoise", tmp_path).stdout.split() == ["estimate"]


def test_threads_are_bounded_and_do_not_change_the_answer(zoo, saved):
    code = (
        "import sys; from labelnoise.cli.main import main\n"
        f"try: main(['estimate', 'zoo.csv', *{FEATURES!r}, '--threads', '1', '--json', '-q'])\n"
        "except SystemExit: pass\n"
        "from threadpoolctl import threadpool_info\n"
        "print(*{one['num_threads'] for one in threadpool_info()}, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=zoo, capture_output=True, text=True, check=True
    )
    assert done.stderr.split() == ["1"]
    expected = ln.NoiseEstimate.load(saved / "noise.json").transition_matrix.values
    np.testing.assert_array_equal(json.loads(done.stdout)["transition"], expected)


def test_compressed_text_comes_through_a_pipe(zoo, tmp_path):
    (tmp_path / "zoo.csv.gz").write_bytes(gzip.compress((zoo / "zoo.csv").read_bytes()))
    line = "cat zoo.csv.gz | labelnoise check - --label label --only-table --json"
    done = start(line, tmp_path)
    assert json.loads(done.stdout)["n_rows"] == 600
    assert all(line.startswith("note: ") for line in done.stderr.splitlines())  # no progress


def test_standard_input_that_is_closed(tmp_path):
    done = start("labelnoise check - --only-table <&-", tmp_path)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("closed", "code"),
    [("1>&-", 4), ("1>/dev/full", 4), ("1>/dev/full --json", 4), ("2>&-", 0)],
)
def test_a_result_that_is_lost_is_an_error(zoo, closed, code):
    done = start(f"labelnoise check zoo.csv --only-table {closed}", zoo)
    assert "Traceback" not in done.stderr
    assert done.returncode == code


def test_output_may_be_cut_short(zoo):
    """Whoever reads it has seen enough; a gate fails, whoever listens."""
    call = f"labelnoise estimate zoo.csv {' '.join(FEATURES)} -q --json --max-noise 0.01"
    done = start(f"set -o pipefail; {call} | true", zoo)
    assert (done.returncode, done.stderr) == (1, "")


def test_the_result_does_not_need_anyone_who_reads_the_notes(zoo):
    done = start("labelnoise check zoo.csv --only-table --json 2> >(true)", zoo)
    assert json.loads(done.stdout)["n_rows"] == 600


def test_a_full_disk_leaves_the_old_file(zoo, tmp_path):
    """The system refuses to write beyond a size, as a full disk does."""

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

    (tmp_path / "new.csv").write_text("precious")
    line = f"labelnoise simulate {zoo / 'zoo.csv'} -o new.csv"
    done = start(line, tmp_path, preexec_fn=small_files)
    assert done.returncode == 4
    assert "new.csv" in done.stderr
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
    assert b"Traceback" not in err
    assert (tmp_path / "report.html").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


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
    """What a process writes to a terminal that is its standard error."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [LABELNOISE, *map(str, call)], stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            written += part
        out = process.communicate()[0]
    os.close(ours)
    assert process.returncode == 0
    return out.decode(), written.decode()


def test_progress_is_shown_on_a_terminal(zoo):
    out, written = on_a_terminal("check", zoo / "zoo.csv", "--only-table", "--json")
    assert "encoding" in written
    assert out.startswith("{")

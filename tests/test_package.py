"""The package as a whole: what it loads, what it exports, what its papers say."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import labelnoise as ln

ROOT = Path(__file__).parents[1]
OPTIONAL = ("pandas", "polars", "pyarrow", "torch", "faiss", "matplotlib", "cleanlab")


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def loaded_by(code):
    """Which of the heavy and the optional packages a piece of code loads."""
    modules = run(f"import sys; {code}; print(*sys.modules)")
    return {"sklearn", "scipy", "numpy", *OPTIONAL} & set(modules)


def test_import_is_light():
    assert loaded_by("import labelnoise") == set()


def test_no_optional_package_is_loaded_by_using_all_names():
    # scikit-learn itself loads pandas where it is installed; what counts is what comes on top.
    everything = "import labelnoise as ln; [getattr(ln, name) for name in ln.__all__]"
    assert loaded_by(everything) == loaded_by("import sklearn.neighbors")


def test_every_public_name_is_there_and_documented():
    for name in ln.__all__:
        value = getattr(ln, name)
        assert not callable(value) or value.__doc__, name
        assert name in dir(ln)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ln.nonsense


def test_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert ln.__version__ == project["version"]
    assert f"\nversion: {ln.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## [{ln.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


PAPERS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_python_blocks_run(paper, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "paper"}
    for block in re.findall(r"```python\n(.*?)```", paper.read_text(), flags=re.DOTALL):
        exec(compile(block, paper.name, "exec"), names)
    assert "\t" not in paper.read_text()


def test_readme_shows_what_is_printed(capsys):
    readme = (ROOT / "README.md").read_text()
    code, shown = re.search(
        r"```python\n(.*?)```\n\n```text\n(.*?)```", readme, flags=re.DOTALL
    ).groups()
    exec(compile(code, "README.md", "exec"), {"__name__": "paper"})
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_links_between_papers_lead_somewhere(paper):
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", paper.read_text()):
        assert (paper.parent / target).exists(), target


def test_readme_tells_the_makefile_s_targets():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for used in re.findall(r"make ([a-z-]+)", (ROOT / "README.md").read_text()):
        assert used in targets, used

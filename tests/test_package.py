"""The package as a whole: what it loads, what it exports, and what its documentation shows."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import labelnoise as ln

ROOT = Path(__file__).parents[1]
OPTIONAL = ("pandas", "polars", "torch", "faiss", "matplotlib", "cleanlab", "datasets")


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def loaded_by(code):
    """Which of the heavy and the optional packages a piece of code loads."""
    modules = run(f"import sys; {code}; print(*sys.modules)")
    return {"sklearn", "scipy", "numpy", "pyarrow", *OPTIONAL} & set(modules)


def test_import_is_light():
    assert loaded_by("import labelnoise") == set()


def test_no_optional_package_is_loaded_by_using_all_names():
    # scikit-learn itself loads pandas where it is installed; what counts is what comes on top.
    everything = "import labelnoise as ln; [getattr(ln, name) for name in ln.__all__]"
    assert loaded_by(everything) == loaded_by("import sklearn.neighbors, pyarrow")


def test_every_public_name_is_there_and_documented():
    for name in ln.__all__:
        value = getattr(ln, name)
        assert not callable(value) or value.__doc__, name
        assert name in dir(ln)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ln.nonsense


def test_type_checkers_see_the_public_names():
    tree = ast.parse((ROOT / "src" / "labelnoise" / "__init__.py").read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        one.asname: f"labelnoise.{ln._HOME[one.name]}" for node in block.body for one in node.names
    }
    assert seen == {one.name: node.module for node in block.body for one in node.names}
    assert seen.keys() == ln._HOME.keys()
    assert len(ln.__all__) == len(set(ln.__all__))


def test_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert ln.__version__ == project["version"]
    assert f"\nversion: {ln.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## [{ln.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python_blocks_run(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "document"}
    for block in re.findall(r"```python\n(.*?)```", document.read_text(), flags=re.DOTALL):
        exec(compile(block, document.name, "exec"), names)
    assert "\t" not in document.read_text()


def test_readme_shows_what_is_printed(capsys):
    readme = (ROOT / "README.md").read_text()
    code, shown = re.search(
        r"```python\n(.*?)```\n\n```text\n(.*?)```", readme, flags=re.DOTALL
    ).groups()
    exec(compile(code, "README.md", "exec"), {"__name__": "document"})
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document):
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text()):
        assert (document.parent / target).exists(), target


def test_readme_names_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for used in re.findall(r"make ([a-z-]+)", (ROOT / "README.md").read_text()):
        assert used in targets, used

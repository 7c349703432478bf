"""Several rounds of review: the last decision counts, and all fixes can be undone."""

import pandas as pd
import pytest

import labelnoise as ln
from labelnoise.review.correction import (
    before_review,
    read_rounds,
    reviewed_labels,
)
from messages import refused

Y = ["a", "a", "b", "b"]
FIRST = {"row": [0, 1], "given": ["a", "a"], "reviewed": ["b", ""]}
SECOND = {"row": [0, 3], "given": ["b", "b"], "reviewed": ["a", "a"]}


@pytest.fixture
def files(tmp_path):
    for name, columns in (("1.csv", FIRST), ("2.csv", SECOND)):
        pd.DataFrame(columns).to_csv(tmp_path / name, index=False)
    return [tmp_path / "1.csv", tmp_path / "2.csv"]


def test_rounds_can_be_undone_whether_or_not_they_were_applied(files):
    rounds = read_rounds(files)
    assert reviewed_labels(rounds) == ("b", "a")
    once = ln.apply_fixes(Y, files[0])
    twice = ln.apply_fixes(once, files[1])
    for labels in (once, twice):
        found = before_review(labels, rounds)
        assert found.labels.tolist() == Y
        assert found.reviewed == {0: "a", 3: "a"}


def test_reviewed_labels_may_be_in_another_column(files):
    pd.DataFrame(SECOND).rename(columns={"reviewed": "mine"}).to_csv(files[1], index=False)
    (only,) = read_rounds(files[1:], "mine")
    assert only["reviewed"] == SECOND["reviewed"]


def test_files_without_decisions_are_refused(files):
    with refused("decisions_without_column"):
        read_rounds(files, "mine")
    pd.DataFrame(FIRST).assign(reviewed="").to_csv(files[0], index=False)
    with refused("no_decisions"):
        read_rounds(files)
    with refused("review_file_repeated"):
        read_rounds([*files, files[0]])

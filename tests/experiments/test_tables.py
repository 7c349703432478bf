import csv
import io

import pytest
from experiments.draws import LEVELS
from experiments.plan import IN_PAPER
from experiments.published import published
from experiments.sources import TABULAR_SOURCES
from experiments.tables import Entry, Table


def table(bold=True):
    entries = {
        (("a",), "x"): Entry((1.0, 3.0)),
        (("a",), "y"): Entry((1.0,), {"paper": 9.0}),
        (("a",), "z"): Entry((5.0, 5.0)),
        (("b",), "x"): Entry((4.0,)),
        (("b",), "y"): Entry((5.0,), {"paper": 11.0}),
        (("b",), "z"): Entry((6.0,)),
        (("c",), "x"): Entry((7.0,)),
    }
    rows = (("a",), ("b",), ("c",))
    return Table("t", "Title", ("set",), rows, ("x", "y", "z"), entries, bold, averaged=True)


def test_mean_and_standard_error_over_seeds():
    entry = Entry((1.0, 3.0))
    assert entry.mean == 2.0
    assert entry.standard_error == pytest.approx(1.0)  # deviation sqrt(2) over sqrt(2)


def test_the_two_best_of_a_row_are_bold():
    assert table().best(("a",)) == {"x", "y"}
    assert table(bold=False).best(("a",)) == set()
    text = table().markdown()
    assert "| a | **2.00** ± 1.00 | **1.00** (paper 9.00) | 5.00 ± 0.00 |" in text
    assert "| c | **7.00** | - | - |" in text


def test_equal_means_are_bold_alike():
    entries = {(("a",), c): Entry((v,)) for c, v in zip("xyz", (1.0, 2.001, 2.002), strict=True)}
    equals = Table("t", "Title", ("set",), (("a",),), ("x", "y", "z"), entries, bold=True)
    assert equals.best(("a",)) == {"x", "y", "z"}


def test_only_rows_without_a_gap_enter_the_mean():
    assert "| mean of 2 | 3.00 | 3.00 (paper 10.00) | 5.50 |" in table().markdown()


def test_csv_holds_every_number():
    rows = list(csv.DictReader(io.StringIO(table().csv())))
    assert len(rows) == 9
    assert rows[0] == {
        "set": "a", "column": "x", "mean": "2", "standard_error": "1", "n": "2", "paper": ""
    }  # fmt: skip
    assert rows[1]["paper"] == "9"
    assert rows[-1]["mean"] == ""


def test_the_papers_numbers_are_complete():
    """Means of the 21 tabular settings, by hand: T-Rev 10.85, CL 10.49, HOC 7.28."""
    errors = published("paper_errors")
    means = {
        method: sum(errors[s.name, level, method] for s in TABULAR_SOURCES for level in LEVELS) / 21
        for method in IN_PAPER
    }
    assert means["t-revision"] == pytest.approx(10.85, abs=0.005)
    assert means["confident-learning"] == pytest.approx(10.49, abs=0.005)
    assert means["hoc"] == pytest.approx(7.28, abs=0.005)
    assert len(published("code_errors")) == 21 * 5


@pytest.mark.parametrize(
    ("name", "field", "total"),
    [
        ("paper_errors", "error", 2805.75),
        ("code_errors", "error", 691.234),
        ("paper_downstream", "last", 82.17 + 85.01 + 91.06 + 97.71),
        ("paper_downstream", "best", 83.08 + 85.17 + 91.06 + 97.77),
        ("paper_calibrated", "error", 3.56 + 4.01 + 3.46 + 2.59 + 8.59 + 8.56),
    ],
)
def test_published_numbers_are_as_published(name, field, total):
    assert sum(published(name, field).values()) == pytest.approx(total, abs=0.005)

"""Print what is said of tables with leaks, near-copies and shared errors.

    python -m benchmarks.leaks_and_groups [--seeds 0 1 2] [--workers 2]

Real tables of table_sets.py whose classes features tell apart, with labels of a random T at 20%,
and then one thing that makes wrong labels look right:

- a leak: a score or a category made from the noisy label, a probability from a model that was
  trained on it, the time of rows that are sorted by it;
- several leaks, each of which explains what the others do: two scores, two categories, values
  that are missing if rows have a certain label, the probabilities of all classes from a model that
  fits the noisy labels closely;
- near-copies: each row four times, with the same label and numbers a little changed;
- sessions: rows of a class in tens, each labeled at once and close together;
- annotators: who labeled a row, as a column; some annotators err more than others.

"Misled" counts verdicts of "reliable" with an error above 0.08.
"""

from __future__ import annotations

import argparse
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from benchmarks.table_sets import load
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

import labelnoise as ln

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = ("penguins", "wine", "breast_cancer", "digits", "olive", "biopsy", "bdims")
RATE, MISLED, MAX_MISLED = 0.2, 0.08, 0.02
COPIES, SESSION, CHANGE, ANNOTATORS = 4, 10, 0.02, 8


class Drawn:
    """A table of features, its true and its noisy labels, and which rows belong together."""

    def __init__(self, name: str, seed: int) -> None:
        table = load(name)
        self.rng = np.random.default_rng([seed, len(table.frame)])
        self.frame = table.frame.drop(columns=table.label)
        self.clean = table.labels
        self.T = ln.random_noise(sorted(set(self.clean)), RATE, self.rng)
        self.noisy = ln.inject_noise(self.clean, self.T, self.rng)
        self.groups: Any = None

    @property
    def codes(self) -> Any:
        """Noisy labels as numbers, (n,)."""
        return np.unique(self.noisy, return_inverse=True)[1]

    def take(self, rows: Any, change: float = 0.0) -> None:
        """Other rows, with numbers changed by this many standard deviations."""
        self.frame = self.frame.iloc[rows].reset_index(drop=True)
        self.clean, self.noisy = self.clean[rows], self.noisy[rows]
        for name, column in self.frame.select_dtypes("number").astype(float).items():
            by = change * column.std() * self.rng.standard_normal(len(column))
            self.frame[name] = column + by


def as_it_is(drawn: Drawn) -> None:
    """Nothing else is wrong."""


def score(drawn: Drawn) -> None:
    """A number that depends on the noisy label."""
    by = 0.3 * drawn.rng.standard_normal(len(drawn.noisy))
    drawn.frame["score"] = drawn.codes + by


def status(drawn: Drawn) -> None:
    """A category that repeats nine of ten noisy labels."""
    kept = drawn.rng.random(len(drawn.noisy)) < 0.9
    drawn.frame["status"] = np.where(kept, drawn.noisy, drawn.rng.permutation(drawn.noisy))


def probability(drawn: Drawn) -> None:
    """What a forest that was trained on these labels predicts for the first class."""
    numbers = drawn.frame.select_dtypes("number").fillna(0)
    forest = RandomForestClassifier(100, random_state=0).fit(numbers, drawn.noisy)
    drawn.frame["probability"] = forest.predict_proba(numbers)[:, 0]


def time(drawn: Drawn) -> None:
    """Seconds at which rows that are sorted by noisy label were written."""
    rank = np.argsort(np.argsort(drawn.codes, kind="stable"))
    drawn.frame["time"] = np.sort(drawn.rng.uniform(0, 1e5, len(rank)))[rank]


def two_scores(drawn: Drawn) -> None:
    """Two such numbers."""
    for name in ("score a", "score b"):
        by = 0.4 * drawn.rng.standard_normal(len(drawn.noisy))
        drawn.frame[name] = drawn.codes + by


def two_statuses(drawn: Drawn) -> None:
    """Two such categories."""
    for name in ("status a", "status b"):
        kept = drawn.rng.random(len(drawn.noisy)) < 0.85
        drawn.frame[name] = np.where(kept, drawn.noisy, drawn.rng.permutation(drawn.noisy))


def missing_values(drawn: Drawn) -> None:
    """Values of the first three columns are missing in nine of ten rows with a certain label."""
    for j, name in enumerate(drawn.frame.columns[:3]):
        missing = drawn.codes == j % (drawn.codes.max() + 1)
        missing &= drawn.rng.random(len(missing)) < 0.9
        drawn.frame[name] = drawn.frame[name].mask(missing)


def probabilities(drawn: Drawn) -> None:
    """What boosted trees that were fitted to these labels predict for all classes but one."""
    numbers = drawn.frame.select_dtypes("number").fillna(0)
    trees = HistGradientBoostingClassifier(random_state=0).fit(numbers, drawn.noisy)
    for j, column in enumerate(trees.predict_proba(numbers).T[1:]):
        drawn.frame[f"probability {j}"] = column


def near_copies(drawn: Drawn) -> None:
    """Every row four times."""
    drawn.groups = np.repeat(np.arange(len(drawn.clean)), COPIES)
    drawn.take(drawn.groups, CHANGE)


def sessions(drawn: Drawn) -> None:
    """Every third row ten times, with numbers that differ more."""
    some = drawn.rng.permutation(len(drawn.clean))[: len(drawn.clean) // 3]
    drawn.groups = np.repeat(np.arange(len(some)), SESSION)
    drawn.take(np.repeat(some, SESSION), 5 * CHANGE)


def annotators(drawn: Drawn) -> None:
    """Eight annotators, a quarter of whom made all the errors."""
    wrong = drawn.noisy != drawn.clean
    who = drawn.rng.integers(ANNOTATORS, size=len(wrong))
    drawn.frame["annotator"] = np.where(wrong, who % 2, who)


SITUATIONS: dict[str, Callable[[Drawn], None]] = {
    "as it is": as_it_is,
    "score": score,
    "status": status,
    "probability": probability,
    "time": time,
    "two scores": two_scores,
    "two statuses": two_statuses,
    "missing values": missing_values,
    "probabilities": probabilities,
    "near-copies": near_copies,
    "sessions": sessions,
    "annotators": annotators,
}


def measured(task: tuple[str, str, int, bool]) -> dict[str, Any]:
    """One estimate, with groups if told so, compared with the noise that was added."""
    situation, table, seed, grouped = task
    warnings.simplefilter("ignore")
    drawn = Drawn(table, seed)
    SITUATIONS[situation](drawn)
    groups = drawn.groups if grouped else None
    est = ln.estimate(drawn.frame, drawn.noisy, groups=groups, random_state=seed)
    truth = ln.realized_transition(drawn.clean, drawn.noisy)
    ends = est.interval(0.9)
    rate = (drawn.noisy != drawn.clean).mean()
    error = ln.transition_error(truth, est.transition_matrix)
    reliable = est.diagnosis.verdict == "reliable"
    return {
        "situation": f"{situation}, with groups" if grouped else situation,
        "runs": 1,
        "error x 100": 100 * error,
        "rate": est.noise_rate,
        "true rate": rate,
        "covered": ends.lower.noise_rate <= rate <= ends.upper.noise_rate,
        "reliable": reliable,
        "misled": reliable and error > MISLED,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    tasks = [(*task, False) for task in product(SITUATIONS, TABLES, options.seeds)]
    tasks += [(*task, True) for task in product(("near-copies", "sessions"), TABLES, options.seeds)]
    with ProcessPoolExecutor(options.workers) as pool:
        runs = pd.DataFrame(pool.map(measured, tasks))
    grouped = runs.groupby("situation", sort=False)
    shown = grouped.mean().assign(runs=grouped["runs"].sum(), misled=grouped["misled"].sum())
    print(shown.round(3).to_string())
    share = runs["misled"].mean()
    print(f'\n"reliable" misled in {share:.1%} of {len(runs)} runs')
    return int(share > MAX_MISLED)


if __name__ == "__main__":
    raise SystemExit(main())

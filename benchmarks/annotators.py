"""Print how well several annotators are judged, beside majority vote, crowd-kit and cleanlab.

    python -m benchmarks.annotators DATA_FOLDER [--seeds 0 1 2 3 4 5 6 7] [--set NAME=VALUE]

On sets with gold labels (DATA_FOLDER/human): the share of rows whose consensus label is right, the
share that the method expects to be right, and the error of the annotators' realized T: average
total variation times 100 over (annotator, true class), weighted by answers. Every method's T is
counted from its probabilities. crowd-kit breaks ties in an order of its own; "ties at random" is
what majority vote is worth. CROWDLAB depends on how its classifier, logistic regression in five
folds, is regularized, so three values of C are tried. X of cifar10n are out-of-fold
log-probabilities, in part of a network trained on true labels, so that set shows how well a good
source of features is used. Nothing was chosen on
medrel_cause.

On simulated crowds, where T is known: accuracy, the error of T itself, and how often 90% intervals
of entries with 20 answers or more contain it. On simulated labeling rules that give one label each
and err on the same rows: accuracy. Fails if a limit is not met. --set changes a setting of the
model, to compare.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from benchmarks.simulated_crowds import answers, crowd
from cleanlab.multiannotator import get_label_quality_multiannotator, get_majority_vote_label
from crowdkit.aggregation import GLAD, MACE, DawidSkene, MajorityVote
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import labelnoise as ln
from labelnoise.annotators import crowd as crowd_model
from labelnoise.annotators import sampler

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray

WITHOUT, WITH = "labelnoise", "labelnoise with X"
SETS = ("music", "youtube_lf", "cifar10n")
HELD_OUT = "medrel_cause"
"""Nothing was chosen on this set, and there is no limit for it."""

COLUMNS = {
    "cifar10n": ("y_noisy", "y_random2", "y_random3"),
    "medrel_cause": ("y_noisy", "y_crowd", "y_expert"),
}
"""Sets whose annotators are columns of labels of all rows."""

LIMITS = {
    WITHOUT: {"music": 80.0, "youtube_lf": 85.0, "cifar10n": 91.9},
    WITH: {"music": 83.0, "youtube_lf": 94.0, "cifar10n": 95.3},
}
"""Lowest accuracies that pass."""

CROWDS = {
    "3 classes, 8 annotators, 4 answers": (3, 8, 600, 4, 20.0),
    "the same, annotators differ more": (3, 8, 600, 4, 5.0),
    "4 classes, 20 annotators, 3 answers": (4, 20, 1500, 3, 20.0),
    "the same, annotators differ more ": (4, 20, 1500, 3, 5.0),
    "4 classes, 20 annotators, 8 answers": (4, 20, 1500, 8, 20.0),
    "2 classes, 6 annotators, 5 answers": (2, 6, 500, 5, 20.0),
    "6 classes, 30 annotators, 5 answers": (6, 30, 2000, 5, 10.0),
}
"""Classes, annotators, rows, answers a row, and the strength with which annotators are alike."""

MODULES = (crowd_model, sampler)
COVERAGE = (0.85, 0.95)
MIN_ANSWERS = 20


class Crowd(NamedTuple):
    """Answers (m,), features or None, and true classes (n,)."""

    row: IntArray
    annotator: IntArray
    label: IntArray
    X: Any
    true: IntArray

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of rows, annotators and classes."""
        return len(self.true), int(self.annotator.max()) + 1, int(self.true.max()) + 1

    @property
    def frame(self) -> Any:
        """As crowd-kit expects it."""
        return pd.DataFrame({"task": self.row, "worker": self.annotator, "label": self.label})

    def counts(self, posterior: FloatArray) -> FloatArray:
        """Expected answers (A, K, K) [annotator, true class, label]."""
        _, a, k = self.shape
        found = np.zeros((a, k, k))
        for i in range(k):
            np.add.at(found[:, i], (self.annotator, self.label), posterior[self.row, i])
        return found


def load(folder: Path, name: str) -> Crowd:
    """A set with gold labels."""
    at = folder / "human" / name
    X, true = np.load(at / "X.npy").astype(float), np.load(at / "y_gold.npy").astype(int)
    if name in COLUMNS:
        columns = [np.load(at / f"{one}.npy") for one in COLUMNS[name]]
        n, label = len(true), np.concatenate(columns).astype(int)
        return Crowd(np.tile(np.arange(n), 3), np.repeat(np.arange(3), n), label, X, true)
    table = pd.read_csv(at / "annotations.csv")
    who = pd.factorize(table["annotator"])[0]
    return Crowd(table["row"].to_numpy(), who, table["label"].to_numpy(), X, true)


def simulated(name: str, seed: int) -> tuple[Crowd, FloatArray]:
    """Answers of a crowd that guesses now and then, and its T (A, K, K)."""
    k, a, n, per_row, strength = CROWDS[name]
    rng = np.random.default_rng(seed)
    true = rng.choice(k, n, p=rng.dirichlet(np.full(k, 8.0)))
    T = crowd(k, a, rng, strength=strength)
    row, who, label = answers(T, true, per_row, rng)
    present, who = np.unique(who, return_inverse=True)
    return Crowd(row, who, label, None, true), T[present]


def rules(n_classes: int, seed: int) -> Crowd:
    """Rows that rules answer by their topic: rules of a class err on the same topics."""
    rng, topics, k = np.random.default_rng(seed), 4, n_classes
    true = rng.choice(k, 1500, p=rng.dirichlet(np.full(k, 5.0)))
    topic = true * topics + rng.integers(topics, size=1500)
    n_rules = int(rng.integers(2 * k, 6 * k))
    of_rule = np.arange(n_rules) % k
    coverage = np.exp(rng.uniform(np.log(0.03), np.log(0.4), (n_rules, 1)))
    odds = np.exp(rng.uniform(np.log(2), np.log(40), (n_rules, 1)))
    own = np.repeat(np.arange(k), topics) == of_rule[:, None]
    rate = np.where(own, 1.0, 1 / odds) * rng.gamma(0.7, 1 / 0.7, own.shape)
    rate *= coverage * topics / (rate * own).sum(axis=1, keepdims=True)
    row, rule = np.nonzero(rng.random((1500, n_rules)) < np.minimum(rate, 0.95)[:, topic].T)
    X = rng.standard_normal((k, 10))[true] + 0.7 * rng.standard_normal((k * topics, 10))[topic]
    X += rng.standard_normal((1500, 10))
    rows, row = np.unique(row, return_inverse=True)
    _, rule = np.unique(rule, return_inverse=True)
    return Crowd(row, rule, of_rule[rule], X[rows], true[rows])


def crowdlab(crowd: Crowd, C: float) -> FloatArray:
    """CROWDLAB with logistic regression, as labels (n, K)."""
    n, a, k = crowd.shape
    matrix = np.full((n, a), np.nan)
    matrix[crowd.row, crowd.annotator] = crowd.label
    model = LogisticRegression(C=C, max_iter=1000)
    votes = get_majority_vote_label(matrix, verbose=False)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    proba = cross_val_predict(model, crowd.X, votes, method="predict_proba", cv=folds)
    found = get_label_quality_multiannotator(matrix, proba, verbose=False)
    return np.eye(k)[found["label_quality"]["consensus_label"].to_numpy(dtype=int)]


def of_crowdkit(model: Any, crowd: Crowd) -> FloatArray:
    """Probabilities (n, K) of a model of crowd-kit; for majority vote, its labels."""
    n, _, k = crowd.shape
    found = np.full((n, k), 1 / k)
    if isinstance(model, MajorityVote):
        labels = model.fit_predict(crowd.frame)
        found[labels.index] = np.eye(k)[labels.to_numpy(dtype=int)]
        return found
    proba = model.fit_predict_proba(crowd.frame).reindex(columns=range(k)).fillna(0)
    found[proba.index] = proba.to_numpy()
    return found


def ties_at_random(crowd: Crowd) -> float:
    """Expected accuracy of majority vote that breaks ties at random."""
    n, _, k = crowd.shape
    votes = np.zeros((n, k))
    np.add.at(votes, (crowd.row, crowd.label), 1)
    first = votes == votes.max(axis=1, keepdims=True)
    return float((first / first.sum(axis=1, keepdims=True))[np.arange(n), crowd.true].mean())


def posteriors(crowd: Crowd) -> Iterator[tuple[str, FloatArray]]:
    """Probabilities (n, K) by every method."""
    yield "majority", of_crowdkit(MajorityVote(), crowd)
    yield "Dawid-Skene", of_crowdkit(DawidSkene(100), crowd)
    yield "GLAD", of_crowdkit(GLAD(), crowd)
    yield "MACE", of_crowdkit(MACE(random_state=0), crowd)
    for C in (1.0, 0.1, 0.01):
        yield f"CROWDLAB, C={C:g}", crowdlab(crowd, C)
    answers = (crowd.row, crowd.annotator, crowd.label)
    classes = range(crowd.shape[2])
    plain = ln.estimate_annotators(answers, classes=classes, method="dawid-skene")
    yield "labelnoise, plain", plain.posterior
    yield WITHOUT, ln.estimate_annotators(answers, classes=classes).posterior
    yield WITH, ln.estimate_annotators(answers, crowd.X, classes=classes).posterior


def error(counts: FloatArray, other: FloatArray) -> float:
    """Error of matrices (A, K, K) or counts, weighted by the true answers."""
    n, m = counts.sum(axis=2), np.maximum(other.sum(axis=2, keepdims=True), 1e-12)
    rows = n > 0
    T = counts[rows] / n[rows][:, None]
    return float(100 * (n[rows] * np.abs(T - (other / m)[rows]).sum(axis=1)).sum() / 2 / n.sum())


def real(folder: Path) -> bool:
    """Print the sets with gold labels; whether all limits are met."""
    print("accuracy of the consensus % (expected %) / error of the realized T x 100")
    table: dict[str, dict[str, tuple[float, float, float]]] = {}
    for name in (*SETS, HELD_OUT):
        crowd = load(folder, name)
        true = crowd.counts(np.eye(crowd.shape[2])[crowd.true])
        print(f"{name}: majority vote, ties at random: {100 * ties_at_random(crowd):.1f}")
        for method, posterior in posteriors(crowd):
            right = 100 * float((posterior.argmax(axis=1) == crowd.true).mean())
            said = 100 * float(posterior.max(axis=1).mean())
            off = error(true, crowd.counts(posterior))
            table.setdefault(method, {})[name] = right, said, off
    print(f"{'':<20}" + "".join(f"{name:>22}" for name in (*SETS, HELD_OUT)))
    for method, row in table.items():
        cells = (f"{a:.1f} ({b:.1f}) / {c:.2f}" for a, b, c in row.values())
        print(f"{method:<20}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
    others = [row for method, row in table.items() if not method.startswith("labelnoise")]
    passed = True
    for name in SETS:
        for method, limits in LIMITS.items():
            passed &= table[method][name][0] >= limits[name]
        passed &= table[WITH][name][0] > max(row[name][0] for row in others)
        # where every source uses one label, T is known, and all errors are below 0.2
        plain = table["Dawid-Skene"][name][2]
        passed &= all(table[method][name][2] <= max(plain, 0.2) for method in LIMITS)
    return passed


def artificial(seeds: list[int]) -> bool:
    """Print the simulated crowds; whether all limits are met."""
    print("\naccuracy % / error of T x 100: Dawid-Skene, labelnoise; coverage of 90% intervals")
    means = []
    for name in CROWDS:
        cells = []
        for seed in seeds:
            crowd, T = simulated(name, seed)
            answers = (crowd.row, crowd.annotator, crowd.label)
            true = crowd.counts(np.eye(crowd.shape[2])[crowd.true])
            n = true.sum(axis=2)
            row = []
            classes = range(crowd.shape[2])
            for method in ("dawid-skene", "hierarchical"):
                est = ln.estimate_annotators(answers, classes=classes, method=method)
                right = (est.posterior.argmax(axis=1) == crowd.true).mean()
                row += [100 * right, error(n[:, :, None] * T, est.transition)]
            ends = [est[one].interval(0.9) for one in est.annotators]
            low = np.array([one.lower.transition_matrix for one in ends])
            high = np.array([one.upper.transition_matrix for one in ends])
            cells.append([*row, ((low <= T) & (high >= T))[n >= MIN_ANSWERS].mean()])
        mean = np.mean(cells, axis=0)
        means.append(mean)
        shown = "{:>8.1f} / {:.2f}{:>8.1f} / {:.2f}{:>8.0%}".format(*mean)
        print(f"{name:<40}{shown}", flush=True)
    acc_plain, off_plain, acc, off, covered = np.mean(means, axis=0)
    print(f"{'mean':<40}{acc_plain:>8.1f} / {off_plain:.2f}{acc:>8.1f} / {off:.2f}{covered:>8.0%}")
    return bool(acc > acc_plain and off < off_plain and COVERAGE[0] <= covered <= COVERAGE[1])


def of_rules(seeds: list[int]) -> bool:
    """Print simulated rules; whether all limits are met."""
    print("\naccuracy %: majority vote with ties at random, Dawid-Skene, labelnoise, with X")
    passed = True
    for k in (2, 4):
        cells = []
        for seed in seeds:
            crowd = rules(k, seed)
            answers, row = (crowd.row, crowd.annotator, crowd.label), [ties_at_random(crowd)]
            plain_first = ((None, "dawid-skene"), (None, "hierarchical"), (crowd.X, "hierarchical"))
            for X, method in plain_first:
                est = ln.estimate_annotators(answers, X, classes=range(k), method=method)
                row.append((est.posterior.argmax(axis=1) == crowd.true).mean())
            cells.append(row)
        votes, plain, without, with_X = 100 * np.mean(cells, axis=0)
        print(f"{k} classes{votes:>38.1f}{plain:>8.1f}{without:>8.1f}{with_X:>8.1f}", flush=True)
        passed &= bool(with_X > without > max(votes, plain))
    return passed


def change(settings: list[str]) -> None:
    """Change settings of the model, as --set names them."""
    for one in settings:
        name, _, value = one.partition("=")
        modules = [module for module in MODULES if hasattr(module, name)]
        if not modules:
            raise SystemExit(f"the model has no setting {name}")
        for module in modules:
            setattr(module, name, float(value))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(8)))
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    change(given.set)
    warnings.simplefilter("ignore")
    passed = [real(given.data), artificial(given.seeds), of_rules(given.seeds)]
    print(f"\nlimits met: {all(passed)}")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    raise SystemExit(main())

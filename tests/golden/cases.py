"""A dozen data sets, and what the public API says about each of them.

    python tests/golden/cases.py    # record anew, after a change that is meant to change results

The recorded numbers are in ``recorded.json`` beside this file; `test_golden.py` compares.
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import labelnoise as ln

RECORDED = Path(__file__).with_name("recorded.json")
ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("LABELNOISE_DATA", ROOT.parent / "shared" / "data"))
UCI = ("heart", "banana", "titanic", "splice", "twonorm", "waveform", "flare-solar")
METHODS = tuple(name for name in ln.METHODS if name != "rank-gated")
QUICK = ("wine", "iris", "shared/heart", "shared/titanic")
"""Cases of the quick suite; the others are in the full one."""

DIGITS = 6


def _noisy(X, y, T, seed=0):
    return X, y, ln.inject_noise(y, T, random_state=seed)


def _rows(X, y, n, seed=0):
    rows = np.random.default_rng(seed).permutation(len(X))[:n]
    return X[rows], y[rows]


def twonorm():
    X, y = ln.make_twonorm(3000, random_state=0)
    return _noisy(X, y, [[0.8, 0.2], [0.1, 0.9]])


def waveform():
    X, y = ln.make_waveform(2500, random_state=0)
    return _noisy(X, y, ln.random_noise(3, 0.3, random_state=0))


def digits():
    X, y = load_digits(return_X_y=True)
    return _noisy(X[:, X.std(axis=0) > 0], y, ln.random_noise(10, 0.2, random_state=0))


def breast_cancer():
    return _noisy(*load_breast_cancer(return_X_y=True), ln.symmetric_noise(2, 0.15))


def wine():
    return _noisy(*load_wine(return_X_y=True), ln.pair_noise(3, 0.2))


def iris():
    return _noisy(*load_iris(return_X_y=True), ln.symmetric_noise(3, 0.1))


def uci(name):
    """One of the paper's sets: numbers as they are, for categories too."""
    path = DATA / "uci" / f"{name}.csv"
    text = path.read_text("utf-8-sig").splitlines()
    head = [cell.strip() for cell in text[0].split(",")]
    table = np.loadtxt(text[1:], delimiter=",")
    target = head.index("target")
    X, y = np.delete(table, target, axis=1), table[:, target].astype(int)
    return _noisy(*_rows(X, y, 2500), [[0.8, 0.2], [0.1, 0.9]])


def human(name):
    """Labels that people really got wrong."""
    folder = DATA / "human" / name
    X, gold, noisy = (np.load(folder / f"{part}.npy") for part in ("X", "y_gold", "y_noisy"))
    return X[:2500].astype(float), gold[:2500], noisy[:2500]


OWN = {f.__name__: f for f in (twonorm, waveform, digits, breast_cancer, wine, iris)}
SHARED = {name: lambda name=name: uci(name) for name in UCI} | {
    name: lambda name=name: human(name) for name in ("nhanes_bmi", "music", "medrel_cause")
}
CASES = {**OWN, **{f"shared/{name}": case for name, case in SHARED.items()}}


def available(name):
    """Whether the data of a case are on this machine."""
    return name in OWN or (DATA / "uci").is_dir()


def point_numbers(est):
    """What an estimate says without its draws: the same on every machine but for rounding."""
    numbers = {
        "transition_matrix": est.transition_matrix.values,
        "class_prior": est.class_prior,
        "noise_rate": est.noise_rate,
    }
    if est.bounds is not None:
        numbers["readings"] = [est.bounds.lower.noise_rate, est.bounds.upper.noise_rate]
    return numbers


def drawn_numbers(est):
    """Numbers that depend on draws, which rounding may send another way, and the verdict."""
    ends = est.interval(0.9)
    return {
        "mean": est.transition_matrix.values,
        "lower": ends.lower.transition_matrix,
        "upper": ends.upper.transition_matrix,
        "noise_rates": [ends.lower.noise_rate, ends.upper.noise_rate],
        "verdict": est.diagnosis.verdict,
    }


def measure(name):
    """All numbers of one case."""
    X, clean, noisy = CASES[name]()
    est = ln.estimate(X, noisy, n_draws=0)
    rows = np.random.default_rng(0).choice(len(noisy), 30, replace=False)
    issues = ln.find_label_issues(est, noisy, budget=20)
    found = {
        "class": point_numbers(est),
        "instance": point_numbers(ln.estimate(X, noisy, noise="instance", n_draws=0)),
        "audited": point_numbers(est.with_audit(rows, clean[rows])),
        "issues": {key: np.sort(issues[key]) for key in ("p_wrong", "p_suggested")},
        "draws": drawn_numbers(ln.estimate(X, noisy)),
    }
    if name in OWN:
        for method in METHODS:
            found[method] = point_numbers(ln.estimate(X, noisy, method=method))
        found |= remedies(X, noisy, est)
    return _plain(found)


def remedies(X, noisy, est):
    """Corrected training and scores, and probabilities of one's own."""
    model = LogisticRegression(max_iter=5000)
    scale = np.maximum(np.abs(X).max(axis=0), 1e-9)
    predicted = cross_val_predict(model, X / scale, noisy)
    proba = cross_val_predict(model, X / scale, noisy, method="predict_proba")
    score = ln.corrected_score(noisy, predicted, est, random_state=0)
    trained = ln.NoiseCorrectedClassifier(LogisticRegression(), noise=est).fit(X / scale, noisy)
    fitted = ln.RankGatedEstimator(n_draws=0).fit(X, noisy)
    return {
        "score": score.value,
        "trained": trained.predict_proba(X[:5] / scale),
        "pred_proba": point_numbers(ln.estimate(None, noisy, pred_proba=proba, n_draws=0)),
        "new_rows": fitted.predict_proba(X[:5] + 0.1),
    }


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return round(value, DIGITS) if isinstance(value, float) else value


def _record():
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        recorded |= {name: measure(name) for name in CASES if available(name)}
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in recorded.items()]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    _record()

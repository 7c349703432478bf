"""Corrupt the labels of scikit-learn's digits with a known T, then estimate it back.

The noise is lopsided: some digits are mistaken for one another often (7 for 1, 8 for 3), others
hardly ever. The estimator sees the images and the corrupted labels, nothing else.
"""

from __future__ import annotations

import textwrap
import time

import numpy as np
from sklearn.datasets import load_digits

import labelnoise as ln

CONFUSIONS = {(7, 1): 0.25, (8, 3): 0.20, (9, 4): 0.20, (3, 5): 0.15, (1, 7): 0.10, (6, 0): 0.10}


def lopsided_noise() -> ln.TransitionMatrix:
    T = np.asarray(ln.symmetric_noise(10, 0.09)).copy()
    for (true, observed), probability in CONFUSIONS.items():
        T[true, observed] += probability
        T[true, true] -= probability
    return ln.TransitionMatrix(T)


def side_by_side(left: ln.TransitionMatrix, right: ln.TransitionMatrix) -> str:
    heads = "".join(f"{label:>4}" for label in left.classes)
    lines = [f"{'true T (%), observed:':<28}{'':>20}estimated T (%)", f"     {heads}     {heads}"]
    for label, a, b in zip(left.classes, left.values, right.values, strict=True):
        rows = ["".join(f"{100 * value:4.0f}" for value in row) for row in (a, b)]
        lines.append(f"   {label} {rows[0]}     {rows[1]}")
    return "\n".join(lines)


def main() -> None:
    X, clean = load_digits(return_X_y=True)
    X = X[:, X.std(axis=0) > 0]  # three corner pixels are always blank
    noisy = ln.inject_noise(clean, lopsided_noise(), random_state=0)
    truth = ln.realised_transition(clean, noisy)

    started = time.perf_counter()
    est = ln.estimate(X, noisy)
    seconds = time.perf_counter() - started

    print(f"{len(X)} images, 10 classes, {np.mean(noisy != clean):.1%} of the labels corrupted\n")
    print(side_by_side(truth, est.transition_matrix))
    error = ln.transition_error(truth, est.transition_matrix)
    print()
    for line in est.noise_in_words():
        print(textwrap.fill(line, width=100))
    print(f"error (average total variation): {100 * error:.2f} of 100, in {seconds:.2f} s")
    print(f"diagnosis: {est.diagnosis}")


if __name__ == "__main__":
    main()

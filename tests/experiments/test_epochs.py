import numpy as np
from experiments.epochs import train_in_epochs

import labelnoise as ln
from labelnoise.learning.linear import Task


def test_the_true_T_beats_no_correction_under_asymmetric_noise():
    X, clean = ln.make_twonorm(4000, 0)
    T = np.array([[0.55, 0.45], [0.02, 0.98]])
    noisy = ln.inject_noise(clean, T, 1)
    task = Task(X[:3000], noisy[:3000], 2)
    accuracy = []
    for transition in (np.eye(2), T):
        *_, last = train_in_epochs(task, transition, np.random.default_rng(0))
        accuracy.append(np.mean(last.logits(X[3000:]).argmax(axis=1) == clean[3000:]))
    assert accuracy[1] > accuracy[0] + 0.02
    assert accuracy[1] > 0.95


def test_the_loss_falls_and_the_same_seed_gives_the_same_layer(task):
    X, _, noisy, T = task
    rows = Task(X, noisy, 3)
    runs = [list(train_in_epochs(rows, T.values, np.random.default_rng(1), 5)) for _ in range(2)]
    np.testing.assert_array_equal(runs[0][-1].weights, runs[1][-1].weights)
    fit = [rows.log_likelihood(layer, T.values) for layer in runs[0]]
    assert fit[-1] > fit[0]

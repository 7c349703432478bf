import numpy as np

import labelnoise as ln


def test_purity_curves_count_all_rows_and_reach_t_at_the_top(task, estimate):
    _, _, noisy, _ = task
    est = estimate
    curves = est.rows.purity()
    assert [curve.label for curve in curves] == list(est.classes)
    for i, curve in enumerate(curves):
        assert curve.n_rows.sum() == len(noisy)
        assert (np.diff(curve.top) < 0).all()  # from all rows to the top
        labeled = (curve.n_rows * curve.observed).sum()
        assert labeled == (noisy == curve.label).sum()
        assert curve.clean[-1] > 0.95  # every class is alone somewhere in this task
        assert abs(curve.fitted[-1] - est.transition_matrix.values[i, i]) < 0.06
        assert abs((curve.n_rows * (curve.fitted - curve.observed)).sum()) < 0.05 * len(noisy)


def test_classes_that_do_not_occur_have_no_curve(task):
    X, _, noisy, _ = task
    est = ln.estimate(X, noisy, classes=[0, 1, 2, 3], n_draws=0)
    assert [curve.label for curve in est.rows.purity()] == [0, 1, 2]

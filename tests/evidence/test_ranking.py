import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from labelnoise.evidence.cells import Cells
from labelnoise.evidence.ranking import RankReference, tail_depths

scores = st.lists(st.integers(0, 20), min_size=2, max_size=50)


@given(scores)
def test_ranks_without_duplicates_are_midranks(values):
    score = np.array(values) / 20
    cells = Cells.of(np.arange(len(values)), np.zeros(len(values), dtype=int), 1)
    ranks = RankReference.of(score, cells).leave_one_out(score, cells)
    np.testing.assert_allclose(ranks, (rankdata(score) - 0.5) / len(score))


@given(st.integers(2, 40), st.integers(0, 10**6))
def test_duplicates_stay_together_with_any_labels(size, seed):
    """Leaving a label out lowers the score for it: that must not sort duplicates by label."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([rng.integers(2, size=size), [0, 1]])
    place = np.concatenate([np.zeros(size, dtype=int), [1, 2]])
    cells = Cells.of(place, codes, 2)
    ones = codes[:size].sum()
    leave_one_out = (ones - cells.label) / (size - 1)
    score = np.where(cells.place == 0, leave_one_out, np.where(cells.place == 1, -1.0, 2.0))
    ranks = RankReference.of(score, cells).leave_one_out(score, cells)
    together = ranks[cells.place == 0]
    np.testing.assert_allclose(together, together[0])
    assert ranks[cells.place == 1] < together[0] < ranks[cells.place == 2]


@given(scores, st.integers(0, 20))
def test_ranks_of_new_rows_increase_with_their_scores(values, new):
    score = np.array(values) / 20
    cells = Cells.of(np.arange(len(values)), np.zeros(len(values), dtype=int), 1)
    reference = RankReference.of(score, cells)
    low, high = reference(np.array([new / 20, new / 20 + 0.01]))
    assert 0 < low <= high < 1


def test_tails_are_finite_and_increase_with_the_rank():
    depths = tail_depths(np.linspace(0, 1, 11), n_rows=10)
    assert np.isfinite(depths).all()
    assert (np.diff(depths) > 0).all()

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.estimators.rank_report import effective_places, gain, pure_share
from labelnoise.evidence.cells import Cells


def test_pure_share_counts_rows_where_a_class_is_alone():
    cells = Cells.of(np.arange(4), np.array([0, 1, 2, 2]), 3)
    np.testing.assert_array_equal(pure_share(np.eye(3)[[0, 1, 2, 2]], cells), 1)
    np.testing.assert_array_equal(pure_share(np.full((4, 3), 1 / 3), cells), 0)


def test_gain_is_nought_for_the_label_frequencies():
    cells = Cells.of(np.arange(6), np.array([0, 0, 0, 1, 1, 2]), 3)
    assert gain(cells.label_frequencies[cells.label], cells) == 0
    better = np.array([0.8, 0.9, 0.8, 0.9, 0.8, 0.9])
    assert gain(better, cells) > 3


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=50))
def test_uneven_places_amount_to_fewer(rows):
    found = effective_places(np.array(rows))
    assert 1 - 1e-9 <= found <= len(rows) + 1e-9
    even = effective_places(np.full(len(rows), 7))
    np.testing.assert_allclose(even, len(rows))

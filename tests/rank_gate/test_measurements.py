import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.evidence.cells import Cells
from labelnoise.rank_gate.measurements import effective_places, pure_share


def test_pure_share_counts_rows_where_a_class_is_alone():
    cells = Cells.of(np.arange(4), np.array([0, 1, 2, 2]), 3)
    np.testing.assert_array_equal(pure_share(np.eye(3)[[0, 1, 2, 2]], cells), 1)
    np.testing.assert_array_equal(pure_share(np.full((4, 3), 1 / 3), cells), 0)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=50))
def test_uneven_places_amount_to_fewer(rows):
    found = effective_places(np.array(rows))
    assert 1 - 1e-9 <= found <= len(rows) + 1e-9
    even = effective_places(np.full(len(rows), 7))
    np.testing.assert_allclose(even, len(rows))

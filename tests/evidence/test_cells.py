import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.evidence.cells import Cells

rows = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=40)


def cells_of(pairs):
    place, code = np.array(pairs).T
    _, place = np.unique(place, return_inverse=True)
    return Cells.of(place, code, 3), place, code


@given(rows)
def test_every_row_is_in_the_cell_of_its_place_and_label(pairs):
    cells, place, code = cells_of(pairs)
    np.testing.assert_array_equal(cells.place[cells.cell_of_row], place)
    np.testing.assert_array_equal(cells.label[cells.cell_of_row], code)
    assert cells.weight.sum() == cells.n_rows == len(pairs)


@given(rows)
def test_counts_and_means_are_those_of_the_rows(pairs):
    cells, place, code = cells_of(pairs)
    counts = np.zeros((place.max() + 1, 3))
    np.add.at(counts, (place, code), 1)
    np.testing.assert_array_equal(cells.counts_by_place(), counts)
    value = np.arange(len(cells), dtype=float)
    by_row = value[cells.cell_of_row]
    expected = [by_row[place == g].mean() for g in range(place.max() + 1)]
    np.testing.assert_allclose(cells.mean_by_place(value), expected)


@given(rows, st.randoms())
def test_order_of_the_rows_does_not_matter(pairs, random):
    mixed = pairs.copy()
    random.shuffle(mixed)
    cells, other = cells_of(pairs)[0], cells_of(mixed)[0]
    np.testing.assert_array_equal(cells.weight, other.weight)
    np.testing.assert_array_equal(cells.label, other.label)

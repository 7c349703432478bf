"""Groups of rows as the user passes them -> codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import plain_list
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray


def group_codes(groups: Any, n_rows: int) -> IntArray:
    """Codes (n,) of groups of rows, numbered in the order of their names.

    >>> group_codes(["b", "a", "b"], 3)
    array([1, 0, 1])
    """
    names = plain_list(groups)
    if len(names) != n_rows:
        raise LabelNoiseError("groups_not_one_per_row", n_groups=len(names), n_rows=n_rows)
    n_missing = sum(map(checks.is_missing, names))
    if n_missing:
        raise LabelNoiseError("groups_missing", n=n_missing)
    distinct, codes = np.unique(np.array(names, dtype=str), return_inverse=True)
    if len(distinct) == 1:
        raise LabelNoiseError("one_group", group=names[0])
    return codes.astype(np.int64)

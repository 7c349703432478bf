"""Groups of rows, in any container -> codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.columns import MISSING_TEXTS
from labelnoise.data.containers import is_listed, plain_list
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray

NO_GROUP = frozenset(MISSING_TEXTS)
"""Texts that stand for a missing group in files."""


def group_codes(groups: Any, n_rows: int) -> IntArray:
    """Codes (n,) of groups of rows, numbered in the order of the rows.

    >>> group_codes(["b", "a", "b"], 3)
    array([0, 1, 0])
    """
    names = _names(groups)
    if len(names) != n_rows:
        raise LabelNoiseError("wrong_length", name="groups", n=len(names), n_rows=n_rows)
    n_missing = sum(map(_is_missing, names))
    if n_missing:
        raise LabelNoiseError("groups_missing", n=n_missing)
    number: dict[Any, int] = {}
    codes = np.fromiter((number.setdefault(name, len(number)) for name in names), np.int64, n_rows)
    if len(number) == 1:
        raise LabelNoiseError("one_group", group=names[0])
    return codes


def _names(groups: Any) -> list[Any]:
    """Names of groups, one for each row."""
    n_axes = len(getattr(groups, "shape", "n"))
    if not is_listed(groups) or not n_axes:
        raise LabelNoiseError("not_a_sequence", name="groups", value=groups)
    names = plain_list(groups) if n_axes == 1 else []
    if n_axes > 1 or any(isinstance(name, list | tuple | dict | set) for name in names):
        raise LabelNoiseError("not_single_values", name="groups")
    return names


def _is_missing(name: Any) -> bool:
    return checks.is_missing(name) or (isinstance(name, str) and name.strip() in NO_GROUP)

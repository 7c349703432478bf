"""Checks of single arguments: numbers, choices, seeds, positions, models."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray

RandomSource = np.random.Generator | np.random.RandomState


def positive_int(value: Any, name: str, minimum: int = 1) -> int:
    """Check that `value` is a whole number not below `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < minimum:
        raise LabelNoiseError("not_a_whole_number", name=name, minimum=minimum, value=value)
    return int(value)


def positive_number(value: Any, name: str, example: float = 0.1) -> float:
    """Check that `value` is a finite number above zero."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not 0 < float(value) < math.inf:
        raise LabelNoiseError("not_a_positive_number", name=name, value=value, example=example)
    return float(value)


def fraction(value: Any, name: str) -> float:
    """Check that `value` is a number in (0, 1]."""
    if positive_number(value, name) > 1:
        raise LabelNoiseError("not_a_fraction", name=name, value=value)
    return float(value)


def level(value: Any) -> float:
    """Check the level of an interval, a probability below 1."""
    if positive_number(value, "level") >= 1:
        raise LabelNoiseError("level_not_below_one", value=value)
    return float(value)


def one_of(value: Any, name: str, allowed: Iterable[str]) -> str:
    """Check that `value` is one of the allowed words."""
    words = list(allowed)
    if value not in words:
        raise LabelNoiseError("unknown_choice", name=name, value=value, allowed=words)
    return str(value)


def row_positions(rows: Any, n_rows: int) -> IntArray:
    """Check positions of rows: whole numbers from 0, each once."""
    positions = np.asarray(rows)
    if positions.size == 0:
        return np.empty(0, dtype=np.int64)
    if positions.ndim != 1 or positions.dtype.kind not in "iu":
        raise LabelNoiseError(
            "rows_not_whole_numbers", shape=positions.shape, dtype=str(positions.dtype)
        )
    outside = positions[(positions < 0) | (positions >= n_rows)]
    if outside.size:
        raise LabelNoiseError("rows_out_of_range", rows=outside.tolist(), last=n_rows - 1)
    distinct, times = np.unique(positions, return_counts=True)
    if (times > 1).any():
        raise LabelNoiseError("rows_repeated", rows=distinct[times > 1].tolist())
    return positions.astype(np.int64)


def classifiers(values: Any, name: str) -> None:
    """Check a sequence of scikit-learn classifiers that predict probabilities."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        facts = {
            "expected": "a sequence of classifiers",
            "example": f"{name}=[LogisticRegression()]",
        }
        raise LabelNoiseError("wrong_value", name=name, value=values, **facts)
    for value in values:
        able = hasattr(value, "fit") and hasattr(value, "predict_proba")
        if isinstance(value, type) or not able:
            raise LabelNoiseError("no_predict_proba", name=name, model=repr(value))


def random_generator(random_state: Any) -> RandomSource:
    """Turn a seed, a Generator, a RandomState or None into a source of random numbers."""
    if isinstance(random_state, np.random.Generator | np.random.RandomState):
        return random_state
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise LabelNoiseError("not_a_random_state", value=random_state) from error


def generator(random_state: Any) -> np.random.Generator:
    """A Generator for an estimator; None is a fixed seed, so that every call gives the same."""
    source = random_generator(0 if random_state is None else random_state)
    if isinstance(source, np.random.RandomState):
        return np.random.default_rng(source.randint(2**31))
    return source

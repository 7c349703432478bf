"""Tests of single arguments: numbers, words, seeds, positions, models."""

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


def named(items: Sequence[Any], limit: int = 5) -> str:
    """List a few items for a message: ``'a', 'b' and 3 more``."""
    shown = ", ".join(repr(item) for item in items[:limit])
    return shown if len(items) <= limit else f"{shown} and {len(items) - limit} more"


def positive_int(value: Any, name: str, minimum: int = 1) -> int:
    """Check that `value` is a whole number not below `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < minimum:
        raise LabelNoiseError(
            f"{name} must be a whole number of at least {minimum}, got {value!r}. "
            f"Pass {name}={minimum} or more."
        )
    return int(value)


def positive_number(value: Any, name: str, example: float = 0.1) -> float:
    """Check that `value` is a finite number above zero."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not 0 < float(value) < math.inf:
        raise LabelNoiseError(
            f"{name} must be a number above 0, got {value!r}. Pass for example {name}={example:g}."
        )
    return float(value)


def fraction(value: Any, name: str) -> float:
    """Check that `value` is a number in (0, 1]."""
    if positive_number(value, name) > 1:
        raise LabelNoiseError(
            f"{name} must be a number above 0 and at most 1, got {value!r}. Pass for example "
            f"{name}=0.5."
        )
    return float(value)


def level(value: Any) -> float:
    """Check the probability with which an interval is to hold what it is for."""
    if positive_number(value, "level") >= 1:
        raise LabelNoiseError(
            f"level must be a probability below 1, got {value!r}: nothing is certain. Pass "
            "level=0.9 for a 90% interval."
        )
    return float(value)


def one_of(value: Any, name: str, allowed: Iterable[str]) -> str:
    """Check that `value` is one of the allowed words; the message lists them."""
    words = list(allowed)
    if value not in words:
        raise LabelNoiseError(f"unknown {name} {value!r}. Choose one of: {', '.join(words)}.")
    return str(value)


def row_positions(rows: Any, n_rows: int) -> IntArray:
    """Check positions of rows: whole numbers from 0, each once."""
    positions = np.asarray(rows)
    if positions.size == 0:
        return np.empty(0, dtype=np.int64)
    if positions.ndim != 1 or positions.dtype.kind not in "iu":
        raise LabelNoiseError(
            f"rows must be a sequence of whole numbers, got shape {positions.shape} and dtype "
            f"{positions.dtype}. Pass positions such as rows=[3, 17]; for a mask pass "
            "numpy.flatnonzero(mask)."
        )
    outside = positions[(positions < 0) | (positions >= n_rows)]
    if outside.size:
        raise LabelNoiseError(
            f"rows names {named(outside.tolist())}, but the rows of the data are 0 to "
            f"{n_rows - 1}. Number rows by their position in X."
        )
    distinct, times = np.unique(positions, return_counts=True)
    if (times > 1).any():
        raise LabelNoiseError(
            f"rows names {named(distinct[times > 1].tolist())} more than once. Pass each audited "
            "row once, with one true label."
        )
    return positions.astype(np.int64)


def classifiers(values: Any, name: str) -> None:
    """Check a sequence of scikit-learn classifiers that predict probabilities."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise LabelNoiseError(
            f"{name} must be a sequence of classifiers, got {values!r}. Pass a list, such as "
            f"{name}=[LogisticRegression()]."
        )
    for value in values:
        if isinstance(value, type):
            raise LabelNoiseError(
                f"{name} has {value.__name__}, which is a class. Pass an instance: "
                f"{value.__name__}()."
            )
        if not (hasattr(value, "fit") and hasattr(value, "predict_proba")):
            raise LabelNoiseError(
                f"{name} has {value!r}, which has no fit or no predict_proba. Pass classifiers "
                "that predict probabilities, such as LogisticRegression(); wrap others in "
                "CalibratedClassifierCV."
            )


def random_generator(random_state: Any) -> RandomSource:
    """Turn a seed, a Generator, a RandomState or None into a source of random numbers."""
    if isinstance(random_state, np.random.Generator | np.random.RandomState):
        return random_state
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise LabelNoiseError(
            f"random_state must be None, a non-negative whole number, a numpy Generator or a "
            f"RandomState, got {random_state!r}. Pass random_state=0 for repeatable results."
        ) from error


def generator(random_state: Any) -> np.random.Generator:
    """A Generator for an estimator: None stands for a fixed seed, the same on every call."""
    source = random_generator(0 if random_state is None else random_state)
    if isinstance(source, np.random.RandomState):
        return np.random.default_rng(source.randint(2**31))
    return source

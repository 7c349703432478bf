"""The transition matrix, which every estimator returns and every remedy uses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from labelnoise.checks import Label, class_names
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, DTypeLike

    from labelnoise.arrays import FloatArray

ROW_SUM_TOLERANCE = 1e-6
"""Maximum difference between 1 and the sum of a row, and maximum size of a negative entry: rounding
errors."""

MAX_CONDITION_NUMBER = 1e8
"""Condition number above which T is not inverted: half of the digits would be lost."""

MAX_SAFE_CONDITION_NUMBER = 10.0
"""Condition number above which there is a warning: inverting T may amplify errors tenfold. Two
classes exceed it if more than 45% of the labels of each are wrong."""

MIN_RELATIVE_SINGULAR_VALUE = 0.02
"""Singular values of T below this share of the largest are not inverted in a pseudo-inverse: they
would amplify noise (`make bench-hard`, `make bench-training`)."""

MAX_SHOWN = 20
"""Maximum number of classes in a printed matrix."""


def is_nearly_singular(transition: ArrayLike) -> bool:
    """Whether rows of T (K, K) are nearly dependent: then inverting T amplifies errors.

    This is the criterion for warnings; `is_invertible` is the one for errors.

    >>> is_nearly_singular([[0.8, 0.2], [0.2, 0.8]])
    False
    >>> is_nearly_singular([[0.52, 0.48], [0.48, 0.52]])
    True
    """
    return bool(np.linalg.cond(np.asarray(transition)) > MAX_SAFE_CONDITION_NUMBER)


def is_invertible(transitions: FloatArray) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which matrices (..., K, K) have an inverse that rounding errors do not dominate.

    >>> is_invertible(np.array([np.eye(2), np.full((2, 2), 0.5)]))
    array([ True, False])
    """
    return np.asarray(np.linalg.cond(transitions) <= MAX_CONDITION_NUMBER)


@dataclass(frozen=True, eq=False, repr=False, init=False)
class TransitionMatrix:
    """How labels go wrong: ``T[i, j] = P(observed = classes[j] | true = classes[i])``.

    Rows are true classes, columns are observed labels, and every row sums to one.

    Parameters
    ----------
    values : array-like of shape (K, K)
        Probabilities; each row must sum to one.
    classes : sequence of K labels, optional
        Names of the classes; 0 to K-1 if left out.

    Examples
    --------
    >>> T = TransitionMatrix([[0.9, 0.1], [0.3, 0.7]], classes=["cat", "dog"])
    >>> T.at(true="dog", observed="cat")
    0.3
    >>> T
               cat   dog   (observed)
    true cat 0.900 0.100
    true dog 0.300 0.700
    """

    values: FloatArray
    classes: tuple[Label, ...]

    def __init__(self, values: ArrayLike, classes: Sequence[Label] | None = None) -> None:
        matrix = _stochastic(values)
        names = class_names(len(matrix) if classes is None else classes)
        if len(names) != len(matrix):
            facts = {"n_rows": len(matrix), "n_classes": len(names), "classes": names}
            raise LabelNoiseError("wrong_number_of_classes", **facts)
        matrix.setflags(write=False)
        object.__setattr__(self, "values", matrix)
        object.__setattr__(self, "classes", names)

    @classmethod
    def identity(cls, classes: int | Sequence[Label]) -> Self:
        """The transition matrix of labels that are never wrong."""
        names = class_names(classes)
        return cls(np.eye(len(names)), names)

    @classmethod
    def from_cleanlab(cls, noise_matrix: ArrayLike, classes: Sequence[Label] | None = None) -> Self:
        """Read cleanlab's ``noise_matrix``: the transpose, whose columns sum to one."""
        return cls(np.asarray(noise_matrix, dtype=float).T, classes)

    def to_cleanlab(self) -> FloatArray:
        """Give cleanlab's ``noise_matrix``: entry [observed, true], columns summing to one."""
        return np.array(self.values.T)

    def at(self, *, true: Label, observed: Label) -> float:
        """Probability that a row of class `true` carries the label `observed`."""
        i, j = (class_position(label, self.classes) for label in (true, observed))
        return float(self.values[i, j])

    @property
    def n_classes(self) -> int:
        """Number of classes K."""
        return len(self.classes)

    @property
    def noise_rates(self) -> FloatArray:
        """Share of wrong labels among the rows of each true class, ``1 - T[i, i]``."""
        return 1.0 - np.diag(self.values)

    @property
    def condition_number(self) -> float:
        """Factor by which inverting T may amplify errors: 1 for clean labels, inf if singular."""
        return float(np.linalg.cond(self.values))

    def inverse(self) -> FloatArray:
        """Matrix that turns observed frequencies into clean ones; refused if ill-conditioned."""
        if not is_invertible(self.values):
            raise self._not_invertible()
        return np.linalg.inv(self.values).astype(np.float64)

    def _not_invertible(self) -> LabelNoiseError:
        """An error that names the classes whose rows of T are equal or mixtures of others.

        They have a large weight in the combination of rows that is zero.
        """
        weights = np.abs(np.linalg.svd(self.values.T)[2][-1])
        classes = [self.classes[i] for i in np.flatnonzero(weights > weights.max() / 10)]
        return LabelNoiseError(
            "transition_not_invertible", condition=self.condition_number, classes=classes
        )

    def compose(self, later: TransitionMatrix) -> TransitionMatrix:
        """Noise followed by more noise: ``T_real = T_org T_synthetic``, `self` first.

        Examples
        --------
        Labels with 20% of noise, of which another 10% are flipped, have 26%:

        >>> ten, twenty = ([[1 - e, e], [e, 1 - e]] for e in (0.1, 0.2))
        >>> TransitionMatrix(twenty).compose(TransitionMatrix(ten)).noise_rates.round(2)
        array([0.26, 0.26])
        """
        if self.classes != later.classes:
            raise LabelNoiseError(
                "matrices_of_other_classes", first=self.classes, second=later.classes
            )
        return TransitionMatrix(self.values @ later.values, self.classes)

    def observed_distribution(self, class_prior: ArrayLike) -> FloatArray:
        """Expected label frequencies for clean frequencies p (K,): ``p T``."""
        return np.asarray(class_prior, dtype=float) @ self.values

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> np.ndarray[Any, Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TransitionMatrix):
            return NotImplemented
        return self.classes == other.classes and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.classes, self.values.tobytes()))

    def __repr__(self) -> str:
        return labeled_table(self.classes, lambda i, j: f"{self.values[i, j]:.3f}")


def class_position(label: Label, classes: Sequence[Label]) -> int:
    """Position of a class among all."""
    if label not in classes:
        raise LabelNoiseError("not_a_class", label=label, classes=list(classes))
    return list(classes).index(label)


def labeled_table(
    classes: Sequence[Label], cell: Callable[[int, int], str], columns: str = "observed"
) -> str:
    """Text of a table with a row for each true class and a column for each label."""
    names = [_short(label) for label in classes[:MAX_SHOWN]]
    texts = [[cell(i, j) for j in range(len(names))] for i in range(len(names))]
    width = max(map(len, [*names, *chain.from_iterable(texts)]))
    left = max(map(len, names))
    header = " " * (left + 5) + "".join(f" {name:>{width}}" for name in names) + f"   ({columns})"
    rows = [
        f"true {name:<{left}}" + "".join(f" {text:>{width}}" for text in row)
        for name, row in zip(names, texts, strict=True)
    ]
    if len(classes) > MAX_SHOWN:
        rows.append(f"(the first {MAX_SHOWN} of {len(classes)} classes)")
    return "\n".join([header, *rows])


def _short(label: Label, length: int = 16) -> str:
    """A label on one line, cut to a length that fits a table."""
    text = " ".join(str(label).split())
    return text if len(text) <= length else text[: length - 1] + "…"


def _stochastic(values: ArrayLike) -> FloatArray:
    """Check that rows are probability vectors, and correct rounding errors only."""
    try:
        matrix = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise LabelNoiseError("not_a_transition_matrix", reason=str(error)) from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2:
        raise LabelNoiseError("not_a_transition_matrix", shape=matrix.shape)
    if not np.isfinite(matrix).all():
        raise LabelNoiseError("not_a_transition_matrix", reason="it has NaN or infinity")
    if matrix.min() < -ROW_SUM_TOLERANCE:
        i, j = (int(at) for at in np.unravel_index(matrix.argmin(), matrix.shape))
        raise LabelNoiseError("transition_negative", row=i, column=j, value=float(matrix[i, j]))
    sums = matrix.sum(axis=1)
    if np.abs(sums - 1).max() > ROW_SUM_TOLERANCE:
        worst = int(np.abs(sums - 1).argmax())
        transposed = np.abs(matrix.sum(axis=0) - 1).max() <= ROW_SUM_TOLERANCE
        code = "transition_transposed" if transposed else "transition_row_sum"
        raise LabelNoiseError(code, row=worst, total=float(sums[worst]))
    # Exact values are not changed: saving and loading must return the same bits.
    if matrix.min() < 0 or np.abs(sums - 1).max() > 1e-12:
        matrix = np.clip(matrix, 0, None)
        matrix /= matrix.sum(axis=1, keepdims=True)
    return matrix

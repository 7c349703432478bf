"""Answers: who gave which label to which row, as codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise.annotators.settings import MAX_OTHERS_GIVEN, MIN_EXPECTED_OTHERS

if TYPE_CHECKING:
    from labelnoise.arrays import BoolArray, FloatArray, IntArray
    from labelnoise.checks import Label


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers (m,) as codes, each annotator at most once a row.

    Attributes
    ----------
    row, annotator, label : (m,) int arrays
    rows : (n,) array
        Names of the rows, also of those without an answer.
    annotators, classes : tuple
        Names of A annotators and K classes.
    """

    row: IntArray
    annotator: IntArray
    label: IntArray
    rows: np.ndarray[Any, Any]
    annotators: tuple[Label, ...]
    classes: tuple[Label, ...]

    def __len__(self) -> int:
        return len(self.row)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of rows n, annotators A and classes K."""
        return len(self.rows), len(self.annotators), len(self.classes)

    @cached_property
    def by_row(self) -> sparse.csr_array:
        """Indicators (n, A K) of each row's answers; column ``a K + l`` is label l by a."""
        n, a, k = self.shape
        column = self.annotator * k + self.label
        return sparse.csr_array((np.ones(len(self)), (self.row, column)), shape=(n, a * k))

    @cached_property
    def by_answer(self) -> sparse.csr_array:
        """The transpose of `by_row`, (A K, n)."""
        return self.by_row.T.tocsr()

    @cached_property
    def n_answers(self) -> IntArray:
        """Answers of each row, (n,)."""
        return np.bincount(self.row, minlength=len(self.rows))

    @cached_property
    def answered(self) -> BoolArray:
        """Which rows have an answer, (n,)."""
        return self.n_answers > 0

    @cached_property
    def given(self) -> FloatArray:
        """How often each annotator gave each label, (A, K)."""
        _, a, k = self.shape
        counts = np.bincount(self.annotator * k + self.label, minlength=a * k)
        return counts.reshape(a, k).astype(np.float64)

    @cached_property
    def votes(self) -> FloatArray:
        """How often each row was given each label, (n, K)."""
        n, _, k = self.shape
        counts = np.bincount(self.row * k + self.label, minlength=n * k)
        return counts.reshape(n, k).astype(np.float64)

    @cached_property
    def vote_shares(self) -> FloatArray:
        """Shares of the votes, (n, K); of rows without an answer, the average of all others."""
        shares = self.votes / np.maximum(self.n_answers, 1)[:, None]
        shares[~self.answered] = shares[self.answered].mean(axis=0)
        return shares

    @cached_property
    def single_label(self) -> BoolArray:
        """Which annotators use (nearly) only one label, although others use more, (A,).

        Such a source is a rule rather than a judge: its label says nothing, but which rows it
        answers may. Few answers, or rows of a frequent class, are not enough to call it so.
        """
        others = self.given.sum(axis=0) - self.given
        usual = self.given.argmax(axis=1)
        everyone = np.arange(len(usual))
        frequency = others[everyone, usual] / np.maximum(others.sum(axis=1), 1)
        n = self.given.sum(axis=1)
        expected, found = n * (1 - frequency), n - self.given[everyone, usual]
        return (expected >= MIN_EXPECTED_OTHERS) & (found <= MAX_OTHERS_GIVEN * expected)

    def expected_counts(self, posterior: FloatArray) -> FloatArray:
        """Expected answers by annotator, true class and label, (A, K, K), for posteriors (n, K)."""
        _, a, k = self.shape
        counts: FloatArray = (self.by_answer @ posterior).reshape(a, k, k)
        return counts.transpose(0, 2, 1)

    def log_likelihood(self, log_probability: FloatArray) -> FloatArray:
        """Sums over each row's answers, (n, K), of log P(answer | true class), (A, K, K)."""
        _, a, k = self.shape
        by_answer = log_probability.transpose(0, 2, 1).reshape(a * k, k)
        found: FloatArray = self.by_row @ by_answer
        return found


def softmax(logits: FloatArray) -> FloatArray:
    """Probabilities (n, K) from logits (n, K)."""
    found = np.exp(logits - logits.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    return found

"""Columns -> blocks of features, one encoder per type of column."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.data.column_types import least_rows_of_category, sampled_texts
from labelnoise.data.settings import (
    LARGEST_NUMBER,
    MOST_CATEGORIES,
    MOST_TEXT_DIRECTIONS,
    MOST_WORDS,
    ROUNDING,
    UNSPACED_SCRIPT,
    WEEK,
    WORDS_PER_NAME,
    YEAR,
)
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.columns import Column

MISSING, OTHER = "(missing)", "(other)"
"""Names of the indicators of missing values and of pooled categories."""


class ColumnEncoder(ABC):
    """Encodes one column. Whatever is fitted does not depend on the order of the rows."""

    type: str  # of the columns
    reads: str  # the property of a `Column` that is encoded

    def __init__(self, random_state: int, plain: bool) -> None:
        self.random_state = random_state
        self.plain = plain  # whether the whole table holds plain numbers, which stay as they are
        self.names: tuple[str, ...] = ()  # of the features
        self.note: tuple[str, int] | None = None  # a code, and a number of values

    def fit(self, column: Column) -> Note | None:
        """Learn how to encode the column; return what is wrong if it cannot be encoded."""
        if getattr(column, self.reads) is None:
            return Note("column_of_other_type", {"type": self.type})
        return self._fit(column)

    def transform(self, column: Column) -> FloatArray:
        """The features (n, d) of a column of the same type."""
        if getattr(column, self.reads) is None:
            raise LabelNoiseError("column_changed_type", column=column.name, type=self.type)
        return self._transform(column)

    @abstractmethod
    def _fit(self, column: Column) -> Note | None: ...

    @abstractmethod
    def _transform(self, column: Column) -> FloatArray: ...


class NumberEncoder(ColumnEncoder):
    """Numbers, standardized; a missing one becomes the median, with an indicator."""

    type, reads = "number", "numbers"

    def _fit(self, column: Column) -> Note | None:
        values = getattr(column, self.reads)
        missing = np.isnan(values)
        present = values[~missing]
        if not len(present):
            return Note("column_empty")
        if np.abs(present).max() > LARGEST_NUMBER:
            return Note("column_has_infinite_values")
        self._median = float(np.median(present))
        if self.plain:
            self.names = (column.name,)
            return None
        # Sorted, so that sums do not depend on the order of the rows.
        self._scaler = StandardScaler().fit(np.sort(self._filled(column))[:, None])
        self._kept = [bool(np.ptp(present)), bool(missing.any())]  # one number says nothing
        self.names = tuple(compress((column.name, f"{column.name} is missing"), self._kept))
        if missing.any():
            self.note = ("numbers_imputed", int(missing.sum()))
        return None

    def _transform(self, column: Column) -> FloatArray:
        values, filled = getattr(column, self.reads), self._filled(column)[:, None]
        if np.isinf(values).any():
            raise LabelNoiseError("column_infinite", column=column.name)
        if self.plain:  # scikit-learn's checks take seconds for thousands of columns
            return filled
        return np.column_stack([self._scaler.transform(filled), np.isnan(values)])[:, self._kept]

    def _filled(self, column: Column) -> FloatArray:
        values = getattr(column, self.reads)
        return np.where(np.isnan(values), self._median, values)


class DateEncoder(NumberEncoder):
    """Dates as days, with the phase of the week and of the year if they span several."""

    type, reads = "date", "days"

    def _fit(self, column: Column) -> Note | None:
        unusable = super()._fit(column)
        if unusable is not None:
            return unusable
        span = float(np.ptp(self._filled(column)))
        periods = {"week": WEEK, "year": YEAR}
        self._periods = {word: days for word, days in periods.items() if span >= 2 * days}
        self.names += tuple(
            f"{column.name}, {part} of the {word}"
            for word in self._periods
            for part in ("sine", "cosine")
        )
        return None

    def _transform(self, column: Column) -> FloatArray:
        angles = [2 * np.pi * self._filled(column) / days for days in self._periods.values()]
        waves = [wave(angle) for angle in angles for wave in (np.sin, np.cos)]
        return np.column_stack([super()._transform(column), *waves])


class CategoryEncoder(ColumnEncoder):
    """Categories as indicators, a single one if there are two; rare categories share one."""

    type, reads = "category", "texts"

    def _fit(self, column: Column) -> Note | None:
        present = {*column.levels, MISSING} if column.missing.any() else {*column.levels}
        self._place = {level: i for i, level in enumerate(sorted(present))}
        self._indicators = OneHotEncoder(
            min_frequency=least_rows_of_category(len(column)),
            max_categories=MOST_CATEGORIES,
            handle_unknown="infrequent_if_exist",
            drop="if_binary",
            sparse_output=False,
        ).fit(self._places(column))
        pooled = self._indicators.infrequent_categories_[0]
        n_pooled = 0 if pooled is None else len(pooled)
        if n_pooled == len(self._place):
            return Note("column_rarely_repeats")
        levels = [str(level) for level in sorted(present)]
        self.names = tuple(
            f"{column.name}={levels[int(place)] if place.isdigit() else OTHER}"
            for name in self._indicators.get_feature_names_out(["place"])
            for place in [name.removeprefix("place_")]
        )
        if n_pooled > 1:
            self.note = ("categories_pooled", n_pooled)
        return None

    def _transform(self, column: Column) -> FloatArray:
        with warnings.catch_warnings():  # unknown categories are expected in new rows
            warnings.filterwarnings("ignore", "Found unknown categories")
            return np.asarray(self._indicators.transform(self._places(column)))

    def _places(self, column: Column) -> IntArray:
        """Place of each value among the fitted categories (n, 1), -1 for a new one."""
        places = [self._place.get(level, -1) for level in (*column.levels, MISSING)]
        return np.array(places)[column.level_codes][:, None]


class TextEncoder(ColumnEncoder):
    """Texts: TF-IDF of words and pairs of words, in the directions that vary most."""

    type, reads = "text", "texts"

    def _fit(self, column: Column) -> Note | None:
        some = sampled_texts(column.levels)
        unspaced = sum(bool(UNSPACED_SCRIPT.search(text)) for text in some) > len(some) / 2
        words = TfidfVectorizer(
            analyzer="char" if unspaced else "word",
            ngram_range=(1, 2),
            min_df=2,
            max_features=MOST_WORDS,
            sublinear_tf=True,
            dtype=np.float64,
        )
        try:
            weights = words.fit_transform([*column.levels, ""])
        except ValueError:
            return Note("texts_share_no_word")
        n_directions = min(MOST_TEXT_DIRECTIONS, min(weights.shape) - 1)
        if n_directions < 1:
            return Note("texts_share_no_word")
        svd = TruncatedSVD(n_directions, random_state=self.random_state % 2**32)
        with threadpool_limits(1):  # sums in one order on any number of threads
            reach = np.ptp(svd.fit_transform(weights), axis=0)
        self._varying = reach > ROUNDING * reach.max()  # beyond the rank of the table nothing does
        if not self._varying.any():
            return Note("texts_share_no_word")
        self._directions = Pipeline([("words", words), ("directions", svd)])
        heaviest = np.argsort(-np.abs(svd.components_[self._varying]), axis=1, kind="stable")
        vocabulary = words.get_feature_names_out()
        named_by = [", ".join(vocabulary[row[:WORDS_PER_NAME]]) for row in heaviest]
        self.names = tuple(f"{column.name} ({i}: {w})" for i, w in enumerate(named_by, start=1))
        self.note = ("texts_reduced", len(self.names))
        return None

    def _transform(self, column: Column) -> FloatArray:
        with threadpool_limits(1):
            levels = self._directions.transform([*column.levels, ""])  # a code of -1 is the last
        return np.asarray(levels)[column.level_codes][:, self._varying]


class VectorEncoder(ColumnEncoder):
    """Vectors of one length, as they are."""

    type, reads = "vector", "vectors"

    def _fit(self, column: Column) -> Note | None:
        length = np.asarray(column.vectors).shape[1]
        self.names = tuple(f"{column.name}[{i}]" for i in range(length))
        return None

    def _transform(self, column: Column) -> FloatArray:
        values = checks.feature_matrix(column.vectors, min_rows=1)
        if values.shape[1] != len(self.names):
            raise LabelNoiseError("column_changed_type", column=column.name, type=self.type)
        return values


ENCODERS: Mapping[str, type[ColumnEncoder]] = {
    encoder.type: encoder
    for encoder in (NumberEncoder, CategoryEncoder, DateEncoder, TextEncoder, VectorEncoder)
}

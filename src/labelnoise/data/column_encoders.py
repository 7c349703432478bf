"""Columns -> blocks of features, one encoder per type of column."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.data.column_types import least_rows_of_category
from labelnoise.data.settings import (
    LARGEST_NUMBER,
    MOST_CATEGORIES,
    MOST_TEXT_DIRECTIONS,
    MOST_WORDS,
    ROUNDING,
    SAMPLED_TEXTS,
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
"""What the indicators of missing values and of pooled categories are called."""


class ColumnEncoder(ABC):
    """Encodes one column. Whatever is fitted does not depend on the order of the rows.

    Parameters
    ----------
    random_state : int
        Seed, for encoders that draw.
    plain : bool
        Whether the whole table holds plain numbers, which stay as they are.

    Attributes
    ----------
    names : tuple of str
        Names of the features, once fitted.
    notes : tuple of Note
        What there is to know about the column, once fitted.
    """

    type: str

    def __init__(self, random_state: int, plain: bool) -> None:
        self.random_state, self.plain = random_state, plain
        self.names: tuple[str, ...] = ()
        self.notes: tuple[Note, ...] = ()

    @abstractmethod
    def fit(self, column: Column) -> Note | None:
        """Learn how to encode the column; what is wrong if it cannot be."""

    @abstractmethod
    def transform(self, column: Column) -> FloatArray | None:
        """The features (n, d) of a column; None if it holds something else than the fitted one."""


class NumberEncoder(ColumnEncoder):
    """Numbers: the median for missing ones with an indicator, mean 0 and variance 1."""

    type = "number"

    def fit(self, column: Column) -> Note | None:
        values = self._values(column)
        if values is None:
            return Note("column_holds_no_numbers")
        missing = np.isnan(values)
        if missing.all():
            return Note("column_empty")
        if np.abs(values[~missing]).max() > LARGEST_NUMBER:
            return Note("column_has_infinite_values")
        self._median = float(np.median(values[~missing]))
        self._varies = bool(
            np.ptp(values[~missing])
        )  # otherwise only whether one is missing counts
        if self.plain:
            self.names = (column.name,)
            return None
        self._imputer = SimpleImputer(strategy="median", add_indicator=True).fit(values[:, None])
        # Sorted, so that sums do not depend on the order of the rows.
        filled = np.sort(self._imputer.transform(values[:, None])[:, :1], axis=0)
        self._scaler = StandardScaler().fit(filled)
        self.names = (column.name,) if self._varies else ()
        if missing.any():
            self.names += (f"{column.name} is missing",)
            facts = {"column": column.name, "n": int(missing.sum())}
            self.notes = (Note("numbers_imputed", facts),)
        return None

    def transform(self, column: Column) -> FloatArray | None:
        values = self._values(column)
        if values is None:
            return None
        if np.isinf(values).any():
            raise LabelNoiseError("column_infinite", column=column.name)
        if self.plain:  # scikit-learn's checks take seconds for thousands of columns
            return np.where(np.isnan(values), self._median, values)[:, None]
        filled: FloatArray = self._imputer.transform(values[:, None])
        filled[:, :1] = self._scaler.transform(filled[:, :1])
        return filled if self._varies else filled[:, 1:]

    def _values(self, column: Column) -> FloatArray | None:
        return column.numbers


class DateEncoder(NumberEncoder):
    """Dates as days, and their place in the week and in the year where they cover several."""

    type = "date"

    def fit(self, column: Column) -> Note | None:
        unusable = super().fit(column)
        if unusable is not None:
            return Note("column_holds_no_dates")
        span = float(np.ptp(self._filled(column)))
        self._periods = [
            (length, word)
            for length, word in ((WEEK, "week"), (YEAR, "year"))
            if span >= 2 * length
        ]
        self.names += tuple(
            f"{column.name}, {part} of the {word}"
            for _, word in self._periods
            for part in ("sine", "cosine")
        )
        return None

    def transform(self, column: Column) -> FloatArray | None:
        block = super().transform(column)
        if block is None:
            return None
        angles = [2 * np.pi * self._filled(column) / length for length, _ in self._periods]
        waves = [wave(angle) for angle in angles for wave in (np.sin, np.cos)]
        return np.column_stack([block, *waves])

    def _filled(self, column: Column) -> FloatArray:
        days = np.asarray(self._values(column))
        return np.where(np.isnan(days), self._median, days)

    def _values(self, column: Column) -> FloatArray | None:
        return column.days


class CategoryEncoder(ColumnEncoder):
    """Categories: one indicator each, a single one for two; rare categories share one."""

    type = "category"

    def fit(self, column: Column) -> Note | None:
        if column.texts is None:
            return Note("column_holds_lists")
        present = {*column.levels, MISSING} if column.missing.any() else {*column.levels}
        self._place = {level: i for i, level in enumerate(sorted(present))}
        least = least_rows_of_category(len(column))
        self._indicators = OneHotEncoder(
            min_frequency=least,
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
            facts = {"column": column.name, "n": n_pooled, "least": least}
            self.notes = (Note("categories_pooled", facts),)
        return None

    def transform(self, column: Column) -> FloatArray | None:
        if column.texts is None:
            return None
        with warnings.catch_warnings():  # unknown categories are expected in new rows
            warnings.filterwarnings("ignore", "Found unknown categories")
            found: FloatArray = self._indicators.transform(self._places(column))
        return found

    def _places(self, column: Column) -> IntArray:
        """Place of each value among the fitted categories (n, 1), -1 for a new one."""
        places = [self._place.get(level, -1) for level in (*column.levels, MISSING)]
        return np.array(places)[column.level_codes][:, None]


class TextEncoder(ColumnEncoder):
    """Texts: TF-IDF of words and pairs of words, in the directions that vary most."""

    type = "text"

    def fit(self, column: Column) -> Note | None:
        if column.texts is None:
            return Note("column_holds_lists")
        some = column.levels[:SAMPLED_TEXTS]
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
        facts = {"column": column.name, "n": len(self.names)}
        self.notes = (Note("texts_reduced", facts),)
        return None

    def transform(self, column: Column) -> FloatArray | None:
        if column.texts is None:
            return None
        with threadpool_limits(1):
            levels = self._directions.transform([*column.levels, ""])  # a code of -1 is the last
        found: FloatArray = np.asarray(levels, dtype=np.float64)[column.level_codes]
        return found[:, self._varying]


class VectorEncoder(ColumnEncoder):
    """Vectors of one length, as they are."""

    type = "vector"

    def fit(self, column: Column) -> Note | None:
        if column.vectors is None:
            return Note("column_holds_no_vectors")
        self._length = column.vectors.shape[1]
        self.names = tuple(f"{column.name}[{i}]" for i in range(self._length))
        return None

    def transform(self, column: Column) -> FloatArray | None:
        values = column.vectors
        if values is None or values.shape[1] != self._length:
            return None
        return checks.feature_matrix(values, min_rows=1)


ENCODERS: Mapping[str, type[ColumnEncoder]] = {
    encoder.type: encoder
    for encoder in (NumberEncoder, CategoryEncoder, DateEncoder, TextEncoder, VectorEncoder)
}

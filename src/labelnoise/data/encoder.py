"""Tables -> numbers, the same way for files, frames and new rows: one scikit-learn transformer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from labelnoise import checks
from labelnoise.data.column_encoders import ENCODERS
from labelnoise.data.column_types import ColumnType, column_types
from labelnoise.data.columns import Column, columns_of
from labelnoise.data.frames import as_arrow, is_table
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.data.column_encoders import ColumnEncoder


class TableEncoder(TransformerMixin, BaseEstimator):
    """Encode a mixed table as numbers, and new rows in the same way.

    Each column becomes a block of features, made by scikit-learn's transformers:

    - number: as it is if the table holds only numbers and none is missing; otherwise mean 0 and
      variance 1, so that it can be compared with indicators. A missing number becomes the median,
      with an indicator (`StandardScaler`).
    - category: one indicator per category, rare ones pooled, missing is a category
      (`OneHotEncoder`).
    - date: days, with the phase of the week and of the year if dates span several.
    - text: TF-IDF reduced by a singular value decomposition (`TfidfVectorizer`, `TruncatedSVD`).
    - vector: as it is.
    - skip: nothing. Constant columns, identifiers, copies of other columns, and copies of the
      label, which would make every label look right, are skipped.

    Arrays and sparse matrices of numbers pass through unchanged.

    Parameters
    ----------
    column_types : mapping from str to str, optional
        What columns are: "number", "category", "date", "text", "vector" or "skip". All others are
        decided by their content (`labelnoise.data.column_types`).
    random_state : int
        Seed of the decomposition of texts.

    Attributes
    ----------
    column_types_ : tuple of ColumnType
        What became of every column, and why; empty for arrays.
    notes_ : tuple of Note
        What there is to know about it: pooled categories, imputed numbers, and so on.
    feature_columns_ : tuple of str
        The column that each feature was made from.
    n_features_in_ : int

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"size": [1.5, 2.0, 3.0, 5.5], "pet": ["cat", "dog", "cat", "dog"]})
    >>> encoder = TableEncoder().fit(table)
    >>> encoder.transform(table).round(2)
    array([[-0.97,  0.  ],
           [-0.65,  1.  ],
           [ 0.  ,  0.  ],
           [ 1.62,  1.  ]])
    >>> encoder.get_feature_names_out().tolist()
    ['size', 'pet=dog']
    """

    def __init__(
        self, *, column_types: Mapping[str, str] | None = None, random_state: int = 0
    ) -> None:
        self.column_types = column_types
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Decide what becomes of every column, and learn how to encode it.

        Parameters
        ----------
        X : table, array or sparse matrix of shape (n, d)
        y : array-like of shape (n,), optional
            Labels, only to notice columns that copy them.
        """
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> FloatArray:
        """Fit, and encode the same rows, (n, d)."""
        if not is_table(X):
            matrix = checks.feature_matrix(X)
            self.__dict__.pop("feature_names_in_", None)  # of a table that was fitted before
            self._remember([f"x{i}" for i in range(matrix.shape[1])], (), None)
            return matrix
        table = as_arrow(X)
        if 0 in table.shape:
            return checks.feature_matrix(np.empty(table.shape))  # refuses it
        columns = columns_of(table)
        codes = None if y is None else checks.labels(y, table.num_rows).compact_codes
        given, names = self.column_types or {}, table.column_names
        unknown = [name for name in given if name not in names]
        if unknown:
            raise LabelNoiseError("types_of_unknown_columns", unknown=unknown, columns=names)
        kinds = {kind.name: kind for kind in column_types(columns, codes, given)}
        encoders = _fitted_encoders(columns, kinds, self.random_state)
        self.feature_names_in_ = np.array(names, dtype=object)
        self._remember(names, tuple(kinds.values()), encoders)
        return self._encoded({column.name: column for column in columns})

    def transform(self, X: Any) -> FloatArray:
        """Encode rows (m, d) as those that were fitted; unknown categories get no indicator."""
        check_is_fitted(self)
        if self._encoders is None:
            if is_table(X):
                raise LabelNoiseError("new_rows_differ", is_table=True)
            matrix = checks.feature_matrix(X, min_rows=1)
            found, expected = matrix.shape[1], self.n_features_in_
            if found != expected:
                raise LabelNoiseError("new_rows_differ", found=found, expected=expected)
            return matrix
        if not is_table(X):
            raise LabelNoiseError("new_rows_differ", columns=list(self.feature_names_in_))
        table = as_arrow(X)
        missing = [name for name in self._encoders if name not in table.column_names]
        if missing:
            raise LabelNoiseError("new_rows_differ", missing=missing)
        return self._encoded({name: Column(name, table[name]) for name in self._encoders})

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray[Any, Any]:
        """Names of the features."""
        del input_features
        check_is_fitted(self)
        return np.array(self._names, dtype=object)

    def _remember(
        self,
        names: Sequence[str],
        kinds: tuple[ColumnType, ...],
        encoders: dict[str, ColumnEncoder] | None,
    ) -> None:
        """Keep what was fitted; without encoders, columns are the features."""
        self.n_features_in_ = len(names)
        self.column_types_ = kinds
        self.notes_ = tuple(_notes(encoders or {}))
        self._encoders = encoders
        features: dict[str, tuple[str, ...]] = {name: (name,) for name in names}
        if encoders is not None:
            features = {name: encoder.names for name, encoder in encoders.items()}
        self._names = tuple(name for own in features.values() for name in own)
        self.feature_columns_ = tuple(name for name, own in features.items() for _ in own)

    def _encoded(self, columns: Mapping[str, Column]) -> FloatArray:
        """Blocks of all columns side by side, written into one array."""
        assert self._encoders is not None
        n_rows = len(next(iter(columns.values())))
        checks.dense_size((n_rows, len(self._names)), "the encoded table")
        found, start = np.empty((n_rows, len(self._names))), 0
        for name, encoder in self._encoders.items():
            block = encoder.transform(columns[name])
            found[:, start : start + block.shape[1]] = block
            start += block.shape[1]
        return found


def encoded(X: Any, y: Any = None) -> tuple[TableEncoder, FloatArray]:
    """A fitted encoder and the features (n, d) that it makes of a table or an array."""
    encoder = TableEncoder()
    return encoder, encoder.fit_transform(X, y)


def _fitted_encoders(
    columns: Sequence[Column], kinds: dict[str, ColumnType], seed: int
) -> dict[str, ColumnEncoder]:
    """Encoders of all features; in `kinds`, columns that cannot be encoded become "skip"."""
    plain = all(_is_plain(column, kinds[column.name]) for column in columns)
    encoders: dict[str, ColumnEncoder] = {}
    for column in columns:
        kind = kinds[column.name]
        if not kind.is_feature:
            continue
        encoder = ENCODERS[kind.type](seed, plain)
        unusable = encoder.fit(column)
        if unusable is None:
            encoders[kind.name] = encoder
        elif kind.given:
            raise LabelNoiseError("column_unusable", column=kind.name, why=str(unusable))
        else:
            kinds[kind.name] = ColumnType(kind.name, "skip", unusable)
    if not encoders:
        reasons = [f"{name!r}: {kind.reason.reason()}" for name, kind in kinds.items()]
        raise LabelNoiseError("no_usable_column", why="; ".join(reasons))
    return encoders


def _is_plain(column: Column, kind: ColumnType) -> bool:
    """Whether a column needs no scaling: numbers of which none is missing, vectors, no features."""
    if kind.type == "number":
        return column.content == "number" and not column.missing.any()
    return kind.type in ("vector", "skip")


def _notes(encoders: Mapping[str, ColumnEncoder]) -> Iterator[Note]:
    """Remarks on columns, in one note if the same is true of several."""
    found: dict[str, dict[str, int]] = {}
    for name, encoder in encoders.items():
        if encoder.note is not None:
            code, n = encoder.note
            found.setdefault(code, {})[name] = n
    for code, counts in found.items():
        yield Note(code, {"columns": list(counts), "n": sum(counts.values())})

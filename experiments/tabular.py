"""The paper's seven tabular sets: from a folder of CSV files, or from OpenML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.frames import distinct_texts, indicators
from labelnoise.errors import LabelNoiseError
from labelnoise.atomic_files import read_text

if TYPE_CHECKING:
    import os

    from labelnoise.arrays import FloatArray, IntArray

ALL_COLUMNS = ("*",)

Keep = Callable[[dict[str, "np.ndarray[Any, Any]"]], "np.ndarray[Any, Any]"]


@dataclass(frozen=True)
class OpenMLSource:
    """Where OpenML keeps a set, and how its version becomes the paper's."""

    data_id: int
    positive: tuple[str, ...]  # labels that become 1, the others 0
    n_columns: int | None = None  # use the first columns only
    keep: Keep | None = None  # which rows to use


@dataclass(frozen=True)
class TabularSet:
    """One of the paper's sets: its size, its categorical columns, its OpenML twin."""

    n_rows: int
    categorical: tuple[str, ...] = ()
    openml: OpenMLSource | None = None


def _unambiguous_bases(columns: dict[str, np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """Rows of the splice set whose 60 bases are all known; the paper uses only these."""
    return np.all([np.isin(column, list("ACGT")) for column in columns.values()], axis=0)


TABULAR_SETS: dict[str, TabularSet] = {
    "heart": TabularSet(
        303, ("cp", "slope", "thal", "restecg"), OpenMLSource(49, positive=("<50",))
    ),
    "banana": TabularSet(5300, openml=OpenMLSource(1460, positive=("2",))),
    "titanic": TabularSet(2201, openml=OpenMLSource(40704, positive=("1",))),
    "splice": TabularSet(
        3175, ALL_COLUMNS, OpenMLSource(46, positive=("EI", "IE"), keep=_unambiguous_bases)
    ),
    "twonorm": TabularSet(7400, openml=OpenMLSource(1507, positive=("2",))),
    "waveform": TabularSet(5000, openml=OpenMLSource(60, positive=("0",), n_columns=21)),
    "flare-solar": TabularSet(1066, ALL_COLUMNS),
}


def load_tabular(
    name: str, folder: str | os.PathLike[str] | None = None
) -> tuple[FloatArray, IntArray]:
    """Load one of the paper's tabular sets with clean labels 0 and 1.

    Categorical columns are one-hot encoded as in the paper; nothing is scaled.

    Parameters
    ----------
    name : str
        A key of `TABULAR_SETS`.
    folder : path, optional
        Folder with ``<name>.csv``: a header, numbers, the label in column ``target``. Without
        it the set is downloaded from OpenML (needs a network); what arrives there is the same
        source data, but not always row for row what the paper's authors prepared.

    Returns
    -------
    X : (n, d) array
    y : (n,) array of 0 and 1
    """
    described = TABULAR_SETS[checks.one_of(name, "tabular set", TABULAR_SETS)]
    if folder is None:
        columns, y = _from_openml(name, described)
    else:
        columns, y = _from_csv(Path(folder) / f"{name}.csv")
    X = _encoded(columns, described.categorical)
    if len(X) != described.n_rows:
        raise LabelNoiseError(
            f"{name!r} has {len(X)} rows, the paper's has {described.n_rows}. Check the source."
        )
    return X, y


def _encoded(columns: dict[str, np.ndarray[Any, Any]], categorical: tuple[str, ...]) -> FloatArray:
    names = set(columns) if categorical == ALL_COLUMNS else set(categorical)
    blocks = [
        indicators(values, distinct_texts(values, name))
        if name in names
        else values.astype(float)[:, None]
        for name, values in columns.items()
    ]
    return np.hstack(blocks)


def _from_csv(path: Path) -> tuple[dict[str, np.ndarray[Any, Any]], IntArray]:
    head, _, body = read_text(path).partition("\n")
    header = [cell.strip() for cell in head.split(",")]
    if "target" not in header or not body.strip():
        raise LabelNoiseError(
            f"{str(path)!r} needs a header with a column 'target' and at least one row."
        )
    try:
        table = np.loadtxt(body.splitlines(), delimiter=",", ndmin=2)
    except ValueError as error:
        raise LabelNoiseError(f"{str(path)!r} is not a table of numbers: {error}") from error
    if table.shape[1] != len(header):
        raise LabelNoiseError(
            f"{str(path)!r} has {len(header)} column names and {table.shape[1]} columns of numbers."
        )
    columns = {name: table[:, i] for i, name in enumerate(header)}
    return columns, columns.pop("target").astype(np.int64)


def _from_openml(
    name: str, described: TabularSet
) -> tuple[dict[str, np.ndarray[Any, Any]], IntArray]:
    from sklearn.datasets import fetch_openml

    source = described.openml
    if source is None:
        raise LabelNoiseError(
            f"OpenML has no set that matches the paper's {name!r}. Pass folder= (--data) with "
            f"{name}.csv."
        )
    try:
        # The slower parser needs no pandas.
        bunch = fetch_openml(data_id=source.data_id, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise LabelNoiseError(
            f"cannot download {name!r} from OpenML (data_id={source.data_id}): {error}. Check the "
            f"network, or pass folder= (--data) with {name}.csv."
        ) from error
    columns = {
        column: _named_values(bunch.data[:, i], (bunch.categories or {}).get(column))
        for i, column in enumerate(bunch.feature_names[: source.n_columns])
    }
    y = np.isin(bunch.target, source.positive).astype(np.int64)
    if source.keep is not None:
        rows = source.keep(columns)
        columns, y = {key: values[rows] for key, values in columns.items()}, y[rows]
    return columns, y


def _named_values(values: np.ndarray[Any, Any], names: list[str] | None) -> np.ndarray[Any, Any]:
    """Turn OpenML's category numbers back into names; a missing number becomes the median."""
    if names is not None:
        known = np.nan_to_num(values.astype(float), nan=-1).astype(int)
        return np.array([*names, "(missing)"])[known]
    numbers = values.astype(float)
    return np.where(np.isnan(numbers), np.nanmedian(numbers), numbers)

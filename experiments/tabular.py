"""The seven tabular data sets of the paper: from a folder of CSV files, or from OpenML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.preprocessing import OneHotEncoder

from experiments.errors import ExperimentError, read_text

if TYPE_CHECKING:
    import os

    from labelnoise.arrays import FloatArray, IntArray

ALL_COLUMNS = ("*",)

Column = np.ndarray[Any, Any]
RowFilter = Callable[[dict[str, Column]], Column]


@dataclass(frozen=True)
class OpenMLSource:
    """Where OpenML keeps a data set, and how its version becomes the paper's."""

    data_id: int
    positive: tuple[str, ...]  # labels that become 1, the others 0
    n_columns: int | None = None  # use only the first columns
    row_filter: RowFilter | None = None  # mask (n,) of the rows to use


@dataclass(frozen=True)
class TabularSet:
    """One of the paper's data sets: its size, categorical columns and OpenML counterpart."""

    n_rows: int
    categorical: tuple[str, ...] = ()
    openml: OpenMLSource | None = None


def _unambiguous_bases(columns: dict[str, Column]) -> Column:
    """Rows of the splice set whose 60 bases are all known; the paper uses only these."""
    return np.all([np.isin(column, list("ACGT")) for column in columns.values()], axis=0)


TABULAR_SETS: dict[str, TabularSet] = {
    "heart": TabularSet(
        303, ("cp", "slope", "thal", "restecg"), OpenMLSource(49, positive=("<50",))
    ),
    "banana": TabularSet(5300, openml=OpenMLSource(1460, positive=("2",))),
    "titanic": TabularSet(2201, openml=OpenMLSource(40704, positive=("1",))),
    "splice": TabularSet(
        3175, ALL_COLUMNS, OpenMLSource(46, positive=("EI", "IE"), row_filter=_unambiguous_bases)
    ),
    "twonorm": TabularSet(7400, openml=OpenMLSource(1507, positive=("2",))),
    "waveform": TabularSet(5000, openml=OpenMLSource(60, positive=("0",), n_columns=21)),
    "flare-solar": TabularSet(1066, ALL_COLUMNS),
}


def load_tabular(
    name: str, folder: str | os.PathLike[str] | None = None
) -> tuple[FloatArray, IntArray]:
    """Load one of the paper's tabular data sets with clean labels 0 and 1.

    Categorical columns are one-hot encoded as in the paper; nothing is scaled.

    Parameters
    ----------
    name : str
        A key of `TABULAR_SETS`.
    folder : path, optional
        Folder with ``<name>.csv``: a header, numbers, the label in column ``target``. Without
        it, the data set is downloaded from OpenML. OpenML has the same source data, but not
        always row for row what the authors of the paper prepared.

    Returns
    -------
    X : (n, d) array
    y : (n,) array of 0 and 1
    """
    if name not in TABULAR_SETS:
        known = ", ".join(TABULAR_SETS)
        raise ExperimentError(f"unknown tabular set {name!r}. Choose one of: {known}.")
    described = TABULAR_SETS[name]
    if folder is None:
        columns, y = _from_openml(name, described)
    else:
        columns, y = _from_csv(Path(folder) / f"{name}.csv")
    X = _encoded(columns, described.categorical)
    if len(X) != described.n_rows:
        raise ExperimentError(
            f"{name!r} has {len(X)} rows, but the paper's version has {described.n_rows}. "
            "Check the source."
        )
    return X, y


def _encoded(columns: dict[str, Column], categorical: tuple[str, ...]) -> FloatArray:
    """Numbers as they are; a categorical column becomes indicators of its sorted values."""
    names = set(columns) if categorical == ALL_COLUMNS else set(categorical)
    encoder = OneHotEncoder(sparse_output=False)
    blocks = [
        encoder.fit_transform(values[:, None]) if name in names else values.astype(float)[:, None]
        for name, values in columns.items()
    ]
    return np.hstack(blocks)


def _from_csv(path: Path) -> tuple[dict[str, Column], IntArray]:
    first_line, _, body = read_text(path).partition("\n")
    header = [cell.strip() for cell in first_line.split(",")]
    if "target" not in header or not body.strip():
        raise ExperimentError(
            f"{str(path)!r} needs a header with a column 'target' and at least one row."
        )
    try:
        table = np.loadtxt(body.splitlines(), delimiter=",", ndmin=2)
    except ValueError as error:
        raise ExperimentError(f"{str(path)!r} is not a table of numbers: {error}") from error
    if table.shape[1] != len(header):
        raise ExperimentError(
            f"{str(path)!r} has {len(header)} column names and {table.shape[1]} columns of numbers."
        )
    columns = {name: table[:, i] for i, name in enumerate(header)}
    return columns, columns.pop("target").astype(np.int64)


def _from_openml(name: str, described: TabularSet) -> tuple[dict[str, Column], IntArray]:
    from sklearn.datasets import fetch_openml

    source = described.openml
    if source is None:
        raise ExperimentError(
            f"OpenML has no data set that matches the paper's {name!r}. Pass --data with a folder "
            f"that holds uci/{name}.csv."
        )
    try:
        bunch = fetch_openml(data_id=source.data_id, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise ExperimentError(
            f"cannot download {name!r} from OpenML (data_id={source.data_id}): {error}. Check the "
            f"network, or pass --data with a folder that holds uci/{name}.csv."
        ) from error
    columns = {
        column: _decoded(bunch.data[:, i], (bunch.categories or {}).get(column))
        for i, column in enumerate(bunch.feature_names[: source.n_columns])
    }
    y = np.isin(bunch.target, source.positive).astype(np.int64)
    if source.row_filter is not None:
        rows = source.row_filter(columns)
        columns, y = {key: values[rows] for key, values in columns.items()}, y[rows]
    return columns, y


def _decoded(values: Column, names: list[str] | None) -> Column:
    """Turn OpenML's category codes back into names; a missing number becomes the median."""
    if names is not None:
        codes = np.nan_to_num(values.astype(float), nan=-1).astype(int)
        return np.array([*names, "(missing)"])[codes]
    numbers = values.astype(float)
    return np.where(np.isnan(numbers), np.nanmedian(numbers), numbers)

"""``load_table``: a data set from a file, as the command line reads it, or from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labelnoise.data.dataset import Dataset
from labelnoise.data.files import ReadOptions
from labelnoise.data.frames import is_table
from labelnoise.data.table_options import TableOptions
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence


def load_table(
    path: str | os.PathLike[str] | Any,
    label: str | None = None,
    *,
    features: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    id_column: str | None = None,
    group: str | None = None,
    shown: str | Sequence[str] = (),
    column_types: Mapping[str, str] | None = None,
    embeddings: str | os.PathLike[str] | None = None,
    unlabeled: str | Sequence[str] = (),
    random_state: int = 0,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool = True,
) -> Dataset:
    """Read a table as the command line does: features, labels, ids, and what was guessed.

    Parameters
    ----------
    path : path or table
        CSV, TSV, JSON Lines, Parquet, Arrow, Feather, Excel (.xlsx), ``.npy`` or ``.npz``, also
        compressed; or a table in memory (a pandas or polars frame, an Arrow table, a Hugging Face
        dataset), for which `format`, `delimiter`, `encoding` and `header` cannot be specified.
    label : str, optional
        Column of the labels, or path of a file that holds them. Guessed if left out.
    features : str or sequence of str
        The only columns to use as features.
    drop : str or sequence of str
        Columns to ignore.
    id_column : str, optional
        Column that names the rows; without it they are numbered from 0.
    group : str, optional
        Column that says which rows belong together, such as a patient: see
        `RankGatedEstimator.fit`. It is not used as a feature.
    shown : str or sequence of str
        Columns to show to reviewers and not to use as features.
    column_types : mapping from str to str, optional
        What columns are: "number", "category", "date", "text", "vector" or "skip". All others are
        decided by their content.
    embeddings : path, optional
        Array (``.npy``) to use as features in place of columns.
    unlabeled : str or sequence of str
        Labels that stand for a missing label: rows with them are left out.
    random_state : int
        Seed of the decomposition of texts.
    format : {"csv", "jsonl", "parquet", "arrow", "xlsx", "npy", "npz"}, optional
        Format of the file; guessed from its name and its first bytes if left out.
    delimiter, encoding : str, optional
        Of delimited text, where the guess would be wrong.
    header : bool
        Whether the first line names the columns; otherwise they are called c1, c2, ...

    Returns
    -------
    Dataset
        Above all ``X``, ``y``, ``ids``, ``feature_names``, ``notes`` and ``content(rows)``.
    """
    options = TableOptions(
        label=label,
        features=_names(features),
        drop=_names(drop),
        id_column=id_column,
        group=group,
        shown=_names(shown),
        column_types=dict(column_types or {}),
        embeddings=None if embeddings is None else str(embeddings),
        unlabeled=_names(unlabeled),
    )
    reading = ReadOptions(format=format, delimiter=delimiter, encoding=encoding, header=header)
    if is_table(path):
        if reading != ReadOptions():
            of_files = "format=, delimiter=, encoding= or header="
            raise LabelNoiseError("exclude_each_other", first="a table in memory", other=of_files)
        return Dataset.from_table(path, options, random_state=random_state)
    return Dataset.from_file(path, options, reading, random_state)


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names as a tuple; a text is a single name."""
    return (given,) if isinstance(given, str) else tuple(given)

"""The paper's text data sets as sentence embeddings: read from a folder, or prepared there once."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.errors import ExperimentError, read_text
from labelnoise.atomic_files import write_bytes_atomically

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

Embed = Callable[[list[str]], Any]


@dataclass(frozen=True)
class TextSet:
    """One of the paper's data sets: its classes, its columns, its address on Hugging Face."""

    classes: tuple[str, ...]
    text_columns: tuple[str, ...] = ("text",)
    label_column: str = "label"
    hub: str | None = None  # repository whose training part is the paper's data set


TEXT_SETS: dict[str, TextSet] = {
    "ag": TextSet(("World", "Sports", "Business", "Sci/Tech"), hub="fancyzhx/ag_news"),
    "dbpedia": TextSet(
        tuple(f"class {i}" for i in range(14)), ("title", "content"), hub="fancyzhx/dbpedia_14"
    ),
    "yelp": TextSet(tuple(f"{i} stars" for i in range(1, 6)), hub="Yelp/yelp_review_full"),
    "jigsaw": TextSet(("other", "toxic"), ("comment_text",), "toxic"),
}


def load_text(
    name: str, folder: str | os.PathLike[str], features: str = "minilm"
) -> tuple[FloatArray, IntArray]:
    """Load the embeddings and the clean labels of one of the paper's text data sets.

    Parameters
    ----------
    name : str
        A key of `TEXT_SETS`.
    folder : path
        Folder with ``<name>_<features>.npy`` (n, d) and ``<name>_y.npy`` (n,), as `prepare_text`
        writes them.
    features : str
        Name of the embedding.

    Returns
    -------
    X : (n, d) array
    y : (n,) array of class codes, starting at 0
    """
    described = _described(name)
    X, y = (_load_array(Path(folder) / f"{name}_{part}.npy") for part in (features, "y"))
    if X.ndim != 2 or y.shape != X.shape[:1]:
        raise ExperimentError(
            f"{name}_{features}.npy has shape {X.shape} and {name}_y.npy has shape {y.shape}, but "
            "they must be (n, d) and (n,). Prepare both again."
        )
    return X.astype(np.float64), _codes(y, described, f"{name}_y.npy")


def prepare_text(
    name: str,
    folder: str | os.PathLike[str],
    embed: Embed,
    *,
    features: str = "minilm",
    file: str | os.PathLike[str] | None = None,
) -> Path:
    """Embed the texts of a data set, and write the two arrays that `load_text` reads.

    Parameters
    ----------
    name : str
        A key of `TEXT_SETS`.
    folder : path
        Where to write.
    embed : callable
        Texts -> array (n, d), such as the ``encode`` method of a sentence-transformers model.
    features : str
        Name of the embedding, part of the file name.
    file : path, optional
        CSV file with a header and the text and label columns of the data set. Without it, the
        data set is downloaded from Hugging Face (requires the package ``datasets``).

    Returns
    -------
    Path
        File with the embeddings.
    """
    described = _described(name)
    if features == "y":
        raise ExperimentError("an embedding cannot be named 'y': the labels are. Choose a name.")
    folder = Path(folder)
    _make_folder(folder)
    rows = _download(name, described) if file is None else _from_csv(Path(file), described)
    texts = [" ".join(str(row[column]) for column in described.text_columns) for row in rows]
    where = f"column {described.label_column!r} of {str(file or described.hub)!r}"
    codes = _codes([row[described.label_column] for row in rows], described, where)
    label_file, target = folder / f"{name}_y.npy", folder / f"{name}_{features}.npy"
    if label_file.exists() and not np.array_equal(_load_array(label_file), codes):
        raise ExperimentError(
            f"{str(label_file)!r} holds other labels, which other embeddings in this folder belong "
            "to. Choose another folder, or remove the files of this data set."
        )
    X = np.asarray(embed(texts), dtype=np.float32)
    if X.ndim != 2 or len(X) != len(texts):
        raise ExperimentError(
            f"embed returned shape {X.shape} for {len(texts)} texts. Return one row for each text."
        )
    _save_array(label_file, codes)
    _save_array(target, X)
    return target


def _described(name: str) -> TextSet:
    if name not in TEXT_SETS:
        raise ExperimentError(f"unknown text set {name!r}. Choose one of: {', '.join(TEXT_SETS)}.")
    return TEXT_SETS[name]


def _make_folder(folder: Path) -> None:
    """Find out whether the folder can be written to before the texts are embedded."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExperimentError(
            f"cannot create {str(folder)!r}: {error.strerror}. Choose a folder to write to."
        ) from error
    if not os.access(folder, os.W_OK):
        raise ExperimentError(f"cannot write to {str(folder)!r}. Choose a folder to write to.")


def _download(name: str, described: TextSet) -> Sequence[dict[str, Any]]:
    from experiments.text_huggingface import training_rows

    if described.hub is None:
        raise ExperimentError(
            f"{name!r} cannot be downloaded without an account. Download its CSV file yourself and "
            "pass it with --file."
        )
    return training_rows(described.hub)


def _codes(labels: Any, described: TextSet, where: str) -> IntArray:
    """Labels (n,) as class codes of the data set, starting at 0."""
    last = len(described.classes) - 1
    codes = np.array([_number(label) for label in labels])
    wrong = ~np.isin(codes, range(last + 1))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ExperimentError(
            f"{where} has {str(labels[row])!r} in row {row}. Labels must be whole numbers from 0 "
            f"to {last}: {', '.join(described.classes)}."
        )
    return codes.astype(np.int64)


def _number(label: Any) -> float:
    try:
        return float(label)
    except (TypeError, ValueError):
        return float("nan")


def _from_csv(path: Path, described: TextSet) -> Sequence[dict[str, str]]:
    csv.field_size_limit(10**9)
    rows = list(csv.DictReader(io.StringIO(read_text(path))))
    required = {*described.text_columns, described.label_column}
    if not rows or not required <= set(rows[0]):
        raise ExperimentError(
            f"{str(path)!r} needs the columns {', '.join(sorted(required))} and at least one row."
        )
    return rows


def _load_array(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ExperimentError(f"cannot read {str(path)!r}: {error}. Check the folder.") from error


def _save_array(path: Path, array: Any) -> None:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    write_bytes_atomically(path, buffer.getvalue())

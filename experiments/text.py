"""The paper's text sets as sentence embeddings: read from a folder, or prepared into it once."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.atomic_files import read_text, write_bytes_atomically

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

Embed = Callable[[list[str]], Any]


@dataclass(frozen=True)
class TextSet:
    """One of the paper's sets: its classes, the columns of its files, its place on a hub."""

    classes: tuple[str, ...]
    text_columns: tuple[str, ...] = ("text",)
    label_column: str = "label"
    hub: str | None = None  # repository on Hugging Face whose training part is the paper's set


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
    """Load the embeddings and the clean labels of one of the paper's text sets.

    Parameters
    ----------
    name : str
        A key of `TEXT_SETS`.
    folder : path
        Folder with ``<name>_<features>.npy`` (n, d) and ``<name>_y.npy`` (n,), as `prepare_text`
        writes them.
    features : str
        Which embedding.

    Returns
    -------
    X : (n, d) array
    y : (n,) array of codes from 0
    """
    checks.one_of(name, "text set", TEXT_SETS)
    X, y = (_array(Path(folder) / f"{name}_{part}.npy") for part in (features, "y"))
    if X.ndim != 2 or y.shape != X.shape[:1]:
        raise LabelNoiseError(
            f"{name}_{features}.npy has shape {X.shape} and {name}_y.npy {y.shape}: they need "
            "(n, d) and (n,). Prepare both again."
        )
    return X.astype(np.float64), _codes(y, TEXT_SETS[name], f"{name}_y.npy")


def prepare_text(
    name: str,
    folder: str | os.PathLike[str],
    embed: Embed,
    *,
    features: str = "minilm",
    file: str | os.PathLike[str] | None = None,
) -> Path:
    """Fetch a set, embed its texts, and write both arrays for `load_text`.

    Parameters
    ----------
    name : str
        A key of `TEXT_SETS`.
    folder : path
        Where to write.
    embed : callable
        Texts -> array (n, d), such as the ``encode`` of a sentence-transformers model.
    features : str
        Name of the embedding, part of the file's name.
    file : path, optional
        CSV file with a header, with the set's columns of text and label. Without it the set is
        downloaded from Hugging Face (needs a network and the package ``datasets``).

    Returns
    -------
    path of the embeddings
    """
    described = TEXT_SETS[checks.one_of(name, "text set", TEXT_SETS)]
    if features == "y":
        raise LabelNoiseError("features cannot be called 'y': the labels are. Choose a name.")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabelNoiseError(
            f"cannot make {str(folder)!r}: {error.strerror}. Choose a folder to write to."
        ) from error
    if not os.access(folder, os.W_OK):
        raise LabelNoiseError(f"cannot write to {str(folder)!r}. Choose a folder to write to.")
    if file is not None:
        rows = _from_csv(Path(file), described)
    elif described.hub is None:
        raise LabelNoiseError(
            f"{name!r} cannot be downloaded without an account. Download its CSV file and pass it "
            "as file= (--file)."
        )
    else:
        from experiments.text_huggingface import training_rows

        rows = training_rows(described.hub)
    texts = [" ".join(str(row[column]) for column in described.text_columns) for row in rows]
    where = f"column {described.label_column!r} of {str(file or described.hub)!r}"
    codes = _codes([row[described.label_column] for row in rows], described, where)
    label_file = Path(folder) / f"{name}_y.npy"
    if label_file.exists() and not np.array_equal(_array(label_file), codes):
        raise LabelNoiseError(
            f"{str(label_file)!r} has other labels, which embeddings beside it belong to. Choose "
            "another folder, or remove the set's files."
        )
    X = np.asarray(embed(texts), dtype=np.float32)
    if X.ndim != 2 or len(X) != len(texts):
        raise LabelNoiseError(
            f"embed returned shape {X.shape} for {len(texts)} texts. Return one row for each text."
        )
    target = Path(folder) / f"{name}_{features}.npy"
    for path, array in ((label_file, codes), (target, X)):
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        write_bytes_atomically(path, buffer.getvalue())
    return target


def _codes(labels: Any, described: TextSet, where: str) -> IntArray:
    """Labels (n,) as the numbers of the set's classes, from 0 on."""
    most = len(described.classes) - 1
    codes = np.array([_number(label) for label in labels])
    wrong = ~np.isin(codes, range(most + 1))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise LabelNoiseError(
            f"{where} has {str(labels[row])!r} in row {row}. Labels are whole numbers from 0 to "
            f"{most}: {', '.join(described.classes)}."
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
    wanted = {*described.text_columns, described.label_column}
    if not rows or not wanted <= set(rows[0]):
        raise LabelNoiseError(
            f"{str(path)!r} needs the columns {', '.join(sorted(wanted))} and at least one row."
        )
    return rows


def _array(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise LabelNoiseError(f"cannot read {str(path)!r}: {error}. Check folder=.") from error

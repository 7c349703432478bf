"""NumPy's files <-> columns: .npy holds one array, .npz several by name."""

from __future__ import annotations

import zipfile
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from labelnoise.data.old_columns import Column, Numbers, RawTable, Texts, Vectors
from labelnoise.data.plain_columns import column_of, text_of
from labelnoise.data.reading import ONLY_ARRAY
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.data.reading import Reading


UNREADABLE = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What NumPy and zipfile raise for files that are damaged, encrypted or something else."""

ONE_ARRAY = b"\x93NUMPY"
"""How a .npy file begins."""


def read(stream: BinaryIO, reading: Reading) -> RawTable:
    """Arrays as columns; a two-dimensional one is a column of vectors."""
    arrays = _arrays(stream, reading)
    sizes = {len(array) for array in arrays.values() if array.ndim}
    if len(sizes) != 1 or any(array.ndim not in (1, 2) for array in arrays.values()):
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise LabelNoiseError(
            f"{reading.name} must hold arrays of one length, (n, d) or (n,): it has {shapes}. Save "
            "features and labels with numpy.savez(path, X=X, y=y)."
        )
    if not sizes.pop():
        raise LabelNoiseError(f"{reading.name} has no rows. Pass arrays with labeled rows.")
    return RawTable(
        {
            name: _column(name, array, as_text=reading.keeps_text(name))
            for name, array in arrays.items()
        }
    )


def rewrite(
    stream: BinaryIO, out: BinaryIO, reading: Reading, column: str, changes: Mapping[int, str]
) -> None:
    """Copy arrays with other values in some rows of one, of its type if they fit into it."""
    arrays = _arrays(stream, reading)
    arrays[column] = _changed(arrays[column], changes)
    stream.seek(0)
    if stream.read(len(ONE_ARRAY)) == ONE_ARRAY:
        np.save(out, arrays[ONLY_ARRAY], allow_pickle=False)
    else:
        np.savez_compressed(out, **arrays)  # type: ignore[arg-type]


def _changed(array: np.ndarray[Any, Any], changes: Mapping[int, str]) -> np.ndarray[Any, Any]:
    flat = array.reshape(len(array))
    known = {_text(value): value for value in np.unique(flat)}
    new = [known.get(text, _number(text, flat.dtype)) for text in changes.values()]
    if any(value is None for value in new):  # a class that the type cannot hold
        missing = flat != flat  # noqa: PLR0124
        as_texts = np.where(missing, "", [_text(value) for value in flat])
        flat = as_texts.astype(np.array([*as_texts, *changes.values()]).dtype)
        new = list(changes.values())
    changed = flat.copy()
    changed[list(changes)] = new
    return changed.reshape(array.shape)


def _number(text: str, dtype: np.dtype[Any]) -> Any:
    """A text as a number of some type; None if it is none of it."""
    if dtype.kind not in "iuf":
        return None
    try:
        found = dtype.type(text)
    except (ValueError, OverflowError):
        return None
    return found if _text(found) == text else None


def _text(value: Any) -> str:
    """A value as it is read as a label."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    return text_of(value.item() if isinstance(value, np.generic) else value)


def _arrays(stream: BinaryIO, reading: Reading) -> dict[str, np.ndarray[Any, Any]]:
    stream.seek(0)
    try:
        loaded = np.load(stream, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            return {ONLY_ARRAY: loaded}
        found = {name: loaded[name] for name in loaded.files}
        strange = [name for name, array in found.items() if not isinstance(array, np.ndarray)]
        if strange:
            raise ValueError(f"{strange[0]!r} in it is no array")
        return found
    except UNREADABLE as error:
        raise LabelNoiseError(
            f"{reading.name} is no NumPy file that can be read: {error}. Save arrays of numbers or "
            "texts, not of objects, with numpy.savez(path, X=X, y=y)."
        ) from error


def _column(name: str, array: np.ndarray[Any, Any], *, as_text: bool) -> Column:
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.dtype.kind == "S":
        try:
            array = np.char.decode(array, "utf-8")
        except UnicodeDecodeError as error:
            raise LabelNoiseError(
                f"array {name!r} holds bytes that are not UTF-8. Save it as texts."
            ) from error
    if array.ndim == 1 and (as_text or array.dtype.kind not in "iuf"):
        return _texts(array)
    if array.dtype.kind not in "biuf":
        raise LabelNoiseError(
            f"array {name!r} has shape {array.shape} and dtype {array.dtype}: a table of features "
            "must hold numbers. Encode them first."
        )
    values = array.astype(np.float64)
    return Numbers(values) if array.ndim == 1 else Vectors(values)


def _texts(array: np.ndarray[Any, Any]) -> Texts:
    found = column_of(array.tolist(), as_text=True)
    assert isinstance(found, Texts)
    return found

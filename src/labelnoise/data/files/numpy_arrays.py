"""NumPy's files: .npy holds one array, .npz several by name."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
import pyarrow as pa

from labelnoise.data.files.columnar import relabeled
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.data.files.table import ReadOptions, Relabeling
    from labelnoise.wording import Note

Array = np.ndarray[Any, Any]

ONLY_ARRAY = "X"
"""Name of the array in a .npy file, which has none."""

UNREADABLE = (OSError, ValueError, EOFError, KeyError, RuntimeError, BadZipFile, zlib.error)
"""What NumPy and zipfile raise for files that are damaged, encrypted, or hold Python objects."""


def read(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[pa.Table, tuple[Note, ...]]:
    """Read arrays as columns; a two-dimensional array is a column of vectors."""
    del options
    arrays = _arrays(stream, name)
    shapes = {key: array.shape for key, array in arrays.items()}
    n_axes = {len(shape) for shape in shapes.values()}
    if not n_axes <= {1, 2} or len({shape[0] for shape in shapes.values()}) != 1:
        raise LabelNoiseError("arrays_of_other_shapes", name=name, shapes=str(shapes))
    try:
        return pa.table({key: _column(array) for key, array in arrays.items()}), ()
    except pa.ArrowException as error:  # complex numbers, say
        raise _damaged(name, error) from error


def copy(
    stream: BinaryIO, out: BinaryIO, name: str, options: ReadOptions, change: Relabeling
) -> None:
    """Save the arrays with other labels, of the same type if the type can hold them."""
    del options
    arrays = _arrays(stream, name)
    array = arrays[change.column]
    column = relabeled(pa.chunked_array([_column(array)]), change.labels)
    values = np.array(column.to_pylist())
    values = values if values.dtype.kind == "U" else values.astype(array.dtype)
    arrays[change.column] = values.reshape(array.shape)
    if change.found.format == "npy":
        np.save(out, arrays[ONLY_ARRAY], allow_pickle=False)
    else:
        np.savez_compressed(out, **arrays)  # type: ignore[arg-type]


def _arrays(stream: BinaryIO, name: str) -> dict[str, Array]:
    stream.seek(0)
    try:
        loaded = np.load(stream, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            return {ONLY_ARRAY: loaded}
        return {key: np.asarray(loaded[key]) for key in loaded.files}
    except UNREADABLE as error:
        raise _damaged(name, error) from error


def _damaged(name: str, error: Exception) -> LabelNoiseError:
    usable = "numbers or texts, not of objects"
    return LabelNoiseError("damaged_file", name=name, reason=str(error), arrays=usable)


def _column(array: Array) -> pa.Array:
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8", "replace")
    if array.ndim == 1:
        return pa.array(array)
    if array.dtype == np.float16:  # what Arrow can hardly compute with
        array = array.astype(np.float32)
    flat = pa.array(np.ascontiguousarray(array).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, array.shape[1])

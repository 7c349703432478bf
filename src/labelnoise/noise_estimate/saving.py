"""Saving and loading estimates: as a JSON file, or as a folder with the results for single rows."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from labelnoise import checks
from labelnoise.atomic_files import (
    make_folder,
    read_bytes,
    read_text,
    write_bytes_atomically,
    write_text_atomically,
)
from labelnoise.errors import LabelNoiseError
from labelnoise.findings import Diagnosis
from labelnoise.noise_estimate.saved_rows import SavedRows
from labelnoise.transition import TransitionMatrix
from labelnoise.uncertainty import Bounds, Draws
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from labelnoise.noise_estimate.estimate import NoiseEstimate

Estimate = TypeVar("Estimate", bound="NoiseEstimate")

SCHEMA, SCHEMA_VERSION = "labelnoise/noise-estimate", 4

FILES_OF_FOLDER = ESTIMATE_FILE, ROWS_FILE = "noise.json", "rows.npz"
"""Files of a folder. The first contains the digest of the second, to detect a mix-up."""


def save(est: NoiseEstimate, path: str | os.PathLike[str]) -> None:
    """Write an estimate to a file, or with its results for single rows to a folder."""
    for label in est.classes:
        if not isinstance(label, str | int | float | bool):
            raise LabelNoiseError("class_not_for_json", label=label, type=type(label).__name__)
    check_name(path)
    file, digest = Path(path), None
    if names_folder(path):
        make_folder(file)
        if est.rows is not None:
            content = SavedRows.of(est.rows).to_bytes(est.classes)
            write_bytes_atomically(file / ROWS_FILE, content)
            digest = hashlib.sha256(content).hexdigest()
        file /= ESTIMATE_FILE
    document = document_of(est) | {"rows_digest": digest}
    write_text_atomically(file, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def names_folder(path: str | os.PathLike[str]) -> bool:
    """Whether an estimate is saved here as a folder: there is one, or the path ends in "/"."""
    text = os.fspath(path)
    return bool(text) and (text.endswith(("/", os.sep)) or os.path.isdir(text))  # noqa: PTH112


def check_name(path: str | os.PathLike[str]) -> None:
    """Refuse a path that names neither a .json file nor a folder, such as that of a table."""
    name = os.fspath(path)
    if name and not names_folder(name) and Path(name).suffix.lower() != ".json":
        raise LabelNoiseError("estimate_saved_as_other", path=name)


def document_of(est: NoiseEstimate) -> dict[str, Any]:
    """An estimate as plain values, without its rows."""
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "method": est.method,
        "classes": list(est.classes),
        "transition_matrix": est.transition_matrix.values.tolist(),
        "class_prior": est.class_prior.tolist(),
        "n_rows": est.n_rows,
        "labels_digest": est.labels_digest,
        "row_ids": None if est.row_ids is None else np.asarray(est.row_ids).tolist(),
        "assumption": est.assumption and est.assumption.to_document(),
        "diagnosis": est.diagnosis.to_document(),
        "corrected": list(est.corrected),
        "parameters": dict(est.parameters),
        "draws": est.draws and est.draws.to_document(),
        "bounds": est.bounds and est.bounds.to_document(),
    }


def load(kind: type[Estimate], path: str | os.PathLike[str]) -> Estimate:
    """The estimate that a file or a folder holds."""
    folder = Path(path) if names_folder(path) else None
    file = str(path) if folder is None else str(folder / ESTIMATE_FILE)
    document = read_document(file, SCHEMA, SCHEMA_VERSION, "not_an_estimate")
    with damage_reported(file):
        found = kind(**_attributes(document))
        _check_words(found)
    digest = document.get("rows_digest")
    if folder is None or digest is None:
        return found
    content = read_bytes(folder / ROWS_FILE)
    if hashlib.sha256(content).hexdigest() != digest:
        raise LabelNoiseError("rows_of_other_estimate", path=str(folder / ROWS_FILE))
    with damage_reported(str(folder / ROWS_FILE)):
        return replace(found, rows=SavedRows.from_bytes(content, found.classes, found.n_rows))


@contextmanager
def damage_reported(path: str) -> Iterator[None]:
    """Name the file if its parts do not form an estimate."""
    try:
        yield
    except LabelNoiseError as error:
        raise LabelNoiseError("damaged_estimate", path=path, reason=error.note.reason()) from error
    except (AttributeError, LookupError, TypeError, ValueError, OverflowError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise LabelNoiseError("damaged_estimate", path=path, reason=reason) from error


def read_document(path: str, schema: str, version: int, otherwise: str) -> Mapping[str, Any]:
    """What a file of this schema holds; `otherwise` is the error for other files."""
    text = read_text(path)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabelNoiseError(otherwise, path=path, reason=str(error)) from error
    if not isinstance(document, dict) or document.get("schema") != schema:
        raise LabelNoiseError(otherwise, path=path)
    found = document.get("schema_version")
    if found != version:
        facts = {"version": found, "expected": version}
        raise LabelNoiseError("estimate_of_other_version", path=path, **facts)
    return document


def _attributes(document: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes of an estimate, from plain values; every value is checked."""
    classes, draws, bounds = document["classes"], document["draws"], document["bounds"]
    T = TransitionMatrix(document["transition_matrix"], classes)
    method, digest = document["method"], document["labels_digest"]
    if not isinstance(method, str) or not isinstance(digest, str):
        raise TypeError("method and labels_digest are texts")
    names = document.get("row_ids")
    if not all(isinstance(name, str | int | float) for name in names or ()):
        raise TypeError("row_ids are texts or numbers")
    return {
        "transition_matrix": T,
        "class_prior": np.asarray(document["class_prior"], dtype=float),
        "method": method,
        "diagnosis": Diagnosis.from_document(document["diagnosis"]),
        "assumption": Assumption.from_document(document["assumption"]),
        "parameters": dict(document["parameters"]),
        "corrected": tuple(map(float, document["corrected"])),
        "labels_digest": digest,
        "row_ids": names and checks.label_array(names),
        "n_rows": checks.positive_int(document["n_rows"], "n_rows", minimum=0),
        "draws": draws and Draws.from_document(draws),
        "bounds": bounds and Bounds.from_document(bounds, T.classes),
    }


def _check_words(est: NoiseEstimate) -> None:
    """Word everything once: an error if the facts of a finding are not those of its message."""
    est.noise_in_words()
    for finding in est.diagnosis.findings:
        finding.text("python")
        finding.text("command line")

"""Saving and loading results as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.annotators.agreement import Agreement
from labelnoise.annotators.sampler import CrowdDraws, Moments
from labelnoise.atomic_files import write_text_atomically
from labelnoise.errors import LabelNoiseError
from labelnoise.findings import Diagnosis
from labelnoise.json_values import json_value
from labelnoise.noise_estimate.saving import damage_reported, read_document

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from labelnoise.annotators.result import AnnotatorEstimate

SCHEMA, SCHEMA_VERSION = "labelnoise/annotator-estimate", 1

ARRAYS = {
    "transition": (float, "akk"),
    "class_prior": (float, "k"),
    "posterior": (float, "nk"),
    "counts": (float, "akk"),
    "n_answers": (int, "n"),
    "single_label": (bool, "a"),
}
"""Arrays of a result, their types, and their axes: rows n, annotators a, classes k."""

DRAWN = {"transition": "ekk", "noise_rate": "e", "prior": "k"}
"""Axes of what was drawn: e stands for every annotator, and all together."""


def document_of(est: AnnotatorEstimate) -> dict[str, Any]:
    """A result as plain values."""
    draws = est.draws
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "method": est.method,
        "parameters": json_value(est.parameters),
        "classes": list(est.classes),
        "annotators": [_name(one) for one in est.annotators],
        "rows": [_name(one) for one in est.rows.tolist()],
        **{name: getattr(est, name).tolist() for name in ARRAYS},
        "agreement": json_value(vars(est.agreement)),
        "diagnosis": est.diagnosis.to_document(),
        "draws": draws and {name: _moments(one) for name, one in vars(draws).items()},
    }


def _moments(moments: Moments) -> dict[str, Any]:
    return {name: one.tolist() for name, one in vars(moments).items()}


def _name(name: Any) -> Any:
    """A name as it is if JSON can hold it, otherwise as text: dates, tuples."""
    return name if isinstance(name, str | int | float | bool) else str(name)


def save(est: AnnotatorEstimate, path: str | os.PathLike[str]) -> None:
    """Write a result as JSON; refuse classes that JSON cannot hold."""
    for label in est.classes:
        if not isinstance(label, str | int | float | bool):
            raise LabelNoiseError("class_not_for_json", label=label, type=type(label).__name__)
    text = json.dumps(document_of(est), ensure_ascii=False, allow_nan=False)
    write_text_atomically(path, text + "\n")


def attributes_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Attributes of the result that a file holds."""
    document = read_document(str(path), SCHEMA, SCHEMA_VERSION, "not_annotators")
    with damage_reported(str(path)):
        return _attributes(document)


def _attributes(document: Mapping[str, Any]) -> dict[str, Any]:
    found, draws = document["agreement"], document["draws"]
    pairwise, alpha = (
        np.nan if one is None else float(one) for one in (found["pairwise"], found["alpha"])
    )
    n, a, k = (len(document[name]) for name in ("rows", "annotators", "classes"))
    sizes = {"n": n, "a": a, "k": k, "e": a + 1}

    def array(values: Any, kind: type, axes: str) -> Any:
        read: np.ndarray[Any, Any] = np.array(values, dtype=kind)
        if read.shape != tuple(sizes[axis] for axis in axes):
            raise ValueError("arrays of other shapes")
        return read

    def moments(name: str, axes: str) -> Moments:
        return Moments(*(array(draws[name][one], float, axes) for one in ("mean", "variance")))

    return {
        **{name: array(document[name], kind, axes) for name, (kind, axes) in ARRAYS.items()},
        "rows": checks.label_array(document["rows"]),
        "annotators": tuple(document["annotators"]),
        "classes": tuple(document["classes"]),
        "method": str(document["method"]),
        "parameters": dict(document["parameters"]),
        "agreement": Agreement(pairwise, alpha, int(found["n_rows"])),
        "diagnosis": Diagnosis.from_document(document["diagnosis"]),
        "draws": draws and CrowdDraws(*(moments(name, axes) for name, axes in DRAWN.items())),
    }

"""Saving and loading results as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.annotators.agreement import Agreement
from labelnoise.annotators.sampler import CrowdDraws, Moments
from labelnoise.atomic_files import read_text, write_text_atomically
from labelnoise.errors import LabelNoiseError
from labelnoise.findings import Diagnosis
from labelnoise.json_values import json_value

if TYPE_CHECKING:
    import os

    from labelnoise.annotators.result import AnnotatorEstimate

SCHEMA, SCHEMA_VERSION = "labelnoise/annotator-estimate", 1

ARRAYS = {
    "transition": float,
    "class_prior": float,
    "posterior": float,
    "counts": float,
    "n_answers": int,
    "single_label": bool,
}
"""Arrays of a result, and their types."""

DAMAGES = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""Errors that damaged documents cause while they are read."""


def document_of(est: AnnotatorEstimate) -> dict[str, Any]:
    """A result as plain values."""
    draws = est.draws
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "method": est.method,
        "parameters": json_value(est.parameters),
        "classes": list(est.classes),
        "annotators": list(est.annotators),
        "rows": est.rows.tolist(),
        **{name: getattr(est, name).tolist() for name in ARRAYS},
        "agreement": json_value(vars(est.agreement)),
        "diagnosis": est.diagnosis.to_document(),
        "draws": draws and {name: _moments(one) for name, one in vars(draws).items()},
    }


def _moments(moments: Moments) -> dict[str, Any]:
    return {name: one.tolist() for name, one in vars(moments).items()}


def save(est: AnnotatorEstimate, path: str | os.PathLike[str]) -> None:
    """Write a result as JSON; refuse names that JSON cannot hold."""
    for label in (*est.classes, *est.annotators, *est.rows.tolist()):
        if not isinstance(label, str | int | float | bool):
            raise LabelNoiseError("class_not_for_json", label=label, type=type(label).__name__)
    text = json.dumps(document_of(est), ensure_ascii=False, allow_nan=False)
    write_text_atomically(path, text + "\n")


def attributes_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Attributes of the result that a file holds."""
    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, LabelNoiseError):
            raise
        raise LabelNoiseError("not_annotators", path=str(path), reason=str(error)) from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise LabelNoiseError("not_annotators", path=str(path))
    version = document.get("schema_version")
    if version != SCHEMA_VERSION:
        facts = {"version": version, "expected": SCHEMA_VERSION}
        raise LabelNoiseError("estimate_of_other_version", path=str(path), **facts)
    try:
        return _attributes(document)
    except DAMAGES as error:
        reason = f"{type(error).__name__}: {error}"
        raise LabelNoiseError("damaged_estimate", path=str(path), reason=reason) from error


def _attributes(document: dict[str, Any]) -> dict[str, Any]:
    found, draws = document["agreement"], document["draws"]
    pairwise, alpha = (
        np.nan if one is None else float(one) for one in (found["pairwise"], found["alpha"])
    )
    arrays: dict[str, Any] = {
        name: np.array(document[name], dtype=kind) for name, kind in ARRAYS.items()
    }
    n, a, k = (len(document[name]) for name in ("rows", "annotators", "classes"))
    if arrays["transition"].shape != (a, k, k) or arrays["posterior"].shape != (n, k):
        raise ValueError("arrays of other shapes")
    return {
        **arrays,
        "rows": checks.label_array(document["rows"]),
        "annotators": tuple(document["annotators"]),
        "classes": tuple(document["classes"]),
        "method": str(document["method"]),
        "parameters": dict(document["parameters"]),
        "agreement": Agreement(pairwise, alpha, int(found["n_rows"])),
        "diagnosis": Diagnosis.from_document(document["diagnosis"]),
        "draws": draws
        and CrowdDraws(
            *(
                Moments(*(np.array(draws[name][one], dtype=float) for one in ("mean", "variance")))
                for name in ("transition", "noise_rate", "prior")
            )
        ),
    }

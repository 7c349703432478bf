"""Check that labels are those that an estimate was made from."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray
    from labelnoise.noise_estimate.estimate import NoiseEstimate


def labels_digest(codes: IntArray) -> str:
    """SHA-256 of labels as codes (n,), the same on every machine."""
    return hashlib.sha256(codes.astype("<i8").tobytes()).hexdigest()


def check_labels(est: NoiseEstimate, y: Any) -> IntArray:
    """Codes (n,) of labels that must be those that the estimate was made from."""
    codes = checks.known_labels(y, est.classes, est.n_rows, "y")
    if est.rows is not None:
        differ = np.flatnonzero(codes != est.rows.observed())
        if differ.size:
            raise LabelNoiseError(
                "estimate_of_other_labels", n=int(differ.size), position=int(differ[0])
            )
    elif est.labels_digest and labels_digest(codes) != est.labels_digest:
        raise LabelNoiseError("estimate_of_other_labels")
    return codes

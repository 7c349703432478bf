"""Results for single rows, as they were when an estimate was saved."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, Self

import numpy as np

from labelnoise.errors import LabelNoiseError
from labelnoise.row_model import SHOWN_NEIGHBORS, PurityCurve, rows_by_audit_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.findings import Finding
    from labelnoise.row_model import RowModel

CURVE_PARTS = ("top", "n_rows", "observed", "fitted", "clean")


@dataclass(frozen=True)
class SavedRows:
    """The row model (`labelnoise.row_model.RowModel`) of a loaded estimate.

    It answers everything but an audit, for which the fit itself is needed.

    Attributes
    ----------
    arrays : mapping from str to array
        The results of the methods, under their names in the file: "posteriors" and "by_features"
        (n, K), "lead" (`log_odds_margin`), "worth" (`audit_value`), "cells" and "observed" (n,),
        "audits" (m,), and "nearest" (n, k) of every row.
    curves : tuple of PurityCurve
    """

    arrays: Mapping[str, np.ndarray[Any, Any]]
    curves: tuple[PurityCurve, ...]

    @classmethod
    def of(cls, rows: RowModel) -> Self:
        """From any row model."""
        observed = rows.observed()
        arrays = {
            "posteriors": rows.posteriors(),
            "by_features": rows.by_features(),
            "lead": rows.log_odds_margin(),
            "worth": rows.audit_value(),
            "cells": rows.cells(),
            "observed": observed,
            "audits": rows.audits(),
            "nearest": rows.nearest(np.arange(len(observed)), SHOWN_NEIGHBORS),
        }
        return cls(arrays, rows.purity())

    def posteriors(self) -> FloatArray:
        """P(true class | features, observed label), (n, K)."""
        return self.arrays["posteriors"]

    def by_features(self) -> FloatArray:
        """P(true class | features), (n, K)."""
        return self.arrays["by_features"]

    def log_odds_margin(self) -> FloatArray:
        """Log-odds of the best other class against the label by the features, (n,)."""
        return self.arrays["lead"]

    def audit_value(self) -> FloatArray:
        """How informative about T the true label of each row would be, (n,)."""
        return self.arrays["worth"]

    def cells(self) -> IntArray:
        """Groups of rows with the same label and features, (n,)."""
        return self.arrays["cells"]

    def observed(self) -> IntArray:
        """Observed labels as codes, (n,)."""
        return self.arrays["observed"]

    def audits(self) -> IntArray:
        """Rows whose true labels are known from an audit."""
        return self.arrays["audits"]

    def nearest(self, rows: IntArray, k: int) -> IntArray:
        """Up to `k` rows nearest to each of some rows, (m, k); -1 where none is known."""
        found: IntArray = self.arrays["nearest"][rows, :k]
        return found

    def purity(self) -> tuple[PurityCurve, ...]:
        """How labels change along the ranking of each class that occurs."""
        return self.curves

    def suggest(self, n_rows: int) -> IntArray:
        """Rows whose true labels would determine T best, most informative first."""
        return rows_by_audit_value(self, n_rows)

    def with_findings(self, findings: tuple[Finding, ...]) -> Self:
        """Unchanged: findings are kept for audits, and there are none."""
        del findings
        return self

    def audited(self, rows: IntArray, true_codes: IntArray) -> NoReturn:
        """Refused: the fit was not saved."""
        del rows, true_codes
        raise LabelNoiseError("audit_of_loaded_estimate")

    def to_bytes(self, classes: tuple[Label, ...]) -> bytes:
        """As a compressed NumPy archive that holds no Python objects."""
        arrays: dict[str, Any] = {
            **self.arrays,
            "curve_class": np.array([classes.index(curve.label) for curve in self.curves], int),
            "curve_steps": np.array([len(curve.top) for curve in self.curves], int),
        }
        for part in CURVE_PARTS:
            parts = [getattr(curve, part) for curve in self.curves]
            arrays[f"curve_{part}"] = np.concatenate([np.empty(0), *parts])
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)
        return stream.getvalue()

    @classmethod
    def from_archive(cls, stream: BinaryIO, classes: tuple[Label, ...], n_rows: int) -> Self:
        """From an archive that `to_bytes` made, for an estimate with these classes and rows."""
        with np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        ends = np.cumsum(arrays.pop("curve_steps"))
        labels = [classes[code] for code in arrays.pop("curve_class")]
        parts = [np.split(arrays.pop(f"curve_{part}"), ends[:-1]) for part in CURVE_PARTS]
        curves = [PurityCurve(label, *own) for label, *own in zip(labels, *parts, strict=True)]
        _check(arrays, len(classes), n_rows)
        return cls(arrays, tuple(curves))


def _check(arrays: Mapping[str, np.ndarray[Any, Any]], n_classes: int, n_rows: int) -> None:
    """Check shapes, probabilities and codes."""
    shapes = {
        "posteriors": (n_rows, n_classes),
        "by_features": (n_rows, n_classes),
        "lead": (n_rows,),
        "worth": (n_rows,),
        "cells": (n_rows,),
        "observed": (n_rows,),
        "nearest": (n_rows, SHOWN_NEIGHBORS),
    }
    sound = all(arrays[name].shape == shape for name, shape in shapes.items())
    for name in ("posteriors", "by_features"):
        sound = sound and bool(np.abs(arrays[name].sum(axis=1) - 1).max() < 1e-6)
        sound = sound and arrays[name].min() >= 0
    limits = {"observed": (0, n_classes), "audits": (0, n_rows), "nearest": (-1, n_rows)}
    for name, (minimum, end) in limits.items():
        values = arrays[name]
        sound = (
            sound and values.min(initial=minimum) >= minimum and values.max(initial=minimum) < end
        )
    if not sound or not (arrays["worth"] >= 0).all() or not np.isfinite(arrays["lead"]).all():
        raise ValueError("arrays of other shapes or values")

"""Results for single rows, as they were when an estimate was saved."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from labelnoise.errors import LabelNoiseError
from labelnoise.row_model import SHOWN_NEIGHBORS, PurityCurve, rows_by_audit_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.findings import Finding
    from labelnoise.row_model import RowModel

# Methods of `RowModel` whose results are saved: of shape (n, K), and (n,).
PER_CLASS = ("posteriors", "by_features")
PER_ROW = ("log_odds_margin", "audit_value", "cells", "observed")


@dataclass(frozen=True)
class SavedRows:
    """The row model (`labelnoise.row_model.RowModel`) of a loaded estimate, without audits.

    Attributes
    ----------
    arrays : mapping from str to array
        The results of the methods, by their names; "nearest" has the neighbors of every row,
        (n, SHOWN_NEIGHBORS).
    curves : tuple of PurityCurve
    """

    arrays: Mapping[str, np.ndarray[Any, Any]]
    curves: tuple[PurityCurve, ...]

    @classmethod
    def of(cls, rows: RowModel) -> Self:
        """From any row model."""
        arrays = {name: getattr(rows, name)() for name in (*PER_CLASS, *PER_ROW, "audits")}
        everyone = np.arange(len(arrays["observed"]))
        arrays["nearest"] = rows.nearest(everyone, SHOWN_NEIGHBORS)
        return cls(arrays, rows.purity())

    def posteriors(self) -> FloatArray:
        return self.arrays["posteriors"]

    def by_features(self) -> FloatArray:
        return self.arrays["by_features"]

    def log_odds_margin(self) -> FloatArray:
        return self.arrays["log_odds_margin"]

    def audit_value(self) -> FloatArray:
        return self.arrays["audit_value"]

    def cells(self) -> IntArray:
        return self.arrays["cells"]

    def observed(self) -> IntArray:
        return self.arrays["observed"]

    def audits(self) -> IntArray:
        return self.arrays["audits"]

    def nearest(self, rows: IntArray, k: int) -> IntArray:
        found: IntArray = self.arrays["nearest"][rows, :k]
        return found

    def purity(self) -> tuple[PurityCurve, ...]:
        return self.curves

    def suggest(self, n_rows: int) -> IntArray:
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
        arrays: dict[str, Any] = dict(self.arrays)
        for one in self.curves:
            parts = [one.top, one.n_rows, one.observed, one.fitted, one.clean]
            arrays[_curve_name(classes.index(one.label))] = np.stack(parts)
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes, classes: tuple[Label, ...], n_rows: int) -> Self:
        """From an archive that `to_bytes` made, for an estimate with these classes and rows."""
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        curves = tuple(
            PurityCurve(label, *arrays.pop(_curve_name(code)))
            for code, label in enumerate(classes)
            if _curve_name(code) in arrays
        )
        shapes = {
            **dict.fromkeys(PER_CLASS, (n_rows, len(classes))),
            **dict.fromkeys(PER_ROW, (n_rows,)),
            "nearest": (n_rows, SHOWN_NEIGHBORS),
        }
        if any(arrays[name].shape != shape for name, shape in shapes.items()):
            raise ValueError("arrays of other shapes")
        limits = {"observed": (0, len(classes)), "audits": (0, n_rows), "nearest": (-1, n_rows)}
        for name, (minimum, end) in limits.items():
            if arrays[name].size and not minimum <= arrays[name].min() <= arrays[name].max() < end:
                raise ValueError(f"{name} out of range")
        for name in PER_CLASS:
            if not np.allclose(arrays[name].sum(axis=1), 1) or not (arrays[name] >= 0).all():
                raise ValueError(f"{name} are no probabilities")
        return cls(arrays, curves)


def _curve_name(code: int) -> str:
    return f"curve_{code}"

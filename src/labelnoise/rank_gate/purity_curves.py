"""Purity curves: how the share of a label rises toward the top of its class's ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.rank_gate.settings import CURVE_STEPS, MIN_ROWS_OF_LAST_STEP
from labelnoise.row_model import PurityCurve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.evidence.cells import Cells
    from labelnoise.rank_gate.model import Gate


def purity_curves(
    depths: FloatArray, cells: Cells, gate: Gate, names: Sequence[Label]
) -> tuple[PurityCurve, ...]:
    """One curve for each class that occurs, from the tail depths (C, K) of the cells."""
    eta = gate.clean_posterior(depths)
    fitted = eta @ gate.transition
    deepest = np.log(max(cells.weight.sum() / MIN_ROWS_OF_LAST_STEP, 2.0))
    edges = np.linspace(0.0, deepest, CURVE_STEPS + 1)
    return tuple(
        _curve(name, depths[:, i], edges, cells, (cells.label == i, fitted[:, i], eta[:, i]))
        for i, name in enumerate(names)
    )


def _curve(
    name: Label,
    depth: FloatArray,
    edges: FloatArray,
    cells: Cells,
    shares: tuple[np.ndarray[tuple[int], np.dtype[np.bool_]], FloatArray, FloatArray],
) -> PurityCurve:
    """Averages over the rows of each step, without steps that have no rows."""
    step = np.clip(np.searchsorted(edges, depth, "right") - 1, 0, CURVE_STEPS - 1)
    rows = np.bincount(step, cells.weight, CURVE_STEPS).astype(np.float64)
    occupied = rows > 0
    top = np.exp(-(edges[:-1] + edges[1:]) / 2)[occupied]
    observed, fitted, clean = (
        np.bincount(step, cells.weight * share, CURVE_STEPS)[occupied] / rows[occupied]
        for share in shares
    )
    return PurityCurve(name, top, rows[occupied], observed, fitted, clean)

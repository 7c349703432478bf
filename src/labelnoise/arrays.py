"""Names of the array types that pass between packages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
IndexArray = NDArray[np.int32]
"""Positions of neighbors, of which there are very many: half the memory."""

"""Names for the array types that pass between the rooms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
IndexArray = NDArray[np.int32]
"""Places of neighbors, of which there are many: half the memory."""

"""Any values as values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any


def json_value(value: Any, text: Callable[[Any], str] = str) -> Any:
    """A value as plain Python values: numbers, truth values, texts, lists, mappings and None.

    NaN and infinities, which JSON does not have, are None. `text` turns texts, and whatever JSON
    cannot hold, into texts.

    >>> import numpy as np
    >>> json_value({"T": np.eye(2), 3: (np.float32(0.5), np.nan, float("inf")), "by": object}, repr)
    {'T': [[1.0, 0.0], [0.0, 1.0]], '3': [0.5, None, None], 'by': "<class 'object'>"}
    """
    if value is None or isinstance(value, int):  # bool is one
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): json_value(item, text) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item, text) for item in value]
    plain = value.tolist() if callable(getattr(value, "tolist", None)) else value
    return text(value) if type(plain) is type(value) else json_value(plain, text)

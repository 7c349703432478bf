"""Numbers as people write them: with units, thousands, commas, and remarks between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from labelnoise.data.columns import Numbers, Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

MOSTLY = 0.9
"""Share of the rows that must be numbers for all others to be remarks."""

UNITS = re.compile(r"^[\s$€£¥]+|[\s$€£¥%]+$")
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
EUROPEAN = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+")


class MostlyNumbers(NamedTuple):
    """A column of numbers, and the texts between them, which count as missing."""

    numbers: Numbers
    remarks: tuple[str, ...]
    n_remarks: int


def written_number(text: str) -> float:
    """The number that a text means, NaN if it means none.

    >>> [written_number(text) for text in ("12.5%", "€ 1,234.50", "1.234,5", "k.A.")]
    [12.5, 1234.5, 1234.5, nan]
    """
    bare = UNITS.sub("", text)
    if PLAIN.fullmatch(bare):
        return float(bare)
    if THOUSANDS.fullmatch(bare):
        return float(bare.replace(",", ""))
    if EUROPEAN.fullmatch(bare):
        return float(bare.replace(".", "").replace(",", "."))
    return float("nan")


def mostly_numbers(texts: Texts) -> MostlyNumbers | None:
    """Texts as numbers, if nearly all are; None if not."""
    if not _worth_a_try(texts.levels):
        return None
    values = np.array([written_number(level) for level in texts.levels])
    numbers = np.append(values, np.nan)[texts.codes]
    n_told, n_numbers = int((~texts.missing).sum()), int((~np.isnan(numbers)).sum())
    if not n_numbers or n_numbers < MOSTLY * n_told:
        return None
    remarks = [texts.levels[i] for i in np.flatnonzero(np.isnan(values))]
    return MostlyNumbers(Numbers(numbers), tuple(remarks), n_told - n_numbers)


def _worth_a_try(levels: Sequence[str]) -> bool:
    """Whether some of the first texts have digits: most columns of text have none."""
    return any(any(c.isdigit() for c in level) for level in levels[:20])

"""Numbers as people write them: with units, thousands, commas, and remarks between them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from labelnoise.data.old_columns import Numbers, Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray

MOSTLY = 0.9
"""Share of the rows that must be numbers for all others to be remarks."""

MISSING_NUMBERS = frozenset(
    {"", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-", ".", "missing"}
)
"""What stands for no number, in lower case; among texts only an empty cell is missing."""

UNITS = re.compile(r"^[\s$€£¥]+|(?<=^[+-])[\s$€£¥]+|[\s$€£¥%]+$")
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
EUROPEAN = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+")
EUROPEAN_THOUSANDS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+")
IN_BRACKETS = re.compile(r"\((.*)\)")
CURRENCY = re.compile(r"[$€£¥]")
SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "bn": 1e9}
"""Letters after a number that stand for thousands, millions and billions: of money, or if a column
has several of them."""

WORD_AT_END = re.compile(r"\d\s*([^\W\d_]{1,4}[/²³]?[^\W\d_]{0,3})$")
"""A unit after a number, such as kg or km/h."""


class MostlyNumbers(NamedTuple):
    """A column of numbers, and the texts between them, which count as missing."""

    numbers: Numbers
    remarks: tuple[str, ...]
    n_remarks: int


def written_number(text: str, *, decimal_comma: bool = False) -> float:
    """The number that a text means, NaN if it means none.

    >>> [written_number(text) for text in ("12.5%", "€ 1,234.50", "1.234,5", "k.A.")]
    [12.5, 1234.5, 1234.5, nan]
    >>> written_number("2,708"), written_number("2,708", decimal_comma=True)
    (2708.0, 2.708)
    >>> written_number("1.234"), written_number("1.234", decimal_comma=True)
    (1.234, 1234.0)
    """
    bare = UNITS.sub("", text)
    if decimal_comma and EUROPEAN_THOUSANDS.fullmatch(bare):
        return float(bare.replace(".", ""))
    if PLAIN.fullmatch(bare):
        return float(bare)
    if THOUSANDS.fullmatch(bare) and not decimal_comma:
        return float(bare.replace(",", ""))
    if EUROPEAN.fullmatch(bare):
        return float(bare.replace(".", "").replace(",", "."))
    return float("nan")


def mostly_numbers(texts: Texts) -> MostlyNumbers | None:
    """Texts as numbers, if nearly all are; None if not.

    A comma means in all of them what it must mean in one: in 3,6 it is no thousand.
    """
    if not _worth_a_try(texts.levels):
        return None
    levels, scales = _without_unit([*map(_without_brackets, texts.levels)])
    comma = any(map(_has_decimal_comma, levels))
    values = np.array([written_number(level, decimal_comma=comma) for level in levels]) * scales
    nothing = np.array([level.strip().lower() in MISSING_NUMBERS for level in texts.levels])
    numbers = np.append(values, np.nan)[texts.codes]
    n_told = int((~texts.missing).sum()) - int(texts.counts[nothing].sum())
    n_numbers = int((~np.isnan(numbers)).sum())
    if not n_numbers or n_numbers < MOSTLY * n_told:
        return None
    remarks = [texts.levels[i] for i in np.flatnonzero(np.isnan(values) & ~nothing)]
    return MostlyNumbers(Numbers(numbers), tuple(remarks), n_told - n_numbers)


def _has_decimal_comma(text: str) -> bool:
    bare = UNITS.sub("", text).lstrip("+-")
    european = bool(EUROPEAN.fullmatch(bare))
    return european and (bare.startswith("0,") or not THOUSANDS.fullmatch(bare))


def _without_brackets(text: str) -> str:
    """A number below zero as accountants write it, with a minus.

    >>> _without_brackets("(3,097.16)"), _without_brackets("($5k)"), _without_brackets("5 (est.)")
    ('-3,097.16', '-$5k', '5 (est.)')
    """
    found = IN_BRACKETS.fullmatch(UNITS.sub("", text))
    return f"-{found[1].strip().lstrip('-')}" if found else text


def _without_unit(levels: Sequence[str]) -> tuple[Sequence[str], FloatArray]:
    """Texts without the unit that nearly all have, and what they are thousands or millions of.

    With several units they stay as they are.

    >>> _without_unit(["74.2 kg", "8 kg"])[0], _without_unit(["74.2 kg", "800 g"])[0]
    (['74.2', '8'], ['74.2 kg', '800 g'])
    >>> _without_unit(["$246.3k", "$1.81M", "$900"])
    (['$246.3', '$1.81', '$900'], array([1.e+03, 1.e+06, 1.e+00]))
    >>> _without_unit(["270 K", "300 K"])[1]
    array([1., 1.])
    """
    found = [WORD_AT_END.search(level.strip()) for level in levels]
    units = Counter(match[1] for match in found if match)
    scaled = len(units) > 1 or any(map(CURRENCY.search, levels))
    if units and scaled and units.keys() <= SCALES.keys():
        told = [match[1] if match else "" for match in found]
        bare = [level.strip().removesuffix(unit) for level, unit in zip(levels, told, strict=True)]
        return bare, np.array([SCALES.get(unit, 1.0) for unit in told])
    unit, times = units.most_common(1)[0] if units else ("", 0)
    n_with_digits = sum(any(c.isdigit() for c in level) for level in levels)
    if not unit or times < MOSTLY * n_with_digits:
        return levels, np.ones(len(levels))
    return [level.strip().removesuffix(unit).strip() for level in levels], np.ones(len(levels))


def _worth_a_try(levels: Sequence[str]) -> bool:
    """Whether some of the first texts have digits: most columns of text have none."""
    return any(any(c.isdigit() for c in level) for level in levels[:20])

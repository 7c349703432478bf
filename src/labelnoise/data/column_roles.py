"""What becomes of each column: a guess with its reason, or what the user said."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise import checks
from labelnoise.data.old_columns import Column, Dates, Numbers, Texts, Vectors
from labelnoise.data.plain_columns import days
from labelnoise.data.written_numbers import mostly_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray

KINDS = ("number", "category", "date", "text", "vector", "skip")
"""What a column may become; the first five are features."""

PLURALS = dict(zip(KINDS, ("numbers", "categories", "dates", "texts", "vectors"), strict=False))

EMPTY, CONSTANT = "empty", "constant"
MOST_LEVELS = 50
"""Different texts up to which a column is categories, however few rows share each."""

FEW_WORDS = 3.0
"""Words that texts have on average, at least; shorter ones that hardly repeat are identifiers."""

IDENTIFIER = re.compile(
    r"(^|[_\W])(id|idx|index|key|uuid|guid|row|rownum|unnamed)([_\W\d]|$)", re.IGNORECASE
)
CAMEL_IDENTIFIER = re.compile(r"[a-z](Id|ID|Key|Index)$")

DENSE = 1.5
"""Whole numbers that all differ count the rows, in any order, if they span no more than so many
times their number."""

ROWS_A_LEVEL, MOST_REPEATING = 10, 20
"""A column repeats the label if each of its values goes with one label only, each has so many rows
on average, and there are at most so many values, or twice as many as labels."""

UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff]")
"""Letters of scripts that put no spaces between words; two of them count as a word."""

ISO = "ISO 8601"
DAYS = ("%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y")
SPELLED = ("%d %b %Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y")
TIMES = ("", " %H:%M", " %H:%M:%S", " %I:%M %p")
DATE_FORMATS = tuple(day + time for time in TIMES for day in (*DAYS, *SPELLED))
"""Formats tried beside ISO 8601; of two that fit, the first is taken."""

RARE_SHARE, RARE_ROWS = 0.01, 10
"""Categories with a smaller share of the rows, and fewer rows, than these are rare."""

MOST_INDICATORS = 30
"""Categories that have an indicator of their own; all others are pooled, as rare ones are."""

SAMPLED = 200


@dataclass(frozen=True)
class Role:
    """What becomes of a column, and why."""

    name: str
    kind: str
    reason: str
    said: bool = False  # by the user


def guesses_in_words(roles: Sequence[Role]) -> Iterator[str]:
    """What was guessed about columns: what they hold, and which are left out."""
    guessed = [role for role in roles if not role.said]
    held = [
        f"{words} ({checks.named(names, 3)})"
        for kind, words in PLURALS.items()
        if (names := [role.name for role in guessed if role.kind == kind])
    ]
    if held:
        yield f"columns hold {', '.join(held)} (--as)"
    for role in guessed:
        if role.kind == "skip":
            yield f"column {role.name!r} is left out: {role.reason} (--as)"


def decide(
    columns: Mapping[str, Column], codes: IntArray, said: Mapping[str, str]
) -> Iterator[Role]:
    """Decide about every column, in order.

    Parameters
    ----------
    columns : mapping
        Candidates for features.
    codes : (n,) array
        Labels as numbers, to see whether a column repeats them.
    said : mapping
        Kinds that the user gave to columns; "use" stands for any but "skip".
    """
    seen: dict[int, str] = {}
    for name, column in columns.items():
        wanted = said.get(name)
        if wanted in KINDS:
            yield Role(name, str(wanted), "as you said", said=True)
            continue
        reason = _useless(column)
        if reason is None and wanted is None:
            reason = _misleading(name, column, codes)
        copied = _content(column)
        if reason is None and wanted is None and copied in seen:
            reason = f"the same as {seen[copied]!r}"
        if reason is not None:
            yield Role(name, "skip", reason)
            continue
        seen.setdefault(copied, name)
        yield Role(name, *_kind(column))


def _useless(column: Column) -> str | None:
    missing = column.missing
    if missing.all():
        return EMPTY
    if isinstance(column, Vectors):
        return None
    values = column.codes if isinstance(column, Texts) else column.values
    told = values[~missing]
    if not missing.any() and (told == told[0]).all():
        return CONSTANT
    return None


def _misleading(name: str, column: Column, codes: IntArray) -> str | None:
    if isinstance(column, Vectors):
        return None
    if _is_identifier(name, column):
        return "looks like an identifier"
    if _repeats(column, codes):
        return "each of its values goes with one label only: it repeats the label"
    return None


def _is_identifier(name: str, column: Column) -> bool:
    nameless = not name.strip()  # pandas writes its index so
    named_so = nameless or bool(IDENTIFIER.search(name) or CAMEL_IDENTIFIER.search(name))
    if isinstance(column, Texts):
        n_rows, n_levels = len(column), len(column.levels)
        hardly_repeats = n_levels > max(MOST_LEVELS, n_rows // 2)
        all_differ = named_so and n_levels == n_rows
        suspect = (hardly_repeats or all_differ) and words_a_text(column) < FEW_WORDS
        return suspect and dates_in(column) is None and mostly_numbers(column) is None
    values = column.values[~column.missing]
    if isinstance(column, Dates) or not np.array_equal(values, np.round(values)):
        return False
    n_values, span = len(np.unique(values)), float(np.ptp(values))
    counts_rows = n_values == len(values) > 2 and span < DENSE * len(values)
    return counts_rows or (named_so and n_values > len(values) // 2)


def _repeats(column: Numbers | Texts, codes: IntArray) -> bool:
    """Whether the column tells the label, and nothing else: with noise, only its copy can."""
    values = column.codes if isinstance(column, Texts) else np.nan_to_num(column.values, nan=np.inf)
    levels, level = np.unique(values, return_inverse=True)
    n_labels = int(codes.max()) + 1
    most = max(MOST_REPEATING, 2 * n_labels)
    if len(levels) < n_labels or len(levels) > most or len(codes) < ROWS_A_LEVEL * len(levels):
        return False
    return len(np.unique(level.ravel() * n_labels + codes)) == len(levels)


def _content(column: Column) -> int:
    values = column.codes if isinstance(column, Texts) else column.values
    levels = column.levels if isinstance(column, Texts) else ()
    return hash((type(column).__name__, np.ascontiguousarray(values).tobytes(), levels))


def _kind(column: Column) -> tuple[str, str]:
    if isinstance(column, Texts):
        return _kind_of_texts(column)
    if isinstance(column, Vectors):
        return "vector", f"vectors of {column.values.shape[1]} numbers"
    return ("date", "dates") if isinstance(column, Dates) else ("number", "numbers")


def _kind_of_texts(column: Texts) -> tuple[str, str]:
    if dates_in(column) is not None:
        return "date", "texts that are dates"
    written = mostly_numbers(column)
    if written is not None:
        odd = f", but for {written.n_remarks} cells" if written.n_remarks else ""
        return "number", f"written numbers{odd}"
    n_levels = len(column.levels)
    if n_levels > MOST_LEVELS and words_a_text(column) >= FEW_WORDS:
        return "text", f"{n_levels} different texts"
    if not len(frequent_levels(column)):
        return "skip", "hardly any of its values repeats"
    return "category", f"{n_levels} different values"


def frequent_levels(column: Texts) -> IntArray:
    """Levels that are no rare ones, most frequent first.

    >>> frequent_levels(Texts.of(["b", "a", "a", "b", "b", "c"])).tolist()
    [0, 1]
    """
    rare = min(RARE_ROWS, max(2.0, RARE_SHARE * len(column)))
    order = np.argsort(-column.counts, kind="stable")[:MOST_INDICATORS]
    return order[column.counts[order] >= rare]


def words_a_text(column: Texts) -> float:
    """Words of a text on average, over some of the texts."""
    some = column.levels[:: max(1, len(column.levels) // SAMPLED)]
    words = [len(level.split()) + len(UNSPACED.findall(level)) / 2 for level in some]
    return float(np.mean(words)) if some else 0.0


def dates_in(column: Texts) -> FloatArray | None:
    """Texts as days since 1970 (n,), NaN where one is missing; None if any is no date."""
    forms = date_formats(column)
    if not forms:
        return None
    parse = _parser(forms[0])
    return np.array([*(_days(level, parse) for level in column.levels), np.nan])[column.codes]


def date_formats(column: Texts) -> list[str]:
    """Formats that all texts can be read in, the preferred one first.

    >>> date_formats(Texts.of(["05/06/2023", "07/08/2023"]))
    ['%m/%d/%Y', '%d/%m/%Y']
    """
    found = []
    for form in (ISO, *DATE_FORMATS):
        try:
            parse = _parser(form)
            for level in column.levels:
                _days(level, parse)
        except (ValueError, OverflowError):
            continue
        found.append(form)
        if form == ISO:
            break
    return found if column.levels else []


def turnable(column: Texts) -> bool:
    """Whether days and months of all texts could be turned round, and would be others then.

    >>> turnable(Texts.of(["05/06/2023"])), turnable(Texts.of(["05 May 2023"]))
    (True, False)
    """
    first, *others = map(_parser, date_formats(column) or [ISO])
    return any(
        _days(level, first) != _days(level, other) for other in others for level in column.levels
    )


def _days(text: str, parse: Callable[[str], datetime.datetime]) -> float:
    if not 8 <= len(text.strip()) <= 35 or text.isdigit():
        raise ValueError(text)
    return days(parse(text.strip()))


def _parser(form: str) -> Callable[[str], datetime.datetime]:
    if form == ISO:
        return datetime.datetime.fromisoformat
    return lambda text: datetime.datetime.strptime(text, form)

"""What becomes of each column of a table: number, category, date, text, vector, or nothing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise import checks
from labelnoise.data.settings import (
    AMOUNT,
    DENSE_IDS,
    FEW_WORDS,
    FEWEST_SOURCES,
    GROUP_NAME,
    ID_NAME,
    MOST_COPIED_LEVELS,
    MOST_LEVELS,
    PROBED_ROWS,
    RARE_ROWS,
    RARE_SHARE,
    ROWS_PER_COPIED_LEVEL,
    SAMPLED_TEXTS,
    UNSPACED_SCRIPT,
)
from labelnoise.wording import Note, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.columns import Column

TYPES = ("number", "category", "date", "text", "vector", "skip")
"""What a column may become; all but the last are features."""

USELESS = ("column_empty", "column_constant", "column_type_unsupported")
"""Reasons for which a column is neither used nor shown."""

POSSIBLE_GROUP = "column_looks_like_group"


@dataclass(frozen=True)
class ColumnType:
    """What becomes of a column, and why."""

    name: str
    type: str  # one of TYPES
    reason: Note
    given: bool = False  # whether the user chose the type

    @property
    def is_feature(self) -> bool:
        """Whether it becomes features."""
        return self.type != "skip"


def column_types(
    columns: Sequence[Column],
    codes: IntArray | None = None,
    given: Mapping[str, str] | None = None,
) -> Iterator[ColumnType]:
    """Decide what becomes of every column, in order.

    `codes` (n,) are the labels, to notice columns that copy them. `given` are types that the user
    chose: one of `TYPES`, or "use" for any but "skip".
    """
    seen: dict[str, str] = {}
    for column in columns:
        wanted = (given or {}).get(column.name)
        if wanted is not None and wanted != "use":
            kind = checks.one_of(wanted, f"type of column {column.name!r}", TYPES)
            yield ColumnType(column.name, kind, Note("type_given"), given=True)
            continue
        reason, digest = _uninformative(column), _digest(column)
        if wanted is None:
            reason = reason or _misleading(column, codes)
            if reason is None and digest in seen:
                reason = Note("column_copies", {"other": seen[digest]})
        if reason is not None:
            yield ColumnType(column.name, "skip", reason)
            continue
        seen.setdefault(digest, column.name)
        if column.content == "text":
            yield _type_of_texts(column)
        else:
            kind = "category" if column.content == "boolean" else str(column.content)
            yield ColumnType(column.name, kind, Note(f"holds_{column.content}s"))


def notes_on_types(types: Sequence[ColumnType]) -> Iterator[Note]:
    """How columns are used whose type was not specified."""
    by_type: dict[str, list[str]] = {}
    left_out: dict[Note, list[str]] = {}
    for kind in types:
        if kind.given or kind.reason.code == POSSIBLE_GROUP:
            continue
        if kind.is_feature:
            by_type.setdefault(kind.type, []).append(kind.name)
        else:
            left_out.setdefault(kind.reason, []).append(kind.name)
    if by_type:
        words = "; ".join(f"{kind}: {named(names, 3)}" for kind, names in by_type.items())
        yield Note("columns_by_type", {"types": words})
    yield from possible_groups(types)
    for reason, names in left_out.items():
        code = "columns_useless" if reason.code in USELESS else "columns_skipped"
        yield Note(code, {"columns": names, "n": len(names), "why": reason.reason()})


def possible_groups(types: Sequence[ColumnType]) -> Iterator[Note]:
    """Columns that may say which rows belong together, and so are no features."""
    names = [kind.name for kind in types if kind.reason.code == POSSIBLE_GROUP]
    if names:
        yield Note("columns_may_be_groups", {"columns": names, "n": len(names)})


def _uninformative(column: Column) -> Note | None:
    """Why a column is of no use: it has no values, only one value, or an unsupported type."""
    if column.content is None:
        return Note("column_type_unsupported", {"type": str(column.data.type)})
    if column.missing.all():
        return Note("column_empty")
    if column.content == "vector" or column.missing.any():
        return None
    values = _comparable(column)
    return Note("column_constant") if (values == values[0]).all() else None


def _comparable(column: Column) -> FloatArray | IntArray:
    """Values as numbers (n,) that are equal where the values are."""
    found = column.numbers if column.content == "number" else column.days
    return column.level_codes if found is None else found


def _misleading(column: Column, codes: IntArray | None) -> Note | None:
    """Why a column would mislead: it identifies rows or groups, or copies the label."""
    if column.content == "vector":
        return None
    if _is_identifier(column):
        some = sampled_texts(column.levels) if column.content == "text" else []
        if some and all(AMOUNT.fullmatch(text.strip()) for text in some):
            return Note("column_holds_amounts", {"example": some[0]})
        return Note("column_looks_like_id")
    if _looks_like_group(column):
        return Note(POSSIBLE_GROUP)
    if codes is not None and _copies_label(column, codes):
        return Note("column_copies_label")
    return None


def _is_identifier(column: Column) -> bool:
    id_name = bool(ID_NAME.search(column.name))
    if column.content == "text":
        n_levels = len(column.levels)
        rarely_repeats = n_levels > max(MOST_LEVELS, len(column) // 2)
        all_differ = id_name and n_levels == len(column)
        return (rarely_repeats or all_differ) and words_per_text(column.levels) < FEW_WORDS
    if column.content != "number":
        return False
    values = column.numbers[~column.missing]  # type: ignore[index]
    if not np.array_equal(values, np.round(values)):
        return False
    n_distinct, span = len(np.unique(values)), float(np.ptp(values))
    counts_rows = n_distinct == len(values) > 2 and span < DENSE_IDS * len(values)
    return counts_rows or (id_name and n_distinct > len(values) // 2)


def _looks_like_group(column: Column) -> bool:
    """Whether its name suggests that it says who labeled a row or where it comes from."""
    found = GROUP_NAME.search(re.sub("(?<=[a-z])(?=[A-Z])", "_", column.name.strip()))
    if not found or column.content not in ("text", "number"):
        return False
    if column.content == "number":
        values = column.numbers[~column.missing]  # type: ignore[index]
        if found["plural"] or (values != np.round(values)).any() or values.min() < 0:
            return False  # counts, or other numbers than codes
    n_distinct = len(np.unique(_comparable(column)))
    ambiguous = found["ambiguous"] and not found["suffix"]
    return (FEWEST_SOURCES if ambiguous else 1) <= n_distinct <= len(column) // 2


def _copies_label(column: Column, codes: IntArray) -> bool:
    """Whether each value occurs with one label only; with noisy labels, only a copy does that."""
    values = np.nan_to_num(_comparable(column), nan=np.inf)
    n_labels = int(codes.max()) + 1
    most = max(MOST_COPIED_LEVELS, 2 * n_labels)
    if len(np.unique(values[:PROBED_ROWS])) > most:
        return False  # a few rows are enough to see that there are too many values
    level = np.unique(values, return_inverse=True)[1]
    n_levels = int(level.max()) + 1
    if not n_labels <= n_levels <= most or len(codes) < ROWS_PER_COPIED_LEVEL * n_levels:
        return False
    return len(np.unique(level * n_labels + codes)) == n_levels


def _digest(column: Column) -> str:
    """A digest that is the same for columns with the same content, whatever their types."""
    if column.content is None:
        return column.name
    values = column.vectors if column.content == "vector" else _comparable(column)
    named = repr(column.levels) if column.content in ("text", "boolean") else ""
    content = np.ascontiguousarray(values).tobytes() + named.encode("utf-8", "replace")
    return hashlib.sha256(content).hexdigest()


def _type_of_texts(column: Column) -> ColumnType:
    n_levels = len(column.levels)
    long = n_levels > MOST_LEVELS and words_per_text(column.levels) >= FEW_WORDS
    if long and not column.declared_categorical:
        return ColumnType(column.name, "text", Note("holds_texts", {"n": n_levels}))
    counts = np.bincount(column.level_codes[~column.missing])
    if counts.max() < least_rows_of_category(len(column)):
        return ColumnType(column.name, "skip", Note("column_rarely_repeats"))
    return ColumnType(column.name, "category", Note("holds_categories", {"n": n_levels}))


def least_rows_of_category(n_rows: int) -> int:
    """Minimum number of rows of a category with an indicator of its own."""
    return int(min(RARE_ROWS, max(2, np.ceil(RARE_SHARE * n_rows))))


def words_per_text(levels: Sequence[str]) -> float:
    """Average number of words, over some of the texts."""
    some = sampled_texts(levels)
    words = [len(level.split()) + len(UNSPACED_SCRIPT.findall(level)) / 2 for level in some]
    return float(np.mean(words)) if words else 0.0


def sampled_texts(levels: Sequence[str]) -> Sequence[str]:
    """Some of the texts, evenly spaced in their order."""
    return levels[:: max(1, len(levels) // SAMPLED_TEXTS)]

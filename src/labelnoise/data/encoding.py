"""Columns -> features: each kind of column becomes a block of numbers with names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from labelnoise import checks
from labelnoise.data.column_roles import dates_in, frequent_levels, turnable
from labelnoise.data.old_columns import Column, Dates, Numbers, Texts, Vectors
from labelnoise.data.plain_columns import as_texts
from labelnoise.data.written_numbers import mostly_numbers, written_number
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.data.column_roles import Role

OTHER, MISSING = "(other)", "(missing)"
WEEK, YEAR = 7.0, 365.2425
"""Days of the two rounds that dates go: each is told where dates cover at least two of it."""


@dataclass(frozen=True)
class Block:
    """Features of a column: their values (n, d), names, and what there is to say about them."""

    column: str
    values: FloatArray
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def encode_columns(
    columns: Mapping[str, Column], roles: Sequence[Role], seed: int
) -> tuple[list[Block], list[Role]]:
    """One block for every column that is a feature, in order; and roles, as they turned out."""
    blocks, turned = [], []
    for role in roles:
        if role.kind != "skip":
            try:
                blocks.append(ENCODERS[role.kind](role.name, columns[role.name], seed))
            except LabelNoiseError as error:
                if role.said or role.kind != "text":
                    raise LabelNoiseError(f"column {role.name!r}: {error}") from error
                turned.append(replace(role, kind="skip", reason=str(error)))
                continue
        turned.append(role)
    return blocks, turned


def number_block(name: str, column: Column, seed: int) -> Block:
    """Numbers to mean 0 and variance 1; missing ones become the median, with a flag."""
    del seed
    notes: list[str] = []
    if isinstance(column, Texts):
        column, notes = _written(name, column)
    if isinstance(column, Vectors):
        raise LabelNoiseError("it holds vectors, not single numbers. Leave out --as for it.")
    values, missing = column.values, column.missing
    if missing.all():
        raise LabelNoiseError("it holds no number at all. Drop it (--drop).")
    if np.isinf(values).any():
        raise LabelNoiseError(
            f"it has {int(np.isinf(values).sum())} infinite value(s). Replace them, or drop the "
            "column (--drop)."
        )
    if not missing.any():
        return Block(name, standardized(values)[:, None], (name,), tuple(notes))
    filled = np.where(missing, np.median(values[~missing]), values)
    notes.append(f"{int(missing.sum())} missing values of {name!r} become its median, with a flag")
    flagged = np.column_stack([standardized(filled), missing])
    return Block(name, flagged, (name, f"{name} is missing"), tuple(notes))


def _written(name: str, column: Texts) -> tuple[Numbers, list[str]]:
    """Texts as the numbers they mean, and what else stands between them."""
    found = mostly_numbers(column)
    if found is None:
        strange = [level for level in column.levels if np.isnan(written_number(level))]
        raise LabelNoiseError(
            f"too many of its cells are no numbers, such as {checks.named(strange, 3)}. Give it "
            "another kind (--as), or drop it."
        )
    if not found.n_remarks:
        return found.numbers, []
    remarks = checks.named(found.remarks, 3)
    return found.numbers, [
        f"{found.n_remarks} cells of {name!r} count as missing: {remarks} (--as)"
    ]


def category_block(name: str, column: Column, seed: int) -> Block:
    """Indicators, one a category; one alone for two categories."""
    del seed
    texts = _single(column)
    often = frequent_levels(texts)
    if len(often) == 0:
        raise LabelNoiseError("hardly any of its values repeats. Drop it (--drop).")
    place = np.full(len(texts.levels) + 1, len(often))  # all others: pooled
    place[often] = np.arange(len(often))
    place[-1] = len(often) + 1  # a code of -1: missing
    code = place[texts.codes]
    labels = [*(texts.levels[i] for i in often), OTHER, MISSING]
    used = [i for i in range(len(labels)) if (code == i).any()]
    n_pooled = len(texts.levels) - len(often)
    notes = (f"{n_pooled} rare values of {name!r} are pooled into one",) if n_pooled > 1 else ()
    shown = used[:1] if len(used) == 2 else used
    values = np.column_stack([code == i for i in shown]).astype(np.float64)
    return Block(name, values, tuple(f"{name}={labels[i]}" for i in shown), notes)


def date_block(name: str, column: Column, seed: int) -> Block:
    """Dates as days, and their place in the week and in the year where they cover several."""
    numbers, notes = column.values if isinstance(column, Dates) else None, []
    if isinstance(column, Texts):
        numbers = dates_in(column)
        if turnable(column):
            notes.append(
                f"dates of {name!r} are read as month/day/year; they may be day/month/year"
            )
    if numbers is None:
        raise LabelNoiseError("it does not hold dates. Write them as 2024-12-31.")
    block = number_block(name, Numbers(numbers), seed)
    filled = np.where(np.isnan(numbers), np.nanmedian(numbers), numbers)
    values, names = [block.values], [*block.names]
    for length, what in ((WEEK, "week"), (YEAR, "year")):
        if np.ptp(filled) >= 2 * length:
            angle = 2 * np.pi * filled / length
            values.append(np.column_stack([np.sin(angle), np.cos(angle)]))
            names += [f"{name} in the {what} ({part})" for part in ("sin", "cos")]
    return Block(name, np.hstack(values), tuple(names), (*block.notes, *notes))


def text_block(name: str, column: Column, seed: int) -> Block:
    """Words by TF-IDF, in as many directions as tell most of them apart."""
    from labelnoise.data.text_features import text_directions

    found = text_directions(_single(column), seed)
    names = tuple(f"{name} ({i}: {words})" for i, words in enumerate(found.words, start=1))
    note = (
        f"{name!r} is turned into {len(names)} directions of its words (TF-IDF, SVD). Embeddings "
        "of a language model tell more: pass them with --embeddings"
    )
    return Block(name, found.values, names, (note,))


def vector_block(name: str, column: Column, seed: int) -> Block:
    """Vectors as they are."""
    del seed
    if not isinstance(column, Vectors):
        raise LabelNoiseError("it does not hold vectors of one length.")
    values = checks.feature_matrix(column.values)
    return Block(name, values, tuple(f"{name}[{i}]" for i in range(values.shape[1])))


def standardized(values: FloatArray) -> FloatArray:
    """Numbers (n,) with mean 0 and variance 1; far from 0, or huge, they lose no digits."""
    centered = values - (values.min() / 2 + values.max() / 2)
    reach = np.abs(centered).max()
    scaled = centered / reach if reach > 0 else centered
    deviation = scaled.std()
    return (scaled - scaled.mean()) / (deviation if deviation > 0 else 1.0)


def _single(column: Column) -> Texts:
    if isinstance(column, Vectors):
        raise LabelNoiseError("it holds vectors, not single values. Leave out --as for it.")
    return as_texts(column)


ENCODERS: Mapping[str, Callable[[str, Column, int], Block]] = {
    "number": number_block,
    "category": category_block,
    "date": date_block,
    "text": text_block,
    "vector": vector_block,
}

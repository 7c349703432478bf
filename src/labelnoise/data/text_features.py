"""Texts -> directions: TF-IDF of their words, reduced by a singular value decomposition."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from labelnoise.data.column_roles import SAMPLED, UNSPACED
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.data.old_columns import Texts

MOST_DIRECTIONS, MOST_WORDS = 100, 50_000
ROUNDING = 1e-9
NAMED_BY = 3
"""Words that a direction is named by: those it weighs most."""


class Directions(NamedTuple):
    """Places of texts in each direction (n, d), and the words that each is about."""

    values: FloatArray
    words: list[str]


def text_directions(texts: Texts, seed: int) -> Directions:
    """Directions of a column of texts; an empty text lies at the origin."""
    some = texts.levels[:SAMPLED]
    unspaced = sum(bool(UNSPACED.search(level)) for level in some) > len(some) / 2
    words = TfidfVectorizer(
        analyzer="char" if unspaced else "word",
        ngram_range=(1, 2),
        min_df=2,
        max_features=MOST_WORDS,
        sublinear_tf=True,
        dtype=np.float64,
    )
    try:
        table = words.fit_transform([*texts.levels, ""])  # a code of -1 picks the empty text
    except ValueError as error:
        raise LabelNoiseError(
            "no word occurs in two of its texts, so they cannot be compared. Pass --embeddings, or "
            "drop it (--drop)."
        ) from error
    n_directions = min(MOST_DIRECTIONS, min(table.shape) - 1)
    if n_directions < 1:
        raise LabelNoiseError("its texts share one word only. Drop it (--drop).")
    with threadpool_limits(1):  # sums in one order on any number of threads
        svd = TruncatedSVD(n_directions, random_state=seed % 2**32)
        values = np.asarray(svd.fit_transform(table), dtype=np.float64)[texts.codes]
    reach = np.ptp(values, axis=0)
    varies = reach > ROUNDING * reach.max()  # beyond the rank of the table nothing does
    if not varies.any():
        raise LabelNoiseError("all its texts have the same words. Drop it (--drop).")
    heaviest = np.argsort(-np.abs(svd.components_[varies]), axis=1, kind="stable")[:, :NAMED_BY]
    names = words.get_feature_names_out()
    return Directions(values[:, varies], [", ".join(names[some]) for some in heaviest])

"""Numbers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.reporting.summary import Share
    from labelnoise.reporting.suspicious_rows import Yield

SPOKEN = {1 / 2: "half", 2 / 3: "2 in 3", 3 / 4: "3 in 4"}
NEAR = 0.02
NARROW = 0.03
"""Intervals narrower than this have a digit after the point."""


def share_in_words(share: float) -> str:
    """A share as one would say it.

    >>> share_in_words(0.2), share_in_words(0.34), share_in_words(0.5), share_in_words(0.58)
    ('about 1 in 5', 'about 1 in 3', 'about half', 'about 58%')
    """
    for spoken, words in SPOKEN.items():
        if abs(share - spoken) < NEAR:
            return f"about {words}"
    if share <= 0:
        return "hardly any"
    one_in = round(1 / share)
    if one_in > 2 and share >= 0.01:
        return f"about 1 in {one_in}"
    return f"about {share:.0%}" if share >= 0.01 else "fewer than 1 in 100"


def confusion_in_words(true: str, observed: str, share: str) -> str:
    """A confusion as a sentence.

    >>> confusion_in_words("cat", "dog", "about 1 in 5")
    "about 1 in 5 'cat' are labeled 'dog'"
    """
    return f"{share} '{true}' are labeled '{observed}'"


def per_cent(share: float) -> str:
    """A share in per cent, with a digit after the point if it is near none or all.

    >>> per_cent(0.153), per_cent(0.0153), per_cent(0.0004), per_cent(0.996), per_cent(0.9999)
    ('15%', '1.5%', '<0.1%', '99.6%', '>99.9%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{share:.0%}" if 0.0995 <= share < 0.995 or share == 1 else f"{share:.1%}"


def sentence(text: str) -> str:
    """A phrase as a sentence: a capital, and a point at its end.

    >>> sentence("about 1 in 5 'cat' are labeled 'dog'")
    "About 1 in 5 'cat' are labeled 'dog'."
    """
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")


def with_ends(share: Share) -> str:
    """A share in per cent, with its interval if it has one, which rounding must not swallow."""
    if share.lower is None or share.upper is None:
        return per_cent(share.value)
    told = "{:.1%}".format if share.upper - share.lower < NARROW else per_cent
    return f"{told(share.value)} ({told(share.lower)} to {told(share.upper)})"


def counted(n: float, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> counted(1, "row"), counted(1200.4, "row"), counted(2, "label is", "labels are")
    ('1 row', '1,200 rows', '2 labels are')
    """
    return f"{n:,.0f} {one if round(n) == 1 else many or one + 's'}"


def yield_in_words(point: Yield) -> str:
    """What is expected of reviewing so many rows."""
    return (
        f"{counted(point.n_reviewed, 'row')} reviewed: about "
        f"{counted(point.n_found, 'wrong label')} found, {per_cent(point.share_found)} of all; "
        f"{per_cent(point.precision)} of the reviewed are wrong"
    )


def short_names(names: Sequence[str], length: int) -> list[str]:
    """Names of at most so many characters that differ where the names do, as far as that goes.

    >>> short_names(["cat food", "cat toys"], 5), short_names(["cat", "dog food"], 5)
    (['cat…d', 'cat…s'], ['cat', 'dog …'])
    """
    tail = length // 3
    cut = [shortened(name, length) for name in names]
    if len(set(cut)) == len(set(names)):
        return cut
    return [
        name if len(name) <= length else f"{name[: length - tail - 1]}…{name[-tail:]}"
        for name in names
    ]


def shortened(text: str, length: int) -> str:
    """A text of at most so many characters.

    >>> shortened("a long name", 7)
    'a long…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"

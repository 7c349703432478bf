"""Numbers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labelnoise.reporting.summary import Share
    from labelnoise.reporting.suspicious_rows import Yield

SPOKEN = {1 / 2: "half", 2 / 3: "2 in 3", 3 / 4: "3 in 4"}
NEAR = 0.02


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
    "about 1 in 5 'cat' are labelled 'dog'"
    """
    return f"{share} '{true}' are labelled '{observed}'"


def per_cent(share: float) -> str:
    """A share in per cent, with a digit after the point if it is small.

    >>> per_cent(0.153), per_cent(0.0153), per_cent(0.0004), per_cent(0.9999)
    ('15%', '1.5%', '<0.1%', '100%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    return f"{share:.1%}" if share < 0.0995 else f"{share:.0%}"


def sentence(text: str) -> str:
    """A phrase as a sentence: a capital, and a point at its end.

    >>> sentence("about 1 in 5 'cat' are labelled 'dog'")
    "About 1 in 5 'cat' are labelled 'dog'."
    """
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")


def with_ends(share: Share) -> str:
    """A share in per cent, with its interval if it has one."""
    if share.lower is None or share.upper is None:
        return per_cent(share.value)
    return f"{per_cent(share.value)} ({per_cent(share.lower)} to {per_cent(share.upper)})"


def yield_in_words(point: Yield) -> str:
    """What is expected of reviewing so many rows."""
    return (
        f"{point.n_reviewed:,} rows reviewed find about {point.n_found:,.0f} wrong labels, "
        f"{per_cent(point.share_found)} of all; {per_cent(point.precision)} of the reviewed are "
        "wrong"
    )


def shortened(text: str, length: int) -> str:
    """A text of at most so many characters.

    >>> shortened("a long name", 7)
    'a long…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"

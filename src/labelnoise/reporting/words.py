"""Numbers, cells and sentences of a report, each a function of the facts it states."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from labelnoise.reporting.settings import MIN_SHARE_OF_CLASS, NARROW
from labelnoise.wording import counted, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.reporting.summary import ClassSummary, Share, Summary
    from labelnoise.reporting.suspicious_rows import ReviewPoint

CANNOT_TELL = "the noise rate cannot be determined from these data"
CANNOT_TELL_ROWS = "these data do not show which labels are wrong"
ROWS_TO_AUDIT = (
    "the true labels of these rows would help most; check as many as you can, ideally all of them"
)
NO_CONFUSION = f"no class is labeled as another in more than {MIN_SHARE_OF_CLASS:.0%} of its rows"
NO_CLEAR_CONFUSION = "no clear sign that any class is labeled as another"
HIDDEN_CONFUSIONS = "confusions of classes may be hidden, because wrong labels may be"
UNKNOWN_CONFUSIONS = "these data do not show which classes are confused"
BEST_FIT = "the matrix below is the best fit, possibly far off"
NO_SUSPICIOUS_ROWS = "no row looks wrong"
NO_FINDINGS = "Nothing contradicts the estimate; it still depends on its assumption."
CLASS_COLUMNS = (
    "class",
    "rows with this label",
    "share of labels",
    "true share",
    "labeled correctly",
)
SUSPICIOUS_COLUMNS = ("row", "given", "suggested", "probability wrong")


def as_text(value: Any) -> str:
    r"""A value as text that can be displayed: lists and mappings as JSON, lone surrogates as "?".

    >>> as_text([1, "a"]), as_text("half \ud83d"), as_text(1.5)
    ('[1, "a"]', 'half ?', '1.5')
    """
    if isinstance(value, list | dict | tuple):
        value = json.dumps(value, ensure_ascii=False, default=str)
    return str(value).encode("utf-8", "replace").decode("utf-8")


def percent(share: float) -> str:
    """A share in percent, with a decimal if it is close to 0% or 100%.

    >>> percent(0.153), percent(0.0153), percent(0.0004), percent(0.996), percent(0.9999)
    ('15%', '1.5%', '<0.1%', '99.6%', '>99.9%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{_rounded(share)}%"


def percent_range(lower: float, upper: float) -> str:
    """An interval in percent.

    >>> percent_range(0.18, 0.4), percent_range(0.004, 0.15), percent_range(0.181, 0.199)
    ('18-40%', '0.4-15%', '18.1-19.9%')
    """
    if upper - lower < NARROW:
        return f"{100 * lower:.1f}-{100 * upper:.1f}%"
    return f"{_rounded(lower)}-{_rounded(upper)}%"


def _rounded(share: float) -> str:
    whole = 0.0995 <= share < 0.995 or share >= 0.9995
    return f"{100 * share:.0f}" if whole else f"{100 * share:.1f}"


def with_interval(share: Share) -> str:
    """A share in percent, followed by its interval if there is one: "30% (18-40%)"."""
    if share.lower is None or share.upper is None or share.upper - share.lower >= NARROW:
        return percent(share.value) + _in_parentheses(share)
    return f"{share.value:.1%}{_in_parentheses(share)}"


def _in_parentheses(share: Share) -> str:
    """The interval of a share, if there is one: " (18-40%)"."""
    if share.lower is None or share.upper is None:
        return ""
    return f" ({percent_range(share.lower, share.upper)})"


def class_cells(one: ClassSummary, length: int) -> list[str]:
    """A class as a row of the table with `CLASS_COLUMNS`, its name at most `length` characters."""
    return [
        shortened(one.name, length),
        f"{one.n_given:,}",
        percent(one.given),
        with_interval(one.clean),
        "unknown" if one.placeholder else with_interval(one.correct),
    ]


def suspicious_cells(
    given: object, suggested: object, p_wrong: float, length: int, *, can_tell: bool
) -> list[str]:
    """The cells of a row under `SUSPICIOUS_COLUMNS`, after its name; labels are shortened.

    >>> suspicious_cells("cat", "dog", 0.7, 10, can_tell=True)
    ['cat', 'dog', '70%']
    """
    labels = [shortened(str(label), length) for label in (given, suggested)]
    return [*labels, percent(p_wrong) if can_tell else "unknown"]


def headline(summary: Summary) -> str:
    """How many labels are wrong, as briefly as possible."""
    if not summary.can_tell:
        return "Cannot tell"
    if summary.no_clear_sign:
        return "No clear sign of wrong labels"
    if summary.hides_noise:
        return "Wrong labels may be hidden"
    return f"{summary.current_rate.value:.1%}"


def suspicious_rows_note(*, no_clear_sign: bool) -> str:
    """What to expect from the most suspicious rows if no share of wrong labels is stated."""
    note = "these rows are the most suspicious ones"
    return f"{note}; all of them may be right" if no_clear_sign else note


def without_confusions(summary: Summary) -> str:
    """The text in place of confusions, if there are none to show."""
    if not summary.can_tell:
        return f"{sentence(UNKNOWN_CONFUSIONS)} {sentence(BEST_FIT)}"
    if summary.hides_noise:
        return sentence(HIDDEN_CONFUSIONS)
    return sentence(NO_CLEAR_CONFUSION if summary.no_clear_sign else NO_CONFUSION)


def confusion_sentence(true: str, observed: str, share: Share) -> str:
    """A confusion as a sentence: "30% of true 'cat' are labeled 'dog' (18-40%)"."""
    confusion = f"{percent(share.value)} of true {true} are labeled {observed}"
    return confusion + _in_parentheses(share)


def review_sentence(point: ReviewPoint) -> str:
    """What a review of the first rows is expected to find."""
    return (
        f"reviewing {counted(point.n_reviewed, 'row')} finds about "
        f"{counted(point.n_found, 'wrong label')}, {percent(point.share_found)} of all; "
        f"{percent(point.precision)} of the reviewed labels are wrong"
    )


def wrong_labels_sentence(n_wrong: int) -> str:
    """How many labels are wrong.

    >>> wrong_labels_sentence(1)
    'about 1 label is wrong'
    """
    return f"about {counted(n_wrong, 'label is', 'labels are')} wrong"


def short_names(names: Sequence[str], length: int) -> list[str]:
    """Names of at most `length` characters that differ where the names do, if that is possible.

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
    """A text of at most `length` characters.

    >>> shortened("a long name", 7)
    'a long…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"

"""A summary -> Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from labelnoise.findings import verdict_in_words
from labelnoise.reporting import words
from labelnoise.reporting.charts.heat_map import MAX_IN_TABLE
from labelnoise.reporting.settings import MAX_COLUMNS_OF_READINGS
from labelnoise.reporting.words import percent, shortened
from labelnoise.wording import counted, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from labelnoise.reporting.summary import Summary
    from labelnoise.reporting.suspicious_rows import SuspiciousRow

ROWS_SHOWN, FEATURES_SHOWN = 25, 10  # in the tables
CLASS_LENGTH, LABEL_LENGTH, CONTENT_LENGTH = 60, 40, 80  # characters

# Characters that Markdown interprets: dashes at the beginning as lists, colons as links and emoji.
SPECIAL = re.compile(r"(^[-+]|:(?=[/a-z+-])|[\\`*_{}\[\]<>#|~&@])")


def render_markdown(summary: Summary) -> str:
    """The page as Markdown; text of the user is escaped."""
    parts = [
        *_headline(summary),
        *_confusions(summary),
        *_classes(summary),
        *_trust(summary),
        *_features(summary),
        *_rows(summary),
        *_provenance(summary),
    ]
    return "\n\n".join(parts) + "\n"


def plain(text: object) -> str:
    r"""A text that Markdown shows unchanged.

    >>> plain("a|b <i>"), plain("two\nlines")
    ('a\\|b \\<i\\>', 'two lines')
    """
    shown = "".join(c if c.isprintable() else "�" for c in " ".join(str(text).split()))
    return SPECIAL.sub(r"\\\1", shown)


def _headline(summary: Summary) -> Iterator[str]:
    yield f"# {plain(summary.title)}"
    statement, *others = (plain(sentence(one)) for one in summary.statements)
    yield f"**{statement}**"
    yield from others
    yield f"{plain(summary.data_line)}. **{verdict_in_words(summary.verdict)}**."
    if summary.verdict != "reliable":
        alone = " alone" if summary.can_tell else ""
        yield f'**Do not rely on these numbers{alone}**; see "Can I trust this?"'
    if summary.noise_rate.lower is not None:
        yield f"Ranges in parentheses are {percent(summary.level)} intervals."


def _confusions(summary: Summary) -> Iterator[str]:
    yield "## Which classes are confused"
    if summary.reviewed_labels_note:
        yield sentence(summary.reviewed_labels_note)
    if summary.confusions:
        yield _list(
            f"{sentence(one.sentence)} About {counted(one.n_rows, 'row')}."
            for one in summary.confusions
        )
    else:
        yield words.without_confusions(summary)
    n_classes = len(summary.classes)
    if n_classes > MAX_IN_TABLE:
        yield f"T has {n_classes} classes; the .html and .json reports show it."
        return
    names = [plain(name) for name in words.short_names([one.name for one in summary.classes], 24)]
    rows = [[name, *map(percent, row)] for name, row in zip(names, summary.transition, strict=True)]
    yield _table(["true \\\\ observed", *names], rows)


def _classes(summary: Summary) -> Iterator[str]:
    yield "## Class frequencies"
    cells = [words.class_cells(one, CLASS_LENGTH) for one in summary.classes]
    rows = [[plain(name), *numbers] for name, *numbers in cells]
    yield _table(words.CLASS_COLUMNS, rows)


def _trust(summary: Summary) -> Iterator[str]:
    yield "## Can I trust this?"
    yield _list(map(sentence, summary.reasons)) if summary.reasons else words.NO_FINDINGS
    if summary.remedies:
        yield "What to do:"
        yield _list(map(sentence, summary.remedies))
    if summary.readings and len(summary.classes) <= MAX_COLUMNS_OF_READINGS:
        names = [f"correct {plain(shortened(one.name, 16))}" for one in summary.classes]
        rows = [
            [plain(one.assumption), f"{one.noise_rate:.1%}", *map(percent, one.correct)]
            for one in summary.readings
        ]
        yield _table(["assumption", "wrong labels", *names], rows)


def _features(summary: Summary) -> Iterator[str]:
    if summary.features:
        yield "## Informative features"
        rows = [
            [plain(shortened(one.name, CLASS_LENGTH)), f"{one.information:.3f}"]
            for one in summary.features[:FEATURES_SHOWN]
        ]
        yield _table(["feature", "mutual information with the labels (nats)"], rows)


def _rows(summary: Summary) -> Iterator[str]:
    if summary.no_suspicious_rows:
        yield "## Rows to review"
        yield sentence(words.NO_SUSPICIOUS_ROWS)
    if not summary.suspicious:
        return
    yield "## Rows to review"
    if summary.n_wrong is None:
        yield f"{sentence(words.CANNOT_TELL_ROWS)} {sentence(words.ROWS_TO_AUDIT)}"
    elif not summary.states_noise_rate:
        note = words.suspicious_rows_note(no_clear_sign=summary.no_clear_sign)
        yield f"{plain(sentence(summary.statement))} {sentence(note)}"
    else:
        yield sentence(words.wrong_labels_sentence(summary.n_wrong))
        yield _list(sentence(words.review_sentence(point)) for point in summary.milestones)
    shown = summary.suspicious[:ROWS_SHOWN]
    yield f"The first {counted(len(shown), 'row')}:"
    content = _content(shown[0].content) or "content"
    rows = [_suspicious_row(row, can_tell=summary.can_tell) for row in shown]
    yield _table([*words.SUSPICIOUS_COLUMNS, content], rows)


def _suspicious_row(row: SuspiciousRow, *, can_tell: bool) -> list[str]:
    *labels, p_wrong = words.suspicious_cells(
        row.given, row.suggested, row.p_wrong, LABEL_LENGTH, can_tell=can_tell
    )
    content = _content(row.content.values())
    return [plain(row.row), *map(plain, labels), p_wrong, content]


def _content(cells: Iterable[str]) -> str:
    return plain(shortened("; ".join(cells), CONTENT_LENGTH))


def _provenance(summary: Summary) -> Iterator[str]:
    yield "## How this report was made"
    yield _list(f"{name}: {value}" for name, value in summary.provenance.lines())


def _list(items: Iterable[object]) -> str:
    return "\n".join(f"- {plain(item)}" for item in items)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

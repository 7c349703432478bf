"""A summary -> Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from labelnoise.reporting.charts.heat_map import MOST_IN_A_TABLE
from labelnoise.reporting.words import (
    counted,
    per_cent,
    sentence,
    short_names,
    shortened,
    with_ends,
    yield_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.reporting.summary import Summary

MOST_ROWS, MOST_FEATURES = 25, 10
SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-!|~&:@])")


def render_markdown(summary: Summary) -> str:
    """The same in Markdown; text of the user is escaped."""
    parts = [
        *_headline(summary),
        *_confusions(summary),
        *_classes(summary),
        *_trust(summary),
        *_features(summary),
        *_rows(summary),
        *_made(summary),
    ]
    return "\n\n".join(parts) + "\n"


def plain(text: object) -> str:
    r"""A text as Markdown shows it as it is.

    >>> plain("a|b <i>"), plain("two\nlines")
    ('a\\|b \\<i\\>', 'two lines')
    """
    shown = "".join(c if c.isprintable() else "�" for c in " ".join(str(text).split()))
    return SPECIAL.sub(r"\\\1", shown)


def _headline(summary: Summary) -> Iterator[str]:
    yield f"# {plain(summary.title)}: how the labels go wrong"
    yield f"**{sentence(summary.headline)}** Verdict: **{summary.verdict}**."
    for line in summary.words:
        yield plain(sentence(line))
    if summary.verdict != "reliable":
        yield '**Do not rely on these numbers alone**: see below, "Can I trust this?"'
    if summary.noise_rate.lower is not None:
        yield f"Ranges in brackets are {per_cent(summary.level)} intervals."


def _confusions(summary: Summary) -> Iterator[str]:
    yield "## What is mistaken for what"
    if summary.of_which_labels:
        yield sentence(summary.of_which_labels)
    if summary.confusions and summary.noise_rate.lower is not None:
        yield "Surest first, by the lower end of the interval."
    if summary.confusions:
        yield "\n".join(
            f"- {plain(sentence(one.sentence))} {with_ends(one.share)}, "
            f"about {counted(one.n_rows, 'row')}"
            for one in summary.confusions
        )
    elif summary.can_tell:
        yield "No class is mistaken for another in more than 1% of its rows."
    else:
        yield "These data cannot tell. What fits best, and may be far off:"
    if len(summary.classes) <= MOST_IN_A_TABLE:
        names = [plain(name) for name in short_names([one.name for one in summary.classes], 24)]
        rows = [
            [name, *map(per_cent, row)] for name, row in zip(names, summary.transition, strict=True)
        ]
        yield _table(["true \\\\ observed", *names], rows)
    else:
        yield f"T has {len(summary.classes)} classes: it is in the .html and .json reports."


def _classes(summary: Summary) -> Iterator[str]:
    yield "## How frequent the classes are"
    rows = [
        [
            plain(shortened(one.name, 60)),
            f"{one.n_given:,}",
            per_cent(one.given),
            with_ends(one.clean),
            "unknown" if one.placeholder else with_ends(one.right),
        ]
        for one in summary.classes
    ]
    yield _table(["class", "rows labeled so", "of the labels", "truly", "labeled right"], rows)


def _trust(summary: Summary) -> Iterator[str]:
    yield f"## Can I trust this?\n\nThe verdict is **{summary.verdict}**."
    if summary.reasons:
        yield "\n".join(f"- {plain(sentence(reason))}" for reason in summary.reasons)
    if summary.remedies:
        told = "\n".join(f"- {plain(sentence(remedy))}" for remedy in summary.remedies)
        yield f"What helps:\n\n{told}"
    if summary.views:
        rows = [[plain(view.assumption), per_cent(view.noise_rate)] for view in summary.views]
        yield _table(["if", "wrong labels"], rows)


def _features(summary: Summary) -> Iterator[str]:
    if summary.features:
        rows = [
            [plain(shortened(one.name, 60)), f"{one.information:.3f}"]
            for one in summary.features[:MOST_FEATURES]
        ]
        yield "## Which features matter"
        yield _table(["feature", "mutual information with the labels (nats)"], rows)


def _rows(summary: Summary) -> Iterator[str]:
    if summary.nothing_stands_out:
        yield "## Rows to review"
        yield "No row looks wrong."
    if not summary.suspicious:
        return
    yield "## Rows to review"
    if summary.n_suspicious is None:
        yield "These data cannot tell which labels are wrong. True labels of these rows would help."
    else:
        wrong = counted(summary.n_suspicious, "label is", "labels are")
        yield f"About {wrong} wrong."
        yield "\n".join(f"- {sentence(yield_in_words(one))}" for one in summary.told_yields)
    yield f"The first {counted(min(MOST_ROWS, len(summary.suspicious)), 'row')}:"
    rows = [
        [
            plain(row.row),
            plain(shortened(row.given, 40)),
            plain(shortened(row.suggested, 40)),
            per_cent(row.p_wrong) if summary.can_tell else "unknown",
            plain(shortened("; ".join(row.content.values()), 80)),
        ]
        for row in summary.suspicious[:MOST_ROWS]
    ]
    content = plain(shortened("; ".join(summary.suspicious[0].content), 80)) or "content"
    yield _table(["row", "given", "suggested", "chance wrong", content], rows)


def _made(summary: Summary) -> Iterator[str]:
    made = summary.made
    yield "## How it was made"
    parameters = ", ".join(f"{name}={value}" for name, value in made.parameters.items())
    versions = ", ".join(f"{name} {number}" for name, number in made.versions.items())
    seconds = "" if made.seconds is None else f", in {made.seconds:.1f} s"
    seed = "" if made.seed is None else f"; seed {made.seed}"
    command = [] if made.command is None else [f"- {plain(made.command)}"]
    lines = [
        f"- {summary.n_rows:,} rows, method {plain(made.method)} ({plain(parameters)}){seed}",
        f"- {plain(versions)}",
        f"- {plain(made.made_at)}{seconds}",
        *command,
        *(f"- {what}: SHA-256 {digest}" for what, digest in made.sha256.items()),
        *(f"- guessed: {plain(guess)}" for guess in made.guesses),
    ]
    yield "\n".join(lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

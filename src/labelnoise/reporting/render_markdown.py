"""A summary -> Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from labelnoise.reporting.words import per_cent, sentence, shortened, with_ends, yield_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.reporting.summary import Summary

MOST_IN_A_TABLE, MOST_ROWS, MOST_FEATURES = 20, 25, 10
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
    return SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def _headline(summary: Summary) -> Iterator[str]:
    yield f"# {plain(summary.title)}: how the labels go wrong"
    yield f"**{summary.headline}** · verdict: **{summary.verdict}**"
    for line in summary.words:
        yield plain(sentence(line))


def _confusions(summary: Summary) -> Iterator[str]:
    yield "## What is mistaken for what"
    if summary.confusions:
        yield "\n".join(
            f"- {plain(sentence(one.sentence))} {with_ends(one.share)}, {one.n_rows:,.0f} rows"
            for one in summary.confusions
        )
    if len(summary.classes) <= MOST_IN_A_TABLE:
        names = [plain(shortened(one.name, 24)) for one in summary.classes]
        rows = [
            [name, *map(per_cent, row)] for name, row in zip(names, summary.transition, strict=True)
        ]
        yield _table(["true \\\\ observed", *names], rows)


def _classes(summary: Summary) -> Iterator[str]:
    yield "## How frequent the classes are"
    rows = [
        [
            plain(shortened(one.name, 40)),
            f"{one.n_given:,}",
            per_cent(one.given),
            with_ends(one.clean),
            "unknown" if one.placeholder else with_ends(one.right),
        ]
        for one in summary.classes
    ]
    yield _table(["class", "rows labelled so", "of the labels", "truly", "labelled right"], rows)


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
            [plain(shortened(one.name, 40)), f"{one.information:.3f}"]
            for one in summary.features[:MOST_FEATURES]
        ]
        yield "## Which features matter"
        yield _table(["feature", "mutual information with the labels (nats)"], rows)


def _rows(summary: Summary) -> Iterator[str]:
    if not summary.suspicious:
        return
    yield "## Rows to review"
    if summary.yields:
        yield sentence(yield_in_words(summary.yields[-1]))
    rows = [
        [
            plain(row.row),
            plain(shortened(row.given, 40)),
            plain(shortened(row.suggested, 40)),
            per_cent(row.p_wrong),
            plain(shortened("; ".join(row.content.values()), 80)),
        ]
        for row in summary.suspicious[:MOST_ROWS]
    ]
    yield _table(["row", "given", "suggested", "wrong with", "content"], rows)


def _made(summary: Summary) -> Iterator[str]:
    made = summary.made
    yield "## How it was made"
    parameters = ", ".join(f"{name}={value}" for name, value in made.parameters.items())
    versions = ", ".join(f"{name} {number}" for name, number in made.versions.items())
    seconds = "" if made.seconds is None else f", in {made.seconds:.1f} s"
    seed = "" if made.seed is None else f"; seed {made.seed}"
    lines = [
        f"- {summary.n_rows:,} rows, method {plain(made.method)} ({plain(parameters)}){seed}",
        f"- {plain(versions)}",
        f"- {plain(made.made_at)}{seconds}",
        *(f"- {what}: SHA-256 {digest}" for what, digest in made.sha256.items()),
        *(f"- guessed: {plain(guess)}" for guess in made.guesses),
    ]
    yield "\n".join(lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

"""Messages: templates of sentences, filled with facts."""

from __future__ import annotations

import numbers
import string
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal

Audience = Literal["python", "command line"]
"""Who reads a message: people who call functions, or people who type commands."""

MAX_NAMED = 5


@dataclass(frozen=True)
class Message:
    """What is the case, and what to do about it.

    Attributes
    ----------
    text : str
        What is the case, a phrase without a full stop, with facts in braces; see `filled`.
    python, command_line : str
        What to do next, for users of Python and of the command line; `command_line` is the same
        as `python` if left out.
    optional : mapping from str to str
        Text added after `text` if a fact of that name is given and is not None.
    """

    text: str
    python: str = ""
    command_line: str | None = None
    optional: Mapping[str, str] = field(default_factory=dict)

    def remedy(self, audience: Audience) -> str:
        """What to do next, for this audience."""
        if audience == "command line" and self.command_line is not None:
            return self.command_line
        return self.python


FLAGS = {
    "label": "--label",
    "features": "--features",
    "drop": "--drop",
    "id_column": "--id",
    "shown": "--text-column",
    "column_types": "--as",
}
"""What the command line calls the parameters that name columns."""


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "flag":
            return FLAGS.get(value, value)
        if isinstance(value, Sequence | Set) and not isinstance(value, str):
            return named(list(value), int(format_spec or MAX_NAMED))
        words = len(format_spec) > 1 and format_spec[0].isalpha()  # one letter is a type
        if isinstance(value, numbers.Integral) and words:
            return counted(int(value), *format_spec.split("|"))
        return str(super().format_field(value, format_spec))


def filled(template: str, facts: Mapping[str, Any]) -> str:
    """A template with its facts filled in.

    The format of a list is the number of entries to show (5 if there is none); the format of a
    whole number may be the words for one and for many; "flag" turns the name of a parameter into
    that of its option.

    >>> filled("{n:row is|rows are} left out: {rows:2}", {"n": 3, "rows": ["a", "b", "c"]})
    "3 rows are left out: 'a', 'b' and 1 more"
    """
    return _Formatter().vformat(template, (), facts)


def counted(n: float, one: str, many: str | None = None) -> str:
    """A number with its noun, in the singular or the plural.

    >>> counted(1, "row"), counted(1200.4, "row"), counted(2, "label is", "labels are")
    ('1 row', '1,200 rows', '2 labels are')
    """
    return f"{n:,.0f} {one if round(n) == 1 else many or one + 's'}"


def named(names: Sequence[Any], most: int = MAX_NAMED) -> str:
    """Names as text for a message, at most `most` of them.

    >>> named(["a", "b"]), named(range(9), 2)
    ("'a', 'b'", '0, 1 and 7 more')
    """
    shown = ", ".join(repr(name) for name in names[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown


def sentence(text: str) -> str:
    """A phrase as a sentence: with a capital at its beginning and a full stop at its end.

    >>> sentence("30% of true 'cat' are labeled 'dog'")
    "30% of true 'cat' are labeled 'dog'."
    """
    return full_stop(f"{text[:1].upper()}{text[1:]}")


def full_stop(text: str) -> str:
    """A phrase with a full stop at its end, unless it ends with a mark already."""
    return text if text.endswith((".", "?", "!")) else f"{text}."

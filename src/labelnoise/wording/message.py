"""Messages: templates of sentences, filled with facts for one audience."""

from __future__ import annotations

import numbers
import shlex
import string
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal

Audience = Literal["python", "command line"]
"""Who reads a message: people who call functions, or people who type commands."""

MAX_NAMED = 5

ON_THE_COMMAND_LINE = {
    "id_column=": "--id",
    "groups=": "--group",
    "shown=": "--text-column",
    "column_types=": "--as",
    "classes=": "--new-class",
    "random_state=": "--seed",
    "y_noisy": "--label",
    "y_pred": "--prediction",
    "find_label_issues": "labelnoise find",
    "suggest_audit": "labelnoise find --for-audit",
    "est.report": "labelnoise report",
    "est.save": "labelnoise estimate -o",
}
"""Options and commands that are not called as the argument or function is."""


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


class _Name(str):
    """An argument or a function, as its readers call it; its format is a value to pass.

    >>> f"{_Name('average='):'micro'}, {_Name('save()'):'a/'}, {_Name('--average'):'micro'}"
    "average='micro', save('a/'), --average micro"
    """

    __slots__ = ()

    @classmethod
    def of(cls, name: str, audience: Audience) -> _Name:
        """What an audience calls an argument (``y=``) or a function (``f()``)."""
        if audience == "python":
            return cls(name)
        option = f"--{name[:-1].replace('_', '-')}" if name.endswith("=") else name
        return cls(ON_THE_COMMAND_LINE.get(name.removesuffix("()"), option))

    def __format__(self, value: str) -> str:
        if not value or self.endswith("="):
            return f"{self!s}{value}"
        if self.endswith("()"):
            return f"{self[:-1]}{value})"
        plain = value.strip("'")
        return f"{self!s} {shlex.quote(plain)}"


@dataclass
class _Formatter(string.Formatter):
    audience: Audience

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        if field_name.endswith(("=", "()")):
            return _Name.of(field_name, self.audience), field_name
        value, key = super().get_field(field_name, args, kwargs)
        return (_Name.of(value, self.audience) if field_name == "name" else value), key

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "flag":
            return _Name.of(f"{value}=", self.audience)
        if isinstance(value, Sequence | Set) and not isinstance(value, str):
            return _list_as(list(value), format_spec)
        words = len(format_spec) > 1 and format_spec[0].isalpha()  # one letter is a type
        if isinstance(value, numbers.Integral) and words:
            return counted(int(value), *format_spec.split("|"))
        if format_spec.startswith("|"):
            return format_spec.split("|")[1 if value == 1 else 2]
        return str(super().format_field(value, format_spec))


def filled(template: str, facts: Mapping[str, Any], audience: Audience = "python") -> str:
    """A template with its facts filled in.

    The format of a list is the number of entries to show (5 if there is none), "or" to join them
    by that, or the words for one entry and for many. The format of a whole number may be the words
    for one and for many, with a bar before them to leave out the number. Arguments and functions
    in braces become options and commands for readers of the command line, and their format is a
    value to pass; so does what the fact "name" names, and the parameter that a fact with the format
    "flag" names.

    >>> filled("{n:row is|rows are} left out: {rows:2}", {"n": 3, "rows": ["a", "b", "c"]})
    "3 rows are left out: 'a', 'b' and 1 more"
    >>> filled("{classes:class|classes} {classes:or}", {"classes": ["a", "b", 3]})
    "classes 'a', 'b' or 3"
    >>> filled("use {id_column=:'key'} or {suggest_audit()}", {}, "command line")
    'use --id key or labelnoise find --for-audit'
    >>> filled("{n:|it goes|they go} with {drop=:{name}}", {"n": 1, "name": "a b"}, "command line")
    "it goes with --drop 'a b'"
    """
    return _Formatter(audience).vformat(template, (), facts)


def _list_as(values: list[Any], format_spec: str) -> str:
    """A list as its format says; see `filled`."""
    if "|" in format_spec:
        return format_spec.split("|")[len(values) != 1]
    if format_spec == "or":
        return named(values, conjunction="or")
    return named(values, int(format_spec or MAX_NAMED))


def counted(n: float, one: str, many: str | None = None) -> str:
    """A number with its noun, in the singular or the plural.

    >>> counted(1, "row"), counted(1200.4, "row"), counted(2, "label is", "labels are")
    ('1 row', '1,200 rows', '2 labels are')
    """
    return f"{n:,.0f} {one if round(n) == 1 else many or one + 's'}"


def joined(phrases: Sequence[str]) -> str:
    """Phrases as one.

    >>> joined(["neighbors", "a linear model", "the given classifiers"])
    'neighbors, a linear model and the given classifiers'
    """
    *others, last = phrases
    return f"{', '.join(others)} and {last}" if others else last


def named(names: Sequence[Any], most: int = MAX_NAMED, conjunction: str = "") -> str:
    """Names as text for a message, at most `most` of them.

    A conjunction joins the last two.

    >>> named(["a", "b"]), named(range(9), 2), named(["a", "b"], conjunction="or")
    ("'a', 'b'", '0, 1 and 7 more', "'a' or 'b'")
    """
    shown = [repr(name) for name in names[:most]]
    more = len(names) - most
    if more > 0:
        return f"{', '.join(shown)} {conjunction or 'and'} {more} more"
    if conjunction and len(shown) > 1:
        return f"{', '.join(shown[:-1])} {conjunction} {shown[-1]}"
    return ", ".join(shown)


def sentence(text: str) -> str:
    """A phrase as a sentence: with a capital at its beginning and a full stop at its end.

    >>> sentence("30% of true 'cat' are labeled 'dog'")
    "30% of true 'cat' are labeled 'dog'."
    """
    return full_stop(f"{text[:1].upper()}{text[1:]}")


def full_stop(text: str) -> str:
    """A phrase with a full stop at its end, unless it ends with a mark already."""
    return text if text.endswith((".", "?", "!")) else f"{text}."

"""The catalog of messages and the code that uses it name the same codes and facts."""

import ast
import string
from functools import cache
from pathlib import Path

import labelnoise
from labelnoise.wording.catalog import CATALOG

SOURCE = Path(labelnoise.__file__).parent
MAKERS = {"LabelNoiseError", "LabelNoiseTypeError", "OutputError", "NotIdentifiableError"}
NOTES = {"Note", "Finding", "Assumption", "warn_user"}


@cache
def modules():
    """Every module outside the catalog, parsed."""
    files = sorted(SOURCE.rglob("*.py"))
    return [
        ast.parse(path.read_text(), str(path)) for path in files if path.parent.name != "wording"
    ]


def calls():
    """Calls that make a message from a code written out, as (code, call)."""
    for module in modules():
        for node in ast.walk(module):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            first = node.args[0]
            if name in MAKERS | NOTES and isinstance(first, ast.Constant):
                yield first.value, node


def facts_given(call):
    """The names of the facts in a call, or None if they are computed."""
    if len(call.args) > 1:
        facts = call.args[1]
        if not isinstance(facts, ast.Dict) or not all(
            isinstance(key, ast.Constant) for key in facts.keys
        ):
            return None
        return {key.value for key in facts.keys}
    names = [keyword.arg for keyword in call.keywords]
    return None if None in names else set(names)


def facts_wanted(message):
    """The names of facts in braces of a message, without its optional text."""
    texts = (message.text, message.python, message.command_line or "")
    return {
        field.partition(".")[0].partition("[")[0]
        for text in texts
        for _, field, _, _ in string.Formatter().parse(text)
        if field and not field.endswith(("=", "()"))
    }


def test_every_code_that_is_used_has_a_message():
    unknown = {code for code, _ in calls()} - set(CATALOG)
    assert not unknown


LONG_ENOUGH = 5
"""Letters that a text put together in the code must have to be taken for that of a code."""


def test_every_message_is_used():
    written, patterns = set(), []
    for module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                written.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                ends = [p.value if isinstance(p, ast.Constant) else None for p in node.values]
                patterns.append((ends[0] or "", ends[-1] or ""))
    unused = [
        code
        for code in CATALOG
        if code not in written
        and not any(
            len(start + end) >= LONG_ENOUGH and code.startswith(start) and code.endswith(end)
            for start, end in patterns
        )
    ]
    assert not unused


def test_messages_get_the_facts_they_show():
    incomplete = [
        (code, facts_wanted(CATALOG[code]) - given)
        for code, call in calls()
        if (given := facts_given(call)) is not None and not facts_wanted(CATALOG[code]) <= given
    ]
    assert not incomplete

"""Progress of long work: reported to a listener, if there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")

Listener = Callable[[str, int, int], None]
"""Called with what is being done, how many steps of it are done, and how many there are."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def progress_to(listener: Listener) -> Iterator[None]:
    """Report the progress of all work inside to `listener`.

    >>> with progress_to(lambda task, done, total: print(task, done, "of", total)):
    ...     squares = [x * x for x in steps("squaring", [1, 2])]
    squaring 0 of 2
    squaring 1 of 2
    squaring 2 of 2
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(task: str, done: int, total: int) -> None:
    """Report how many steps of a task are done."""
    listener = _listener.get()
    if listener is not None:
        listener(task, done, total)


def steps(task: str, items: Sequence[Item]) -> Iterator[Item]:
    """Go through items and report each; work inside of them is not reported on its own."""
    report(task, 0, len(items))
    for done, item in enumerate(items, start=1):
        token = _listener.set(None)
        try:
            yield item
        finally:
            _listener.reset(token)
        report(task, done, len(items))


@contextmanager
def stage(task: str) -> Iterator[None]:
    """Report that work of one step begins, and that it is done."""
    report(task, 0, 1)
    yield
    report(task, 1, 1)

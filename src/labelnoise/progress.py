"""Progress of long work: whoever wants to see it listens, and nobody does unless asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")

Listener = Callable[[str, int, int], None]
"""Is told what is being done, how many steps of it are done, and how many there are."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Let `listener` hear of all work that is done inside.

    >>> with heard_by(lambda task, done, total: print(task, done, "of", total)):
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


def tell(task: str, done: int, total: int) -> None:
    """Say how far a task has come."""
    listener = _listener.get()
    if listener is not None:
        listener(task, done, total)


def steps(task: str, items: Sequence[Item]) -> Iterator[Item]:
    """Go through items, and say so at each; work inside of them is not heard of on its own."""
    tell(task, 0, len(items))
    for done, item in enumerate(items, start=1):
        token = _listener.set(None)
        try:
            yield item
        finally:
            _listener.reset(token)
        tell(task, done, len(items))


@contextmanager
def stage(task: str) -> Iterator[None]:
    """Say that work of one step begins, and that it is done."""
    tell(task, 0, 1)
    yield
    tell(task, 1, 1)

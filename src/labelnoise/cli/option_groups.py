"""Parameters that are dataclasses of options -> these options, as typer expects them."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEYWORD = inspect.Parameter.KEYWORD_ONLY
REQUIRED = inspect.Parameter.empty


def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Replace parameters that are dataclasses by their fields, in the signature of a function."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = [
        one
        for parameter in inspect.signature(function).parameters.values()
        for one in _parameters(parameter, hints[parameter.name])
    ]
    parameters.sort(key=lambda one: one.default is not REQUIRED)  # arguments first

    @wraps(function)
    def called(**given: Any) -> Any:
        own = {name: value for name, value in given.items() if name in hints}
        for name, group in groups.items():
            own[name] = group(**{one.name: given[one.name] for one in fields(group)})  # type: ignore[operator]
        return function(**own)

    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _parameters(parameter: inspect.Parameter, hint: Any) -> Iterator[inspect.Parameter]:
    if not is_dataclass(hint):
        yield parameter.replace(kind=KEYWORD, annotation=hint)
        return
    hints = get_type_hints(hint, include_extras=True)
    for one in fields(hint):
        default = REQUIRED if one.default is MISSING else one.default
        yield inspect.Parameter(one.name, KEYWORD, default=default, annotation=hints[one.name])

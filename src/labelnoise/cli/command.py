"""A function -> a command: its options, its examples, and an exit code for every outcome."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

import typer

from labelnoise.cli.exit_codes import ERRORS_IN_THE_CALL, ExitCode
from labelnoise.cli.output import discard, printable
from labelnoise.errors import LabelNoiseError, OutputError
from labelnoise.wording import Note

Function = Callable[..., Any]
KEYWORD, REQUIRED = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty
THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

app = typer.Typer(
    name="labelnoise",
    help="Find out how labels go wrong, which ones are wrong, and what to do about it, from "
    "nothing but a table with labels.",
    epilog="Exit codes: 0 done, 1 more noise than allowed or not known, 2 invalid call, "
    "3 unusable input, 4 result not written, 5 a bug, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command(*examples: str) -> Callable[[Function], Function]:
    """Register a function as the command of its name; its help ends with the examples.

    Parameters of the function that are dataclasses of options become these options.
    """
    epilog = "\n\n".join(["[bold]Examples[/bold]", *(f"  {example}" for example in examples)])

    def register(function: Function) -> Function:
        hints = get_type_hints(function, include_extras=True)
        groups = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
        options = [
            option
            for one in inspect.signature(function).parameters.values()
            for option in _options(one, hints[one.name])
        ]
        options.sort(key=lambda one: one.default is not REQUIRED)  # arguments first

        @wraps(function)
        def called(**given: Any) -> None:
            own = {name: value for name, value in given.items() if name in hints}
            for name, group in groups.items():
                own[name] = group(**{one.name: given[one.name] for one in fields(group)})  # type: ignore[operator]
            if given["threads"] is not None:  # libraries read this when they are loaded, below
                os.environ.update(dict.fromkeys(THREAD_SETTINGS, str(given["threads"])))
            code = _exit_code(function, own)
            if code is not ExitCode.DONE:
                raise typer.Exit(int(code))

        called.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        called.__annotations__ = {one.name: one.annotation for one in options}
        app.command(function.__name__, epilog=epilog)(called)
        return function

    return register


def _options(parameter: inspect.Parameter, hint: Any) -> Iterator[inspect.Parameter]:
    """A parameter as typer expects it; a dataclass as the options that are its fields."""
    if not is_dataclass(hint):
        yield parameter.replace(kind=KEYWORD, annotation=hint)
        return
    hints = get_type_hints(hint, include_extras=True)
    for one in fields(hint):
        default = REQUIRED if one.default is MISSING else one.default
        yield inspect.Parameter(one.name, KEYWORD, default=default, annotation=hints[one.name])


def _exit_code(function: Function, given: dict[str, Any]) -> ExitCode:
    """Run a command; print a message for every error."""
    try:
        return ExitCode(function(**given) or ExitCode.DONE)
    except LabelNoiseError as error:
        read = ExitCode.CALL if error.note.code in ERRORS_IN_THE_CALL else ExitCode.INPUT
        return _failed(error.note, ExitCode.OUTPUT if isinstance(error, OutputError) else read)
    except KeyboardInterrupt:
        return _failed(Note("interrupted"), ExitCode.INTERRUPTED)
    except OSError as error:  # standard output; other files have errors of their own
        return stdout_failed(error)
    except MemoryError:
        return _failed(Note("not_enough_memory"), ExitCode.INPUT)
    except Exception:
        traceback.print_exc()
        return _failed(Note("unexpected_error"), ExitCode.BUG)


def stdout_failed(error: OSError) -> ExitCode:
    """Standard output could not be written: it is closed, or its disk is full."""
    discard(sys.stdout)
    return _failed(Note("result_lost", {"reason": error.strerror or error}), ExitCode.OUTPUT)


def _failed(note: Note, code: ExitCode) -> ExitCode:
    """Print what is wrong, and return the exit code."""
    with contextlib.suppress(OSError):
        print(f"error: {printable(note.text('command line'))}", file=sys.stderr)
    return code

"""A function -> a command: its options, its examples, and an exit code for every outcome."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from labelnoise.cli.errors import CallError
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.option_groups import with_options
from labelnoise.errors import LabelNoiseError, OutputError
from labelnoise.wording import Note

Function = Callable[..., Any]
THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

app = typer.Typer(
    name="labelnoise",
    help="Find out how labels go wrong, which ones are wrong, and what to do about it, from "
    "nothing but a table with labels.",
    epilog="Exit codes: 0 done, 1 more noise than allowed or the data cannot tell, 2 invalid call, "
    "3 unusable input, 4 result not written, 5 a bug, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command(*examples: str) -> Callable[[Function], Function]:
    """Make a function a command of its name; examples stand at the end of its help."""
    epilog = "\n\n".join(["[bold]Examples[/bold]", *(f"  {example}" for example in examples)])

    def register(function: Function) -> Function:
        app.command(function.__name__, epilog=epilog)(_with_exit_codes(with_options(function)))
        return function

    return register


def _with_exit_codes(function: Function) -> Function:
    @wraps(function)
    def called(**given: Any) -> None:
        code = _exit_code(function, given)
        if code is not ExitCode.DONE:
            raise typer.Exit(int(code))

    called.__signature__ = function.__signature__  # type: ignore[attr-defined]
    return called


def _exit_code(function: Function, given: dict[str, Any]) -> ExitCode:
    """Run a command; print a message for every error."""
    set_threads(given.get("threads"))
    try:
        return ExitCode(function(**given) or ExitCode.DONE)
    except LabelNoiseError as error:
        output = isinstance(error, OutputError)
        call = ExitCode.CALL if isinstance(error, CallError) else ExitCode.INPUT
        return _failed(error.note, ExitCode.OUTPUT if output else call)
    except KeyboardInterrupt:
        return _failed(Note("interrupted"), ExitCode.INTERRUPTED)
    except OSError as error:  # standard output; other files have errors of their own
        return result_lost(error)
    except MemoryError:
        return _failed(Note("not_enough_memory"), ExitCode.INPUT)
    except Exception:
        traceback.print_exc()
        return _failed(Note("unexpected_error"), ExitCode.BUG)


def result_lost(error: OSError) -> ExitCode:
    """Standard output could not be written: it is closed, or its disk is full."""
    from labelnoise.cli.output import discard

    discard(sys.stdout)
    return _failed(Note("result_lost", {"reason": error.strerror or error}), ExitCode.OUTPUT)


def _failed(note: Note, code: ExitCode) -> ExitCode:
    """Print what is wrong; the exit code says whose turn it is."""
    from labelnoise.cli.output import printable

    with contextlib.suppress(OSError):
        print(f"error: {printable(note.text('command line'))}", file=sys.stderr)
    return code


def set_threads(threads: int | None) -> None:
    """Limit the threads of all libraries: they look when they are loaded, and none is yet."""
    if threads is not None:
        for name in THREAD_SETTINGS:
            os.environ[name] = str(threads)

"""A function -> a command: its options, its examples, and an exit code for whatever happens."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import with_options
from labelnoise.errors import LabelNoiseError, OutputError

Function = Callable[..., Any]
THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def command(
    app: typer.Typer, name: str, *examples: str, **settings: Any
) -> Callable[[Function], Function]:
    """Register a function as a command; examples stand at the end of its help."""
    lines = "\n\n".join(f"  {example}" for example in examples)
    epilog = f"[bold]Examples[/bold]\n\n{lines}"

    def register(function: Function) -> Function:
        app.command(name, epilog=epilog, **settings)(guarded(with_options(function)))
        return function

    return register


def guarded(function: Function) -> Function:
    """Turn whatever goes wrong into a message and an exit code."""

    @wraps(function)
    def called(**given: Any) -> None:
        code = _run(function, given)
        if code is not ExitCode.DONE:
            raise typer.Exit(int(code))

    called.__signature__ = function.__signature__  # type: ignore[attr-defined]
    return called


def _run(function: Function, given: dict[str, Any]) -> ExitCode:
    set_threads(given.get("threads"))
    try:
        return ExitCode(function(**given) or ExitCode.DONE)
    except LabelNoiseError as error:
        return complain(error)
    except KeyboardInterrupt:
        print("\nstopped; no file was left half-written.", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except OSError as error:  # standard output; other files have errors of their own
        from labelnoise.cli.speaking import hush

        with contextlib.suppress(OSError):
            print(f"error: cannot write: {error.strerror or error}.", file=sys.stderr)
        hush(sys.stdout)
        return ExitCode.OUTPUT
    except MemoryError:
        print(
            "error: there is not enough memory. Use fewer --features, or a sample of the rows.",
            file=sys.stderr,
        )
        return ExitCode.INPUT
    except Exception:
        traceback.print_exc()
        print(
            "error: this should not happen. Please report it with the lines above.", file=sys.stderr
        )
        return ExitCode.BUG


def set_threads(threads: int | None) -> None:
    """Bound the threads of all libraries, which look when they are loaded: no command has, yet."""
    if threads is not None:
        for name in THREAD_SETTINGS:
            os.environ[name] = str(threads)


def complain(error: LabelNoiseError) -> ExitCode:
    """Say what is wrong; the exit code says whose turn it is."""
    from labelnoise.cli.calls import CallError
    from labelnoise.cli.speaking import as_said_here, shown

    print(f"error: {as_said_here(shown(error))}", file=sys.stderr)
    if isinstance(error, OutputError):
        return ExitCode.OUTPUT
    return ExitCode.CALL if isinstance(error, CallError) else ExitCode.INPUT

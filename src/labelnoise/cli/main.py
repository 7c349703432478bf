"""``labelnoise``: the command line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelnoise._version import __version__
from labelnoise.cli import (  # noqa: F401 - each module registers its command
    annotators,
    apply,
    check,
    compare,
    demo,
    estimate,
    find,
    report,
    score,
    simulate,
)
from labelnoise.cli.command import app, stdout_failed

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    "estimate", "check", "find", "apply", "report", "score", "simulate", "compare", "annotators",
    "demo",
)  # fmt: skip
"""All commands, in the order in which the help lists them."""

app.registered_commands.sort(key=lambda one: COMMANDS.index(str(one.name)))


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"labelnoise {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, by default on the arguments of the process."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = Path(os.devnull).open()  # noqa: SIM115 - not "w": a lost result is an error
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may not know every letter
    try:
        app(args=arguments)
    except OSError as error:  # from --help or --version
        sys.exit(stdout_failed(error))

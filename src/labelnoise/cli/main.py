"""``labelnoise``: the command line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from labelnoise._version import __version__
from labelnoise.cli import (
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

app = typer.Typer(
    name="labelnoise",
    help="For people who do not trust their labels: how labels go wrong, which are wrong, and what "
    "to do about it, from a table with labels and nothing else.",
    epilog="Exit codes: 0 done, 1 a gate said no, 2 wrong call, 3 unusable input, 4 output not "
    "written, 5 a bug, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
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


for module in (estimate, check, find, apply, report, score, simulate, compare, demo):
    module.register(app)


def main() -> None:
    """Run the command line."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may not know every letter
    app()

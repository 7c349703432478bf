"""``labelnoise tables``: the paper's tables and figures, ours beside them."""

from __future__ import annotations

import typer

from labelnoise.cli.exit_codes import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command: everything after its name goes to the experiments."""
    app.command(
        "tables",
        context_settings={
            "allow_extra_args": True,
            "ignore_unknown_options": True,
            "help_option_names": [],
        },
        add_help_option=False,
    )(tables)


def tables(context: typer.Context) -> None:
    """Run the paper's tables and figures, ours beside them (labelnoise tables --help)."""
    from labelnoise.experiments.command import main

    code = main(context.args, program="labelnoise tables")
    if code != ExitCode.DONE:
        raise typer.Exit(code)

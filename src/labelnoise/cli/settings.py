"""Options that several commands share, and how a command gets them."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

DATA, RUN, METHOD = "Data", "Run", "Method"
"""Panels of the help."""


@dataclass(frozen=True)
class DataOptions:
    """The table, and what its columns are."""

    data: Annotated[
        str,
        typer.Argument(
            help="CSV, TSV, Parquet, Arrow, Feather, JSON Lines, .npy or .npz file (also gzipped); "
            "- for standard input.",
            show_default=False,
        ),
    ]
    label: Annotated[
        str | None,
        typer.Option(
            "--label",
            "-l",
            help="Column of the labels; a file of them for .npy.",
            rich_help_panel=DATA,
            show_default="guessed",
        ),
    ] = None
    features: Annotated[
        list[str] | None,
        typer.Option(
            "--features",
            "-f",
            help="Use these columns only. Repeat, or separate by commas.",
            rich_help_panel=DATA,
            show_default="all others",
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        typer.Option("--drop", help="Leave these columns alone.", rich_help_panel=DATA),
    ] = None
    id: Annotated[
        str | None,
        typer.Option(
            "--id",
            help="Column that names the rows.",
            rich_help_panel=DATA,
            show_default="row numbers, from 0",
        ),
    ] = None
    text_column: Annotated[
        list[str] | None,
        typer.Option(
            "--text-column",
            help="Column to show to reviewers, not used as a feature.",
            rich_help_panel=DATA,
            show_default="texts, and what tells most",
        ),
    ] = None
    embeddings: Annotated[
        str | None,
        typer.Option(
            "--embeddings",
            help="Array (.npy) of features, a row for each row of the table, to use "
            "instead of its columns.",
            rich_help_panel=DATA,
            metavar="FILE",
        ),
    ] = None
    unlabeled: Annotated[
        list[str] | None,
        typer.Option(
            "--unlabeled",
            help="A label that stands for none, such as NA: rows with it are left out.",
            rich_help_panel=DATA,
        ),
    ] = None
    new_class: Annotated[
        list[str] | None,
        typer.Option(
            "--new-class",
            help="A class that reviewers use and no row has yet.",
            rich_help_panel=DATA,
        ),
    ] = None
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            help="What a column is: NAME=number, category, date, text, vector or skip.",
            rich_help_panel=DATA,
            metavar="NAME=KIND",
            show_default="guessed",
        ),
    ] = None
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="csv, jsonl, parquet, arrow, npy or npz.",
            rich_help_panel=DATA,
            show_default="guessed",
        ),
    ] = None
    delimiter: Annotated[
        str | None,
        typer.Option(
            "--delimiter",
            help="What separates cells: a character, or \\t.",
            rich_help_panel=DATA,
            show_default="guessed",
        ),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            "--encoding",
            help="Encoding of the text, such as cp1252.",
            rich_help_panel=DATA,
            show_default="UTF-8",
        ),
    ] = None
    no_header: Annotated[
        bool,
        typer.Option(
            "--no-header",
            help="The first line holds data; columns are called c1, c2, ...",
            rich_help_panel=DATA,
        ),
    ] = False


@dataclass(frozen=True)
class RunOptions:
    """How to run, and how to speak."""

    json: Annotated[
        bool, typer.Option("--json", help="Print JSON, for machines.", rich_help_panel=RUN)
    ] = False
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="No progress, guesses or advice.", rich_help_panel=RUN),
    ] = False
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of all chance.", rich_help_panel=RUN, min=0)
    ] = None
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            help="Threads at most; results do not depend on it.",
            rich_help_panel=RUN,
            min=1,
            show_default="all cores",
        ),
    ] = None
    max_memory: Annotated[
        str | None,
        typer.Option(
            "--max-memory",
            help="Refuse work that needs more, such as 4GB.",
            rich_help_panel=RUN,
            metavar="SIZE",
            show_default="3/4 of the machine",
        ),
    ] = None


@dataclass(frozen=True)
class MethodOptions:
    """How to estimate."""

    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            help="rank-gated, hoc, x-kl, x-tv, a-kl, a-tv, confident-learning, "
            "t-revision, t-vol, t-tv or selective.",
            rich_help_panel=METHOD,
        ),
    ] = "rank-gated"
    noise: Annotated[
        str | None,
        typer.Option(
            "--noise",
            help="class: labels err by class alone. instance: people err where classes "
            "are alike. (rank-gated)",
            rich_help_panel=METHOD,
            show_default="class",
        ),
    ] = None
    audit: Annotated[
        list[Path] | None,
        typer.Option(
            "--audit",
            help="Decisions about reviewed rows (columns row, given, reviewed), to learn from; "
            "whether they were applied to the data or not. Repeat it for several rounds, the "
            "earliest first.",
            rich_help_panel=METHOD,
            metavar="FILE",
            show_default=False,
        ),
    ] = None
    audit_column: Annotated[
        str,
        typer.Option(
            "--audit-column",
            help="Column of --audit with the reviewed labels.",
            rich_help_panel=METHOD,
        ),
    ] = "reviewed"


def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Turn parameters that are dataclasses of options into these options, for typer."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    arguments: list[inspect.Parameter] = []
    options: list[inspect.Parameter] = []
    for parameter in inspect.signature(function).parameters.values():
        for one in _parameters(parameter, hints[parameter.name]):
            (arguments if one.default is inspect.Parameter.empty else options).append(one)
    signature = inspect.Signature([*arguments, *options])

    @wraps(function)
    def called(**given: Any) -> Any:
        own = {name: value for name, value in given.items() if name in hints}
        for name, group in groups.items():
            own[name] = group(**{field.name: given[field.name] for field in fields(group)})  # type: ignore[operator]
        return function(**own)

    called.__signature__ = signature  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()}
    return called


def _parameters(parameter: inspect.Parameter, hint: Any) -> list[inspect.Parameter]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    if not is_dataclass(hint):
        return [parameter.replace(kind=keyword, annotation=hint)]
    told = get_type_hints(hint, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            keyword,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=told[field.name],
        )
        for field in fields(hint)
    ]

"""What a command was called with, and the commands to run next with the same options."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from labelnoise.cli.memory import memory_limit
from labelnoise.cli.options import DataOptions, MethodOptions, RunOptions
from labelnoise.cli.output import Output, check_outputs


def checked_output(run: RunOptions, outputs: Any = (), inputs: Any = ()) -> Output:
    """Refuse now what would otherwise fail only at the end; return where to print."""
    memory_limit(run.max_memory)
    check_outputs(outputs, inputs)
    return Output(run.json, run.quiet)


def outputs_at(output: str, files_of_folder: Iterable[str]) -> list[Path]:
    """The files that are written: those of a folder, or the folder if it is not there yet."""
    from labelnoise.noise_estimate.saving import names_folder

    path = Path(output)
    in_folder = names_folder(output) and path.is_dir()
    return [path / name for name in files_of_folder] if in_folder else [path]


@dataclass(frozen=True)
class Call:
    """What a command was called with, to suggest other commands."""

    data: DataOptions
    method: MethodOptions
    run: RunOptions
    saved: str | None = None  # path of the estimate to use; None makes one

    @property
    def files(self) -> tuple[Any, ...]:
        """Files that are read."""
        method = self.method
        return (*self.data.files, method.pred_proba, *(method.audit or ()), *files_of(self.saved))

    def next_command(self, command: str, *arguments: str) -> str:
        """Another command on the same data, with the same options."""
        run = replace(self.run, json=False, quiet=False, threads=None)
        saved = ("--estimate", self.saved) if self.saved else ()
        options = [part for group in (self.data, self.method, run) for part in _typed(group)]
        return shlex.join(["labelnoise", command, self.data.data, *options, *saved, *arguments])

    def apply_command(self, decisions: str, *, labels_in_own_file: bool) -> str:
        """The command that puts decisions into a copy of the data, or of the file of labels."""
        data = self.data
        if labels_in_own_file:
            data = DataOptions(str(data.label), new_class=data.new_class, unlabeled=data.unlabeled)
        parts = ["labelnoise", "apply", data.data, decisions, *_typed(data)]
        return shlex.join([*parts, "-o", name_of_copy(data.data)])

    @property
    def decisions_file(self) -> str:
        """A name for decisions about these data."""
        stem, _, _ = Path(self.data.data).name.partition(".")
        return "decisions.csv" if stem == "-" else f"{stem}-decisions.csv"


def files_of(saved: str | None) -> tuple[str, ...]:
    """Files that a saved estimate may consist of."""
    if saved is None:
        return ()
    from labelnoise.noise_estimate.saving import FILES_OF_FOLDER

    return (saved, *(f"{saved}/{name}" for name in FILES_OF_FOLDER))


def name_of_copy(path: str) -> str:
    """A name for a copy of a file with other labels, in the current folder.

    >>> name_of_copy("data/zoo.csv.gz"), name_of_copy("-")
    ('zoo-fixed.csv.gz', 'fixed.csv')
    """
    stem, dot, ending = Path(path).name.partition(".")
    return "fixed.csv" if stem == "-" else f"{stem}-fixed{dot}{ending}"


def _typed(options: Any) -> Iterator[str]:
    """Options as they would be typed, except those with their default values."""
    hints = get_type_hints(type(options), include_extras=True)
    for one in fields(options):
        value = getattr(options, one.name)
        if one.default is MISSING or value == one.default:
            continue
        (info,) = hints[one.name].__metadata__
        option = info.default  # in an annotation, typer takes the first name for the default
        for item in value if isinstance(value, list) else [value]:
            yield from [option] if item is True else [option, str(item)]

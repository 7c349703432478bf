"""Results on disk: a cell is written when it is done, and never computed twice."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import labelnoise
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from labelnoise.experiments.library import Source

Record = dict[str, float]

MEASURING = ("jobs.py", "draws.py", "generated.py", "speed.py", "speed_cleanlab.py")
"""Files of this folder that results depend on."""


class Cell(NamedTuple):
    """One thing to measure: a method on one draw."""

    job: str
    source: Source
    level: str
    seed: int
    method: str

    @property
    def key(self) -> str:
        """Names the cell in the file."""
        return "|".join([self.job, *astuple(self.source), self.level, str(self.seed), self.method])


@dataclass
class Store:
    """Records by cell, in a file of JSON lines that only ever grows.

    A line that was cut short, by Ctrl-C or a crash, is skipped. Records made by other code or
    from other data do not count: `stamp` says which.
    """

    path: Path
    stamps: dict[Source, str]

    def __post_init__(self) -> None:
        self._records: dict[str, Record] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        except OSError as error:
            raise LabelNoiseError(
                f"cannot use {str(self.path)!r}: {error.strerror}. Choose a folder to write to."
            ) from error
        for line in lines:
            try:
                entry = json.loads(line)
                self._records[entry["key"]] = entry["record"]
            except (ValueError, KeyError, TypeError):
                continue

    def get(self, cell: Cell) -> Record | None:
        """The record of a cell, if there is one."""
        return self._records.get(self._stamped(cell))

    def missing(self, cells: Iterable[Cell]) -> list[Cell]:
        """Cells without a record, each once."""
        return [cell for cell in dict.fromkeys(cells) if self.get(cell) is None]

    def put(self, cell: Cell, record: Record) -> None:
        """Write a record down."""
        key = self._stamped(cell)
        self._records[key] = record
        with self.path.open("a+b") as stream:
            if stream.tell() and not self._ends_with_a_line():
                stream.write(b"\n")
            stream.write(json.dumps({"key": key, "record": record}).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())

    def _ends_with_a_line(self) -> bool:
        with self.path.open("rb") as stream:
            stream.seek(-1, os.SEEK_END)
            return stream.read(1) == b"\n"

    def _stamped(self, cell: Cell) -> str:
        return f"{code_digest()}|{self.stamps.get(cell.source, '')}|{cell.key}"


@cache
def code_digest() -> str:
    """Changes when anything does that a result may depend on: not the tables made of results."""
    home = Path(labelnoise.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(home.rglob("*.py")):
        if path.parent.name != "experiments" or path.name in MEASURING:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]

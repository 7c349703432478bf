"""Results on disk: a cell is written when it is done, and never computed twice."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import astuple, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import labelnoise
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from experiments.library import Source

Record = dict[str, float]

MEASURING = ("jobs", "draws", "generated", "library", "speed", "speed_cleanlab")
"""Modules of this folder that results depend on; the others only show them."""

PACKAGES = ("numpy", "scipy", "scikit-learn", "faiss-cpu", "cleanlab")
"""Packages that results depend on."""


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
            self.path.open("ab").close()  # what cannot be written is noticed before the work
            lines = self.path.read_bytes().splitlines()
        except OSError as error:
            raise LabelNoiseError(
                f"cannot write {self.path.name} into {str(self.path.parent)!r}: {error.strerror}. "
                "Choose a folder to write to."
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
        line = json.dumps({"key": key, "record": record}).encode() + b"\n"
        try:
            with self.path.open("a+b") as stream:
                if stream.tell() and not self._ends_with_a_line():
                    stream.write(b"\n")
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise LabelNoiseError(
                f"cannot write to {str(self.path)!r}: {error.strerror}. What was measured before "
                "is kept: make room and start again."
            ) from error

    def _ends_with_a_line(self) -> bool:
        with self.path.open("rb") as stream:
            stream.seek(-1, os.SEEK_END)
            return stream.read(1) == b"\n"

    def _stamped(self, cell: Cell) -> str:
        return f"{code_digest()}|{self.stamps.get(cell.source, '')}|{cell.key}"


@cache
def code_digest() -> str:
    """Changes with the code that results depend on and with the packages it uses.

    Not with the code that makes tables and figures of the results.
    """
    home = Path(labelnoise.__file__).parent
    digest = hashlib.sha256(" ".join(versions(PACKAGES)).encode())
    for path in sorted(home.rglob("*.py")):
        if home / "experiments" not in path.parents or path.stem in MEASURING:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def versions(packages: Iterable[str]) -> Iterator[str]:
    """Names and versions of packages, and which are not there."""
    for package in packages:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"no {package}"

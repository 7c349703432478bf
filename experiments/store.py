"""Results on disk: each cell is written as soon as it is measured, and never measured twice."""

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
from experiments.errors import ExperimentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from experiments.sources import Source

Record = dict[str, float]

EXPERIMENTS = Path(__file__).parent
LIBRARY = Path(labelnoise.__file__).parent
MEASURING = ("draws", "epochs", "jobs", "memory", "sources", "speed_cleanlab", "tabular", "text")
"""Modules of this folder that results depend on; the others only arrange and show results."""

PACKAGES = ("numpy", "scipy", "scikit-learn", "faiss-cpu", "cleanlab")
"""Packages that results depend on."""


class Cell(NamedTuple):
    """One thing to measure: a job for one data set, noise level, seed and method."""

    job: str
    source: Source
    level: str
    seed: int
    method: str

    @property
    def key(self) -> str:
        """Name of the cell in the file."""
        return "|".join([self.job, *astuple(self.source), self.level, str(self.seed), self.method])


@dataclass
class Store:
    """Records by cell, in a file of JSON lines to which lines are only appended.

    A truncated line, left by Ctrl-C or a crash, is skipped. Records that were made by other code
    or from other data are ignored: their keys hold another code digest or data fingerprint.
    """

    path: Path
    fingerprints: dict[Source, str]

    def __post_init__(self) -> None:
        self._records: dict[str, Record] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.open("ab").close()  # fail now rather than after the first measurement
            lines = self.path.read_bytes().splitlines()
        except OSError as error:
            raise ExperimentError(
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
        return self._records.get(self._full_key(cell))

    def missing(self, cells: Iterable[Cell]) -> list[Cell]:
        """Cells without a record, each once."""
        return [cell for cell in dict.fromkeys(cells) if self.get(cell) is None]

    def put(self, cell: Cell, record: Record) -> None:
        """Append a record to the file."""
        key = self._full_key(cell)
        self._records[key] = record
        line = json.dumps({"key": key, "record": record}).encode() + b"\n"
        try:
            with self.path.open("a+b") as stream:
                if stream.tell() and not self._ends_with_newline():
                    stream.write(b"\n")
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise ExperimentError(
                f"cannot write to {str(self.path)!r}: {error.strerror}. Earlier results are kept: "
                "free some space and start again."
            ) from error

    def _ends_with_newline(self) -> bool:
        with self.path.open("rb") as stream:
            stream.seek(-1, os.SEEK_END)
            return stream.read(1) == b"\n"

    def _full_key(self, cell: Cell) -> str:
        return f"{code_digest()}|{self.fingerprints.get(cell.source, '')}|{cell.key}"


@cache
def code_digest() -> str:
    """Digest of the code that results depend on, and of the versions of the packages it uses.

    Code that only makes tables and figures from the results is not part of it.
    """
    digest = hashlib.sha256(" ".join(versions(PACKAGES)).encode())
    files = [*LIBRARY.rglob("*.py"), *(EXPERIMENTS / f"{name}.py" for name in MEASURING)]
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def versions(packages: Iterable[str]) -> Iterator[str]:
    """Names and versions of packages; those that are not installed are listed as such."""
    for package in packages:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"no {package}"

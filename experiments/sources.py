"""Where the data of the experiments come from: one loader for all data sets."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from experiments.tabular import TABULAR_SETS, load_tabular
from experiments.text import TEXT_SETS, load_text

if TYPE_CHECKING:
    from pathlib import Path

    from labelnoise.arrays import FloatArray, IntArray

DEFAULT_FEATURES = "minilm"
TITLES = {"ag": "AG's news", "dbpedia": "DBpedia", "yelp": "Yelp-5", "jigsaw": "Jigsaw"}


@dataclass(frozen=True)
class Source:
    """A data set; for text, in one of its representations."""

    name: str
    features: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it is one of the text data sets."""
        return self.name in TEXT_SETS

    def __str__(self) -> str:
        title = TITLES.get(self.name, self.name.capitalize())
        return f"{title} ({self.features})" if self.features else title


TABULAR_SOURCES = tuple(Source(name) for name in TABULAR_SETS)


@dataclass(frozen=True)
class DataFolder:
    """A folder with ``uci/*.csv`` and ``text/*.npy``; tables it lacks may be downloaded."""

    path: Path | None
    download: bool = False

    def why_missing(self, source: Source) -> str:
        """Empty if the data set can be loaded; otherwise what is missing and what to do."""
        files = self.files(source)
        missing = [file for file in files if not file.is_file()]
        if files and not missing:
            return ""
        if not source.is_text and self.download and TABULAR_SETS[source.name].openml:
            return ""
        problem = f"{missing[0]} does not exist" if missing else "no --data folder"
        return f"{problem} ({self._remedy(source)})"

    def _remedy(self, source: Source) -> str:
        if source.is_text:
            file = "" if TEXT_SETS[source.name].hub else " --file CSV"
            return (
                f"run: python -m experiments --prepare {source.name} --data "
                f"{self.path or 'FOLDER'} --model NAME{file}"
            )
        remedy = "put the file there" if self.path else "pass --data"
        return f"{remedy}, or --download" if TABULAR_SETS[source.name].openml else remedy

    def representations(self, name: str) -> list[Source]:
        """All representations of a text data set in the folder, or else the default one."""
        files = sorted((self.path / "text").glob(f"{name}_*.npy")) if self.path else []
        features = [file.stem.removeprefix(f"{name}_") for file in files]
        return [Source(name, f) for f in features if f != "y"] or [Source(name, DEFAULT_FEATURES)]

    def load(self, source: Source) -> tuple[FloatArray, IntArray]:
        """Features (n, d) and clean labels (n,)."""
        return _load(self, source)

    def fingerprint(self, source: Source) -> str:
        """A digest of the files of a data set."""
        digest = hashlib.sha256()
        for file in self.files(source):
            if file.is_file():
                with file.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()[:12]

    def files(self, source: Source) -> list[Path]:
        """Files that hold a data set, whether or not they exist."""
        if self.path is None:
            return []
        if source.is_text:
            parts = (source.features, "y")
            return [self.path / "text" / f"{source.name}_{part}.npy" for part in parts]
        return [self.path / "uci" / f"{source.name}.csv"]


@lru_cache(maxsize=2)
def _load(data: DataFolder, source: Source) -> tuple[FloatArray, IntArray]:
    files = data.files(source)
    if source.is_text:
        return load_text(source.name, files[0].parent, source.features)
    on_disk = files and files[0].is_file()
    return load_tabular(source.name, files[0].parent if on_disk else None)

"""Where the data of the experiments come from: one loader for all sets."""

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

USUAL_FEATURES = "minilm"

TITLES = {
    "ag": "AG's news",
    "dbpedia": "DBpedia",
    "yelp": "Yelp-5",
    "jigsaw": "Jigsaw",
}


@dataclass(frozen=True)
class Source:
    """A data set, for text in one of its representations."""

    name: str
    features: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it is one of the text sets."""
        return self.name in TEXT_SETS

    def __str__(self) -> str:
        title = TITLES.get(self.name, self.name.capitalize())
        return f"{title} ({self.features})" if self.features else title


TABLES = tuple(Source(name) for name in TABULAR_SETS)


@dataclass(frozen=True)
class Library:
    """A folder with prepared data, ``uci/*.csv`` and ``text/*.npy``, and perhaps a network."""

    folder: Path | None
    download: bool = False

    def why_missing(self, source: Source) -> str:
        """Empty if the set can be loaded, else what is not there and what to do."""
        files = self._files(source)
        gone = [path for path in files if not path.is_file()]
        if files and not gone:
            return ""
        if not source.is_text and self.download and TABULAR_SETS[source.name].openml:
            return ""
        found = f"{gone[0]} is not there" if gone else "no folder was given"
        return f"{found} ({self._remedy(source)})"

    def _remedy(self, source: Source) -> str:
        if source.is_text:
            file = "" if TEXT_SETS[source.name].hub else " --file CSV"
            return (
                f"prepare it: python -m experiments prepare {source.name} --data "
                f"{self.folder or 'FOLDER'} --model NAME{file}"
            )
        own = "put it there" if self.folder else "pass --data"
        return f"{own}, or --download" if TABULAR_SETS[source.name].openml else own

    def representations(self, name: str) -> list[Source]:
        """All representations of a text set that are there, or the usual one."""
        found = sorted((self.folder / "text").glob(f"{name}_*.npy")) if self.folder else []
        features = [path.stem.removeprefix(f"{name}_") for path in found]
        return [Source(name, f) for f in features if f != "y"] or [Source(name, USUAL_FEATURES)]

    def load(self, source: Source) -> tuple[FloatArray, IntArray]:
        """Features (n, d) and clean labels (n,)."""
        return _load(self, source)

    def stamp(self, source: Source) -> str:
        """Changes when what is in the files does."""
        digest = hashlib.sha256()
        for path in self._files(source):
            if path.is_file():
                with path.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()[:12]

    def _files(self, source: Source) -> list[Path]:
        if self.folder is None:
            return []
        if source.is_text:
            parts = (source.features, "y")
            return [self.folder / "text" / f"{source.name}_{part}.npy" for part in parts]
        return [self.folder / "uci" / f"{source.name}.csv"]


@lru_cache(maxsize=2)
def _load(library: Library, source: Source) -> tuple[FloatArray, IntArray]:
    if source.is_text:
        assert library.folder is not None
        return load_text(source.name, library.folder / "text", source.features)
    files = library._files(source)
    on_disk = files and files[0].is_file()
    return load_tabular(source.name, files[0].parent if on_disk else None)

"""Text sets and embeddings from Hugging Face, for people with a network."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.text import Embed


def training_rows(repository: str) -> Sequence[dict[str, Any]]:
    """Rows of the training part of a data set on the hub."""
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise LabelNoiseError(
            "downloading text needs the package 'datasets'. Run: pip install datasets"
        ) from error
    try:
        rows: Sequence[dict[str, Any]] = load_dataset(repository, split="train")
    except Exception as error:  # whatever the hub's client raises, the remedy is the same
        raise LabelNoiseError(
            f"cannot download {repository!r} from Hugging Face: {error}. Check the network, or "
            "pass a CSV file as file= (--file)."
        ) from error
    return rows


def sentence_embedder(model: str) -> Embed:
    """The ``encode`` of a sentence-transformers model, by name or folder, loaded when needed."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise LabelNoiseError(
            "embedding text needs the package 'sentence-transformers'. Run: "
            "pip install sentence-transformers"
        ) from error

    def embed(texts: list[str]) -> Any:
        try:
            loaded = SentenceTransformer(model)
        except Exception as error:  # see above
            raise LabelNoiseError(
                f"cannot load the embedding model {model!r}: {error}. Check its name and the "
                "network."
            ) from error
        return loaded.encode(texts, show_progress_bar=sys.stderr.isatty())

    return embed

"""Text data sets and embedding models from Hugging Face; requires a network."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from experiments.errors import ExperimentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.text import Embed


def training_rows(repository: str) -> Sequence[dict[str, Any]]:
    """Download the training part of a data set."""
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise ExperimentError(
            "downloading text requires the package 'datasets'. Run: pip install datasets"
        ) from error
    try:
        rows: Sequence[dict[str, Any]] = load_dataset(repository, split="train")
    except Exception as error:  # the client raises many types, and the remedy is the same
        raise ExperimentError(
            f"cannot download {repository!r} from Hugging Face: {error}. Check the network, or "
            "pass a CSV file with --file."
        ) from error
    return rows


def sentence_embedder(model: str) -> Embed:
    """The ``encode`` method of a sentence-transformers model, loaded when first called."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ExperimentError(
            "embedding text requires the package 'sentence-transformers'. Run: "
            "pip install sentence-transformers"
        ) from error

    def embed(texts: list[str]) -> Any:
        try:
            loaded = SentenceTransformer(model)
        except Exception as error:  # as above
            raise ExperimentError(
                f"cannot load the embedding model {model!r}: {error}. Check its name and the "
                "network."
            ) from error
        return loaded.encode(texts, show_progress_bar=sys.stderr.isatty())

    return embed

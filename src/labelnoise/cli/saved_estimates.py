"""Estimates that ``labelnoise estimate -o`` saved, used again with the data they were made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.noise_estimate import NoiseEstimate


def files_of(saved: str | None) -> tuple[str, ...]:
    """Files that a saved estimate may consist of."""
    if saved is None:
        return ()
    from labelnoise.noise_estimate.saving import FILES_OF_FOLDER

    return (saved, *(f"{saved}/{name}" for name in FILES_OF_FOLDER))


def load_estimate(path: str) -> NoiseEstimate:
    """Read a saved estimate."""
    from labelnoise.noise_estimate import NoiseEstimate

    return NoiseEstimate.load(path)


def as_classes(labels: Any, classes: Sequence[Any]) -> list[Any]:
    """Labels (n,) as the classes that they name, if they name any.

    Files hold text, while an estimate made in Python may have classes such as True or 1.0.
    """
    known = {str(label): label for label in classes}
    return [known.get(str(label), label) for label in labels.tolist()]


def check_same_data(est: NoiseEstimate, y: Any, path: str) -> None:
    """Refuse a saved estimate that was not made from these labels (n,)."""
    if len(y) != est.n_rows:
        raise LabelNoiseError(
            "saved_estimate_of_other_rows", path=path, n_rows=len(y), n_estimated=est.n_rows
        )
    try:
        est.check_labels(as_classes(y, est.classes))
    except LabelNoiseError as error:
        raise LabelNoiseError("saved_estimate_of_other_labels", path=path) from error

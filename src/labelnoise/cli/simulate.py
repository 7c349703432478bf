"""``labelnoise simulate``: wrong labels to practice on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from labelnoise.cli.calls import checked_output
from labelnoise.cli.command import command
from labelnoise.cli.options import DataOptions, RunOptions, option

if TYPE_CHECKING:
    from labelnoise.transition import TransitionMatrix

KIND = "symmetric, pair (each class is labeled as the next one) or random."
TRUTH = "Also write which rows were corrupted (CSV: row, given, reviewed)."


@command(
    "labelnoise simulate clean.csv --label y --rate 0.2 -o noisy.csv",
    "labelnoise simulate clean.csv --label y --kind pair --rate 0.3 --seed 1 -o noisy.csv",
    "labelnoise simulate clean.csv --label y --like noise.json -o noisy.csv",
)
def simulate(
    data: DataOptions,
    run: RunOptions,
    output: Annotated[Path, option("--output -o", "The noisy copy, in the same format.")],
    rate: Annotated[float, option("--rate", "Share of the labels of each class to corrupt.")] = 0.2,
    kind: Annotated[str, option("--kind", KIND)] = "symmetric",
    like: Annotated[
        Path | None, option("--like", "Corrupt labels with the T of a saved estimate.")
    ] = None,
    truth: Annotated[Path | None, option("--truth", TRUTH)] = None,
) -> None:
    """Corrupt the labels of a file with a known T, to see how well T is estimated."""
    import numpy as np

    from labelnoise.atomic_files import write_bytes_atomically
    from labelnoise.cli.label_files import open_label_file
    from labelnoise.data.noise import inject_noise, realized_transition
    from labelnoise.review import delimited

    out = checked_output(run, [output, truth] if truth else [output], [*data.files, like])
    with out.working(), open_label_file(data, run) as file:
        clean = file.labels
        T = _matrix(clean, kind, rate, like, run.seed)
        # Numbers of its own: the labels may have been corrupted before, with the same seed.
        rng = np.random.default_rng([run.seed or 0, len(clean), 1])
        noisy = np.asarray(inject_noise(clean, T, random_state=rng))
        wrong = noisy != clean
        file.write_copy(output, noisy)
        if truth is not None:  # as decisions that undo it
            columns = {"row": file.ids, "given": noisy, "reviewed": clean}
            plain = {name: values[wrong].tolist() for name, values in columns.items()}
            write_bytes_atomically(truth, delimited.to_bytes(plain, ","))
    out.notes(file.notes)
    realized = realized_transition(clean, noisy)
    out.show(f"{wrong.mean():.1%} of the labels corrupted; wrote {output}. The resulting T:")
    out.show(repr(realized))
    document = {"transition_matrix": realized.values, "classes": realized.classes}
    out.document("simulate", {**document, "noise_rate": wrong.mean(), "written": str(output)})


def _matrix(
    y: Any, kind: str, rate: float, like: Path | None, seed: int | None
) -> TransitionMatrix:
    import numpy as np

    from labelnoise import checks
    from labelnoise.data.noise import pair_noise, random_noise, symmetric_noise
    from labelnoise.noise_estimate import NoiseEstimate

    if like is not None:
        return NoiseEstimate.load(like).transition_matrix
    classes = np.unique(y).tolist()
    kinds = {"symmetric": symmetric_noise, "pair": pair_noise, "random": random_noise}
    make: Any = kinds[checks.one_of(kind, "kind", kinds)]
    return make(classes, rate, **({"random_state": seed or 0} if kind == "random" else {}))

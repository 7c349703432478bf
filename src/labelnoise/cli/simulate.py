"""``labelnoise simulate``: wrong labels to practise on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import DataOptions, RunOptions

if TYPE_CHECKING:
    from labelnoise.data.old_label_column import LabelColumn
    from labelnoise.transition import TransitionMatrix


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "simulate",
        "labelnoise simulate clean.csv --label y --rate 0.2 -o noisy.csv",
        "labelnoise simulate clean.csv --label y --kind pair --rate 0.3 --seed 1 -o noisy.csv",
        "labelnoise simulate clean.csv --label y --like noise.json -o noisy.csv",
    )(simulate)


def simulate(
    data: DataOptions,
    run: RunOptions,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The noisy copy, of the same format.", show_default=False
        ),
    ],
    rate: Annotated[
        float, typer.Option("--rate", help="Share of the labels of each class to corrupt.")
    ] = 0.2,
    kind: Annotated[
        str, typer.Option("--kind", help="symmetric, pair (each class for the next) or random.")
    ] = "symmetric",
    like: Annotated[
        Path | None,
        typer.Option("--like", help="Corrupt as a saved estimate says.", show_default=False),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            "--truth",
            help="Also write which rows were corrupted (CSV: row, given, reviewed).",
            show_default=False,
        ),
    ] = None,
) -> ExitCode:
    """Corrupt the labels of a file by a known T, to see how well they are found again."""
    import numpy as np

    from labelnoise.atomic_files import check_writable, write_bytes_atomically
    from labelnoise.cli.copying import relabeled
    from labelnoise.cli.work import begin, refuse_inputs
    from labelnoise.data.noise import inject_noise, realised_transition
    from labelnoise.review import delimited

    speaker = begin(run, output, data.data, data.label, data.embeddings, like, truth)
    if truth is not None:
        refuse_inputs(truth, data.data, data.label, data.embeddings, like)
        check_writable(truth)

    def corrupted(labels: LabelColumn) -> Any:
        clean = labels.labels(labels.told)
        T = _matrix(clean, kind, rate, like, run.seed)
        # Numbers of its own: the labels may have been corrupted before, with the same seed.
        rng = np.random.default_rng([run.seed or 0, len(clean), 1])
        return np.asarray(inject_noise(clean, T, random_state=rng))

    with speaker.working():
        labels, noisy, _ = relabeled(data, output, corrupted)
    speaker.guesses(labels.guess())
    clean = labels.labels(labels.told)
    if truth is not None:
        changed = np.flatnonzero(noisy != clean)
        told = {
            "row": labels.ids[labels.told][changed].tolist(),
            "given": noisy[changed].tolist(),
            "reviewed": clean[changed].tolist(),
        }
        write_bytes_atomically(truth, delimited.to_bytes(told, ","))
    wrong = float(np.mean(noisy != clean))
    realised = realised_transition(clean, noisy)
    speaker.say(f"{wrong:.1%} of the labels corrupted; wrote {output}. T as it came out:")
    speaker.say(repr(realised))
    document = {"transition_matrix": realised.values.tolist(), "classes": list(realised.classes)}
    speaker.tell("simulate", {**document, "noise_rate": wrong, "written": str(output)})
    return ExitCode.DONE


def _matrix(
    y: Any, kind: str, rate: float, like: Path | None, seed: int | None
) -> TransitionMatrix:
    import numpy as np

    from labelnoise import checks
    from labelnoise.cli.calls import options_checked
    from labelnoise.data.noise import pair_noise, random_noise, symmetric_noise
    from labelnoise.noise_estimate import NoiseEstimate

    if like is not None:
        return NoiseEstimate.load(like).transition_matrix
    classes = np.unique(y).tolist()
    kinds = {"symmetric": symmetric_noise, "pair": pair_noise, "random": random_noise}
    with options_checked():
        make: Any = kinds[checks.one_of(kind, "kind", kinds)]
        checks.fraction(rate, "rate")
    more = {"random_state": seed or 0} if kind == "random" else {}
    return make(classes, rate, **more)

"""``labelnoise demo``: corrupt the labels of scikit-learn's digits, and estimate T back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import RunOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.transition import TransitionMatrix

CONFUSIONS = {(7, 1): 0.25, (8, 3): 0.20, (9, 4): 0.20, (3, 5): 0.15, (1, 7): 0.10, (6, 0): 0.10}
"""Digits that are mistaken for one another often, beside 9% that go anywhere."""

SHADES = " ░▒▓█"


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "demo",
        "labelnoise demo",
        "labelnoise demo -o demo.html --data digits.csv",
    )(demo)


def demo(
    run: RunOptions,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The report: .html, .md or .json.")
    ] = Path("labelnoise-demo.html"),
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="Also write the corrupted digits (CSV), to try other commands on.",
            show_default=False,
        ),
    ] = None,
) -> ExitCode:
    """Show what it does, on 1797 images of digits with labels that were corrupted.

    The noise is lopsided: 7 is often labelled 1, 8 is often labelled 3. The estimator sees the
    images and the corrupted labels, nothing else. Prints the true T beside the estimated one, and
    writes a report.
    """
    import time

    import numpy as np
    from sklearn.datasets import load_digits

    from labelnoise.cli.work import begin, options_checked
    from labelnoise.data.noise import inject_noise, realised_transition
    from labelnoise.estimators.methods import estimate
    from labelnoise.metrics import transition_error
    from labelnoise.reporting.about import About
    from labelnoise.reporting.render import check_ending, write_summary
    from labelnoise.reporting.summary import summarise

    with options_checked():
        check_ending(output)
    speaker = begin(run, output, data)
    images, clean = load_digits(return_X_y=True)
    noisy = inject_noise(clean, lopsided_noise(), random_state=run.seed or 0)
    truth = realised_transition(clean, noisy)
    if data is not None:
        _write_data(data, images, noisy)
    varying = images.std(axis=0) > 0  # three corner pixels are always blank
    start = time.perf_counter()
    with speaker.working():
        est = estimate(images[:, varying], noisy, random_state=run.seed)
    seconds = time.perf_counter() - start
    about = About(
        "Digits with corrupted labels",
        X=images[:, varying],
        feature_names=[f"pixel {i // 8},{i % 8}" for i in np.flatnonzero(varying)],
        content=lambda rows: {"image": [picture(images[row]) for row in rows]},
        seconds=seconds,
    )
    summary = summarise(est, about)
    write_summary(summary, output)
    error = transition_error(truth, est.transition_matrix)
    wrong = np.mean(noisy != clean)
    speaker.say(
        f"{len(images)} images, 10 classes, {wrong:.1%} of the labels corrupted\n",
        *side_by_side(truth, est.transition_matrix),
        "",
        *summary.words,
        f"error (average total variation): {100 * error:.2f} of 100, in {seconds:.2f} s",
        f"diagnosis: {est.diagnosis}",
        f"wrote {output}: open it in a browser",
    )
    speaker.tell(
        {**summary.to_document(), "error": error, "true_transition": truth.values.tolist()}
    )
    return ExitCode.DONE


def lopsided_noise() -> TransitionMatrix:
    """The T that corrupts the labels."""
    import numpy as np

    from labelnoise.data.noise import symmetric_noise
    from labelnoise.transition import TransitionMatrix

    T = np.asarray(symmetric_noise(10, 0.09)).copy()
    for (true, observed), probability in CONFUSIONS.items():
        T[true, observed] += probability
        T[true, true] -= probability
    return TransitionMatrix(T)


def side_by_side(left: TransitionMatrix, right: TransitionMatrix) -> Iterator[str]:
    """Two matrices in per cent, line by line."""
    heads = "".join(f"{label:>4}" for label in left.classes)
    yield f"{'true T (%), observed:':<28}{'':>20}estimated T (%)"
    yield f"     {heads}     {heads}"
    for label, a, b in zip(left.classes, left.values, right.values, strict=True):
        rows = ["".join(f"{100 * value:4.0f}" for value in row) for row in (a, b)]
        yield f"   {label} {rows[0]}     {rows[1]}"


def picture(pixels: Any) -> str:
    """An image of 64 pixels from 0 to 16, as eight lines of text."""
    shade = [SHADES[min(int(value) // 4, 4)] * 2 for value in pixels]
    return "\n".join("".join(shade[i : i + 8]) for i in range(0, 64, 8))


def _write_data(path: Path, images: Any, labels: Any) -> None:
    import csv
    import io

    from labelnoise.files import write_text_atomically

    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*(f"pixel_{i // 8}_{i % 8}" for i in range(64)), "label"])
    writer.writerows(
        [*row, label]
        for row, label in zip(images.astype(int).tolist(), labels.tolist(), strict=True)
    )
    write_text_atomically(path, stream.getvalue())

"""``labelnoise demo``: corrupt the labels of scikit-learn's digits, and estimate T."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from labelnoise.cli.calls import checked_output
from labelnoise.cli.command import command
from labelnoise.cli.options import RunOptions, option
from labelnoise.wording import sentence

if TYPE_CHECKING:
    from labelnoise.reporting.context import ReportContext
    from labelnoise.transition import TransitionMatrix

CONFUSIONS = {(7, 1): 0.25, (8, 3): 0.20, (9, 4): 0.20, (3, 5): 0.15, (1, 7): 0.10, (6, 0): 0.10}
"""Digits that are often mistaken for one another; another 9% are labeled at random."""

DATA = "Also write the corrupted digits to this file (CSV), to try other commands."
SHADES = " ░▒▓█"


@command(
    "labelnoise demo",
    "labelnoise demo -o demo.html --data digits.csv",
)
def demo(
    run: RunOptions,
    output: Annotated[
        Path, option("--output -o", "Path of the report: .html, .md or .json.")
    ] = Path("labelnoise-demo.html"),
    data: Annotated[Path | None, option("--data", DATA)] = None,
) -> None:
    """Show what labelnoise does, on 1797 images of digits with corrupted labels.

    The noise is asymmetric: 7 is often labeled 1, 8 is often labeled 3. The estimator sees only
    the images and the corrupted labels. Prints the true T and the estimated one, and
    writes a report.
    """
    from sklearn.datasets import load_digits

    from labelnoise.cli.showing import show_verdict
    from labelnoise.data.noise import inject_noise, realized_transition
    from labelnoise.metrics import transition_error
    from labelnoise.reporting.render import check_ending, write_summary
    from labelnoise.reporting.summarize import summarize

    check_ending(output)
    out = checked_output(run, [output, data] if data else [output])
    images, clean = load_digits(return_X_y=True)
    noisy = inject_noise(clean, _noise(), random_state=run.seed or 0)
    if data is not None:
        _write(data, images, noisy)
    with out.working():
        est, context = _estimate(images, noisy, run.seed)
    summary = summarize(est, context)
    write_summary(summary, output)
    truth = realized_transition(clean, noisy)
    error = transition_error(truth, est.transition_matrix)
    out.show(
        f"{len(clean)} images, 10 classes, {(clean != noisy).mean():.1%} of the labels corrupted\n",
        f"true T:\n{truth!r}\n",
        f"estimated T:\n{est.transition_matrix!r}\n",
        *map(sentence, summary.statements),
        f"error (average total variation): {100 * error:.2f} of 100, in {context.seconds:.2f} s",
        show_verdict(summary),
        f"wrote {output}: open it in a browser",
    )
    out.document(
        "report", {**summary.to_document(), "error": error, "true_transition": truth.values}
    )


def _estimate(images: Any, labels: Any, seed: int | None) -> tuple[Any, ReportContext]:
    """An estimate from images (n, 64) and labels (n,) alone, and the context of its report."""
    from labelnoise.methods import estimate
    from labelnoise.reporting.context import ReportContext

    varying = images.std(axis=0) > 0  # three corner pixels are always blank
    X = images[:, varying]
    start = time.perf_counter()
    est = estimate(X, labels, random_state=seed)
    return est, ReportContext(
        seconds=time.perf_counter() - start,
        title="Digits with corrupted labels",
        audience="command line",
        X=X,
        feature_names=[f"pixel {i // 8},{i % 8}" for i in varying.nonzero()[0]],
        content=lambda rows: {"image": [_picture(images[row]) for row in rows]},
    )


def _write(path: Path, images: Any, labels: Any) -> None:
    """Write images and labels as CSV."""
    from labelnoise.atomic_files import write_bytes_atomically
    from labelnoise.review import delimited

    pixels = images.astype(int).T.tolist()
    columns = {f"pixel_{i // 8}_{i % 8}": values for i, values in enumerate(pixels)}
    write_bytes_atomically(path, delimited.to_bytes({**columns, "label": labels.tolist()}, ","))


def _noise() -> TransitionMatrix:
    """The T that corrupts the labels."""
    from labelnoise.data.noise import symmetric_noise
    from labelnoise.transition import TransitionMatrix

    T = symmetric_noise(10, 0.09).values.copy()
    for (true, observed), probability in CONFUSIONS.items():
        T[true, observed] += probability
        T[true, true] -= probability
    return TransitionMatrix(T)


def _picture(pixels: Any) -> str:
    """An image of 64 pixels from 0 to 16, as eight lines of text."""
    shade = [SHADES[min(int(value) // 4, 4)] * 2 for value in pixels]
    return "\n".join("".join(shade[i : i + 8]) for i in range(0, 64, 8))

"""``labelnoise demo``: corrupt the labels of scikit-learn's digits, and estimate T back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import RunOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.about import About
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

    The noise is lopsided: 7 is often labeled 1, 8 is often labeled 3. The estimator sees the
    images and the corrupted labels, nothing else. Prints the true T beside the estimated one, and
    writes a report.
    """
    from labelnoise.cli.calls import CallError, options_checked
    from labelnoise.cli.work import begin
    from labelnoise.metrics import transition_error
    from labelnoise.reporting.render import check_ending, write_summary
    from labelnoise.reporting.summary import summarize

    with options_checked():
        check_ending(output)
    if data is not None and data.resolve() == output.resolve():
        raise CallError(f"--data and --output are both {str(data)!r}. Choose another name for one.")
    speaker = begin(run, output)
    digits = Digits.corrupted(run.seed or 0)
    if data is not None:
        digits.write(data)
    with speaker.working():
        est, about = digits.estimated(run.seed)
    summary = summarize(est, about)
    write_summary(summary, output)
    error = transition_error(digits.truth, est.transition_matrix)
    speaker.say(
        f"{est.n_rows} images, 10 classes, {digits.share_wrong:.1%} of the labels corrupted\n",
        *side_by_side(digits.truth, est.transition_matrix),
        "",
        *summary.words,
        f"error (average total variation): {100 * error:.2f} of 100, in {about.seconds:.2f} s",
        f"diagnosis: {est.diagnosis}",
        f"wrote {output}: open it in a browser",
    )
    true = digits.truth.values.tolist()
    speaker.tell("report", {**summary.to_document(), "error": error, "true_transition": true})
    return ExitCode.DONE


@dataclass(frozen=True)
class Digits:
    """Images of digits (n, 64), and labels (n,) of which some are wrong."""

    images: Any
    clean: Any
    noisy: Any

    @classmethod
    def corrupted(cls, seed: int) -> Digits:
        """scikit-learn's digits, their labels corrupted."""
        from sklearn.datasets import load_digits

        from labelnoise.data.noise import inject_noise

        images, clean = load_digits(return_X_y=True)
        return cls(images, clean, inject_noise(clean, lopsided_noise(), random_state=seed))

    @property
    def truth(self) -> TransitionMatrix:
        """The T that the labels went wrong by."""
        from labelnoise.data.noise import realised_transition

        return realised_transition(self.clean, self.noisy)

    @property
    def share_wrong(self) -> float:
        """Share of the labels that were corrupted."""
        return float((self.clean != self.noisy).mean())

    def estimated(self, seed: int | None) -> tuple[NoiseEstimate, About]:
        """The estimate, from images and corrupted labels alone, and what to report beside it."""
        import time

        from labelnoise.methods import estimate
        from labelnoise.reporting.about import About

        varying = self.images.std(axis=0) > 0  # three corner pixels are always blank
        X = self.images[:, varying]
        start = time.perf_counter()
        est = estimate(X, self.noisy, random_state=seed)
        return est, About(
            "Digits with corrupted labels",
            X=X,
            feature_names=[f"pixel {i // 8},{i % 8}" for i in varying.nonzero()[0]],
            content=lambda rows: {"image": [picture(self.images[row]) for row in rows]},
            seconds=time.perf_counter() - start,
        )

    def write(self, path: Path) -> None:
        """Write images and corrupted labels as CSV."""
        from labelnoise.atomic_files import write_csv_atomically

        head = [*(f"pixel_{i // 8}_{i % 8}" for i in range(64)), "label"]
        images, labels = self.images.astype(int).tolist(), self.noisy.tolist()
        rows = ([*image, label] for image, label in zip(images, labels, strict=True))
        write_csv_atomically(path, head, rows)


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

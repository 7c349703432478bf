"""``labelnoise estimate``: how the labels go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from labelnoise.cli.calls import Call, checked_output, outputs_at
from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.gate import MaxNoise, gate
from labelnoise.cli.options import DataOptions, MethodOptions, RunOptions, option

OUTPUT = (
    "Where to save the estimate, for --estimate of other commands: a .json file, or a folder "
    "(FOLDER/), which also holds what is known about individual rows."
)


@command(
    "labelnoise estimate data.csv --label y -o noise.json",
    "labelnoise estimate data.csv --label y -o noise/",
    "labelnoise estimate X.npy --label y.npy --json",
    "labelnoise estimate data.csv --label y --pred-proba probabilities.npy",
    "cat data.csv | labelnoise estimate - --label y --max-noise 0.05",
    "labelnoise estimate data.csv --label y --audit decisions.csv",
)
def estimate(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    output: Annotated[str | None, option("--output -o", OUTPUT)] = None,
    max_noise: MaxNoise = None,
) -> ExitCode:
    """Estimate how labels go wrong: T, frequencies of the true classes, and their reliability."""
    from labelnoise.cli.estimates import estimated, summary_of
    from labelnoise.cli.showing import show_summary
    from labelnoise.noise_estimate.saving import names_folder

    call = Call(data, method, run)
    out = checked_output(run, () if output is None else _written(output), call.files)
    done = estimated(call, out)
    summary = summary_of(done)
    if output is not None:
        done.estimate.save(output)
    out.show(*show_summary(summary))
    out.document("report", summary.to_document())
    if output is not None:
        out.hint(f"wrote {output}")
        if names_folder(output):
            call = Call(data, MethodOptions(), run, output)
    out.hint(f"next: {call.next_command('report', '-o', 'report.html')}")
    return gate(done.estimate, max_noise, out)


def _written(output: str) -> list[Path]:
    """Files that are written, or the folder if it is not there yet."""
    from labelnoise.noise_estimate.saving import FILES_OF_FOLDER, check_name

    check_name(output)
    return outputs_at(output, FILES_OF_FOLDER)

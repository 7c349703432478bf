"""``labelnoise find``: the rows whose labels are probably wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from labelnoise.cli.calls import Call, checked_output
from labelnoise.cli.command import command
from labelnoise.cli.options import DataOptions, MethodOptions, RunOptions, SavedEstimate, option
from labelnoise.cli.settings import N_SHOWN, ROWS_TO_AUDIT
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.cli.estimates import EstimateResult
    from labelnoise.cli.output import Output
    from labelnoise.noise_estimate import NoiseEstimate

BUDGET = "Number of rows you have time to review."
THRESHOLD = "Find all rows that are wrong with at least this probability."
FOR_AUDIT = (
    "Find the rows whose true labels would be most informative about T (100, or --budget), to "
    "make a rough estimate reliable with --audit."
)
BY_PROBABILITY = (
    "Find the most probable errors, whatever their label; by default, each label gets a share of "
    "the rows."
)
OUTPUT = "File to write the rows to: .csv, .tsv, .xlsx, .parquet, or .json for Label Studio."


@command(
    "labelnoise find data.csv --label y --budget 200 -o issues.csv",
    "labelnoise find data.csv --label y --text-column text -o tasks.json",
    "labelnoise find data.csv --label y --estimate noise/ --threshold 0.9 -o issues.parquet",
    "labelnoise find data.csv --label y --for-audit -o audit.csv",
)
def find(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    budget: Annotated[
        int | None, option("--budget -n", BUDGET, "expected number of errors", min=1)
    ] = None,
    threshold: Annotated[float | None, option("--threshold", THRESHOLD, min=0, max=1)] = None,
    for_audit: Annotated[bool, option("--for-audit", FOR_AUDIT)] = False,
    by_probability: Annotated[bool, option("--by-probability", BY_PROBABILITY)] = False,
    output: Annotated[Path | None, option("--output -o", OUTPUT)] = None,
    saved: SavedEstimate = None,
) -> None:
    """Find the rows whose labels are probably wrong, most probable first, with evidence."""
    from labelnoise import checks
    from labelnoise.cli.estimates import estimated
    from labelnoise.cli.rows import columns_of_rows
    from labelnoise.methods import DEFAULT_METHOD
    from labelnoise.review.decisions import check_format, export_label_issues
    from labelnoise.review.suspects import Suspects

    if method.method != DEFAULT_METHOD:
        raise LabelNoiseError("method_without_rows", method=method.method, default=DEFAULT_METHOD)
    if threshold is not None:
        checks.fraction(threshold, "threshold")
    if for_audit and (threshold is not None or by_probability):
        other = "--threshold or --by-probability"
        raise LabelNoiseError("exclude_each_other", first="--for-audit", other=other)
    if output is not None:
        check_format(output)
    call = Call(data, method, run, saved)
    out = checked_output(run, [output] if output else (), call.files)
    done = estimated(call, out)
    suspects, n_rows = Suspects(done.estimate), done.estimate.n_rows
    if for_audit:
        rows = done.estimate.suggest_audit(budget or ROWS_TO_AUDIT)
    else:
        rows = suspects.select(budget, threshold, per_class=not by_probability)
    columns, content = columns_of_rows(call, done.dataset, suspects, rows)
    found = {**columns, **content}
    if output is not None:
        export_label_issues(found, output)
    out.show(f"{len(rows):,} rows to review, of {n_rows:,}")
    if not for_audit:
        out.show(*_expected(done.estimate, columns))
    out.show(*_first_rows(done, columns, content))
    records = [dict(zip(found, row, strict=True)) for row in zip(*found.values(), strict=True)]
    out.document("find", {"n_rows": n_rows, "rows": records})
    _hint(done, output, out, len(rows), for_audit=for_audit)


def _first_rows(
    done: EstimateResult, columns: dict[str, Any], content: dict[str, list[Any]]
) -> Iterator[Any]:
    """The first rows that were found, as a table."""
    from labelnoise.cli.rows import without_identifiers
    from labelnoise.cli.showing import show_rows

    n_rows, can_tell = len(columns["row"]), done.estimate.diagnosis.can_tell
    if n_rows > N_SHOWN:
        yield f"The first {N_SHOWN}:"
    if n_rows:
        shown = without_identifiers(done.call, done.dataset, content)
        yield show_rows(columns, shown, N_SHOWN, can_tell=can_tell)


def _expected(est: NoiseEstimate, columns: dict[str, Any]) -> Iterator[str]:
    """What a review of the rows is expected to find."""
    from labelnoise.noise_estimate import no_clear_sign, noise_statement, states_noise_rate
    from labelnoise.reporting.words import CANNOT_TELL_ROWS, suspicious_rows_note
    from labelnoise.wording import sentence

    any_rows = len(columns["row"]) > 0
    if not est.diagnosis.can_tell:
        yield sentence(CANNOT_TELL_ROWS)
    elif not states_noise_rate(est):
        yield sentence(noise_statement(est).reason())
        if any_rows:
            yield sentence(suspicious_rows_note(no_clear_sign=no_clear_sign(est)))
    elif any_rows:
        rough = "by a rough estimate, " if est.diagnosis.verdict == "rough" else ""
        yield (
            f"{rough}about {columns['expected_precision'][-1]:.0%} of them are wrong, and they "
            f"include about {columns['expected_found'][-1]:.0%} of all wrong labels"
        )


def _hint(
    done: EstimateResult, output: Path | None, out: Output, n_found: int, *, for_audit: bool
) -> None:
    """What to do with the rows."""
    from labelnoise.findings import verdict_in_words

    verdict = done.estimate.diagnosis.verdict
    if verdict != "reliable":
        out.hint(f"{verdict_in_words(verdict)}; see labelnoise check")
    if output is None:
        if n_found > N_SHOWN:
            out.hint("write all rows with -o issues.csv")
        return
    fill = "annotate its tasks" if output.suffix == ".json" else "fill in its column 'reviewed'"
    out.hint(f"wrote {output}: {fill}, then")
    if for_audit:
        call = replace(done.call, saved=None)
        out.hint(f"next: {call.next_command('estimate', '--audit', str(output))}")
    else:
        apart = done.dataset.labels_in_own_file
        out.hint(f"next: {done.call.apply_command(str(output), labels_in_own_file=apart)}")

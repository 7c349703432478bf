"""``labelnoise find``: the rows whose labels are probably wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.options import DataOptions, MethodOptions, RunOptions, SavedEstimate, option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import IntArray
    from labelnoise.cli.estimates import Estimated
    from labelnoise.cli.output import Output
    from labelnoise.review.suspects import Suspects

N_SHOWN = 15
"""Rows that are shown on the terminal."""

ROWS_TO_AUDIT = 100
"""Rows that --for-audit finds unless there is a budget."""

BUDGET = "Number of rows you have time to review."
THRESHOLD = "Find all rows that are wrong with at least this probability."
FOR_AUDIT = (
    "Find the rows whose true labels would tell most about T (100, or --budget), to make a weak "
    "verdict reliable with --audit."
)
BY_PROBABILITY = (
    "Find the most probable errors, whatever their label; by default each label gets its share."
)
OUTPUT = "File to write the rows to: .csv, .tsv, .xlsx, .parquet, or .json for Label Studio."


@dataclass(frozen=True)
class SelectionOptions:
    """Which rows to find."""

    budget: Annotated[int | None, option("--budget -n", BUDGET, "as many as are wrong", min=1)] = (
        None
    )
    threshold: Annotated[float | None, option("--threshold", THRESHOLD, min=0, max=1)] = None
    for_audit: Annotated[bool, option("--for-audit", FOR_AUDIT)] = False
    by_probability: Annotated[bool, option("--by-probability", BY_PROBABILITY)] = False

    def check(self) -> None:
        """Refuse options that exclude one another."""
        from labelnoise import checks
        from labelnoise.cli.errors import CallError, options_checked

        if self.for_audit and (self.threshold is not None or self.by_probability):
            raise CallError("for_audit_with_other_selection")
        if self.threshold is not None:
            with options_checked():
                checks.fraction(self.threshold, "--threshold")

    def rows(self, suspects: Suspects) -> IntArray:
        """Positions of the selected rows."""
        if self.for_audit:
            return suspects.est.suggest_audit(self.budget or ROWS_TO_AUDIT)
        return suspects.select(self.budget, self.threshold, per_class=not self.by_probability)


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
    selection: SelectionOptions,
    output: Annotated[Path | None, option("--output -o", OUTPUT)] = None,
    saved: SavedEstimate = None,
) -> ExitCode:
    """Find the rows whose labels are probably wrong, most probable first, with evidence."""
    from labelnoise.cli.begin import begin
    from labelnoise.cli.calls import Call
    from labelnoise.cli.errors import CallError, options_checked
    from labelnoise.cli.estimates import estimated
    from labelnoise.cli.rows import columns_of_rows, suspects_of
    from labelnoise.methods import DEFAULT_METHOD
    from labelnoise.review.decisions import check_format, export_label_issues

    if method.method != DEFAULT_METHOD:
        raise CallError("method_without_rows", method=method.method, default=DEFAULT_METHOD)
    selection.check()
    if output is not None:
        with options_checked():
            check_format(output)
    call = Call(data, method, run, saved)
    out = begin(run, output, *call.files)
    done = estimated(call, out)
    suspects = suspects_of(done)
    columns, content = columns_of_rows(done, suspects, selection.rows(suspects))
    if output is not None:
        export_label_issues({**columns, **content}, output)
    out.show(*_shown(columns, content, done.estimate.n_rows, for_audit=selection.for_audit))
    if run.json:
        rows = _as_records({**columns, **content})
        out.document("find", {"n_rows": done.estimate.n_rows, "rows": rows})
    _hint(done, output, out, len(columns["row"]), for_audit=selection.for_audit)
    return ExitCode.DONE


def _shown(
    columns: dict[str, Any], content: dict[str, Any], n_rows: int, *, for_audit: bool
) -> Iterator[Any]:
    """What people see of the rows."""
    from labelnoise.cli.showing import show_rows

    n_found = len(columns["row"])
    yield f"{n_found:,} rows to review, of {n_rows:,}"
    if n_found and not for_audit:
        yield (
            f"about {columns['expected_precision'][-1]:.0%} of them are wrong, and they include "
            f"about {columns['expected_found'][-1]:.0%} of all wrong labels"
        )
    if n_found:
        yield show_rows(columns, content, N_SHOWN)


def _as_records(columns: dict[str, Any]) -> list[dict[str, Any]]:
    plain = [v.tolist() if hasattr(v, "tolist") else v for v in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)]


def _hint(
    done: Estimated, output: Path | None, out: Output, n_found: int, *, for_audit: bool
) -> None:
    """What to do with the rows."""
    verdict = done.estimate.diagnosis.verdict
    if verdict != "reliable":
        out.hint(f"the verdict is {verdict!r}: see labelnoise check")
    if output is None:
        if n_found > N_SHOWN:
            out.hint(f"these are the first {N_SHOWN}: write all with -o issues.csv")
        return
    fill = "annotate its tasks" if output.suffix == ".json" else "fill in its column 'reviewed'"
    out.hint(f"wrote {output}: {fill}, then")
    if for_audit:
        call = replace(done.call, saved=None)
        out.hint(f"next: {call.next_command('estimate', '--audit', str(output))}")
    else:
        apart = done.dataset.labels_in_own_file
        out.hint(f"next: {done.call.apply_command(str(output), labels_in_own_file=apart)}")

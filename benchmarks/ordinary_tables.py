"""Print how estimates fare on ordinary tables: real ones, read from CSV, with known added noise.

    python -m benchmarks.ordinary_tables [--tables penguins ... | --others 60] [--simulated]
        [--seeds 0 1 2] [--results FILE]

Each table of table_sets.py as it is, and with the labels of a random T at 5, 20 and 40%. Labels of
real tables may be wrong before any noise is added, so every estimate is compared with two truths:

- added: the labels of the table are taken as clean; the truth is the realized T of the added noise;
- composed: the truth is the estimate for the untouched table times that T. A row that was found is
  wrong if its label was changed, and else with its probability in the untouched table.

Results are kept in FILE, a line for each run; a run that is in it already is not repeated.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.table_sets import NAMES, load, others

import labelnoise as ln

RATES = (0.05, 0.2, 0.4)
RIVALS = ("hoc", "confident-learning", "selective")
LEVEL = 0.9
MISLED = 0.08
"""An estimate called reliable misleads if its error is larger."""
HIDING = ("column_predicts_label", "columns_hide_noise", "clusters_agree", "duplicates_agree")
"""Findings by which wrong labels may look right."""
SIMULATED = "-simulated"
RARE = 1 / 3
"""Rare classes have fewer rows than this share of the mean."""


def measured(task: tuple[str, float, int]) -> dict[str, Any]:
    """One run: a table, the rate of the added noise, and a seed."""
    warnings.simplefilter("ignore")
    name, rate, seed = task
    table = load(name.removesuffix(SIMULATED))
    if name.endswith(SIMULATED):
        table = table.simulated(seed)
    noisy, _ = table.corrupted(rate, seed)
    with tempfile.TemporaryDirectory() as folder:
        dataset = ln.load_table(noisy.save(Path(folder)), label=table.label)
    est = ln.estimate(dataset, random_state=seed)
    classes = [str(c) for c in est.classes]
    clean = np.array([classes.index(label) for label in table.labels])
    given = np.array([classes.index(label) for label in noisy.labels])
    ends = est.interval(LEVEL)
    found: dict[str, Any] = {
        "table": name,
        "rate": rate,
        "seed": seed,
        "rows": len(clean),
        "verdict": est.diagnosis.verdict,
        "findings": [finding.code for finding in est.diagnosis.findings],
        "counts": np.bincount(clean, minlength=len(classes)).tolist(),
        "T": est.transition_matrix.values.tolist(),
        "lower": ends.lower.transition_matrix.tolist(),
        "upper": ends.upper.transition_matrix.tolist(),
        "prior": est.class_prior.tolist(),
        "noise_rate": [ends.lower.noise_rate, est.noise_rate, ends.upper.noise_rate],
        "joint": joint(clean, given, len(classes)).tolist(),
    }
    issues = ln.find_label_issues(est, dataset)
    wrong = given[issues["row"]] != clean[issues["row"]]
    promised = np.isfinite(np.asarray(issues["expected_precision"], dtype=float))
    found["promises"] = bool(promised.all())
    counts = np.bincount(given, minlength=len(classes))
    rare = (counts < RARE * counts.mean())[given[issues["row"]]]
    p_wrong = np.asarray(issues["p_wrong"], dtype=float)
    found["found"] = {
        "row": issues["row"].tolist(),
        "promised": p_wrong.round(4).tolist(),
        "wrong": wrong.astype(int).tolist(),
        "rare": rare.astype(int).tolist(),
    }
    if rate:
        found["rivals"] = {m: rival(dataset, m, seed) for m in RIVALS}
    else:
        own = est.row_posteriors[np.arange(len(given)), given]
        found["p_wrong"] = (1 - own).round(4).tolist()
    return found


def rival(dataset: ln.Dataset, method: str, seed: int) -> list[list[float]] | None:
    """T by another method, or None where it refuses the data."""
    try:
        est = ln.estimate(dataset, method=method, random_state=seed)
    except ln.LabelNoiseError:
        return None
    return est.transition_matrix.values.tolist()


def joint(clean: Any, given: Any, n_classes: int) -> Any:
    """Counts of true and given label, (K, K)."""
    return np.bincount(clean * n_classes + given, minlength=n_classes**2).reshape(n_classes, -1)


def compared(run: dict[str, Any], untouched: dict[str, Any]) -> dict[str, Any]:
    """A run against both truths."""
    counts = np.array(run["joint"], dtype=float)
    added = counts / counts.sum(axis=1, keepdims=True)
    share = counts.sum(axis=1) / counts.sum()
    first, prior = np.array(untouched["T"]), np.array(untouched["prior"])
    kept = ("table", "rate", "seed", "verdict", "rows", "promises")
    row: dict[str, Any] = {key: run[key] for key in kept}
    row["classes"] = len(counts)
    low, middle, high = run["noise_rate"]
    row["estimated"], row["width"] = middle, high - low
    for truth, T, p in (("added", added, share), ("composed", first @ added, prior)):
        row[f"{truth}_error"] = 100 * ln.transition_error(T, run["T"])
        rate = 1 - float(p @ np.diag(T))
        row[f"{truth}_rate"] = rate
        row[f"{truth}_covered"] = low <= rate <= high
        inside = (np.array(run["lower"]) <= T) & (np.array(run["upper"]) >= T)
        row[f"{truth}_entries"] = inside.mean()
        for method, estimate in run.get("rivals", {}).items():
            if estimate is not None:
                row[f"{truth}_{method}"] = 100 * ln.transition_error(T, estimate)
    found = {key: np.array(values, dtype=float) for key, values in run["found"].items()}
    before = np.array(untouched["p_wrong"])[np.array(run["found"]["row"], dtype=int)]
    wrong = {"added": found["wrong"], "composed": np.maximum(found["wrong"], before)}
    for group, rows in {"found": np.ones(len(before)), "found_rare": found["rare"]}.items():
        row[group], row[f"{group}_promised"] = rows.sum(), rows @ found["promised"]
        for truth, is_wrong in wrong.items():
            row[f"{group}_{truth}"] = rows @ is_wrong
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", nargs="+", default=NAMES, choices=NAMES, metavar="TABLE")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--results", type=Path, default=Path("build/ordinary-tables.jsonl"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--simulated", action="store_true", help="simulated copies of the tables")
    parser.add_argument("--others", type=int, metavar="N", help="N tables that are not named here")
    options = parser.parse_args()
    if options.others:
        options.tables = others()[: options.others]
    if options.simulated:
        options.tables = [name + SIMULATED for name in options.tables]
    runs = all_runs(options)
    untouched = {run["table"]: run for run in runs if not run["rate"]}
    noisy = [run for run in runs if run["rate"]]
    rows = pd.DataFrame([compared(run, untouched[run["table"]]) for run in noisy])
    report(rows, list(untouched.values()))
    print_hiding(runs)
    return limits(rows, "added" if options.simulated else "composed")


def all_runs(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Runs that were kept, and those that are missing; an untouched table needs one seed."""
    kept = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            run = json.loads(line)
            kept[run["table"], run["rate"], run["seed"]] = run
    tasks: list[tuple[str, float, int]] = [(table, 0, options.seeds[0]) for table in options.tables]
    tasks += [
        (table, rate, seed) for seed in options.seeds for table in options.tables for rate in RATES
    ]
    options.results.parent.mkdir(parents=True, exist_ok=True)
    missing = [task for task in tasks if task not in kept]
    with ProcessPoolExecutor(options.workers) as pool, options.results.open("a") as results:
        started = [pool.submit(measured, task) for task in missing]
        for future in as_completed(started):
            run = future.result()
            kept[run["table"], run["rate"], run["seed"]] = run
            results.write(json.dumps(run) + "\n")
            results.flush()
    return [kept[task] for task in tasks]


def report(rows: pd.DataFrame, untouched: list[dict[str, Any]]) -> None:
    """Print all tables of numbers."""
    print("untouched tables\n")
    for run in untouched:
        low, middle, high = run["noise_rate"]
        promised = run["found"]["promised"]
        said = f"{sum(promised):.0f} promised wrong" if run["promises"] else "nothing promised"
        print(
            f"{run['table']:<24}{run['rows']:>7} rows {len(run['counts']):>3} classes "
            f"{middle:>7.1%} ({low:.1%} to {high:.1%})  {run['verdict']:<18}"
            f"{len(promised):>6} found, {said}"
        )
    for truth in ("added", "composed"):
        print_errors(rows, truth)
    print("\nby verdict: coverage of the rate and of entries, width, signed error of the rate")
    for truth in ("added", "composed"):
        print(truth)
        print_coverage(rows, truth)
    print(
        "\nfind: promised share of wrong labels among the rows found, and the real one beside both"
    )
    print("truths, means over runs; also where p_wrong is shown but nothing is promised")
    for group in ("found", "found_rare"):
        for promises, part in rows[rows[group] > 0].groupby("promises"):
            for rate, runs in part.groupby("rate"):
                name = f"{group}, promised" if promises else f"{group}, not promised"
                shares = [
                    f"{(runs[f'{group}_{what}'] / runs[group]).mean():>8.1%} {what}"
                    for what in ("promised", "added", "composed")
                ]
                print(f"{name:<28}{rate:>5.0%}{len(runs):>6} runs{''.join(shares)}")


def print_hiding(runs: list[dict[str, Any]]) -> None:
    """In which tables wrong labels are said to be hidden, though nothing was hidden on purpose."""
    print("\nwrong labels may be hidden, runs (of them untouched):")
    for code in HIDING:
        found = [run for run in runs if code in run["findings"]]
        tables = ", ".join(dict.fromkeys(run["table"] for run in found))
        print(f"{code:<24}{len(found):>4} ({sum(not run['rate'] for run in found)})  {tables}")


def limits(rows: pd.DataFrame, truth: str) -> int:
    """Print what must hold, and whether it does; 0 if everything does."""
    reliable = rows["verdict"] == "reliable"
    covered = rows[f"{truth}_covered"]
    errors = rows.groupby("table")[[f"{truth}_{m}" for m in ("error", *RIVALS)]].mean().mean()
    found = rows[rows["promises"] & (rows["found"] > 0)]
    broken = (found["found_promised"] - found[f"found_{truth}"]) / found["found"]
    misled = reliable & (rows["added_error"] > 100 * MISLED)
    shown = {
        "error of T, relative to the best rival": (
            errors.iloc[0] / errors.iloc[1:].min(),
            0,
            2 / 3,
        ),
        "coverage of the rate, reliable": (covered[reliable].mean(), 0.85, 1),
        "coverage of the rate, reliable or rough": (
            covered[rows["verdict"] != "cannot tell"].mean(),
            0.8,
            1,
        ),
        "promised minus real precision": (broken.mean(), -0.05, 0.05),
        "misleading verdicts of reliable, of all runs": (misled.mean(), 0, 0.02),
    }
    print(f"\nagainst the {truth} noise (of {len(rows)} runs, {reliable.sum()} reliable):")
    for what, (value, low, high) in shown.items():
        print(f"{what:<46}{value:>7.3f}  (must be {low:.3f} to {high:.3f})")
    return int(not all(low <= value <= high for value, low, high in shown.values()))


def print_errors(rows: pd.DataFrame, truth: str) -> None:
    """Errors of all methods by table and by rate."""
    print(f"\nerror of T x 100, against the {truth} noise")
    columns = [f"{truth}_{method}" for method in ("error", *RIVALS)]
    by_table = rows.groupby("table", sort=False)[columns].mean()
    by_rate = rows.groupby("rate")[columns].mean()
    by_rate.index = pd.Index([f"mean at {rate:.0%}" for rate in by_rate.index])
    means = by_table.mean().to_frame("mean").T
    shown = pd.concat([by_table, by_rate, means]).set_axis(["rank-gated", *RIVALS], axis=1)
    print(shown.round(2).to_string())


def print_coverage(rows: pd.DataFrame, truth: str) -> None:
    """How often intervals contain the truth, by verdict."""
    grouped = rows.assign(
        runs=1,
        bias=rows["estimated"] - rows[f"{truth}_rate"],
        misled=rows[f"{truth}_error"] > 100 * MISLED,
    ).groupby("verdict")
    columns = [f"{truth}_covered", f"{truth}_entries", "width", "bias", "misled"]
    means = grouped[columns].mean().set_axis(["rate", "entries", "width", "bias", "misled"], axis=1)
    means.insert(0, "runs", grouped["runs"].sum())
    print(means.round(3).to_string())


if __name__ == "__main__":
    raise SystemExit(main())

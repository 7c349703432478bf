"""A CSV file with labels you do not trust: from the file to a page you can send.

    python examples/csv_file.py [FOLDER]

Writes a small table of animals (with some wrong labels, and columns of several types) into the
folder. Then it does what `labelnoise report` does, in Python. With your own file, start at
`load_table`.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

import labelnoise as ln

ANIMALS = ["cat", "dog", "fox"]
NOISE = [[0.85, 0.10, 0.05], [0.05, 0.90, 0.05], [0.00, 0.30, 0.70]]  # foxes are labeled as dogs
PLACES = ["house", "garden", "forest"]
SEEN_AT = [[0.6, 0.3, 0.1], [0.4, 0.5, 0.1], [0.1, 0.2, 0.7]]  # one row per animal


def write_table(path: Path, n_rows: int = 1500) -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(3, size=n_rows)
    labels = ln.inject_noise(np.array(ANIMALS)[true], ln.TransitionMatrix(NOISE, ANIMALS), 0)
    weight = np.array([4.5, 20.0, 8.0])[true] * np.exp(0.15 * rng.normal(size=n_rows))
    tail = np.array([28.0, 30.0, 42.0])[true] + 2.5 * rng.normal(size=n_rows)
    place = [rng.choice(PLACES, p=SEEN_AT[animal]) for animal in true]
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["animal_id", "weight_kg", "tail_cm", "seen_at", "seen_on", "label"])
        for i in range(n_rows):
            day = f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}"
            kilos = "" if i % 50 == 0 else f"{weight[i]:.2f}"
            writer.writerow([f"A{i:05d}", kilos, f"{tail[i]:.1f}", place[i], day, labels[i]])


def main(folder: Path) -> None:
    path = folder / "animals.csv"
    write_table(path)

    # The weight alone tells much about the label. Its type is confirmed, because it was not made
    # from the labels; without that, the estimate says that wrong labels may be hidden.
    types = {"weight_kg": "number"}
    table = ln.load_table(path, label="label", id_column="animal_id", column_types=types)
    for note in table.notes:
        print(note)
    est = ln.estimate(table)
    print(est)

    est.report(folder / "animals.html", table=table, title="Animals")
    issues = ln.find_label_issues(est, table.y, ids=table.ids, budget=100)
    ln.export_label_issues(issues, folder / "issues.csv")
    print(f"wrote {folder / 'animals.html'} and {folder / 'issues.csv'}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))

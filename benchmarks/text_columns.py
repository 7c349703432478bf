"""Print how estimates fare with a column of texts, by how the texts become numbers.

    python -m benchmarks.text_columns DATA [--seeds 0 1]

1,000 and 4,000 of AG's news, comments from YouTube, and sentences on medical relations, with labels
of a random T at 20%: TF-IDF in 50 to 400 directions (SVD; 100 are the default), cross-fitted
probabilities of a logistic regression on TF-IDF, and both pooled.
"""

from __future__ import annotations

import argparse
import gzip
import json
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

import labelnoise as ln

SETS = ("ag 1000", "ag 4000", "youtube_lf", "medrel_cause")
DIRECTIONS = (50, 100, 200, 400)
RATE = 0.2


def load(name: str, folder: Path, rng: np.random.Generator) -> tuple[list[str], Any]:
    """Texts and true labels."""
    if not name.startswith("ag"):
        lines = (folder / "human" / name / "texts.jsonl").read_text("utf-8").splitlines()
        found = [json.loads(line) for line in lines]
        texts = [one if isinstance(one, str) else one["text"] for one in found]
        return texts, np.load(folder / "human" / name / "y_gold.npy")
    with gzip.open(folder / "text" / "ag_texts.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line) for line in file]
    rows = rng.choice(len(texts), int(name.removeprefix("ag ")), replace=False)
    return [texts[row] for row in rows], np.load(folder / "text" / "ag_y.npy")[rows]


def linear_probabilities(texts: list[str], labels: Any) -> Any:
    """Class probabilities (n, K) of rows that the model was not trained on."""
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, max_features=50_000, sublinear_tf=True)
    model = make_pipeline(words, LogisticRegression(C=3, max_iter=500))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return cross_val_predict(model, texts, labels, cv=folds, method="predict_proba")


def estimates(texts: list[str], noisy: Any) -> dict[str, ln.NoiseEstimate]:
    """One estimate for each way."""
    found, features = {}, {}
    for n in DIRECTIONS:
        with patch("labelnoise.data.column_encoders.MOST_TEXT_DIRECTIONS", n):
            features[n] = ln.TableEncoder().fit_transform(pd.DataFrame({"text": texts}))
        found[f"{n} directions"] = ln.estimate(features[n], noisy)
    given = linear_probabilities(texts, noisy)
    found["linear model"] = ln.estimate(None, noisy, pred_proba=given)
    for n in (100, 400):
        found[f"{n} and linear model"] = ln.estimate(features[n], noisy, pred_proba=given)
    return found


def main() -> int:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1])
    options = parser.parse_args()
    rows = []
    for name in SETS:
        for seed in options.seeds:
            rng = np.random.default_rng(seed)
            texts, clean = load(name, options.folder, rng)
            noisy = ln.inject_noise(clean, ln.random_noise(int(clean.max()) + 1, RATE, rng), rng)
            truth = ln.realized_transition(clean, noisy)
            for way, est in estimates(texts, noisy).items():
                p_own = est.row_posteriors[np.arange(len(noisy)), noisy]
                precision = average_precision_score(noisy != clean, 1 - p_own)
                error = 100 * ln.transition_error(truth, est.transition_matrix)
                rows.append({"set": name, "way": way, "error": error, "precision": precision})
    runs = pd.DataFrame(rows)
    for value, title in (("error", "error of T x 100"), ("precision", "average precision")):
        table = runs.pivot_table(values=value, index="way", columns="set", sort=False)
        print(f"{title}\n{table.assign(mean=table.mean(axis=1)).round(3).to_string()}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

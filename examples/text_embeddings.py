"""Texts with labels: embeddings as features, the texts themselves for the reviewers.

    python examples/text_embeddings.py [FOLDER]

Any embedding works. For real texts, use a language model, which has to be downloaded:

    from sentence_transformers import SentenceTransformer
    X = SentenceTransformer("all-MiniLM-L6-v2").encode(texts)

Here the texts are generated and embedded by their words (TF-IDF and SVD), so that the example runs
anywhere.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

import labelnoise as ln

WORDS = {
    "complaint": "broken refund late waste rude missing cheap angry never returned",
    "praise": "love great perfect happy works quick sturdy beautiful again recommend",
    "question": "does how size fit which when battery compatible anyone color",
}
COMMON = "the this it my a and with for phone case order was is box"
N_ROWS, N_TRAINING = 1800, 1200


def generated_texts() -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.str_]]]:
    """Texts and their true classes."""
    rng = np.random.default_rng(0)
    words = {kind: line.split() for kind, line in WORDS.items()}
    any_kind, common = sorted(" ".join(WORDS.values()).split()), COMMON.split()
    kinds = np.array(sorted(WORDS))[rng.integers(3, size=N_ROWS)]
    texts = [
        " ".join([*rng.choice(words[kind], 2), *rng.choice(any_kind, 1), *rng.choice(common, 5)])
        for kind in kinds
    ]
    return texts, kinds


def main(folder: Path) -> None:
    texts, true = generated_texts()
    labels = ln.inject_noise(true, ln.pair_noise(sorted(WORDS), 0.35), random_state=0)
    words = TfidfVectorizer(min_df=2).fit_transform(texts)
    X = TruncatedSVD(30, random_state=0).fit_transform(words)
    train, test = slice(0, N_TRAINING), slice(N_TRAINING, None)

    est = ln.estimate(X[train], labels[train])
    print(est)
    issues = ln.find_label_issues(est, labels[train], content=texts[train], budget=100)
    n_wrong = (labels[issues["row"]] != true[issues["row"]]).sum()
    print(f"{n_wrong} of the 100 most suspicious labels are wrong")
    est.report(folder / "texts.html", content=texts[train], title="Messages")

    models = {
        "plain": LogisticRegression(),
        "corrected": ln.NoiseCorrectedClassifier(LogisticRegression(), noise=est),
    }
    for name, model in models.items():
        model.fit(X[train], labels[train])
        accuracy = np.mean(model.predict(X[test]) == true[test])
        print(f"{name} model: accuracy {accuracy:.1%} on clean labels")
    print(ln.corrected_score(labels[test], models["corrected"].predict(X[test]), est))
    print(f"wrote {folder / 'texts.html'}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))

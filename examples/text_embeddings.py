"""Texts with labels: embeddings as features, the texts themselves for the reviewers.

    python examples/text_embeddings.py [FOLDER]

Any embedding will do. In earnest take a language model, which needs a download:

    from sentence_transformers import SentenceTransformer
    X = SentenceTransformer("all-MiniLM-L6-v2").encode(texts)

Here texts are made up and embedded by their words (TF-IDF and SVD), so that it runs anywhere.
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
    "praise": [
        "love",
        "great",
        "perfect",
        "happy",
        "works",
        "quick",
        "sturdy",
        "beautiful",
        "again",
        "recommend",
    ],
    "complaint": [
        "broken",
        "refund",
        "late",
        "waste",
        "rude",
        "missing",
        "cheap",
        "angry",
        "never",
        "returned",
    ],
    "question": [
        "does",
        "how",
        "size",
        "fit",
        "which",
        "when",
        "battery",
        "compatible",
        "anyone",
        "color",
    ],
}
COMMON = [
    "the",
    "this",
    "it",
    "my",
    "a",
    "and",
    "with",
    "for",
    "phone",
    "case",
    "order",
    "was",
    "is",
    "box",
]


def made_up_texts(
    n_rows: int = 1800,
) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.str_]]]:
    rng = np.random.default_rng(0)
    every = sorted(word for words in WORDS.values() for word in words)  # any may occur by chance
    kinds = np.array(sorted(WORDS))[rng.integers(3, size=n_rows)]
    texts = [
        " ".join([*rng.choice(WORDS[kind], 2), *rng.choice(every, 1), *rng.choice(COMMON, 5)])
        for kind in kinds
    ]
    return texts, kinds


def main(folder: Path) -> None:
    texts, true = made_up_texts()
    labels = ln.inject_noise(true, ln.pair_noise(sorted(WORDS), 0.35), random_state=0)
    embed = TfidfVectorizer(min_df=2)
    X = TruncatedSVD(30, random_state=0).fit_transform(embed.fit_transform(texts))

    est = ln.estimate(X[:1200], labels[:1200])
    print(est)
    issues = ln.find_label_issues(est, labels[:1200], content=texts[:1200], budget=100)
    wrong = labels[issues["row"]] != true[issues["row"]]
    print(f"of the 100 most suspicious labels {wrong.sum()} are wrong")
    est.report(folder / "texts.html", content=texts[:1200], title="Messages")

    plain = LogisticRegression().fit(X[:1200], labels[:1200])
    model = ln.NoiseCorrectedClassifier(LogisticRegression(), noise=est)
    model.fit(X[:1200], labels[:1200])
    for name, one in (("plain", plain), ("corrected", model)):
        right = np.mean(one.predict(X[1200:]) == true[1200:])
        print(f"{name} model: {right:.1%} right on clean labels")
    print(ln.corrected_score(labels[1200:], model.predict(X[1200:]), est))
    print(f"wrote {folder / 'texts.html'}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))

"""What a report says, before anybody renders it."""

import json
import re
from dataclasses import replace

import matplotlib
import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from labelnoise.cli.showing import show_summary
from labelnoise.reporting.about import About
from labelnoise.reporting.feature_information import strongest_features
from labelnoise.reporting.markdown import plain, render_markdown
from labelnoise.reporting.summary import summarize
from labelnoise.reporting.words import per_cent, share_in_words

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def est(task):
    X, _, noisy, _ = task
    return ln.estimate(X, noisy)


def test_the_summary_agrees_with_the_estimate(est, task):
    X, clean, noisy, _ = task
    summary = summarize(est, About(X=X, max_rows=100))
    assert summary.noise_rate.value == est.noise_rate
    assert summary.noise_rate.lower <= est.noise_rate <= summary.noise_rate.upper
    np.testing.assert_array_equal(summary.transition, est.transition_matrix.values)
    assert [one.n_given for one in summary.classes] == np.bincount(noisy).tolist()
    assert sum(one.clean.value for one in summary.classes) == pytest.approx(1)
    assert [view.noise_rate for view in summary.views] == [
        est.bounds.lower.noise_rate,
        est.bounds.upper.noise_rate,
    ]
    assert summary.n_suspicious == round(est.noise_rate * len(noisy))
    assert len(summary.suspicious) == 100
    rows = [row.row for row in summary.suspicious]
    assert (clean[rows] != noisy[rows]).mean() > 0.9
    information = ln.f_mutual_information(X, noisy)
    assert summary.features[0].information == information.max()
    assert len(summary.features) == X.shape[1]
    json.dumps(summary.to_document(), allow_nan=False)


def test_confusions_are_the_largest_entries_off_the_diagonal(est):
    summary = summarize(est)
    T = est.transition_matrix.values
    for one in summary.confusions:
        i, j = int(one.true), int(one.observed)
        assert i != j
        assert one.share.value == T[i, j] >= 0.01
        assert one.n_rows == pytest.approx(est.n_rows * est.class_prior[i] * T[i, j])
    sure = [one.share.lower for one in summary.confusions]
    assert sure == sorted(sure, reverse=True)


def test_yields_grow_and_end_with_all_errors_that_can_be_found(est):
    yields = summarize(est).yields
    found = [point.share_found for point in yields]
    assert found == sorted(found)
    assert found[-1] == pytest.approx(1, abs=0.05)
    assert found[-1] <= 1
    assert [point.n_found / point.n_reviewed for point in yields] == pytest.approx(
        [point.precision for point in yields]
    )
    issues = ln.find_label_issues(est, np.array(est.classes)[est.rows.observed()], budget=200)
    at = min(yields, key=lambda point: abs(point.n_reviewed - 200))
    assert issues["expected_precision"][-1] == pytest.approx(at.precision, abs=0.05)


def test_a_share_as_one_would_say_it():
    said = {0.5: "about half", 0.2: "about 1 in 5", 0.66: "about 2 in 3", 0.6: "about 60%"}
    for share, words in said.items():
        assert share_in_words(share) == words
    assert per_cent(0.0004) == "<0.1%"
    assert per_cent(0.0) == "0.0%"


def test_reports_know_ids_content_and_names_of_frames(est, task, tmp_path):
    X, _, _, _ = task
    df = pd.DataFrame(X).add_prefix("x").assign(kind="a", other=np.arange(len(X)))
    df.loc[:9, "kind"] = "b"
    df.index = [f"row-{i}" for i in range(len(X))]
    est.report(tmp_path / "r.json", X=df, max_rows=5)
    document = json.loads((tmp_path / "r.json").read_text())
    assert document["suspicious"][0]["row"].startswith("row-")
    assert set(document["suspicious"][0]["content"]) == set(df.columns)
    names = {feature["name"] for feature in document["features"]}
    assert names <= {*df.columns, "kind=a", "kind=b"}
    assert len(document["made"]["sha256"]["features"]) == 64


def test_content_may_be_asked_for_row_by_row(est, tmp_path):
    asked = []

    def content(rows):
        asked.extend(rows)
        return {"text": [f"text {row}" for row in rows]}

    est.report(tmp_path / "r.json", content=content, max_rows=3)
    shown = json.loads((tmp_path / "r.json").read_text())["suspicious"]
    assert sorted(row["row"] for row in shown) == sorted(asked)
    assert [row["content"]["text"] for row in shown] == [f"text {row['row']}" for row in shown]
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"X": np.zeros((3, 2))}, "X has 3 rows, but the estimate was made from 1500"),
        ({"content": ["a"]}, "content 'content' has 1 entries"),
        ({"ids": [1, 2]}, "ids has 2 entries"),
        ({"max_rows": -1}, "max_rows must be a whole number"),
    ],
)
def test_what_does_not_fit_is_refused(est, tmp_path, about, message):
    with pytest.raises(ln.LabelNoiseError, match=message):
        est.report(tmp_path / "r.html", **about)
    with pytest.raises(ln.LabelNoiseError, match="unknown ending"):
        est.report(tmp_path / "r.docx")
    assert list(tmp_path.iterdir()) == []


def test_markdown_shows_text_as_it_is(task):
    X, _, noisy, _ = task
    names = np.array(["*bold*", "| pipe |", "<script>`x`</script>"])
    page = render_markdown(summarize(ln.estimate(X, names[noisy])))
    assert "<script>" not in page
    assert plain("| pipe |") in page
    tables = [line for line in page.splitlines() if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in tables}
    assert widths <= {3, 5, 6}


def test_a_class_that_no_row_carries_is_unknown(task):
    X, _, noisy, _ = task
    summary = summarize(ln.estimate(X, noisy, classes=[0, 1, 2, 3]))
    assert [one.placeholder for one in summary.classes] == [False, False, False, True]
    assert "| unknown |" in render_markdown(summary)


def estimate_of(names, n_rows):
    """Features of well separated classes with these names, and what is estimated from them."""
    rng = np.random.default_rng(0)
    k = len(names)
    y = rng.integers(k, size=n_rows)
    X = 6 * rng.normal(size=(k, 8))[y] + rng.normal(size=(n_rows, 8))
    noisy = ln.inject_noise(y, ln.symmetric_noise(k, 0.4), random_state=0)
    return X, ln.estimate(X, np.array(names)[noisy], n_draws=0)


def test_long_names_do_not_make_a_long_page(tmp_path):
    X, est = estimate_of([f"{i:02d}" + 3000 * "x" for i in range(20)], 1500)
    est.report(tmp_path / "long.html", X=X)
    assert (tmp_path / "long.html").stat().st_size < 5_000_000


def test_the_largest_page_stays_small(tmp_path):
    X, est = estimate_of([f"{i:02d}" + 198 * "<" for i in range(100)], 5000)
    content = {f"{i}{150 * '>'}": 5000 * [301 * "<"] for i in range(12)}
    est.report(tmp_path / "large.html", X=X, content=content)
    page = (tmp_path / "large.html").read_text()
    assert len(page.encode()) < 5_000_000
    rows = page[page.index("<tbody>", page.index('id="suspicious"')) :]
    rows = rows[: rows.index("</tbody>")]
    assert 1_000_000 < len(rows.encode()) <= 2_000_000


def test_rankings_of_very_many_rows_are_drawn_to_their_top(est, monkeypatch, tmp_path):
    curves = [replace(curve, top=curve.top**4) for curve in est.rows.purity()]
    assert max(curve.top.min() for curve in curves) < 1e-6
    monkeypatch.setattr(type(est.rows), "purity", lambda _: curves)
    for drawn, curve in zip(summarize(est, About()).curves, curves, strict=True):
        np.testing.assert_allclose(drawn.top, curve.top, rtol=1e-5)
    est.report(tmp_path / "many.html")
    dots = re.findall(r'<circle cx="([^"]+)"', (tmp_path / "many.html").read_text())
    assert np.isfinite([float(x) for x in dots]).all()


def test_a_page_with_little_room_shows_a_row_that_a_larger_one_shows(est, task):
    X, _, _, _ = task
    many, one = (summarize(est, About(X=X, max_rows=rows)) for rows in (100, 1))
    assert len(one.suspicious) == 1
    assert one.suspicious[0].row in [row.row for row in many.suspicious]
    assert not one.nothing_stands_out


def test_a_page_that_cannot_hold_all_rows_leaves_no_label_out(est):
    about = About(content=lambda rows: {3000 * "x": len(rows) * [20_000 * "<"]})
    cut = summarize(est, about).suspicious
    assert 3 < len(cut) < 100
    assert {row.given for row in cut} == {"0", "1", "2"}
    assert [row.p_wrong for row in cut] == sorted((row.p_wrong for row in cut), reverse=True)


def test_the_page_shows_the_rows_that_are_found_in_their_order(task):
    X, _, noisy, _ = task
    for estimate in (ln.estimate(X, noisy), ln.estimate(X.round(), noisy)):  # and with many ties
        found = ln.find_label_issues(estimate, noisy, budget=120)
        shown = summarize(estimate, About(max_rows=120)).suspicious
        assert [row.row for row in shown] == list(found["row"])


def test_more_classes_than_a_terminal_is_wide_are_said_to_be_in_the_report(est):
    _, many = estimate_of([f"class {i}" for i in range(13)], 1300)
    said = "T is too wide for a terminal"
    assert any(said in str(line) for line in show_summary(summarize(many)))
    assert not any(said in str(line) for line in show_summary(summarize(est)))


def test_columns_whose_long_names_look_alike_are_all_shown(est, tmp_path):
    names = [99 * "q" + letter + 40 * "z" for letter in "AB"]
    content = {name: est.n_rows * [name[99]] for name in names}
    est.report(tmp_path / "r.json", content=content, max_rows=2)
    shown = json.loads((tmp_path / "r.json").read_text())["suspicious"]
    assert [row["content"] for row in shown] == 2 * [dict(zip(names, "AB", strict=True))]


@pytest.mark.parametrize(
    "columns", [[0, 1], ["a", 1], pd.MultiIndex.from_product([["a"], [0, 1]]), []]
)
def test_columns_of_frames_may_be_called_anything(est, tmp_path, columns):
    content = pd.DataFrame([[1.5] * len(columns)] * est.n_rows, columns=columns)
    est.report(tmp_path / "r.json", content=content, max_rows=2)
    (row, _) = json.loads((tmp_path / "r.json").read_text())["suspicious"]
    assert row["content"] == {str(name): "1.5" for name in columns}


def test_rows_called_by_several_names_are_found_again(task, tmp_path):
    X, _, noisy, _ = task
    index = pd.MultiIndex.from_arrays([["p"] * len(X), range(len(X))])
    y = pd.Series(noisy, index=index)
    est = ln.estimate(pd.DataFrame(X, index=index), y)
    est.report(tmp_path / "r.json", X=pd.DataFrame(X, index=index), max_rows=3)
    shown = json.loads((tmp_path / "r.json").read_text())["suspicious"]
    fixes = [{"row": row["row"], "reviewed": row["suggested"]} for row in shown]
    assert (ln.apply_fixes(y, fixes) != y).sum() == 3


def test_content_of_the_wrong_length_is_refused(est, tmp_path):
    with pytest.raises(ln.LabelNoiseError, match=r"content 'text' has 1 cells for 3 rows"):
        est.report(tmp_path / "r.html", content=lambda _: {"text": ["one"]}, max_rows=3)


def test_halves_of_characters_are_shown_as_question_marks(est, tmp_path):
    ids = [f"row \ud83d {i}" for i in range(est.n_rows)]
    for ending in ("html", "md", "json"):
        est.report(tmp_path / f"r.{ending}", ids=ids, title="half \ud83d", max_rows=1)
        assert "half ?" in (tmp_path / f"r.{ending}").read_text("utf-8")


@pytest.mark.parametrize("kind", ["normal", "cauchy", "rare", "levels"])
def test_features_that_say_nothing_seldom_cross_the_line_of_chance(kind):
    crossed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = {
            "normal": rng.normal(size=(600, 25)),
            "cauchy": rng.standard_cauchy(size=(600, 25)),
            "rare": rng.random((600, 25)) < 0.02,
            "levels": rng.integers(6, size=(600, 25)),
        }[kind]
        codes = rng.choice(4, size=600, p=[0.4, 0.3, 0.2, 0.1])
        crossed += any(
            one.information > one.by_chance for one in strongest_features(About(X=X), codes)
        )
    assert crossed <= 7  # of 40; one in twenty is meant, and 8 or more would come in 1 of 1500


def test_rare_features_and_classes_seldom_cross_it_among_many():
    crossed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.random((800, 100)) < 0.01
        codes = rng.choice(5, size=800, p=[0.8, 0.1, 0.05, 0.03, 0.02])
        crossed += any(
            one.information > one.by_chance for one in strongest_features(About(X=X), codes)
        )
    assert crossed <= 7


def test_a_feature_that_says_little_crosses_the_line_of_chance():
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=3000)
    X = np.column_stack([rng.normal(size=3000) + 0.3 * codes, rng.normal(size=(3000, 9))])
    first, *others = strongest_features(About(X=X), codes)
    assert first.name == "feature 0"
    assert first.information > first.by_chance
    assert all(one.information < one.by_chance for one in others)


def test_where_nothing_is_wrong_markdown_says_so_too():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=1000)
    est = ln.estimate(12 * y[:, None] + rng.normal(size=(1000, 2)), y)
    assert "## Rows to review\n\nNo row looks wrong." in render_markdown(summarize(est))


def test_the_yield_of_few_rows_among_many_is_told(est):
    summary = summarize(est, About(max_rows=20))
    assert [one.n_reviewed for one in summary.told_yields] == [2, 7, 20]
    last = summary.told_yields[-1]
    assert last.n_found == pytest.approx(last.precision * 20)
    assert last.n_found == pytest.approx(sum(row.p_wrong for row in summary.suspicious), abs=1e-4)
    assert "- 20 rows reviewed: about" in render_markdown(summary)


@pytest.mark.parametrize("kind", ["transition", "intervals", "purity"])
def test_plots_are_drawn(est, kind):
    import matplotlib.pyplot as plt

    axes = np.atleast_1d(est.plot(kind)).ravel()
    assert axes[0].has_data()
    if kind == "transition":
        assert len(axes[0].texts) == 9
        assert axes[0].get_xlabel() == "observed"
        _, own = plt.subplots()
        assert est.plot(ax=own) is own
    plt.close("all")


@pytest.mark.parametrize("kind", ["transition", "intervals", "purity"])
def test_names_of_classes_are_no_formulas(task, kind):
    import matplotlib.pyplot as plt

    X, _, noisy, _ = task
    ax = ln.estimate(X, np.array([r"$\nope$", "b$", "c"])[noisy]).plot(kind)
    figure = np.atleast_1d(ax).ravel()[0].figure
    figure.canvas.draw()  # a formula that is none fails here
    texts = [text.get_text() for text in figure.findobj(matplotlib.text.Text)]
    assert {r"\$\nope\$", r"b\$", "c"} <= set(texts)
    plt.close("all")


def test_plots_that_cannot_be_say_why(est, task, monkeypatch):
    import sys

    X, _, noisy, _ = task
    with pytest.raises(ln.LabelNoiseError, match="unknown kind 'pie'"):
        est.plot("pie")
    with pytest.raises(ln.LabelNoiseError, match="no intervals"):
        ln.estimate(X, noisy, method="hoc").plot("intervals")
    monkeypatch.delitem(sys.modules, "labelnoise.reporting.plots_matplotlib", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ln.LabelNoiseError, match=r"pip install 'labelnoise\[plot\]'"):
        est.plot()

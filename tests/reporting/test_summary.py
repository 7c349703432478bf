"""The summary agrees with the estimate, and every format shows the same summary."""

import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

import labelnoise as ln
from labelnoise.findings import Finding
from labelnoise.noise_estimate import noise_statement
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.html import render_html
from labelnoise.reporting.markdown import plain, render_markdown
from labelnoise.reporting.render import render_json
from labelnoise.reporting.summarize import summarize
from labelnoise.reporting.words import headline, suspicious_rows_note
from labelnoise.wording import Note, sentence
from reporting.tasks import made_up_estimate

MISSING = Note("no_label_column", {"columns": ["a"], "table": "t"})


def shown(page):
    """What a page or Markdown shows, without its markup."""
    text = re.sub(r"<(style|script).*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"\\(.)|[*]", r"\1", text)).split())


def test_the_summary_agrees_with_the_estimate(est, task):
    X, clean, noisy, _ = task
    summary = summarize(est, ReportContext(X=X, max_rows=100))
    assert summary.noise_rate.value == est.noise_rate
    assert summary.noise_rate.lower <= est.noise_rate <= summary.noise_rate.upper
    np.testing.assert_array_equal(summary.transition, est.transition_matrix.values)
    assert [one.n_given for one in summary.classes] == np.bincount(noisy).tolist()
    assert sum(one.clean.value for one in summary.classes) == pytest.approx(1)
    assert [reading.noise_rate for reading in summary.readings] == [
        est.bounds.lower.noise_rate,
        est.bounds.upper.noise_rate,
    ]
    assert summary.n_wrong == round(est.noise_rate * len(noisy))
    assert len(summary.suspicious) == 100
    rows = [row.row for row in summary.suspicious]
    assert (clean[rows] != noisy[rows]).mean() > 0.9
    assert summary.features[0].information == ln.f_mutual_information(X, noisy).max()
    assert len(summary.features) == X.shape[1]


@pytest.mark.parametrize(
    "kind", ["est", "audited", "cannot_tell", "no_errors", "no_clear_sign", "leak", "copies"]
)
def test_all_formats_state_the_same(request, kind):
    est = request.getfixturevalue(kind)
    summary = summarize(est, ReportContext(max_rows=20))
    document = json.loads(render_json(summary))
    assert document["statements"] == summary.statements
    assert document["transition"] == est.transition_matrix.values.tolist()
    assert [one["code"] for one in document["findings"]] == [
        finding.code for finding in est.diagnosis.findings
    ]
    stated = [
        *summary.statements,
        summary.reviewed_labels_note,
        *(confusion.sentence for confusion in summary.confusions),
        *summary.reasons,
        *summary.remedies,
    ]
    for page in (shown(render_html(summary)), shown(render_markdown(summary))):
        assert all(sentence(phrase) in page for phrase in stated if phrase)
    notebook = shown(est._repr_html_())
    assert all(sentence(phrase) in notebook for phrase in summary.statements)


def test_a_saved_estimate_has_the_same_summary(est, audited, cannot_tell, tmp_path):
    for i, estimate in enumerate((est, audited, cannot_tell)):
        estimate.save(f"{tmp_path}/{i}/")
        loaded = ln.NoiseEstimate.load(tmp_path / str(i))
        first, second = (summarize(one, ReportContext(max_rows=20)) for one in (estimate, loaded))
        assert replace(second, provenance=first.provenance) == first


def test_nobody_reads_the_words_of_another_audience(est, cannot_tell):
    for audience in ("python", "command line"):
        for estimate in (est, cannot_tell):
            context = ReportContext(audience=audience, notes=[MISSING], max_rows=10)
            summary = summarize(estimate, context)
            for page in (shown(render_html(summary)), shown(render_markdown(summary))):
                assert sentence(MISSING.text(audience)) in page
                flags = re.findall(r"(?<!\S)--[a-z]|labelnoise (?:find|check|estimate)\b", page)
                calls = re.findall(r"\b(?:suggest_audit|find_label_issues|apply_fixes)\b", page)
                assert not (flags if audience == "python" else calls)


def test_confusions_are_the_largest_entries_off_the_diagonal(est):
    summary = summarize(est)
    T = est.transition_matrix.values
    for one in summary.confusions:
        i, j = int(one.true), int(one.observed)
        assert i != j
        assert one.share.value == T[i, j] >= 0.01
        assert one.n_rows == pytest.approx(est.n_rows * est.class_prior[i] * T[i, j])
    lower = [one.share.lower for one in summary.confusions]
    assert lower == sorted(lower, reverse=True)


def test_the_review_curve_grows_and_ends_with_all_errors_that_can_be_found(est):
    curve = summarize(est).review_curve
    found = [point.share_found for point in curve]
    assert found == sorted(found)
    assert found[-1] == pytest.approx(1, abs=0.05)
    assert found[-1] <= 1
    assert [point.n_found / point.n_reviewed for point in curve] == pytest.approx(
        [point.precision for point in curve]
    )
    issues = ln.find_label_issues(est, np.array(est.classes)[est.rows.observed()], budget=200)
    at_200 = min(curve, key=lambda point: abs(point.n_reviewed - 200))
    assert issues["expected_precision"].iloc[-1] == pytest.approx(at_200.precision, abs=0.05)


def test_milestones_are_points_of_the_curve_up_to_the_rows_shown(est):
    summary = summarize(est, ReportContext(max_rows=20))
    assert [one.n_reviewed for one in summary.milestones] == [2, 7, 20]
    last = summary.milestones[-1]
    assert last.n_found == pytest.approx(last.precision * 20)
    assert last.n_found == pytest.approx(sum(row.p_wrong for row in summary.suspicious), abs=1e-4)
    assert "reviewing 20 rows" in render_markdown(summary).lower()


def test_if_the_data_cannot_tell_nothing_else_is_stated(cannot_tell):
    summary = summarize(cannot_tell)
    assert (summary.confusions, summary.review_curve, summary.n_wrong) == ([], [], None)
    assert len(summary.suspicious) == 100  # those whose true labels would help most
    assert "| unknown |" in render_markdown(summary)


def test_that_the_data_cannot_tell_is_said_once_at_the_top(est, cannot_tell):
    badges = [
        render_html(summarize(one)).count('<div class="verdict') for one in (est, cannot_tell)
    ]
    assert badges == [1, 0]


def test_clean_data_look_clean(request, no_clear_sign):
    summary = summarize(no_clear_sign)
    assert summary.noise_rate.lower < 0.001
    assert (summary.confusions, summary.review_curve) == ([], [])
    assert json.loads(render_json(summary))["no_clear_sign"]
    assert summary.suspicious
    expected = f"{sentence(summary.statement)} {sentence(suspicious_rows_note(no_clear_sign=True))}"
    pages = [shown(render_html(summary)), shown(render_markdown(summary))]
    for page in (*pages, shown(no_clear_sign._repr_html_()), repr(no_clear_sign)):
        assert "no clear sign of wrong labels" in page.lower()
        assert "labels are wrong" not in page
    assert all(expected in page for page in pages)
    for other in ("est", "audited", "cannot_tell", "leak", "copies"):
        assert not summarize(request.getfixturevalue(other)).no_clear_sign


@pytest.mark.parametrize(
    ("kind", "code", "cause"),
    [
        ("leak", "column_predicts_label", "'score'"),
        ("copies", "clusters_agree", "near-copies of rows"),
    ],
)
def test_a_finding_by_which_wrong_labels_look_right_makes_the_rate_a_lower_limit(
    request, kind, code, cause
):
    est = request.getfixturevalue(kind)
    assert est.noise_rate < 0.1  # 20% are wrong
    assert [finding.code for finding in est.diagnosis.findings_hiding_noise] == [code]
    summary = summarize(est)
    assert summary.hides_noise
    assert not summary.states_noise_rate
    assert summary.statements == [summary.statement]
    assert noise_statement(est).code in {"wrong_labels_hidden", "lower_limit"}
    assert (summary.review_curve, headline(summary)) == ([], "Wrong labels may be hidden")
    document = json.loads(render_json(summary))
    pages = [shown(render_html(summary)), shown(render_markdown(summary))]
    for page in (*pages, shown(est._repr_html_()), repr(est), document["statements"][0]):
        assert summary.statement[1:] in " ".join(page.split())
        assert "no clear sign" not in page.lower()
        assert "labels are wrong" not in page
    assert cause in summary.statement
    assert "interval" not in repr(est)


def test_of_hidden_noise_what_is_seen_is_at_least_there(est):
    column = {"column": "score", "type": "number", "share": 0.9, "others": 0.2}
    hidden = est.with_findings([Finding("column_predicts_label", column, hides_noise=True)])
    cause = Note("hidden_by_columns", {"columns": ["score"]}).reason()
    facts = {"rate": est.interval(0.9).lower.noise_rate, "cause": cause}
    assert noise_statement(hidden) == Note("lower_limit", facts)
    assert summarize(hidden).statements == [Note("lower_limit", facts).reason()]
    clean = replace(hidden, draws=None, transition_matrix=ln.TransitionMatrix(np.eye(3)))
    assert noise_statement(clean).code == "wrong_labels_hidden"


def test_copies_leave_open_how_many_labels_are_wrong_at_least(est):
    facts = {"duplicates": 1.0, "nearest": 0.7}
    copied = est.with_findings([Finding("duplicates_agree", facts, hides_noise=True)])
    assert noise_statement(copied).code == "wrong_labels_hidden"


def test_a_review_of_hidden_noise_does_not_uncover_it(est, task):
    rows = est.suggest_audit(100)
    columns = [{"column": name, "share": 1.0, "others": 0.1} for name in "ab"]
    found = [Finding("column_predicts_label", facts, hides_noise=True) for facts in columns]
    hidden = est.with_findings(found)
    hidden = hidden.with_audit(rows, task[1][rows])
    note = noise_statement(hidden)
    assert note.code == "lower_limit"
    assert note.facts["n"] == 100
    assert "columns 'a', 'b'" in note.facts["cause"]


def test_classes_that_are_numbers_are_not_quoted(est, audited):
    for one in summarize(est).confusions:
        assert f"of true {one.true} are labeled {one.observed}" in one.sentence
    texts = replace(
        est, transition_matrix=ln.TransitionMatrix(est.transition_matrix.values, list("abc"))
    )
    for one in summarize(replace(texts, bounds=None, draws=None)).confusions:
        assert f"of true '{one.true}' are labeled '{one.observed}'" in one.sentence


def test_a_file_without_rows_knows_of_the_review(audited, tmp_path):
    audited.save(tmp_path / "noise.json")
    loaded = ln.NoiseEstimate.load(tmp_path / "noise.json")
    assert summarize(loaded).statements == summarize(audited).statements
    assert summarize(loaded).n_reviewed == 100


def test_after_a_review_there_may_be_no_clear_sign_of_what_is_left(est, task):
    _, clean, _, _ = task
    everything = est.with_audit(np.arange(est.n_rows), clean)
    summary = summarize(everything)
    assert summary.no_clear_sign
    assert summary.noise_rate.lower > 0.1
    first, *others = summary.statements
    facts = {"n": est.n_rows, "level": 0.9, "upper": max(summary.remaining.upper, 0.001)}
    assert first == Note("no_clear_sign", facts).reason()
    assert any(f"{everything.noise_rate:.1%}" in other for other in others)


def test_if_no_label_is_wrong_no_row_is_shown(no_errors):
    summary = summarize(no_errors)
    assert summary.no_suspicious_rows
    assert summary.suspicious == []
    assert not summarize(no_errors, ReportContext(max_rows=0)).no_suspicious_rows


def test_after_a_review_the_remaining_errors_come_first(audited):
    summary = summarize(audited)
    remaining = audited.noise_left().share
    assert summary.n_reviewed == 100
    assert summary.current_rate.value == remaining < summary.noise_rate.value
    assert f"{remaining:.1%}" in summary.statements[0]
    assert summary.reviewed_labels_note


def test_a_class_without_labels_is_unknown(task):
    X, _, noisy, _ = task
    summary = summarize(ln.estimate(X, noisy, classes=[0, 1, 2, 3], n_draws=0))
    assert [one.placeholder for one in summary.classes] == [False, False, False, True]
    assert "| unknown |" in render_markdown(summary)


def test_the_page_shows_the_rows_that_are_found_in_their_order(est, task):
    X, _, noisy, _ = task
    for estimate in (est, ln.estimate(X.round(), noisy)):  # the second one with many ties
        found = ln.find_label_issues(estimate, noisy, budget=120)
        rows = summarize(estimate, ReportContext(max_rows=120)).suspicious
        assert [row.row for row in rows] == list(found["row"])


def test_a_small_page_shows_a_row_that_a_larger_one_shows(est):
    many, one = (summarize(est, ReportContext(max_rows=n)).suspicious for n in (100, 1))
    assert len(one) == 1
    assert one[0].row in [row.row for row in many]


def test_a_page_that_cannot_hold_all_rows_leaves_no_label_out(est):
    context = ReportContext(content=lambda rows: {3000 * "x": len(rows) * [20_000 * "<"]})
    rows = summarize(est, context).suspicious
    assert 3 < len(rows) < 100
    assert {row.given for row in rows} == {"0", "1", "2"}
    assert [row.p_wrong for row in rows] == sorted((row.p_wrong for row in rows), reverse=True)


def test_the_number_that_a_spreadsheet_shows_is_beside_the_row(est):
    context = ReportContext(lines=np.arange(2, est.n_rows + 2), max_rows=5)
    assert all(row.line == row.row + 2 for row in summarize(est, context).suspicious)
    assert all(row.line is None for row in summarize(est, ReportContext(max_rows=5)).suspicious)


def test_markdown_shows_text_unchanged(est):
    names = ["*bold*", "| pipe |", "<script>`x`</script>"]
    matrix = ln.TransitionMatrix(est.transition_matrix.values, names)
    page = render_markdown(summarize(replace(est, transition_matrix=matrix, bounds=None)))
    assert "<script>" not in page
    assert plain("| pipe |") in page
    assert plain("- no item").startswith("\\-")
    tables = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} <= {3, 5, 6}


def test_the_top_of_very_long_rankings_is_drawn(est, monkeypatch):
    curves = [replace(curve, top=curve.top**4) for curve in est.rows.purity()]
    assert max(curve.top.min() for curve in curves) < 1e-6
    monkeypatch.setattr(type(est.rows), "purity", lambda _: curves)
    summary = summarize(est)
    for drawn, curve in zip(summary.curves, curves, strict=True):
        np.testing.assert_allclose(drawn.top, curve.top, rtol=1e-5)
    dots = re.findall(r'<circle cx="([^"]+)"', render_html(summary))
    assert np.isfinite([float(x) for x in dots]).all()


def test_long_names_and_ids_do_not_make_a_long_page():
    est = made_up_estimate([f"{i:02d}" + 9000 * "x" for i in range(20)], 1500)
    context = ReportContext(ids=[f"{i} " + 1500 * "y" for i in range(1500)])
    assert len(render_html(summarize(est, context))) < 5_000_000

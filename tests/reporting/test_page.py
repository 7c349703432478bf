"""The page in a real browser: what people see, click and download."""

import csv
import json
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import expect, sync_playwright

import labelnoise as ln
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.render import write_summary
from labelnoise.reporting.summarize import summarize
from reporting.find_browser import find
from reporting.tasks import made_up_estimate

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SCRIPT = "<script>window.pwned = 1</script>"
HOSTILE = [
    SCRIPT,
    '"><img src=x onerror="window.pwned = 1">',
    "</td></table><style>body{display:none}</style>",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "a 'quoted' \"name\" & more",
    "emoji 🦊🏳️‍🌈 and שלום עולם مرحبا",
    "back\\slash, comma; newline\nand\ttab",
    '=HYPERLINK("http://example.com")',
    "x" * 10_000,
]
NAMES = np.array(["<b>cat</b>", "big\r\ndog, &amp; co", "\u202efox 🦊"])


@pytest.fixture(scope="module")
def browser():
    path = find()
    if path is None:
        pytest.fail("the tests of the page need Chromium. Run: make browser")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser):
    """Open a page, and check at the end that it sent no request and logged no error."""
    contexts, requests, errors = [], [], []

    def opened(path, **settings):
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    assert errors == []


@pytest.fixture(scope="module")
def labels():
    """Noisy labels of 700 rows whose names try to break out of the page."""
    y = np.random.default_rng(0).integers(3, size=700)
    T = [[0.8, 0.2, 0], [0.1, 0.9, 0], [0.1, 0.1, 0.8]]
    return NAMES[ln.inject_noise(y, T, random_state=0)]


@pytest.fixture(scope="module")
def texts():
    return [HOSTILE[i % len(HOSTILE)] + f" {i}" for i in range(700)]


@pytest.fixture(scope="module")
def zoo(labels):
    """An estimate from those labels, and its features."""
    y = np.random.default_rng(0).integers(3, size=700)
    X = 4 * np.eye(3)[y] + np.random.default_rng(1).normal(size=(700, 3))
    return ln.estimate(X, labels), X


@pytest.fixture(scope="module")
def page_file(zoo, texts, tmp_path_factory):
    """The page that the command line would write about them."""
    est, X = zoo
    context = ReportContext(
        title=SCRIPT,
        X=X,
        lines=range(2, 702),
        content=lambda rows: {"a": X[rows, 0], "text": [texts[row] for row in rows]},
        digests={"data": "0" * 64},
        audience="command line",
        next_commands=["labelnoise apply zoo.csv zoo-decisions.csv", "labelnoise estimate zoo.csv"],
        decisions_file="zoo-decisions.csv",
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_summary(summarize(est, context), path)
    return path


@pytest.fixture
def page(visit, page_file):
    return visit(page_file, viewport={"width": 1200, "height": 900})


def rows(page):
    return page.locator("#suspicious tbody tr")


def visible(page):
    return page.locator("#suspicious tbody tr:not([hidden])")


def attributes(found, name):
    return found.evaluate_all(f"all => all.map(one => one.getAttribute({name!r}))")


def downloaded(page, button, path):
    """The name of a downloaded file, and its lines."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    download.value.save_as(path)
    with path.open(newline="", encoding="utf-8-sig") as stream:
        return download.value.suggested_filename, list(csv.DictReader(stream))


def test_the_page_has_all_sections_in_order(page):
    assert page.locator("h2").all_text_contents() == [
        "Which classes are confused",
        "Class frequencies",
        "Can I trust this?",
        "Informative features",
        "Rows to review",
        "How this report was made",
    ]
    expect(page.locator(".big + .verdict")).to_have_text("This estimate: reliable")
    expect(page.locator(".lead")).to_contain_text("of the labels are wrong")
    assert page.locator(".heat td").count() == 9
    assert page.locator(".curves svg").count() == 3
    expect(page.locator("dl.provenance")).to_contain_text("SHA-256")


def test_intervals_are_shown_on_hover_or_by_a_switch(page):
    cell = page.locator(".heat td").nth(1)
    assert "90% interval" in cell.get_attribute("title")
    expect(cell.locator("small")).to_be_hidden()
    page.get_by_label("Show 90% intervals").check()
    expect(cell.locator("small")).to_be_visible()


def test_text_of_the_user_is_text(page, labels, texts):
    assert page.evaluate("window.pwned") is None
    assert page.locator("main img, main iframe, main td script, main dd script").count() == 0
    assert page.title() == SCRIPT
    expect(page.locator("h1 bdi")).to_have_text(SCRIPT)
    numbers = [int(row) for row in attributes(rows(page), "data-row")]
    assert attributes(rows(page), "data-given") == labels[numbers].tolist()
    shown = page.locator(".row-content dd:last-child .value").all_text_contents()
    assert shown == [texts[number] for number in numbers]
    options = attributes(page.locator("#given option"), "value")[1:]
    assert options == sorted({*labels[numbers]})
    assert page.evaluate("getComputedStyle(document.body).display") == "block"


def test_no_script_but_its_own_can_run(browser, page_file, tmp_path):
    """Even if text broke out of its place, the page's policy would not let it run."""
    page = page_file.read_text("utf-8")
    broken = page.replace("<main id=", "<script>window.pwned = 1</script><main onclick=x() id=")
    assert broken != page
    (tmp_path / "broken.html").write_text(broken, "utf-8")
    opened = browser.new_page()
    opened.goto((tmp_path / "broken.html").as_uri())
    assert opened.evaluate("window.pwned") is None
    assert opened.evaluate("document.documentElement.className") == "js"  # its own does run
    opened.close()


def test_rows_are_sorted_by_any_column(page):
    head = page.get_by_role("button", name="row", exact=True)
    head.click()
    numbers = [int(row) for row in attributes(rows(page), "data-row")]
    assert numbers == sorted(numbers)
    assert page.locator("th[aria-sort=ascending]").count() == 1
    head.click()
    assert [int(row) for row in attributes(rows(page), "data-row")] == numbers[::-1]
    page.get_by_role("button", name="probability wrong").click()
    chances = [float(p) for p in attributes(page.locator("#suspicious .p"), "data-value")]
    assert chances == sorted(chances, reverse=True)


def test_rows_are_filtered_and_searched(page):
    n_rows = rows(page).count()
    page.get_by_role("button", name="Show all").click()
    given = attributes(rows(page), "data-given")
    page.get_by_label("Given").select_option(index=1)
    first = min(given)
    assert set(attributes(visible(page), "data-given")) == {first}
    n_shown = min(given.count(first), 50)
    assert visible(page).count() == n_shown
    expected = f"{n_shown} of {given.count(first)} rows shown ({n_rows} in total)"
    expect(page.locator("#shown")).to_have_text(expected)
    page.get_by_label("Given").select_option("")
    page.get_by_label("Search").fill("שלום")
    assert 0 < visible(page).count() < n_rows
    page.get_by_label("Search").fill("no such text")
    expect(page.locator("#none")).to_be_visible()
    expect(page.get_by_role("button", name="Download table")).to_be_disabled()
    page.get_by_label("Search").fill("")
    page.get_by_role("button", name="Show all").click()
    assert visible(page).count() == n_rows


def test_a_long_list_is_shown_in_steps(page):
    n_rows = rows(page).count()
    assert n_rows > 60
    assert visible(page).count() == 50
    page.get_by_role("button", name="Show 100 more").click()
    assert visible(page).count() == min(150, n_rows)
    expect(rows(page).nth(50).locator(".wrong")).to_be_focused()
    page.get_by_label("Search").fill("emoji")
    assert visible(page).count() <= 50


def test_decisions_are_downloaded_and_applied(page, zoo, labels, tmp_path):
    for i in (0, 1):
        rows(page).nth(i).get_by_role("button", name="the label is wrong").click()
    rows(page).nth(2).get_by_role("button", name="the label is correct").click()
    given, suggested = (attributes(rows(page), f"data-{name}") for name in ("given", "suggested"))
    other = next(name for name in NAMES.tolist() if name not in (given[3], suggested[3]))
    rows(page).nth(3).locator(".decide button").first.focus()
    rows(page).nth(3).locator(".decide input").fill(other.upper().replace("\r\n", " "))
    rows(page).nth(3).locator(".decide input").press("Tab")
    expect(page.locator("#tally")).to_have_text("4 decided: 3 wrong, 1 correct")
    page.get_by_label("Decisions").select_option("decided")
    assert visible(page).count() == 4
    name, decisions = downloaded(page, "Download decisions", tmp_path / "decisions.csv")
    assert name == "zoo-decisions.csv"
    columns = ["row", "line", "given", "suggested", "reviewed", "p_wrong"]
    assert list(decisions[0]) == columns
    assert [line["reviewed"] for line in decisions] == [*suggested[:2], given[2], other]
    est, _ = zoo
    for line in decisions:
        row = int(line["row"])
        assert int(line["line"]) == row + 2
        p_wrong = 1 - est.row_posteriors[row, est.rows.observed()[row]]
        assert float(line["p_wrong"]) == pytest.approx(p_wrong, abs=1e-4)
        assert len(line["p_wrong"]) <= 6
    fixed = ln.apply_fixes(labels, tmp_path / "decisions.csv")
    assert [fixed[int(line["row"])] for line in decisions] == [*suggested[:2], given[2], other]
    assert (fixed != labels).sum() == 3


def test_the_table_is_downloaded_with_content_and_decisions(page, labels, texts, tmp_path):
    rows(page).first.get_by_role("button", name="the label is wrong").click()
    given = sorted(set(attributes(rows(page), "data-given")))
    n_rows = rows(page).count()
    name, table = downloaded(page, "Download table", tmp_path / "table.csv")
    assert name == "zoo-rows-to-review.csv"
    assert list(table[0])[-2:] == ["a", "text"]
    assert len(table) == n_rows
    for line in table:
        text = texts[int(line["row"])]
        assert line["text"] == (f"'{text}" if text.startswith("=") else text)
    assert [line["reviewed"] for line in table] == [table[0]["suggested"]] + (n_rows - 1) * [""]
    fixed = ln.apply_fixes(labels, tmp_path / "table.csv")
    assert (fixed != labels).sum() == 1
    page.get_by_label("Given").select_option(index=1)
    _, table = downloaded(page, "Download table", tmp_path / "table.csv")
    assert {line["given"] for line in table} == {given[0]}


def test_a_new_class_is_marked_as_one(page, labels, tmp_path):
    own = rows(page).first.locator(".decide input")
    own.fill(" =it's new ")
    own.press("Tab")
    tally = "1 decided: 1 wrong, 0 correct; new classes: =it's new"
    expect(page.locator("#tally")).to_have_text(tally)
    expect(rows(page).first).to_have_class("done new")
    lines = page.locator("pre.next").text_content().splitlines()
    option = " --new-class '=it'\\''s new'"
    assert lines == [
        f"labelnoise apply zoo.csv zoo-decisions.csv{option}",
        f"labelnoise estimate zoo.csv{option}",
    ]
    _, (line,) = downloaded(page, "Download decisions", tmp_path / "decisions.csv")
    assert line["reviewed"] == "'=it's new"  # no formula in a spreadsheet
    classes = [*NAMES.tolist(), "=it's new"]
    fixed = ln.apply_fixes(labels, tmp_path / "decisions.csv", classes=classes)
    assert fixed[int(line["row"])] == "=it's new"


def test_decisions_survive_a_reload_until_they_are_forgotten(page):
    rows(page).first.get_by_role("button", name="the label is wrong").click()
    page.reload()
    expect(page.locator("#tally")).to_have_text("1 decided: 1 wrong, 0 correct")
    expect(rows(page).first.locator(".wrong")).to_have_attribute("aria-pressed", "true")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#tally")).to_have_text("nothing decided yet")
    expect(page.get_by_role("button", name="Download decisions")).to_be_disabled()


def test_two_windows_on_the_same_report_share_decisions(browser, page_file):
    context = browser.new_context()
    one, two = context.new_page(), context.new_page()
    for page in (one, two):
        page.goto(page_file.as_uri())
    rows(one).nth(0).locator(".wrong").click()
    expect(two.locator("#tally")).to_have_text("1 decided: 1 wrong, 0 correct")
    rows(two).nth(1).locator(".correct").click()
    expect(two.locator("#tally")).to_have_text("2 decided: 1 wrong, 1 correct")
    one.reload()
    expect(one.locator("#tally")).to_have_text("2 decided: 1 wrong, 1 correct")
    context.close()


def test_the_keyboard_is_enough(page):
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    wrong = rows(page).first.get_by_role("button", name="the label is wrong")
    wrong.focus()
    page.keyboard.press("Enter")
    expect(wrong).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(rows(page).first.locator(".correct")).to_have_attribute("aria-pressed", "true")


def test_keys_decide_and_move_on_the_buttons_of_a_row_only(page):
    page.locator("#search").focus()
    page.keyboard.press("w")
    expect(page.locator("#tally")).to_have_text("nothing decided yet")
    page.locator("#search").fill("")
    rows(page).first.locator(".wrong").focus()
    for key in ("w", "c", "ArrowDown", "W", "u"):
        page.keyboard.press(key)
    expect(page.locator("#tally")).to_have_text("2 decided: 1 wrong, 1 correct")
    expect(rows(page).nth(0).locator(".wrong")).to_have_attribute("aria-pressed", "true")
    expect(rows(page).nth(1).locator(".correct")).to_have_attribute("aria-pressed", "true")
    expect(rows(page).nth(3).locator(".wrong")).to_be_focused()
    own = rows(page).nth(3).locator(".decide input")
    own.fill("something new")
    own.press("Enter")
    expect(page.locator("#tally")).to_contain_text("3 decided: 2 wrong, 1 correct")
    expect(rows(page).nth(4).locator(".wrong")).to_be_focused()
    visible(page).nth(49).locator(".correct").focus()
    page.keyboard.press("ArrowDown")  # beyond what is shown: more is shown
    expect(visible(page).nth(50).locator(".correct")).to_be_focused()


def test_a_screen_reader_finds_names_for_everything(page):
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, svg, a, table')]
        .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()
          || (e.labels && e.labels.length) || e.querySelector('caption')))
        .map(e => e.outerHTML.slice(0, 80))"""
    )
    assert unnamed == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    named = page.evaluate(
        "[...document.querySelectorAll('[aria-labelledby]')].map(e => e.getAttribute('aria-labelledby'))"
    )
    assert set(named) <= set(ids)
    assert page.locator("html").get_attribute("lang") == "en"
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(e => +e.tagName[1])")
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert page.locator("main").count() == page.locator("h1").count() == 1


CONTRAST = """() => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll('p, h1, h2, .verdict, .soft, td > bdi, a, caption')].map(e => {
    const ink = light(getComputedStyle(e).color);
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05); });
}"""


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 360)])
def test_it_can_be_read_light_and_dark_wide_and_narrow(visit, page_file, scheme, width):
    page = visit(page_file, color_scheme=scheme, viewport={"width": width, "height": 800})
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}[scheme]
    assert min(page.evaluate(CONTRAST)) >= 4.5  # WCAG AA
    assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing sticks out


def test_it_prints(page, tmp_path):
    page.emulate_media(media="print", color_scheme="dark")
    for hidden in (".controls", "nav", ".decide >> nth=0"):
        expect(page.locator(hidden)).to_be_hidden()
    assert page.locator("#suspicious tbody tr:visible").count() == 50
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf(path=tmp_path / "report.pdf", print_background=True).startswith(b"%PDF")


def test_it_can_be_read_without_javascript(visit, page_file):
    page = visit(page_file, java_script_enabled=False)
    assert rows(page).count() > 50
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator(".heat")).to_be_visible()
    expect(page.locator(".without-script")).to_be_visible()


def test_a_hundred_classes_and_long_texts_stay_below_five_megabytes(visit, tmp_path):
    names = [f"class {i} <i>& " + 180 * "<" for i in range(100)]
    est = made_up_estimate(names, 2500)
    cells = {f"{i}{150 * '>'}": 301 * "<" for i in range(12)}
    content = {name: 2500 * [cell] for name, cell in cells.items()}
    est.report(tmp_path / "many.html", content=content)
    source = (tmp_path / "many.html").read_text("utf-8")
    assert len(source.encode()) < 5_000_000
    table = source[source.index("<tbody>", source.index('id="suspicious"')) :]
    assert 1_000_000 < len(table[: table.index("</tbody>")].encode()) <= 2_000_000
    page = visit(tmp_path / "many.html")
    assert page.locator(".map rect.correct").count() == 100
    assert page.locator("#classes svg circle.clean").count() == 100
    assert page.locator(".curves svg").count() == 100
    assert rows(page).count() > 30


RIGHT_END = "table => table.getBoundingClientRect().right"


@pytest.mark.parametrize(("n_classes", "long"), [(8, True), (17, False), (20, True)])
def test_up_to_twenty_classes_fit_on_the_screen_and_on_paper(visit, tmp_path, n_classes, long):
    names = [f"class {i} <i>&" if long else str(i) for i in range(n_classes)]
    made_up_estimate(names, 60 * n_classes).report(tmp_path / "some.html")
    page = visit(tmp_path / "some.html", viewport={"width": 1200, "height": 800})
    box = page.get_by_role("region", name="Transition matrix")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 with its margins
    page.locator(".intervals input").evaluate("box => { box.checked = true; }")
    assert page.locator(".heat").evaluate(RIGHT_END) <= 718


def test_a_notebook_shows_t_and_escapes(visit, tmp_path, zoo, labels, texts):
    est, _ = zoo
    issues = ln.find_label_issues(est, labels, content=texts, budget=20)
    html = f"<!doctype html><meta charset=utf-8>{est._repr_html_()}{issues._repr_html_()}"
    (tmp_path / "cell.html").write_text(html, encoding="utf-8")
    page = visit(tmp_path / "cell.html")
    assert page.evaluate("window.pwned") is None
    assert page.locator("img").count() == 0
    assert page.locator(".heat td").count() == 9
    expect(page.locator(".labelnoise")).to_contain_text("of the labels are wrong")


def test_if_the_data_cannot_tell_the_page_states_nothing_else(visit, cannot_tell, tmp_path):
    cannot_tell.report(tmp_path / "r.html")
    page = visit(tmp_path / "r.html")
    expect(page.locator(".big")).to_have_text("Cannot tell")
    assert page.locator("#confusions figure, #rows svg, #suspicious td.p").count() == 0
    assert rows(page).count() == 100  # those whose true labels would help most
    rows(page).first.get_by_role("button", name="the label is wrong").click()
    _, (line,) = downloaded(page, "Download decisions", tmp_path / "decisions.csv")
    assert "p_wrong" not in line


def test_after_a_review_the_large_number_is_what_remains(visit, audited, tmp_path):
    audited.report(tmp_path / "r.html")
    page = visit(tmp_path / "r.html")
    expect(page.locator(".big")).to_have_text(f"{audited.noise_left().share:.1%}")
    for section in ("#confusions", "#classes"):
        expect(page.locator(section)).to_contain_text("before 100 rows were reviewed")


def test_if_no_label_is_wrong_no_row_is_shown(visit, no_errors, tmp_path):
    no_errors.report(tmp_path / "r.html")
    page = visit(tmp_path / "r.html")
    expect(page.locator("#rows")).to_contain_text("No row looks wrong")
    assert rows(page).count() == 0
    expect(page.locator(".big")).to_have_text("No clear sign of wrong labels")
    verdict, soft = (
        page.locator(one).first.evaluate("e => getComputedStyle(e).color")
        for one in (".verdict.reliable", "p.soft")
    )
    assert verdict == soft  # nothing on the page praises the estimate
    no_errors.report(tmp_path / "none.html", max_rows=0)  # nobody asked for rows
    assert visit(tmp_path / "none.html").locator("#rows").count() == 0


def test_the_page_says_when_not_to_rely_on_it(visit, tmp_path):
    X, y = ln.make_twonorm(100, random_state=0)
    est = ln.estimate(X, ln.inject_noise(y, ln.symmetric_noise(2, 0.2), random_state=0))
    assert est.diagnosis.verdict != "reliable"
    est.report(tmp_path / "small.html")
    page = visit(tmp_path / "small.html")
    expect(page.locator("main")).to_contain_text("Do not rely on these numbers")
    est.report(tmp_path / "small.json")
    assert json.loads((tmp_path / "small.json").read_text())["verdict"] == est.diagnosis.verdict

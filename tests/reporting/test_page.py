"""The report in a real browser: what people see, click and take away."""

import csv
import json
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect, sync_playwright

import labelnoise as ln

sys.path.insert(0, str(Path(__file__).parent))
from find_browser import find

LABELNOISE = Path(sys.executable).with_name("labelnoise")
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
NAMES = np.array(["<b>cat</b>", '"dog", &amp; co', "\u202efox 🦊"])


@pytest.fixture(scope="module")
def browser():
    path = find()
    if path is None:
        pytest.fail("the tests of the page need Chromium. Run: make browser")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def zoo():
    """A task whose names and texts try to break out, with its true labels."""
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=700)
    X = 4 * np.eye(3)[y] + rng.normal(size=(700, 3))
    noisy = ln.inject_noise(y, [[0.8, 0.2, 0], [0.1, 0.9, 0], [0.1, 0.1, 0.8]], random_state=0)
    text = [HOSTILE[i % len(HOSTILE)] + f" {i}" for i in range(700)]
    return pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "text": text}).assign(
        label=NAMES[noisy], truth=NAMES[y]
    )


@pytest.fixture(scope="module")
def page_file(zoo, tmp_path_factory):
    """A report made from it by the command line."""
    folder = tmp_path_factory.mktemp("page")
    zoo.drop(columns="truth").to_csv(folder / "zoo.csv", index=False)
    subprocess.run(
        [
            LABELNOISE,
            "report",
            "zoo.csv",
            "-l",
            "label",
            "--text-column",
            "text",
            "--title",
            SCRIPT,
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder / "report.html"


@pytest.fixture
def visit(browser):
    """Open a page, and see at the end that it asked nobody for anything and complained of nothing."""
    contexts, asked, complaints = [], [], []

    def opened(path, **settings):
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert all(url.startswith(("file:", "blob:")) for url in asked), asked
    assert complaints == []


@pytest.fixture
def page(visit, page_file):
    return visit(page_file, viewport={"width": 1200, "height": 900})


def rows(page):
    return page.locator("#suspicious tbody tr")


def visible(page):
    return page.locator("#suspicious tbody tr:not([hidden])")


def test_the_page_says_it_all_in_order(page):
    heads = page.locator("h2").all_text_contents()
    assert heads == [
        "What is mistaken for what",
        "How frequent the classes are",
        "Can I trust this?",
        "Which features matter",
        "Rows to review",
        "How it was made",
    ]
    expect(page.locator(".big + .verdict")).to_be_visible()
    expect(page.locator(".under")).to_contain_text("of the labels are wrong")
    expect(page.locator(".headline .verdict")).to_have_text("reliable")
    expect(page.locator("ul.sentences").first).to_contain_text("About 1 in")
    assert page.locator(".heat td").count() == 9
    assert page.locator(".curves svg").count() == 3
    expect(page.locator("dl.made")).to_contain_text("SHA-256")


def test_intervals_come_on_hover_or_by_a_switch(page):
    cell = page.locator(".heat td").nth(1)
    assert "90% interval" in cell.get_attribute("title")
    small = cell.locator("small")
    expect(small).to_be_hidden()
    page.get_by_label("show 90% intervals").check()
    expect(small).to_be_visible()


def test_text_of_the_user_is_text(page, zoo):
    assert page.evaluate("window.pwned") is None
    assert page.locator("main img, main iframe, main td script, main dd script").count() == 0
    assert page.title() == f"{SCRIPT}: label noise"
    expect(page.locator("h1 bdi")).to_have_text(SCRIPT)
    for i in range(0, rows(page).count(), 7):
        row = rows(page).nth(i)
        number = int(row.get_attribute("data-row"))
        assert row.get_attribute("data-given") == zoo["label"][number]
        shown = row.locator(".cell").last.evaluate("cell => cell.textContent")
        assert shown == zoo["text"][number]
    given = {row.get_attribute("data-given") for row in rows(page).all()}
    assert page.locator("#given option").all_text_contents()[1:] == sorted(given)
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


def test_rows_can_be_sorted_by_every_head(page):
    def column(place):
        return [
            row.locator("td, th").nth(place).text_content().strip() for row in rows(page).all()[:40]
        ]

    page.get_by_role("button", name="row", exact=True).click()
    assert page.locator("th[aria-sort=ascending]").count() == 1
    numbers = [int(text) for text in column(0)]
    assert numbers == sorted(numbers)
    page.get_by_role("button", name="row", exact=True).click()
    numbers = [int(text) for text in column(0)]
    assert numbers == sorted(numbers, reverse=True)
    page.get_by_role("button", name="chance wrong").click()
    chances = [float(row.locator(".p").get_attribute("data-value")) for row in rows(page).all()]
    assert chances == sorted(chances, reverse=True)


def test_rows_can_be_filtered_and_searched(page, zoo):
    every = rows(page).count()
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Given").select_option(str(NAMES[1]))
    given = [row.get_attribute("data-given") for row in visible(page).all()]
    assert set(given) == {str(NAMES[1])}
    assert 0 < len(given) < every
    n_given = sum(row.get_attribute("data-given") == NAMES[1] for row in rows(page).all())
    assert len(given) == min(n_given, 50)
    said = f"{len(given)} of {n_given} rows shown ({every} in all)"
    expect(page.locator("#shown")).to_have_text(said)
    page.get_by_label("Given").select_option("")
    page.get_by_label("Search").fill("שלום")
    assert 0 < visible(page).count() < every
    page.get_by_label("Search").fill("no such thing anywhere")
    expect(page.locator("#none")).to_be_visible()
    page.get_by_label("Search").fill("")
    page.get_by_role("button", name="Show all").click()
    assert visible(page).count() == every


def test_a_long_list_is_shown_bit_by_bit(page):
    every = rows(page).count()
    assert every > 60
    assert visible(page).count() == 50
    page.get_by_role("button", name="Show 100 more").click()
    assert visible(page).count() == min(150, every)
    expect(rows(page).nth(50).locator(".bad")).to_be_focused()
    page.get_by_label("Search").fill("emoji")
    assert visible(page).count() <= 50


def test_decisions_are_downloaded_and_applied(page, zoo, page_file, tmp_path):
    chosen = rows(page).all()[:4]
    for row in chosen[:2]:
        row.get_by_role("button", name="the label is wrong").click()
    chosen[2].get_by_role("button", name="the label is right").click()
    own = chosen[3].locator(".decide input")
    other = next(
        name
        for name in NAMES
        if name
        not in (chosen[3].get_attribute("data-given"), chosen[3].get_attribute("data-suggested"))
    )
    own.fill(str(other))
    own.press("Tab")
    expect(page.locator("#tally")).to_have_text("4 decided: 3 wrong, 1 right")
    page.get_by_label("Decisions").select_option("decided")
    assert visible(page).count() == 4
    with page.expect_download() as download:
        page.get_by_role("button", name="Download decisions").click()
    assert download.value.suggested_filename == "zoo-decisions.csv"
    download.value.save_as(tmp_path / "decisions.csv")
    with (tmp_path / "decisions.csv").open(newline="", encoding="utf-8") as stream:
        decisions = list(csv.DictReader(stream))
    assert list(decisions[0]) == ["row", "given", "reviewed"]
    told = {int(line["row"]): line["reviewed"] for line in decisions}
    first = chosen[0]
    assert told[int(first.get_attribute("data-row"))] == first.get_attribute("data-suggested")
    data = page_file.with_name("zoo.csv")
    call = f"apply {data} decisions.csv -l label -o fixed.csv --json"
    done = subprocess.run(
        [LABELNOISE, *call.split()], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["n_changed"] == 3
    fixed = pd.read_csv(tmp_path / "fixed.csv")["label"]
    for row, label in told.items():
        assert fixed[row] == label


def test_a_new_class_is_marked_as_one_and_can_be_applied(page, page_file, tmp_path):
    own = rows(page).first.locator(".decide input")
    own.fill(" =it's new ")
    own.press("Tab")
    expect(page.locator("#tally")).to_have_text("1 decided: 1 wrong, 0 right; new: =it's new")
    expect(rows(page).first).to_have_class("done new")
    command = page.locator("pre.next").text_content().splitlines()[0]
    with page.expect_download() as download:
        page.get_by_role("button", name="Download decisions").click()
    folder = page_file.parent
    download.value.save_as(folder / "zoo-decisions.csv")
    assert "'=it" in (folder / "zoo-decisions.csv").read_text(
        "utf-8"
    )  # no formula in a spreadsheet
    estimate = page.locator("pre.next").text_content().splitlines()[1]
    for line in (command, estimate):
        call = [LABELNOISE, *shlex.split(line)[1:]]
        subprocess.run(call, cwd=folder, check=True, capture_output=True)
    fixed = pd.read_csv(folder / "zoo-fixed.csv")["label"]
    assert fixed[int(rows(page).first.get_attribute("data-row"))] == "=it's new"
    refused = [LABELNOISE, *shlex.split(command)[1:]]
    del refused[refused.index("--new-class") :]
    done = subprocess.run(refused, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "--new-class" in done.stderr


def test_decisions_survive_a_reload_until_they_are_forgotten(page):
    rows(page).first.get_by_role("button", name="the label is wrong").click()
    page.reload()
    expect(page.locator("#tally")).to_have_text("1 decided: 1 wrong, 0 right")
    expect(rows(page).first.locator(".bad")).to_have_attribute("aria-pressed", "true")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget").click()
    expect(page.locator("#tally")).to_have_text("nothing decided yet")
    expect(page.get_by_role("button", name="Download decisions")).to_be_disabled()


def test_the_keyboard_is_enough(page):
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    wrong = rows(page).first.get_by_role("button", name="the label is wrong")
    wrong.focus()
    page.keyboard.press("Enter")
    expect(wrong).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(rows(page).first.locator(".ok")).to_have_attribute("aria-pressed", "true")


def test_keys_decide_and_move_on_the_buttons_of_a_row_only(page):
    page.locator("#search").focus()
    page.keyboard.press("w")
    expect(page.locator("#tally")).to_have_text("nothing decided yet")
    page.locator("#search").fill("")
    rows(page).first.locator(".bad").focus()
    for key in ("w", "r", "ArrowDown", "W", "u"):
        page.keyboard.press(key)
    expect(page.locator("#tally")).to_have_text("2 decided: 1 wrong, 1 right")
    expect(rows(page).nth(0).locator(".bad")).to_have_attribute("aria-pressed", "true")
    expect(rows(page).nth(1).locator(".ok")).to_have_attribute("aria-pressed", "true")
    expect(rows(page).nth(3).locator(".bad")).to_be_focused()
    own = rows(page).nth(3).locator(".decide input")
    own.fill("something new")
    own.press("Enter")
    expect(page.locator("#tally")).to_have_text("3 decided: 2 wrong, 1 right; new: something new")
    expect(rows(page).nth(4).locator(".bad")).to_be_focused()
    page.get_by_role("button", name="row", exact=True).click()
    visible(page).nth(49).locator(".ok").focus()
    page.keyboard.press("ArrowDown")  # beyond what is shown: more is shown
    expect(visible(page).nth(50).locator(".ok")).to_be_focused()


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_schemes_can_be_read(visit, page_file, scheme):
    page = visit(page_file, color_scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}[scheme]
    assert min(page.evaluate(CONTRAST)) >= 4.5  # WCAG AA


def test_it_prints(page, tmp_path):
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator("nav")).to_be_hidden()
    expect(page.locator(".decide").first).to_be_hidden()
    assert page.locator("#suspicious tbody tr:visible").count() == 50
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    content = page.pdf(path=tmp_path / "report.pdf", print_background=True)
    assert content.startswith(b"%PDF")


def test_it_can_be_read_without_javascript(visit, page_file):
    page = visit(page_file, java_script_enabled=False)
    assert rows(page).count() > 50
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator(".heat")).to_be_visible()
    expect(page.get_by_text("Sorting, filters and decisions need JavaScript")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_sticks_out(visit, page_file, width):
    page = visit(page_file, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def many_classes(n_classes, n_rows):
    rng = np.random.default_rng(0)
    y = np.arange(n_rows) % n_classes
    X = 8 * rng.normal(size=(n_classes, 12))[y] + rng.normal(size=(n_rows, 12))
    names = [f"class {i} <i>&" for i in range(n_classes)]
    T = 0.6 / n_classes + 0.4 * np.eye(n_classes)  # every entry of T is drawn
    return X, ln.inject_noise(np.array(names)[y], ln.TransitionMatrix(T, names), random_state=0)


def test_a_hundred_classes_and_long_texts_stay_below_five_megabytes(visit, tmp_path):
    X, y = many_classes(100, 6000)
    est = ln.estimate(X, y, n_draws=20)
    content = {
        f"column {i}": [f"<&> {'long text ' * 60} {row}" for row in range(6000)] for i in range(3)
    }
    est.report(tmp_path / "many.html", X=X, content=content)
    assert (tmp_path / "many.html").stat().st_size < 5_000_000
    page = visit(tmp_path / "many.html")
    assert page.locator(".map rect.right").count() == 100
    assert page.locator("#classes svg circle.clean").count() == 100
    assert page.locator(".curves svg").count() == 100
    assert rows(page).count() >= 100


RIGHT_END = "table => table.getBoundingClientRect().right"


@pytest.mark.parametrize(("n_classes", "long"), [(8, True), (17, False), (20, False), (20, True)])
def test_up_to_twenty_classes_fit_on_the_screen_and_on_paper(visit, tmp_path, n_classes, long):
    X, y = many_classes(n_classes, 100 * n_classes)
    if not long:
        y = np.unique(y, return_inverse=True)[1]
    ln.estimate(X, y, n_draws=20).report(tmp_path / "some.html", X=X)
    page = visit(tmp_path / "some.html", viewport={"width": 1200, "height": 800})
    box = page.get_by_role("region", name="Transition matrix")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 with its margins
    page.locator(".intervals input").evaluate("box => { box.checked = true; }")
    assert page.locator(".heat").evaluate(RIGHT_END) <= 718


def test_two_classes_and_a_hundred_rows(visit, tmp_path):
    X, y = ln.make_twonorm(100, random_state=0)
    est = ln.estimate(X, ln.inject_noise(y, ln.symmetric_noise(2, 0.2), random_state=0))
    est.report(tmp_path / "small.html", X=X)
    page = visit(tmp_path / "small.html")
    assert page.locator(".heat td").count() == 4
    expect(page.locator(".headline .verdict")).not_to_have_text("reliable")
    expect(page.locator("main")).to_contain_text("Do not rely on these numbers alone.")


@pytest.mark.parametrize("method", ["hoc", "loaded"])
def test_an_estimate_that_knows_no_rows_has_a_page_too(visit, tmp_path, method):
    X, y = ln.make_twonorm(1000, random_state=0)
    noisy = ln.inject_noise(y, ln.symmetric_noise(2, 0.2), random_state=0)
    est = ln.estimate(X, noisy, method="hoc" if method == "hoc" else "rank-gated")
    if method == "loaded":
        est.save(tmp_path / "e.json")
        est = ln.NoiseEstimate.load(tmp_path / "e.json")
    est.report(tmp_path / "bare.html")
    page = visit(tmp_path / "bare.html")
    assert page.locator("#suspicious").count() == 0
    assert page.locator(".heat td").count() == 4


def test_a_notebook_shows_t_and_escapes(visit, tmp_path, zoo):
    est = ln.estimate(zoo[["a", "b", "c"]].to_numpy(), zoo["label"].to_numpy())
    issues = ln.find_label_issues(
        est, zoo["label"].to_numpy(), content=zoo["text"].tolist(), output="table"
    )
    html = f"<!doctype html><meta charset=utf-8>{est._repr_html_()}{issues._repr_html_()}"
    (tmp_path / "cell.html").write_text(html, encoding="utf-8")
    page = visit(tmp_path / "cell.html")
    assert page.evaluate("window.pwned") is None
    assert page.locator("img").count() == 0
    assert page.locator(".heat td").count() == 9
    expect(page.locator(".labelnoise")).to_contain_text("of the labels are wrong")
    expect(page.locator("table").last).to_contain_text("neighbor_labels")


def test_where_the_data_cannot_tell_the_page_says_nothing_else(visit, tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(900, 4)), rng.choice(["low", "mid", "high"], 900)
    est = ln.estimate(X, y)
    assert not est.diagnosis.can_tell
    est.report(tmp_path / "r.html", X=X)
    page = visit(tmp_path / "r.html")
    expect(page.locator(".big")).to_have_text("Cannot tell")
    expect(page.locator("main")).to_contain_text("No confusion can be read from these data")
    expect(page.locator("#rows")).to_contain_text("cannot tell which labels are wrong")
    assert page.locator("#rows svg, #suspicious td.p").count() == 0
    assert rows(page).count() == 100  # those whose true labels would tell most
    rows(page).first.get_by_role("button", name="the label is wrong").click()
    expect(page.locator("#tally")).to_contain_text("1 decided")
    est.report(tmp_path / "r.json")
    told = json.loads((tmp_path / "r.json").read_text())
    assert told["headline"] == "these data cannot tell how many labels are wrong"
    assert (told["can_tell"], told["confusions"], told["yields"]) == (False, [], [])
    assert told["n_suspicious"] is None
    est.report(tmp_path / "r.md")
    assert "cannot tell which labels are wrong" in (tmp_path / "r.md").read_text()


def test_where_nothing_is_wrong_no_row_is_shown(visit, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=2000)
    X = 12 * y[:, None] + rng.normal(size=(2000, 2))
    est = ln.estimate(X, y)
    est.report(tmp_path / "r.html", X=X)
    page = visit(tmp_path / "r.html")
    expect(page.locator("#rows")).to_contain_text("No row looks wrong")
    assert rows(page).count() == 0
    est.report(tmp_path / "none.html", X=X, max_rows=0)  # nobody asked for rows
    assert visit(tmp_path / "none.html").locator("#rows").count() == 0


def test_after_a_review_the_headline_is_what_is_left(visit, tmp_path):
    X, clean = ln.make_twonorm(2000, random_state=0)
    noisy = ln.inject_noise(clean, ln.symmetric_noise(2, 0.3), random_state=0)
    est = ln.estimate(X, noisy)
    reviewed = ln.find_label_issues(est, noisy, budget=300)["row"]
    audited = est.with_audit(reviewed, clean[reviewed])
    audited.report(tmp_path / "r.html", X=X)
    page = visit(tmp_path / "r.html")
    left = audited.noise_left().share
    expect(page.locator(".big")).to_have_text(f"{left:.1%}")
    expect(page.locator(".under")).to_contain_text("once the 300 reviewed rows are corrected")
    expect(page.locator("main")).to_contain_text("Before the review, about")
    told = "These are the labels as they were before 300 rows were reviewed."
    for section in ("#confusions", "#classes"):
        expect(page.locator(section)).to_contain_text(told)
    audited.report(tmp_path / "r.md")
    assert told in (tmp_path / "r.md").read_text()


def test_two_windows_on_the_same_report_share_decisions(browser, page_file):
    context = browser.new_context()
    one, two = context.new_page(), context.new_page()
    for page in (one, two):
        page.goto(page_file.as_uri())
    rows(one).nth(0).locator(".bad").click()
    rows(two).nth(1).locator(".ok").click()
    expect(two.locator("#tally")).to_have_text("2 decided: 1 wrong, 1 right")
    one.reload()
    expect(one.locator("#tally")).to_have_text("2 decided: 1 wrong, 1 right")
    context.close()


def test_line_ends_in_labels_come_back_as_they_are(visit, tmp_path):
    rng = np.random.default_rng(0)
    names = np.array(["big\r\ncat", "small dog"])
    y = rng.integers(2, size=600)
    X = 5 * y[:, None] + rng.normal(size=(600, 2))
    labels = names[ln.inject_noise(y, ln.symmetric_noise(2, 0.2), random_state=0)]
    est = ln.estimate(X, labels)
    est.report(tmp_path / "r.html", X=X)
    page = visit(tmp_path / "r.html")
    page.get_by_label("Given").select_option(index=1)
    visible(page).first.get_by_role("button", name="the label is right").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download decisions").click()
    download.value.save_as(tmp_path / "decisions.csv")
    assert ln.apply_fixes(labels, tmp_path / "decisions.csv").tolist() == labels.tolist()


def test_long_ids_and_names_stay_below_five_megabytes(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=3000)
    X = 5 * np.eye(3)[y] + rng.normal(size=(3000, 3))
    names = np.array([f"{i} " + "x" * 9000 for i in range(3)], dtype=object)
    labels = names[ln.inject_noise(y, ln.symmetric_noise(3, 0.3), random_state=0)]
    ids = [f"{i} " + "y" * 1500 for i in range(3000)]
    ln.estimate(X, labels).report(tmp_path / "r.html", X=X, ids=ids)
    assert (tmp_path / "r.html").stat().st_size < 5_000_000

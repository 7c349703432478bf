"""What becomes of the columns of a table."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.data.column_roles import dates_in
from labelnoise.data.columns import Numbers, Texts
from labelnoise.data.encoding import category_block, date_block, number_block, standardized
from labelnoise.data.label_column import plain_levels
from labelnoise.data.labeled_table import read_labeled
from labelnoise.data.reading import Reading, Wanted

N = 300


def columns(seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=N)
    words = np.array([f"the {a} {b} went home" for a in ("big", "red", "old") for b in range(30)])
    return {
        "customer_id": rng.permutation(N) + 1000,
        "age": np.where(np.arange(N) % 11 == 0, np.nan, rng.normal(40, 9, N).round(1)),
        "city": rng.choice(["Rome", "Oslo", "Pau", "Lima"], N),
        "member": rng.choice(["yes", "no"], N),
        "joined": pd.date_range("2019-01-01", periods=N, freq="5D").strftime("%Y-%m-%d"),
        "always": "same",
        "nothing": np.nan,
        "copy": y,
        "note": rng.choice(words, N),
        "uuid": [f"{i:08x}-aa" for i in rng.permutation(10**6)[:N]],
        "label": np.array(["cat", "dog"])[y],
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "data.csv"
    pd.DataFrame(columns()).to_csv(path, index=False)
    return str(path)


load = ln.load_table


def kinds(table):
    return {role.name: role.kind for role in table.roles}


def test_every_column_becomes_what_it_looks_like(path):
    table = load(path)
    assert kinds(table) == {
        "customer_id": "skip",
        "age": "number",
        "city": "category",
        "member": "category",
        "joined": "date",
        "always": "skip",
        "nothing": "skip",
        "copy": "skip",
        "note": "text",
        "uuid": "skip",
    }
    why = {role.name: role.reason for role in table.roles}
    assert why["copy"].endswith("it repeats the label")
    assert why["always"] == "constant"
    assert why["nothing"] == "empty"
    assert "identifier" in why["uuid"]
    assert "identifier" in why["customer_id"]
    names = table.feature_names
    assert {"age", "age is missing", "city=Rome", "joined", "joined in the year (sin)"} <= set(
        names
    )
    assert sum(name.startswith("member=") for name in names) == 1  # one indicator tells both
    assert table.X.shape == (N, len(names))
    assert np.isfinite(table.X).all()
    said = " ".join(table.guesses)
    assert "'label' holds the labels" in said
    assert "28 missing values of 'age'" in said
    assert "--embeddings" in said
    assert table.shown[0] == "note"  # a text comes first
    assert table.feature_columns.count("note") > 1
    assert any(name.startswith("note (1: ") for name in names)  # named by its words
    assert table.content([0])["note"][0].endswith("went home")


def test_every_guess_can_be_overridden(path):
    table = load(
        path,
        label="member",
        features=("customer_id", "city", "copy"),
        kinds={"copy": "category", "city": "skip"},
        id_column="uuid",
        shown=("label", "note"),
    )
    assert kinds(table) == {"customer_id": "number", "city": "skip", "copy": "category"}
    assert table.label == "member"
    assert table.ids[0].endswith("-aa")
    assert list(table.content([3])) == ["label", "note"]
    assert set(table.y) == {"yes", "no"}
    dropped = load(path, drop=("note", "joined", "age", "member"))
    assert set(dropped.feature_names) == {"city=Rome", "city=Oslo", "city=Pau", "city=Lima"}


def test_identical_columns_count_once(tmp_path):
    df = pd.DataFrame({"a": np.sin(np.arange(50)), "label": ["x", "y"] * 25})
    df["b"] = df["a"]
    df.to_csv(tmp_path / "d.csv", index=False)
    table = load(str(tmp_path / "d.csv"))
    assert table.feature_names == ("a",)
    assert {role.name: role.reason for role in table.roles}["b"] == "the same as 'a'"


def test_embeddings_take_the_place_of_columns(path, tmp_path):
    E = np.random.default_rng(0).normal(size=(N, 7))
    np.save(tmp_path / "e.npy", E)
    table = load(path, embeddings=str(tmp_path / "e.npy"), shown=("note",))
    np.testing.assert_array_equal(table.X, E)
    assert table.feature_names[3] == "embedding[3]"
    np.save(tmp_path / "short.npy", E[1:])
    with pytest.raises(ln.LabelNoiseError, match="a row for each of the 300 rows"):
        load(path, embeddings=str(tmp_path / "short.npy"))


def test_labels_of_an_array_come_from_a_file_of_their_own(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    table = load(str(tmp_path / "X.npy"), label=str(tmp_path / "y.npy"))
    np.testing.assert_array_equal(table.X, X)
    np.testing.assert_array_equal(table.y, y)
    np.save(tmp_path / "z.npy", y[1:])
    with pytest.raises(ln.LabelNoiseError, match="40 rows and .* 39 labels"):
        load(str(tmp_path / "X.npy"), label=str(tmp_path / "z.npy"))
    np.savez(tmp_path / "b.npz", X=X, y=y)
    np.testing.assert_array_equal(load(str(tmp_path / "b.npz")).y, y)


def test_rows_without_a_label_and_labels_of_one_row_are_left_out_and_said(tmp_path):
    labels = ["a", "b"] * 20
    labels[3], labels[7] = "", "bb"
    pd.DataFrame({"x": np.cos(np.arange(40)), "label": labels}).to_csv(
        tmp_path / "d.csv", index=False
    )
    table = load(str(tmp_path / "d.csv"))
    assert len(table.y) == 38
    assert not {3, 7} & set(table.ids.tolist())
    said = " ".join(table.guesses)
    assert "1 row without a label is left out" in said
    assert "rows whose label no other row has are left out: 'bb'. Misspelt?" in said


def test_labels_that_look_like_others_or_like_none_are_named(tmp_path):
    labels = (
        ["Retail", "Food"] * 150 + ["retail "] * 5 + ["Retial"] * 3 + [" Food"] * 10 + ["NA"] * 4
    )
    df = pd.DataFrame({"x": np.sin(np.arange(len(labels))), "label": labels})
    df.to_csv(tmp_path / "d.csv", index=False)
    table = load(tmp_path / "d.csv")
    said = " ".join(table.guesses)
    assert "labels 'Retail', 'retail' count as different classes" in said
    assert "label 'Retial' (3 rows) looks like 'Retail'" in said
    assert "'NA' counts as a class" in said
    assert sorted(set(table.y)) == ["Food", "NA", "Retail", "Retial", "retail"]  # trimmed
    assert "NA" not in set(load(tmp_path / "d.csv", unlabeled=["NA"]).y)


def test_numbers_with_remarks_units_and_thousands_are_numbers(tmp_path):
    n = 200
    cells = {
        "remarks": ["k.A." if i % 40 == 0 else f"{i * 1.5}" for i in range(n)],
        "euros": [f"€ {1000 + i:,}.50" for i in range(n)],
        "shares": [f"{i / 2}%" for i in range(n)],
        "german": [f"1.{i:03d},5" for i in range(n)],
        "words": [f"{i} apples and pears" if i % 2 else "no apples at all" for i in range(n)],
        "y": [i / 7 for i in range(n)],  # called as labels are, and is none
    }
    pd.DataFrame(cells).assign(label=["a", "b"] * 100).to_csv(tmp_path / "d.csv", index=False)
    table = load(tmp_path / "d.csv")
    assert kinds(table) == {
        "remarks": "number", "euros": "number", "shares": "number", "german": "number",
        "words": "text", "y": "number",
    }  # fmt: skip
    assert "5 cells of 'remarks' count as missing: 'k.A.' (--as)" in table.guesses


def test_counters_are_no_features_in_any_order(tmp_path):
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"x": rng.normal(size=100), "n": np.arange(100), "label": ["a", "b"] * 50})
    df.loc[7, "label"] = ""
    df.sample(frac=0.8, random_state=0).to_csv(tmp_path / "d.csv")  # with an index that has no name
    table = load(tmp_path / "d.csv")
    assert kinds(table) == {"": "skip", "x": "number", "n": "skip"}
    assert load(tmp_path / "d.csv", kinds={"": "number"}).X.shape[1] == 2


def test_what_is_dropped_is_not_shown(path):
    assert "city" not in load(path, drop=["city", "note"]).shown


def test_labels_are_whole_numbers_only_if_written_so():
    assert plain_levels(["0", "1", "-5"]) == [0, 1, -5]
    assert plain_levels(["00", "1"]) == ["00", "1"]
    assert plain_levels(["1.0", "2.0"]) == ["1.0", "2.0"]
    assert plain_levels(["a", "1"]) == ["a", "1"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"label": "lable"}, r"no column 'lable' \(--label\). Did you mean 'label'\?"),
        ({"features": ("Age",)}, r"no column 'Age' \(--features\). Did you mean 'age'\?"),
        ({"drop": ("zzz",)}, r"no column 'zzz' \(--drop\). Its columns are 'customer_id'"),
        ({"kinds": {"age": "color"}}, "unknown kind of column 'age' 'color'"),
        ({"label": "uuid"}, "300 different values in 300 rows: these are no classes"),
        ({"label": "always"}, "one label only that occurs more than once"),
        ({"features": ("label", "age"), "label": "label"}, "both the label and a feature"),
        ({"features": ("always",)}, "no column is left to use as a feature"),
        ({"features": ("age",), "shown": ("age",)}, "'age' is in --features and in --text-column"),
        (
            {"kinds": {"city": "number"}},
            "column 'city': too many of its cells are no numbers, such as 'Oslo'|such as",
        ),
        ({"kinds": {"city": "date"}}, "column 'city': it does not hold dates"),
        ({"kinds": {"city": "vector"}}, "column 'city': it does not hold vectors"),
        ({"kinds": {"uuid": "category"}}, "column 'uuid': hardly any of its values repeats"),
        (
            {"kinds": {"uuid": "text"}},
            "column 'uuid': no word occurs in two of its texts|share one",
        ),
        ({"id_column": "city"}, "row ids are not distinct"),
        ({"id_column": "nothing"}, "does not name every row"),
    ],
)
def test_what_cannot_be_done_is_said(path, wanted, message):
    with pytest.raises(ln.LabelNoiseError, match=message):
        load(path, **wanted)


def test_a_table_without_a_likely_label_asks_for_it(tmp_path):
    (tmp_path / "d.csv").write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(ln.LabelNoiseError, match="which column .* holds the labels.*'a', 'b'"):
        load(str(tmp_path / "d.csv"))
    wanted = Wanted(label="b")
    reading = Reading("d.csv", delimiter=";", as_text=wanted.as_text)
    with pytest.raises(ln.LabelNoiseError, match="one column only: .*--delimiter"):
        read_labeled(str(tmp_path / "d.csv"), wanted, reading, 0)


def test_infinite_numbers_are_refused(tmp_path):
    (tmp_path / "d.csv").write_text("x,label\n" + "1,a\n2,b\n" * 5 + "inf,a\n")
    with pytest.raises(ln.LabelNoiseError, match=r"column 'x': it has 1 infinite.*--drop"):
        load(str(tmp_path / "d.csv"))


@given(st.lists(st.floats(-1e300, 1e300), min_size=2))
def test_standardized_numbers_have_mean_0_and_variance_1_or_0(values):
    found = standardized(np.array(values))
    assert abs(found.mean()) < 1e-6
    assert abs(found.std() - 1) < 1e-6 or found.std() < 1e-6


def test_missing_numbers_become_the_median_with_a_flag():
    block = number_block("x", Numbers(np.array([1.0, np.nan, 3.0, 2.0])), 0)
    assert block.names == ("x", "x is missing")
    assert block.values[1, 0] == pytest.approx(block.values[3, 0])  # the median is 2
    assert block.values[:, 1].tolist() == [0, 1, 0, 0]


def test_rare_categories_are_pooled():
    values = ["a"] * 30 + ["b"] * 20 + ["c", "d", "e"] + [None] * 2  # rare: one row
    block = category_block("x", Texts.of(values), 0)
    assert block.names == ("x=a", "x=b", "x=(other)", "x=(missing)")
    assert block.values.sum(axis=1).tolist() == [1] * len(values)
    assert block.values.sum(axis=0).tolist() == [30, 20, 3, 2]
    assert "3 rare values of 'x' are pooled" in block.notes[0]


@pytest.mark.parametrize(
    "texts",
    [
        ["2024-01-01", "2024-01-03"],
        ["2024-01-01T00:00:00Z", "2024-01-03 00:00"],
        ["1/13/2024", "1/15/2024"],
        ["13/1/2024", "15/1/2024"],
        ["01.02.2024", "03.02.2024"],
    ],
)
def test_dates_are_days(texts):
    found = dates_in(Texts.of([*texts, None]))
    assert found[1] - found[0] == 2
    assert np.isnan(found[2])


@pytest.mark.parametrize("texts", [["cat"], ["20240101"], ["2024-13-01"], ["1.5.2", "2024-01-01"]])
def test_other_texts_are_no_dates(texts):
    assert dates_in(Texts.of(texts)) is None


def test_dates_tell_their_season_only_if_they_cover_some():
    week = Texts.of([f"2024-01-{day:02d}" for day in range(1, 8)])
    years = Texts.of([f"{year}-06-{day:02d}" for year in range(2018, 2024) for day in (1, 11)])
    assert date_block("d", week, 0).names == ("d",)
    assert "d in the year (cos)" in date_block("d", years, 0).names


def test_the_same_file_gives_the_same_features(path):
    np.testing.assert_array_equal(load(path).X, load(path).X)


def test_copies_of_rows_are_remarked_on(tmp_path):
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"x": rng.normal(size=200), "label": rng.choice(["a", "b"], 200)})
    df.to_csv(tmp_path / "once.csv", index=False)
    pd.concat([df, df[:50]]).to_csv(tmp_path / "twice.csv", index=False)
    assert not any("copies" in guess for guess in load(tmp_path / "once.csv").guesses)
    assert any(
        "50 rows are copies of others" in guess for guess in load(tmp_path / "twice.csv").guesses
    )
    coarse = df.assign(x=(df["x"] > 0).astype(int))
    coarse.to_csv(tmp_path / "coarse.csv", index=False)
    assert not any("copies" in guess for guess in load(tmp_path / "coarse.csv").guesses)


def test_dates_that_can_be_read_in_two_ways_are_remarked_on(tmp_path):
    days = [f"{1 + i % 12:02d}/{1 + i % 7:02d}/2023" for i in range(60)]
    df = pd.DataFrame({"day": days, "label": ["a", "b"] * 30})
    df.to_csv(tmp_path / "d.csv", index=False)
    assert any("month/day/year" in guess for guess in load(tmp_path / "d.csv").guesses)
    df["day"] = [f"{13 + i % 7}/0{1 + i % 9}/2023" for i in range(60)]
    df.to_csv(tmp_path / "d.csv", index=False)
    assert not any("month/day/year" in guess for guess in load(tmp_path / "d.csv").guesses)


def test_labels_in_a_file_of_their_own_stay_as_they_are_written(tmp_path):
    np.save(tmp_path / "X.npy", np.random.default_rng(0).normal(size=(20, 2)))
    (tmp_path / "y.csv").write_text("anything\n" + "01\n002\n" * 10)
    table = load(tmp_path / "X.npy", str(tmp_path / "y.csv"))
    assert set(table.y) == {"01", "002"}


def test_an_identifier_with_a_gap_is_one(tmp_path):
    df = pd.DataFrame({"customer_id": np.arange(1000.0, 1060), "x": np.sin(np.arange(60))})
    df.loc[5, "customer_id"] = np.nan
    df.assign(label=["a", "b"] * 30).to_csv(tmp_path / "d.csv", index=False)
    assert kinds(load(tmp_path / "d.csv")) == {"customer_id": "skip", "x": "number"}


def test_one_text_in_another_script_changes_nothing_for_all_others(tmp_path):
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["apple", "pear", "plum", "fig"], 4)) + f" {i}" for i in range(99)]
    df = pd.DataFrame({"text": [*texts, "日本語"], "label": ["a", "b"] * 50})
    df.to_csv(tmp_path / "d.csv", index=False)
    names = load(tmp_path / "d.csv").feature_names
    assert any(word in names[0] for word in ("apple", "pear", "plum", "fig"))


def test_a_column_that_may_be_made_from_the_labels_is_remarked_on(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 600)
    made = np.where(rng.random(600) < 0.93, y, rng.choice(["a", "b", "c"], 600))
    df = pd.DataFrame({"routed": made, "shop": rng.choice(["n", "s"], 600), "label": y})
    df.to_csv(tmp_path / "d.csv", index=False)
    (remark,) = [guess for guess in load(tmp_path / "d.csv").guesses if "alone tells" in guess]
    assert remark.startswith("'routed' alone tells")


@pytest.mark.parametrize(
    "written", ["%d/%m/%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%d %b %Y", "%b %d, %Y", "%m/%d/%Y %I:%M %p"]
)
def test_dates_are_read_as_people_write_them(tmp_path, written):
    days = pd.date_range("2023-01-13", periods=120, freq="31h")
    df = pd.DataFrame({"when": days.strftime(written), "label": ["a", "b"] * 60})
    df.to_csv(tmp_path / "d.csv", index=False)
    table = load(tmp_path / "d.csv")
    assert kinds(table) == {"when": "date"}
    assert (np.diff(table.X[:, 0]) >= 0).all()


def test_a_file_is_read_in_python_as_on_the_command_line(tmp_path):
    path = tmp_path / "d.txt"
    path.write_bytes("1,5|größer\n2,5|kleiner\n2,5|größer\n".encode("cp1252") * 20)
    table = load(path, "c2", delimiter="|", encoding="cp1252", header=False, format="csv")
    assert set(table.y) == {"größer", "kleiner"}


def test_long_ids_cost_what_they_are_long(tmp_path):
    df = pd.DataFrame({"name": [f"n{i}" for i in range(99)] + ["x" * 5000], "x": np.arange(100.0)})
    df.assign(label=["a", "b"] * 50, x=np.sin(df["x"])).to_csv(tmp_path / "d.csv", index=False)
    table = load(tmp_path / "d.csv", id_column="name")
    assert table.ids.dtype == object
    assert table.ids[-1] == "x" * 5000


def test_labels_that_differ_in_how_they_are_written_are_named(tmp_path):
    labels = ["cat", "CAT", "cafe\u0301", "café", "dog ", "d\u200bog"] * 10
    df = pd.DataFrame({"x": np.sin(np.arange(60)), "label": labels})
    df.to_csv(tmp_path / "d.csv", index=False)
    said = " ".join(load(tmp_path / "d.csv", unlabeled=["n/a"]).guesses)
    assert said.count("differ in how they are written only") == 3
    assert "no label is 'n/a' (--unlabeled)" in said


def test_a_text_that_is_of_no_use_is_told_once(tmp_path):
    words = ["".join(chr(97 + (i * 7 + j) % 26) for j in range(9)) + str(i) for i in range(400)]
    table = pd.DataFrame(
        {
            "x": np.arange(100) % 7 / 2,
            "note": [" ".join(words[4 * i : 4 * i + 4]) for i in range(100)],
            "label": ["a", "b"] * 50,
        }
    )
    table.to_csv(tmp_path / "a.csv", index=False)
    found = ln.load_table(tmp_path / "a.csv", "label")
    (told,) = [guess for guess in found.guesses if "'note'" in guess]
    assert told.startswith("column 'note' is left out: ")
    assert [role.kind for role in found.roles] == ["number", "skip"]
    assert "columns hold numbers ('x') (--as)" in found.guesses


def test_months_by_name_cannot_be_taken_for_days(tmp_path):
    table = pd.DataFrame({"when": [f"{1 + i % 28:02d} May 2023" for i in range(60)]})
    table.assign(label=["a", "b"] * 30).to_csv(tmp_path / "a.csv", index=False)
    found = ln.load_table(tmp_path / "a.csv", "label")
    assert not [guess for guess in found.guesses if "month/day" in guess]


def test_spaces_around_what_stands_for_no_label_do_not_matter(tmp_path):
    table = pd.DataFrame({"x": np.arange(60) % 7 / 2, "label": ["a", "b", "NA"] * 20})
    table.to_csv(tmp_path / "a.csv", index=False)
    found = ln.load_table(tmp_path / "a.csv", "label", unlabeled=[" NA "])
    assert len(found.y) == 40


def test_a_column_called_label_stays_beside_a_file_of_labels(tmp_path):
    table = pd.DataFrame({"x": np.arange(60) % 7 / 2, "label": np.arange(60) % 5 / 2})
    table.assign(name=[f"n{i}" for i in range(60)]).to_csv(tmp_path / "a.csv", index=False)
    np.save(tmp_path / "y.npy", np.array(["a", "b"] * 30))
    found = ln.load_table(tmp_path / "a.csv", str(tmp_path / "y.npy"), id_column="name")
    assert found.feature_names == ("x", "label")
    assert set(found.y) == {"a", "b"}
    assert found.ids.tolist() == list(range(60))  # as in the file that fixes go into
    assert any("not named by 'name'" in guess for guess in found.guesses)
    assert found.named_by == "place"


def test_amounts_of_thousands_and_millions_and_below_zero_are_numbers(tmp_path):
    cells = ["$246.3k", "$1.81M", "$900", "(3,097.16)", "($1.2k)"] * 20
    table = pd.DataFrame({"revenue": cells, "label": ["a", "b"] * 50})
    table.to_csv(tmp_path / "a.csv", index=False)
    found = ln.load_table(tmp_path / "a.csv", "label")
    assert [role.kind for role in found.roles] == ["number"]
    meant = np.array([246_300, 1_810_000, 900, -3097.16, -1200])
    np.testing.assert_allclose(found.X[:5, 0], (meant - meant.mean()) / meant.std())


def test_constant_columns_are_not_shown_to_reviewers(tmp_path):
    table = pd.DataFrame({"x": np.arange(60) % 7 / 2, "source": "crm", "label": ["a", "b"] * 30})
    table.to_csv(tmp_path / "a.csv", index=False)
    assert ln.load_table(tmp_path / "a.csv", "label").shown == ("x",)


def test_a_unit_is_no_thousand(tmp_path):
    cells = [*(f"{degrees} K" for degrees in range(270, 289)), "289"] * 5
    table = pd.DataFrame({"heat": cells, "label": ["a", "b"] * 50})
    table.to_csv(tmp_path / "a.csv", index=False)
    found = ln.load_table(tmp_path / "a.csv", "label")
    assert [role.kind for role in found.roles] == ["number"]
    np.testing.assert_allclose(np.diff(found.X[:20, 0]), np.diff(found.X[:2, 0])[0])


def test_texts_of_the_same_words_say_nothing(tmp_path):
    cells = ["red house now here", "here now house red"] * 100
    table = pd.DataFrame({"note": cells, "x": np.arange(200) % 7 / 2, "label": ["a", "b"] * 100})
    table.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(
        ln.LabelNoiseError, match="column 'note': all its texts have the same words"
    ):
        ln.load_table(tmp_path / "a.csv", "label", kinds={"note": "text"})


def test_an_id_that_is_not_there_is_named_as_one(tmp_path):
    pd.DataFrame({"x": np.arange(60) % 7 / 2}).to_csv(tmp_path / "a.csv", index=False)
    np.save(tmp_path / "y.npy", np.array(["a", "b"] * 30))
    with pytest.raises(ln.LabelNoiseError, match=r"no column 'nome' \(--id\)"):
        ln.load_table(tmp_path / "a.csv", str(tmp_path / "y.npy"), id_column="nome")

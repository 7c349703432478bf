"""Files of every format hold the same table."""

import gzip
import io
import json
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as pf
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.data.columns import Dates, Numbers, Texts, Vectors
from labelnoise.data.plain_columns import column_of, joined
from labelnoise.data.reading import Reading
from labelnoise.data.table_csv import numbers_in
from labelnoise.data.table_files import Change, opened, read_source, read_stream, rewrite_stream
from labelnoise.data.text_layout import likely_delimiter
from labelnoise.data.written_numbers import mostly_numbers


def frame(n=60):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "number": rng.normal(size=n).round(3),
            "gaps": np.where(np.arange(n) % 7 == 0, np.nan, np.arange(n) / 4),
            "city": rng.choice(["Rome", "São Paulo", 'a "quoted", one', "two\nlines"], n),
            "flag": rng.choice([True, False], n),
            "when": pd.date_range("2024-01-01", periods=n),
            "code": [f"{i:03d}" for i in range(n)],
            "label": rng.choice(["cat", "dog"], n),
        }
    )


def write(df, path):
    writers = {
        ".csv": lambda: df.to_csv(path, index=False),
        ".tsv": lambda: df.to_csv(path, index=False, sep="\t"),
        ".gz": lambda: df.to_csv(path, index=False, compression="gzip"),
        ".parquet": lambda: df.to_parquet(path),
        ".feather": lambda: df.to_feather(path),
        ".jsonl": lambda: df.assign(when=df["when"].astype(str)).to_json(
            path, orient="records", lines=True
        ),
        ".json": lambda: df.assign(when=df["when"].astype(str)).to_json(path, orient="records"),
    }
    writers[path.suffix]()
    return path


def read(path, **reading):
    return read_source(str(path), Reading(repr(str(path)), **reading)).table


ENDINGS = ["csv", "tsv", "csv.gz", "parquet", "feather", "jsonl", "json"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_holds_the_same_table(tmp_path, ending):
    df = frame()
    columns = read(write(df, tmp_path / f"data.{ending}"), as_text=frozenset(["label"])).columns
    assert list(columns) == list(df)
    every = np.arange(len(df))
    np.testing.assert_array_equal(columns["number"].values, df["number"])
    np.testing.assert_array_equal(columns["gaps"].values, df["gaps"])
    assert columns["city"].cells(every) == df["city"].tolist()
    assert [cell.lower() for cell in columns["flag"].cells(every)] == [
        str(flag).lower() for flag in df["flag"]
    ]
    assert columns["when"].cells(every)[:2] == ["2024-01-01", "2024-01-02"]
    assert columns["label"].cells(every) == df["label"].tolist()
    # 007 is a number to no format but delimited text, which has no types: there it is one.
    codes = columns["code"].cells(every)
    assert codes == (list(range(60)) if ending[:3] in ("csv", "tsv") else df["code"].tolist())


@pytest.mark.parametrize("ending", ENDINGS)
def test_rewriting_changes_one_column_and_nothing_else(tmp_path, ending):
    df = frame()
    path, target = write(df, tmp_path / f"data.{ending}"), tmp_path / "new"
    new = ["fox", *df["label"][1:]]
    reading = Reading("data", as_text=frozenset(["label", "code"]))
    with opened(str(path)) as stream, target.open("wb") as out:
        source = read_stream(stream, str(path), reading)
        rewrite_stream(stream, out, source, reading, Change("label", {0: "fox"}))
    before, after = source.table.columns, read(target, as_text=reading.as_text).columns
    every = np.arange(len(df))
    for name in df.columns.drop("label"):
        np.testing.assert_equal(after[name].cells(every), before[name].cells(every))
    assert after["label"].cells(every) == new


def test_delimited_text_is_copied_byte_for_byte_around_the_label(tmp_path):
    text = ' id ;note;label\r\n007;"a;b";cat\r\n8;1,50;dog\r\n'
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    reading = Reading("a.csv", as_text=frozenset(["label"]))
    out = io.BytesIO()
    with opened(str(tmp_path / "a.csv")) as stream:
        source = read_stream(stream, "a.csv", reading)
        rewrite_stream(stream, out, source, reading, Change("label", {1: "fox"}))
    assert out.getvalue() == b"\xef\xbb\xbf" + text.replace("dog", "fox").encode()
    assert source.table.guesses == ("cells are separated by semicolons (--delimiter)",)


def rewritten(path, changes, column="label"):
    out = io.BytesIO()
    reading = Reading("x", as_text=frozenset([column]))
    with opened(str(path)) as stream:
        source = read_stream(stream, str(path), reading)
        rewrite_stream(stream, out, source, reading, Change(column, changes))
    out.seek(0)
    return out


def test_labels_keep_their_type_in_json(tmp_path):
    lines = [
        '{"label": 1, "z": [1, {"a": null}]}',
        '{"label": 2}',
        '{"other": "\\ud83d"}',
        '{"label": true}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    found = rewritten(tmp_path / "a.jsonl", {0: "2"}).read().decode().splitlines()
    assert found == ['{"label": 2, "z": [1, {"a": null}]}', *lines[1:]]
    found = rewritten(tmp_path / "a.jsonl", {1: "new"}).read().decode().splitlines()
    assert found[1] == '{"label": "new"}'


@pytest.mark.parametrize(
    ("array", "changes", "expected"),
    [
        (np.array([1, 2, 2]), {0: "2"}, np.array([2, 2, 2])),
        (np.array([1.0, np.nan, 2.0]), {0: "2.0"}, np.array([2.0, np.nan, 2.0])),
        (np.array([True, False]), {1: "True"}, np.array([True, True])),
        (np.array([b"ab", b"cd"]), {1: "ab"}, np.array([b"ab", b"ab"])),
        (np.array([["a"], ["b"]]), {1: "a"}, np.array([["a"], ["a"]])),
        (np.array(["a", "b"]), {1: "longer"}, np.array(["a", "longer"])),
        (np.array([1, 2]), {1: "other"}, np.array(["1", "other"])),
    ],
)
def test_labels_keep_their_type_in_arrays(tmp_path, array, changes, expected):
    np.savez(tmp_path / "a.npz", y=array, X=np.zeros((len(array), 2)))
    found = np.load(rewritten(tmp_path / "a.npz", changes, "y"))["y"]
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype


def test_labels_keep_their_type_in_parquet(tmp_path):
    levels = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    df = pd.DataFrame(
        {
            "kind": pd.Series(["low", "high", None], dtype=levels),
            "count": pd.Series([1, None, 3], dtype="Int32"),
            "flag": [True, False, None],
        }
    )
    df.to_parquet(tmp_path / "a.parquet")
    found = pd.read_parquet(rewritten(tmp_path / "a.parquet", {0: "high"}, "kind"))
    assert found["kind"].dtype == levels
    assert found["kind"].tolist()[:2] == ["high", "high"]
    found = pd.read_parquet(rewritten(tmp_path / "a.parquet", {0: "3"}, "count"))
    pd.testing.assert_frame_equal(found, df.assign(count=pd.Series([3, None, 3], dtype="Int32")))
    found = pd.read_parquet(rewritten(tmp_path / "a.parquet", {0: "false"}, "flag"))
    assert found["flag"].tolist() == [False, False, None]
    found = pd.read_parquet(rewritten(tmp_path / "a.parquet", {0: "huge"}, "kind"))
    assert found["kind"].cat.categories.tolist() == ["low", "mid", "high", "huge"]


def test_a_column_that_turns_out_to_be_text_keeps_its_spelling(tmp_path, monkeypatch):
    monkeypatch.setattr("labelnoise.data.text_layout.BLOCK_ROWS", 10)
    rows = [f"{i:03d},{i}" for i in range(35)] + ["x1,35"]
    (tmp_path / "a.csv").write_text("\n".join(["code,n", *rows]))
    columns = read(tmp_path / "a.csv").columns
    assert columns["code"].cells(np.arange(36)) == [row.split(",")[0] for row in rows]
    np.testing.assert_array_equal(columns["n"].values, np.arange(36))


@given(
    st.lists(
        st.lists(st.text(st.characters(codec="utf-8"), max_size=6), min_size=2, max_size=2),
        min_size=2,
    ),
    st.sampled_from(",;\t|"),
)
def test_any_cells_survive_delimited_text(cells, delimiter):
    import csv

    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter).writerows([["a", "b"], *cells])
    kept = cells
    binary = io.BytesIO(stream.getvalue().encode())
    reading = Reading("x", delimiter=delimiter, format="csv", as_text=frozenset("ab"))
    columns = read_stream(binary, "x", reading).table.columns
    for place, name in enumerate("ab"):
        found = columns[name].cells(np.arange(len(kept)))
        assert [cell or "" for cell in found] == [
            row[place] if row[place].strip() else "" for row in kept
        ]


def test_numbers_are_what_people_write():
    assert numbers_in(["1", " 2.5 ", "-3e2", "?", "", "N/A"]).tolist()[:3] == [1.0, 2.5, -300.0]
    assert np.isnan(numbers_in(["1", "?", ""])[1:]).all()
    assert numbers_in(["1", "one"]) is None
    assert numbers_in(["1_000"]) is None
    assert numbers_in(["1,5"], decimal_comma=True).tolist() == [1.5]
    assert numbers_in(["9" * 400]) is None


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter):
    rows = [["name", "a value", "label"], ["x", "1,5", "cat"], ["y", "2.5", "dog"]]
    quoted = [[f'"{cell}"' if "," in cell else cell for cell in row] for row in rows]
    assert likely_delimiter("\n".join(delimiter.join(row) for row in quoted)) == delimiter


def test_utf16_and_other_encodings(tmp_path):
    text = "größe,label\n1,süß\n2,böse\n"
    (tmp_path / "u.csv").write_bytes(text.encode("utf-16"))
    (tmp_path / "l.csv").write_bytes(text.encode("latin-1"))
    every = np.arange(2)
    assert read(tmp_path / "u.csv").columns["label"].cells(every) == ["süß", "böse"]
    with pytest.raises(
        ln.LabelNoiseError, match="is not UTF-8 text: see line 1.*--encoding cp1252"
    ):
        read(tmp_path / "l.csv")
    found = read(tmp_path / "l.csv", encoding="latin-1").columns
    assert found["größe"].values.tolist() == [1, 2]
    with pytest.raises(ln.LabelNoiseError, match="unknown encoding"):
        read(tmp_path / "l.csv", encoding="klingon")


def test_arrays_are_columns(tmp_path):
    X, y = np.arange(12.0).reshape(6, 2), np.array(["a", "b"] * 3)
    np.savez(tmp_path / "d.npz", X=X, y=y, age=np.arange(6))
    columns = read(tmp_path / "d.npz").columns
    np.testing.assert_array_equal(columns["X"].values, X)
    assert columns["y"].cells(np.arange(6)) == y.tolist()
    assert isinstance(columns["age"], Numbers)
    np.save(tmp_path / "d.npy", X)
    assert isinstance(read(tmp_path / "d.npy").columns["X"], Vectors)


def test_vectors_in_json_and_parquet_are_embeddings(tmp_path):
    rows = [{"v": [float(i), 1.0, 2.0], "label": "ab"[i % 2]} for i in range(8)]
    (tmp_path / "e.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pd.DataFrame(rows).to_parquet(tmp_path / "e.parquet")
    for ending in ("jsonl", "parquet"):
        found = read(tmp_path / f"e.{ending}").columns["v"]
        assert found.values.tolist() == [row["v"] for row in rows]


def test_keys_may_be_missing_and_kinds_may_change(tmp_path, monkeypatch):
    monkeypatch.setattr("labelnoise.data.table_json.BLOCK_ROWS", 2)
    lines = [{"a": 1}, {"a": 2}, {"b": "x"}, {"b": "y", "a": 3}, {"a": "four"}, {"c": [1]}]
    (tmp_path / "k.jsonl").write_text("\n".join(map(json.dumps, lines)))
    columns = read(tmp_path / "k.jsonl").columns
    every = np.arange(6)
    assert columns["a"].cells(every) == ["1", "2", None, "3", "four", None]
    assert columns["b"].cells(every) == [None, None, "x", "y", None, None]
    assert columns["c"].cells(every)[-1] == "[1]"


def test_kinds_of_columns():
    assert isinstance(column_of([1, None, 2.5]), Numbers)
    assert isinstance(column_of(pd.to_datetime(["2024-01-01", "2024-03-01"]).tolist()), Dates)
    assert isinstance(column_of([[1, 2], [3, 4]]), Vectors)
    assert isinstance(column_of([[1, 2], [3]]), Texts)
    assert isinstance(column_of([True, False]), Texts)
    assert isinstance(column_of([1, 2], as_text=True), Texts)
    parts = [column_of(["a", "b"]), column_of([None]), column_of(["b", "c"])]
    assert joined(parts).cells(np.arange(5)) == ["a", "b", None, "b", "c"]


@given(st.lists(st.sampled_from([None, "a", "b", "c"]), min_size=1), st.data())
def test_taking_rows_keeps_their_texts(values, data):
    rows = np.array(data.draw(st.lists(st.integers(0, len(values) - 1))), dtype=np.int64)
    taken = Texts.of(values).take(rows)
    assert taken.cells(np.arange(len(rows))) == [values[i] for i in rows]
    assert set(taken.levels) == {values[i] for i in rows} - {None}


def test_standard_input_is_read_like_a_file(monkeypatch):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    class Stdin:
        closed = False
        buffer = Pipe(b"a,label\n1,x\n2,y\n")

    monkeypatch.setattr(sys, "stdin", Stdin)
    source = read_source("-", Reading("standard input"))
    assert source.format == "csv"
    assert source.table.guesses == ("the input is read as csv (--format)",)
    Stdin.buffer = Pipe(b"")
    with pytest.raises(ln.LabelNoiseError, match="standard input is empty"):
        read_source("-", Reading("standard input"))
    Stdin.closed = True
    with pytest.raises(ln.LabelNoiseError, match="standard input is closed"):
        read_source("-", Reading("standard input"))


BAD = {
    "missing.csv": (None, "there is no file"),
    "empty.csv": (b"", "is empty"),
    "blank.csv": (b"\n\n", "is empty"),
    "header.csv": (b"a,b\n", "has a header and no rows below it"),
    "ragged.csv": (b"a,b\n1,2\n3\n4,5\n", "record that ends in line 3 has 1 cell"),
    "twice.csv": (b"a,a\n1,2\n", "several columns named 'a'"),
    "numbers.csv": (b"1,2\n3,4\n", "has only numbers.*--no-header"),
    "bytes.csv": (b"a,b\n1,\xff\xfe\n", "is not UTF-8 text"),
    "not.parquet": (b"a,b\n1,2\n", "is no parquet file, whatever its name says"),
    "cut.parquet": (b"PAR1xx", "cannot be read as a Parquet file"),
    "not.npy": (b"a,b\n", "is no npy file"),
    "cut.npz": (b"PK\x03\x04xxxx", "is no NumPy file that can be read"),
    "not.arrow": (b"a,b\n1,2\n", "cannot be read as a Arrow file|cannot be read as an Arrow file"),
    "not.jsonl": (b'{"a": 1}\n{"a": \n', "line 2 of .* is no JSON"),
    "list.jsonl": (b"[1, 2]", "must hold objects"),
    "sheet.xlsx": (b"PK\x03\x04", "is a spreadsheet. Save the sheet as CSV"),
    "cut.csv.gz": (gzip.compress(b"a,b\n" * 1000)[:30], "cannot be read: .* Is it complete"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_read_says_why(tmp_path, name):
    content, message = BAD[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ln.LabelNoiseError, match=message):
        read(tmp_path / name)


def test_a_name_that_is_nearly_right_is_suggested(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ln.LabelNoiseError, match=r"Did you mean '.*data.csv'\?"):
        read(tmp_path / "dta.csv")
    with pytest.raises(ln.LabelNoiseError, match="is a folder"):
        read(tmp_path)


@pytest.mark.parametrize(
    "arrays",
    [
        {"X": np.zeros((4, 2)), "y": np.zeros(3)},
        {"X": np.zeros((2, 2, 2))},
        {"X": np.array(3.0)},
        {"X": np.zeros((0, 2))},
        {"X": np.array([["a", "b"], ["c", "d"]])},
    ],
)
def test_npz_with_the_wrong_arrays(tmp_path, arrays):
    np.savez(tmp_path / "w.npz", **arrays)
    with pytest.raises(ln.LabelNoiseError, match="must hold|has no rows"):
        read(tmp_path / "w.npz")


def test_nothing_is_unpickled(tmp_path):
    np.save(tmp_path / "p.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ln.LabelNoiseError, match="not of objects"):
        read(tmp_path / "p.npy")


def test_objects_in_objects_are_columns_and_are_rewritten_in_place(tmp_path):
    lines = [
        {"text": "a", "tags": ["x", "y"], "note": {"by": {"age": 3}, "label": "cat"}},
        {"text": "b", "tags": [], "note": {"by": {}, "label": "dog"}},
        {"text": "c", "note.label": "fox", "note": {"label": "cat"}},
        {"note": {"by": {}}, "note.label": "cat", "note.by": {"age": 4}},
    ]
    path = tmp_path / "nested.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    table = read(path)
    assert table.columns["note.label"].cells(np.arange(3)) == ["cat", "dog", "fox"]
    assert table.columns["note.by.age"].cells(np.arange(4)) == [3, None, None, 4]
    said = " ".join(table.guesses)
    assert "objects in objects become columns: 'note.by.age'" in said
    assert "lists are read as one text: 'tags'" in said
    out = rewritten(path, {0: "dog", 2: "new"}, "note.label")
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    lines[0]["note"]["label"], lines[2]["note.label"] = "dog", "new"
    assert found == lines
    found = [json.loads(line) for line in rewritten(path, {3: "5"}, "note.by.age")]
    assert found[3]["note.by"] == {"age": 5}


def test_very_deep_objects_stay_text(tmp_path):
    deep = "x"
    for _ in range(20):
        deep = {"in": deep}
    path = tmp_path / "deep.jsonl"
    path.write_text(json.dumps({"a": deep, "label": "x"}))
    assert read(path).columns["a.in.in.in.in.in"].cells(np.arange(1))[0].startswith('{"in"')


def test_a_comma_means_in_all_cells_what_it_must_mean_in_one(tmp_path):
    cells = ["3,6", "2,708", "0,8", "0,558", "k.A.", *["1,25"] * 15]
    (tmp_path / "a.csv").write_text("x;label\n" + "".join(f"{c};a\n" for c in cells))
    found = mostly_numbers(read(tmp_path / "a.csv").columns["x"])
    np.testing.assert_array_equal(found.numbers.values[:5], [3.6, 2.708, 0.8, 0.558, np.nan])
    assert found.remarks == ("k.A.",)
    (tmp_path / "b.csv").write_text("x;label\n" + "3,6;a\n1.234;a\n1.234,50;b\n" * 9)
    found = mostly_numbers(read(tmp_path / "b.csv").columns["x"])
    assert found.numbers.values[:3].tolist() == [3.6, 1234, 1234.5]
    thousands = mostly_numbers(Texts.of(["1,234", "52,000", "1,234,567"]))
    assert thousands.numbers.values.tolist() == [1234, 52_000, 1_234_567]


def test_points_and_commas_mean_the_same_however_far_apart(tmp_path, monkeypatch):
    monkeypatch.setattr("labelnoise.data.text_layout.BLOCK_ROWS", 10)
    cells = 40 * ["1.200", "2.500"] + 40 * ["3,75"]
    (tmp_path / "a.csv").write_text("\n".join(["x;n", *(f"{cell};1" for cell in cells)]))
    numbers = mostly_numbers(read(tmp_path / "a.csv").columns["x"]).numbers
    assert set(numbers.values) == {1200.0, 2500.0, 3.75}


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted on Linux")
def test_parquet_is_read_without_threads_that_may_abort_python_at_its_end(tmp_path):
    write(frame(5000), tmp_path / "a.parquet")
    program = """
        import os, pyarrow
        from labelnoise import load_table
        pyarrow.set_cpu_count(8)
        before = len(os.listdir("/proc/self/task"))
        from labelnoise.data.table_files import read_source
        from labelnoise.data.reading import Reading
        read_source("a.parquet", Reading("a"))
        print(len(os.listdir("/proc/self/task")) - before)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0\n"


def test_a_unit_that_all_share_is_no_part_of_a_number():
    found = mostly_numbers(Texts.of(["74.2 kg", "8kg", "NA", "1,200 kg"] * 5))
    assert np.nansum(found.numbers.values) == pytest.approx(5 * (74.2 + 8 + 1200))
    assert found.n_remarks == 0  # NA is none, but a missing value
    assert mostly_numbers(Texts.of(["1 kg", "500 g"] * 10)) is None


def test_a_quote_that_is_never_closed_is_no_end_of_the_table(tmp_path):
    lines = ["a,label", *["1,cat"] * 20, '2,"dog', *["1,cat"] * 20]
    (tmp_path / "open.csv").write_text("\n".join(lines))
    with pytest.raises(ln.LabelNoiseError, match="after line 21. Is a double quote open"):
        read(tmp_path / "open.csv")


def test_copies_are_the_same_but_for_what_was_changed(tmp_path):
    text = 'a,"label",b\r\n"007",cat,"x ""y"", z"\r\n\r\n1.50,"dog",5"\r\n2,cat,"two\r\nlines"'
    (tmp_path / "a.csv").write_bytes(text.encode())
    found = rewritten(tmp_path / "a.csv", {0: "dog", 1: 'a "new", one', 2: "fox"}).read().decode()
    expected = text.replace(",cat,", ",dog,", 1).replace('"dog",5', '"a ""new"", one",5')
    assert found == expected.replace(",cat,", ",fox,")
    lines = '{"x": 0.12345678901234567890, "label": "cat"}\n\n{"label":"dog","y":1E400}\n'
    (tmp_path / "a.jsonl").write_text(lines)
    found = rewritten(tmp_path / "a.jsonl", {0: "dog"}).read().decode().splitlines()
    assert json.loads(found[0]) == {"x": 0.12345678901234567890, "label": "dog"}
    assert found[1:] == lines.splitlines()[1:]


@pytest.mark.parametrize("levels", [[0.5, 1.5], [True, False], [1, 2]])
@pytest.mark.parametrize("new", [None, "new"])
def test_categories_of_any_type_are_copied(tmp_path, levels, new):
    label = pa.array(levels * 3).dictionary_encode()
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"x": range(6), "label": label}), path)
    texts = read(path, as_text=frozenset(["label"])).columns["label"].cells(np.arange(6))
    copy = pq.read_table(rewritten(path, {0: new or texts[1]})).column("label")
    assert copy.combine_chunks().cast(pa.string()).to_pylist() == [new or texts[1], *texts[1:]]


def test_copies_of_arrow_streams_and_of_one_array_are_what_they_were(tmp_path):
    table = pa.table({"x": [1, 2], "label": ["a", "b"]})
    with pa.ipc.new_stream(tmp_path / "s.arrow", table.schema) as writer:
        writer.write_table(table)
    copy = pa.ipc.open_stream(rewritten(tmp_path / "s.arrow", {0: "b"})).read_all()
    assert copy.column("label").to_pylist() == ["b", "b"]
    np.savez(tmp_path / "x.npz", X=np.array(["a", "b"]))
    copy = np.load(rewritten(tmp_path / "x.npz", {0: "b"}, "X"))
    assert copy["X"].tolist() == ["b", "b"]


def test_a_label_is_kept_as_written_whatever_the_capitals_of_its_column(tmp_path):
    (tmp_path / "a.csv").write_text("laBel,x\n01,1\n002,2\n")
    as_text = frozenset(["label"])
    assert read(tmp_path / "a.csv", as_text=as_text).columns["laBel"].levels == ("01", "002")


@pytest.mark.parametrize("ending", ["parquet", "npz", "jsonl"])
def test_a_new_class_leaves_all_others_as_they_are(tmp_path, ending):
    """A number among numbers is one; a text makes texts of them, and missing ones stay missing."""
    whole, gaps = np.array([1, 2, 1, 2]), np.array([1.5, np.nan, 1.5, 2.5])
    path = tmp_path / f"a.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table({"whole": whole, "gaps": gaps}), path)
    elif ending == "npz":
        np.savez(path, whole=whole, gaps=gaps)
    else:
        told = [None if np.isnan(value) else value for value in gaps]
        rows = [{"whole": int(a), "gaps": b} for a, b in zip(whole, told, strict=True)]
        path.write_text("\n".join(map(json.dumps, rows)))

    def copied(text, column):
        out = rewritten(path, {3: text, 0: text}, column)
        if ending == "parquet":
            return pq.read_table(out).column(column).to_pylist()
        if ending == "npz":
            return [
                None if value in ("", None) else value for value in np.load(out)[column].tolist()
            ]
        return [json.loads(line)[column] for line in out]

    assert copied("7", "whole") == [7, 2, 1, 7]
    new = copied("new", "gaps")
    assert (new[0], new[1], str(new[2]), new[3]) == ("new", None, "1.5", "new")


def test_numbers_of_a_few_bits_are_found_again(tmp_path):
    y = (np.arange(6) % 3 / 10 + 0.1).astype(np.float32)
    np.savez(tmp_path / "f.npz", y=y)
    texts = read(tmp_path / "f.npz", as_text=frozenset(["y"])).columns["y"].cells(np.arange(6))
    copy = np.load(rewritten(tmp_path / "f.npz", {0: texts[1]}, "y"))["y"]
    assert copy.dtype == np.float32
    np.testing.assert_array_equal(copy, y[[1, 1, 2, 3, 4, 5]])


def test_files_that_are_something_else_or_damaged_are_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "zip.npz", "w") as archive:
        archive.writestr("readme.txt", "hello")
    np.savez_compressed(tmp_path / "damaged.npz", y=np.arange(1000))
    whole = bytearray((tmp_path / "damaged.npz").read_bytes())
    whole[120:200] = b"x" * 80
    (tmp_path / "damaged.npz").write_bytes(whole)
    pq.write_table(pa.table({"label": [b"\xff", b"\xfe"]}), tmp_path / "bytes.parquet")
    (tmp_path / "digits.jsonl").write_text('{"label": ' + "9" * 5000 + "}")
    for name in ("zip.npz", "damaged.npz", "bytes.parquet", "digits.jsonl"):
        with pytest.raises(ln.LabelNoiseError):
            read(tmp_path / name, as_text=frozenset(["label"]))


def test_views_of_texts_and_full_dictionaries_are_copied(tmp_path):
    for ending, write in {"arrow": pf.write_feather, "parquet": pq.write_table}.items():
        label = pa.array(["a", "b", None]).cast(pa.string_view())
        write(pa.table({"x": [1, 2, 3], "label": label}), tmp_path / f"v.{ending}")
        out = rewritten(tmp_path / f"v.{ending}", {1: "new"})
        read_back = pq.read_table if ending == "parquet" else pf.read_table
        assert read_back(out).column("label").to_pylist() == ["a", "new", None]
    codes = pa.array(np.arange(128), type=pa.int8())
    full = pa.DictionaryArray.from_arrays(codes, pa.array([f"l{i}" for i in range(128)]))
    pf.write_feather(pa.table({"label": full}), tmp_path / "full.arrow")
    copy = pf.read_table(rewritten(tmp_path / "full.arrow", {0: "new"})).column("label")
    assert copy.to_pylist()[:2] == ["new", "l1"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8-sig", None])
def test_json_is_copied_in_its_encoding(tmp_path, encoding):
    text = '{"label": "é", "s": "\\u2603"}\r\n{"label": "b"}'
    (tmp_path / "e.jsonl").write_bytes(text.encode(encoding or "utf-8"))
    out, reading = io.BytesIO(), Reading("e", encoding=encoding, as_text=frozenset(["label"]))
    with opened(str(tmp_path / "e.jsonl")) as stream:
        source = read_stream(stream, "e.jsonl", reading)
        rewrite_stream(stream, out, source, reading, Change("label", {0: "b", 1: "é"}))
    first, second = out.getvalue().decode((encoding or "utf-8").removesuffix("-sig")).split("\r\n")
    assert json.loads(first.removeprefix("\ufeff")) == {"label": "b", "s": "☃"}
    assert second == '{"label": "é"}'


def test_a_column_alone_is_labels_as_they_are_written(tmp_path):
    (tmp_path / "klass.csv").write_text("klass\n01\n02\n")
    assert read(tmp_path / "klass.csv").columns["klass"].levels == ("01", "02")

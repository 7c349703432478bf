"""Files of every format: what is read, what a copy keeps, and what is refused."""

import bz2
import csv
import gzip
import io
import subprocess
import sys
import zipfile

import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from labelnoise.data.files import ReadOptions, compressed, fits_format, open_input, read_table
from labelnoise.data.files.delimited import likely_delimiter
from labelnoise.errors import LabelNoiseError

COLUMNS = {
    "size": [1.5, 2.0, 3.25, -4.0],
    "count": [1, 2, 30, 4],
    "note": ["plain", 'with "quotes"', "two\nlines", "a,b;c"],
    "label": ["cat", "dog", "cat", "dog"],
}


def _csv(path, delimiter=","):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter)
        writer.writerow(COLUMNS)
        writer.writerows(zip(*COLUMNS.values(), strict=True))


def _json_lines(path):
    table = pa.table(COLUMNS)
    path.write_text("".join(f"{_json(row)}\n" for row in table.to_pylist()), encoding="utf-8")


def _json(value):
    import json

    return json.dumps(value)


def _workbook(path):
    book = openpyxl.Workbook()
    book.active.append(list(COLUMNS))
    for row in zip(*COLUMNS.values(), strict=True):
        book.active.append(row)
    book.save(path)


WRITE = {
    "pets.csv": _csv,
    "pets.tsv": lambda path: _csv(path, "\t"),
    "pets.jsonl": _json_lines,
    "list.json": lambda path: path.write_text(_json(pa.table(COLUMNS).to_pylist())),
    "pets.parquet": lambda path: parquet.write_table(pa.table(COLUMNS), path),
    "pets.feather": lambda path: feather.write_feather(pa.table(COLUMNS), path),
    "pets.xlsx": _workbook,
    "pets.npz": lambda path: np.savez(path, **COLUMNS),
}
PACK = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": lambda content: pa.compress(content, "zstd", asbytes=True),
}


@pytest.fixture(params=WRITE)
def path(request, tmp_path):
    path = tmp_path / request.param
    WRITE[request.param](path)
    return path


def copy(path, labels, options=None):
    """A copy beside a file, with other labels in some rows."""
    target = path.with_name(f"copy-{path.name}")
    with (
        open_input(path) as source,
        target.open("wb") as out,
        compressed(out, target.name) as stream,
    ):
        found = source.read(options)
        source.copy_with_labels(stream, found, "label", labels, options)
    return target


def refused(path, options=None):
    with pytest.raises(LabelNoiseError) as caught:
        read_table(path, options)
    return caught.value.note


def test_every_format_holds_the_same_table(path):
    assert read_table(path).table.to_pydict() == COLUMNS


def test_a_copy_differs_in_the_new_labels_only(path):
    copied = read_table(copy(path, {2: "dog", 3: "bird"})).table.to_pydict()
    assert copied == {**COLUMNS, "label": ["cat", "dog", "dog", "bird"]}


@pytest.mark.parametrize("ending", PACK)
def test_compressed_files_are_read_and_copies_compressed_again(tmp_path, ending):
    plain, path = tmp_path / "pets.csv", tmp_path / f"pets.csv{ending}"
    _csv(plain)
    path.write_bytes(PACK[ending](plain.read_bytes()))
    assert read_table(path).table.to_pydict() == COLUMNS
    target = copy(path, {0: "dog"})
    assert target.read_bytes() != plain.read_bytes()
    assert read_table(target).table["label"][0].as_py() == "dog"


def test_an_archive_of_one_file_is_read(tmp_path):
    _csv(tmp_path / "pets.csv")
    path = tmp_path / "pets.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(tmp_path / "pets.csv", "pets.csv")
    assert read_table(path).table.to_pydict() == COLUMNS
    assert read_table(copy(path, {})).table.to_pydict() == COLUMNS
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.csv", "a\n1\n")
    assert refused(path).code == "damaged_file"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_without_a_new_label_are_the_same_to_the_byte(tmp_path, line_end, mark):
    lines = ['"a" ,label', " 01 ,cat", '"x, y",dog', "", "3.50,cat", "é,dog"]
    path = tmp_path / "pets.csv"
    path.write_bytes(mark + line_end.join(lines).encode())
    copied = copy(path, {2: "bird"}).read_bytes()
    assert copied == mark + line_end.join([*lines[:4], "3.50,bird", lines[5]]).encode()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "shift_jis"])
def test_other_encodings_are_read_and_copied(tmp_path, encoding):
    name = "é" if encoding == "cp1252" else "猫"
    path = tmp_path / "pets.csv"
    path.write_bytes(f"a,label\n1,{name}\n2,x\n".encode(encoding))
    options = ReadOptions(encoding=None if encoding == "utf-16" else encoding)
    assert read_table(path, options).table["label"].to_pylist() == [name, "x"]
    assert copy(path, {1: name}, options).read_bytes().decode(encoding).split()[-1] == f"2,{name}"


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5), st.sampled_from(",;\t|"))
@example([("", "a\rb")], ",")
def test_any_cells_survive_reading_and_copying(tmp_path_factory, rows, delimiter):
    path = tmp_path_factory.mktemp("cells") / "pets.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL)
        writer.writerow(["a", "label"])
        writer.writerows(rows)
    options = ReadOptions(text_columns=frozenset({"a", "label"}), delimiter=delimiter)
    expected = {"a": [a for a, _ in rows], "label": [b for _, b in rows]}
    assert read_table(path, options).table.to_pydict() == expected
    copied = copy(path, {0: "new"}, options)
    expected["label"][0] = "new"
    assert read_table(copied, options).table.to_pydict() == expected


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter):
    lines = (["a", "b", "c"], ["1.5", "x y", "z"], ["2", "w", "v"])
    assert likely_delimiter("\n".join(map(delimiter.join, lines))) == delimiter


def test_a_comma_is_a_decimal_point_where_it_separates_no_cells(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text("a;b;label\n1,5;1,234;x\n2;2,345;y\n;NA;x\n")
    found = read_table(path)
    assert found.table["a"].to_pylist() == [1.5, 2.0, None]
    assert found.table["b"].to_pylist() == [1.234, 2.345, None]  # Europe writes semicolons
    assert {note.code for note in found.notes} == {"delimiter_guessed", "decimal_commas"}
    path.write_text("a\tb\tlabel\n1,5\t1,234\tx\n2\t2,345\ty\n")
    found = read_table(path)
    assert found.table["a"].to_pylist() == [1.5, 2.0]
    assert found.table["b"].to_pylist() == [1.234, 2.345]  # as in the other column
    path.write_text("a\tb\tlabel\n1.5\t1,234\tx\n2\t2,345\ty\n")
    found = read_table(path)
    assert found.table["a"].to_pylist() == [1.5, 2.0]
    assert found.table["b"].to_pylist() == ["1,234", "2,345"]  # thousands, perhaps


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_blank_lines_between_rows_are_noted(tmp_path, line_end):
    path = tmp_path / "pets.csv"
    for lines, codes in (
        (["a,label", "1,x", "", "2,y"], ["blank_lines_skipped"]),
        (["a,label", "1,x", "2,y", "", ""], []),
    ):
        path.write_bytes(line_end.join(lines).encode())
        found = read_table(path)
        assert found.table["label"].to_pylist() == ["x", "y"]
        assert [note.code for note in found.notes] == codes


def test_blank_lines_within_cells_are_no_rows(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('text,label\n"one\n\ntwo",x\nthree,y\n')
    found = read_table(path, ReadOptions())
    assert (found.table.num_rows, [*found.notes]) == (2, [])


def test_blank_rows_of_a_workbook_are_noted(tmp_path):
    book = openpyxl.Workbook()
    for row in (["a", "label"], [1, "x"], [None, None], [2, "y"]):
        book.active.append(row)
    book.save(tmp_path / "pets.xlsx")
    found = read_table(tmp_path / "pets.xlsx")
    assert found.table["label"].to_pylist() == ["x", "y"]
    assert [note.code for note in found.notes] == ["blank_lines_skipped"]


def test_named_columns_stay_as_they_are_written(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text("Label,zip\n01,00501\n1.0,10001\nNA,2\n")
    found = read_table(path, ReadOptions(text_columns=frozenset({"label", "zip"}))).table
    assert found.to_pydict() == {"Label": ["01", "1.0", "NA"], "zip": ["00501", "10001", "2"]}


def test_objects_within_objects_are_columns_and_are_copied_in_place(tmp_path):
    path = tmp_path / "pets.jsonl"
    lines = ['{"v": [1, 2.5], "meta": {"label": "cat", "by": {"name": "Al"}}}',
             '{"v": [3, 4],   "meta": {"label": "dog"}}']  # fmt: skip
    path.write_text("\n".join(lines) + "\n")
    found = read_table(path)
    assert found.table.to_pydict() == {
        "v": [[1, 2.5], [3, 4]], "meta.label": ["cat", "dog"], "meta.by.name": ["Al", None],
    }  # fmt: skip
    out = io.BytesIO()
    with open_input(path) as source:
        source.copy_with_labels(out, found, "meta.label", {0: "dog"})
    first, second = out.getvalue().decode().splitlines()
    assert first == lines[0].replace("cat", "dog")
    assert second == lines[1]


def test_keys_may_be_missing_and_values_of_several_kinds_are_texts(tmp_path):
    path = tmp_path / "pets.jsonl"
    path.write_text('{"a": 1, "label": "x"}\n\n{"label": "y"}\n{"a": "two", "label": "x"}\n')
    assert read_table(path).table["a"].to_pylist() == ["1", None, "two"]


def test_arrays_are_columns_and_vectors(tmp_path):
    X = np.arange(6.0).reshape(3, 2).astype(np.float16)
    np.savez(tmp_path / "a.npz", X=X, y=np.array([[1], [2], [1]]), z=np.array([b"u", b"v", b"w"]))
    found = read_table(tmp_path / "a.npz").table
    assert found.to_pydict() == {"X": X.tolist(), "y": [1, 2, 1], "z": ["u", "v", "w"]}


@pytest.mark.parametrize(
    ("array", "labels", "expected"),
    [
        ([1, 2, 1], {0: 2}, [2, 2, 1]),
        ([1, 2, 1], {0: "new"}, ["new", "2", "1"]),
        ([1.5, 2.5, 1.5], {1: 1.5}, [1.5, 1.5, 1.5]),
        ([True, False, True], {0: False}, [False, False, True]),
        (["a", "b", "a"], {0: "longer"}, ["longer", "b", "a"]),
    ],
)
@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_labels_keep_their_type_if_it_can_hold_the_new_ones(
    tmp_path, array, labels, expected, ending
):
    path = tmp_path / f"pets.{ending}"
    if ending == "npz":
        np.savez(path, label=np.array(array))
    else:
        parquet.write_table(pa.table({"label": array}), path)
    assert read_table(copy(path, labels)).table["label"].to_pylist() == expected


def test_categories_are_copied(tmp_path):
    path = tmp_path / "pets.parquet"
    parquet.write_table(pa.table({"label": pa.array(["a", "b"]).dictionary_encode()}), path)
    assert read_table(copy(path, {0: "c"})).table["label"].to_pylist() == ["c", "b"]


def test_a_copy_of_an_input_that_changed_is_refused(path):
    with open_input(path) as source:
        found = source.read()
        path.write_bytes(path.read_bytes() + b"\n")
        with pytest.raises(LabelNoiseError) as caught:
            source.copy_with_labels(io.BytesIO(), found, "label", {0: "dog"})
    assert caught.value.note.code == "input_changed"


def test_a_copy_of_an_input_that_changes_meanwhile_is_refused(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text("a,label\n" + "1,cat\n" * 50_000)

    class Slow(io.BytesIO):
        """A place to write to, during which somebody else rewrites the input."""

        def write(self, content):
            if not self.tell():
                path.write_text("a,label\n" + "1,cat\n" * 10)
            return super().write(content)

    with open_input(path) as source, pytest.raises(LabelNoiseError) as caught:
        source.copy_with_labels(Slow(), source.read(), "label", {0: "dog"})
    assert caught.value.note.code == "input_changed"


BAD = {
    "empty.csv": (b"", "file_is_empty"),
    "header.csv": (b"a,label\n", "file_without_rows"),
    "more.csv": (b"a,label\n1,x\n1,x,y\n", "ragged_rows"),
    "fewer.csv": (b"a,label\n1,x\n1\n", "ragged_rows"),
    "quote.csv": (b'a,label\n1,x\n2,"y\n3,x\n4,y\n', "quote_not_closed"),
    "latin.csv": ("a,label\n1,x\n2,é\n".encode("latin-1"), "not_this_encoding"),
    "surrogate.csv": (b"a,label\xed\xa0\x80\n1,2\n", "not_this_encoding"),
    "twice.csv": (b"a,a,label\n1,2,x\n", "repeated_column_names"),
    "numbers.csv": (b"1,2\n3,4\n", "header_of_numbers"),
    "text.parquet": (b"a,label\n1,x\n", "not_the_format_of_its_name"),
    "text.npy": (b"a,label\n1,x\n", "not_the_format_of_its_name"),
    "damaged.parquet": (b"PAR1 and nothing else PAR1", "damaged_file"),
    "damaged.xlsx": (b"PK\x03\x04 and nothing else", "damaged_file"),
    "cut.csv.gz": (gzip.compress(b"a,label\n1,x\n" * 100)[:-9], "damaged_file"),
    "old.xls": (b"\xd0\xcf\x11\xe0", "spreadsheet_not_supported"),
    "bad.jsonl": (b'{"a": 1}\n{"a":\n', "not_json_lines"),
    "number.jsonl": (b"1\n2\n", "not_json_lines"),
    "deep.jsonl": (b"[" * 100_000, "not_json_lines"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_read_says_why(tmp_path, name):
    content, code = BAD[name]
    (tmp_path / name).write_bytes(content)
    assert refused(tmp_path / name).code == code


def test_where_a_table_is_broken_is_part_of_the_error(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_bytes(b"a,label\n1,x\n2,y,z\n")
    facts = refused(path).facts
    assert (facts["row"], facts["n_cells"], facts["n_columns"]) == (3, 3, 2)
    path.write_bytes(b"a,label\n1,x\n2,\xff\n")
    assert refused(path).facts["line"] == 3


def test_headers_of_any_length_are_read(tmp_path):
    names = [f"column_number_{i}" for i in range(116_000)]
    path = tmp_path / "wide.csv"
    path.write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    assert read_table(path).table.column_names == names


def test_decompression_stops_at_the_limit(tmp_path):
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a,label\n" + b"1,x\n" * 500_000))
    assert refused(path, ReadOptions(max_bytes=10**6)).code == "unpacks_beyond_memory"
    assert read_table(path).table.num_rows == 500_000


def test_a_missing_file_names_the_one_that_was_meant(tmp_path):
    _csv(tmp_path / "pets.csv")
    note = refused(tmp_path / "pet.csv")
    assert note.code == "no_such_file"
    assert note.facts["suggestion"] == str(tmp_path / "pets.csv")
    assert refused(tmp_path).code == "cannot_read"
    assert refused(tmp_path / ("x" * 5000)).code == "cannot_read"


def test_nothing_is_unpickled(tmp_path):
    path = tmp_path / "pets.npz"
    np.savez(path, label=np.array(["a", None], dtype=object))
    assert refused(path).code == "damaged_file"


def test_arrays_must_have_one_length(tmp_path):
    path = tmp_path / "pets.npz"
    for arrays in ({"X": np.zeros((3, 2)), "y": [1, 2]}, {"X": np.zeros((3, 2, 2))}):
        np.savez(path, **arrays)
        assert refused(path).code == "arrays_of_other_shapes"


def test_the_format_may_be_given_or_told_by_the_content(tmp_path):
    path = tmp_path / "pets"
    parquet.write_table(pa.table(COLUMNS), path)
    found = read_table(path)
    assert found.format == "parquet"
    assert found.notes[0].code == "format_by_content"
    path.write_text('{"label": "x"}\n{"label": "y"}\n')
    assert read_table(path).format == "jsonl"
    assert read_table(path, ReadOptions(format="csv", header=False)).table.num_rows == 2
    assert refused(path, ReadOptions(format="pdf")).code == "unknown_choice"


def test_copies_keep_the_ending_of_their_format():
    assert fits_format("a.TSV.gz", "csv")
    assert fits_format("a", "parquet")
    assert not fits_format("a.csv", "parquet")


def test_standard_input_is_read_like_a_file(tmp_path):
    _csv(tmp_path / "pets.csv")
    program = (
        "import io, sys; from labelnoise.data.files import open_input\n"
        "with open_input('-') as source:\n"
        "    found = source.read()\n"
        "    source.copy_with_labels(sys.stdout.buffer, found, 'label', {0: 'bird'})"
    )
    with (tmp_path / "pets.csv").open("rb") as stream:
        piped = subprocess.run(
            [sys.executable, "-c", program], input=stream.read(), capture_output=True, check=True
        )
    (tmp_path / "copy.csv").write_bytes(piped.stdout)
    assert read_table(tmp_path / "copy.csv").table["label"][0].as_py() == "bird"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted in /proc")
@pytest.mark.parametrize("name", ["pets.parquet", "pets.jsonl"])
def test_no_thread_of_arrow_is_started(tmp_path, name):
    """One that still runs when a process ends may abort it."""
    WRITE[name](tmp_path / name)
    program = (
        "import os, sys; from labelnoise.data.files import columnar, json_lines, read_table\n"
        "before = os.listdir('/proc/self/task')\n"
        "read_table(sys.argv[1])\n"
        "assert os.listdir('/proc/self/task') == before"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / name)], check=True)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("n_before", [0, 2, 200_000])
def test_the_line_of_bytes_that_are_no_text_is_named(tmp_path, encoding, n_before):
    path = tmp_path / "pets.csv"
    wrong = b"\x00\xdc" if encoding == "utf-16" else b"\xdc\x00"  # the second half of a pair
    rest = encoding.replace("utf-16", "utf-16-le") if encoding == "utf-16" else encoding
    end = b"\n".decode().encode("utf-8" if encoding.startswith("utf-8") else rest)
    text = "a,label\n" + "1,\u0a0a\n" * n_before + "2,"
    path.write_bytes(text.encode(encoding) + wrong + end)
    note = refused(path, ReadOptions(encoding=None if "-be" not in encoding else encoding))
    assert note.code == "not_this_encoding"
    assert note.facts["line"] == n_before + 2


def test_blank_lines_are_noted_in_any_encoding(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text("a,label\n1,x\n\n2,y\n", encoding="utf-16")
    assert [one.code for one in read_table(path).notes] == ["blank_lines_skipped"]
    path.write_text('a,label\n1,x\n"2\n\n",y\n', encoding="utf-16")
    assert not read_table(path).notes

"""What becomes of the columns of a table."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from labelnoise.data.column_types import column_types, least_rows_of_category
from labelnoise.data.columns import columns_of
from labelnoise.data.settings import SAMPLED_TEXTS
from labelnoise.errors import LabelNoiseError

N = 300
RNG = np.random.default_rng(0)


def type_of(values, name="column", codes=None, given=None):
    """Type and reason of one column beside a plain one."""
    table = pa.table({"x": RNG.normal(size=len(values)), name: values})
    found = {kind.name: kind for kind in column_types(columns_of(table), codes, given)}[name]
    return found.type, found.reason.code


def test_every_column_becomes_what_it_holds(mixed):
    codes = (mixed["label"] == "dog").to_numpy().astype(int)
    table = pa.Table.from_pandas(mixed.drop(columns="label"), preserve_index=False)
    found = {
        kind.name: (kind.type, kind.reason.code) for kind in column_types(columns_of(table), codes)
    }
    assert found == {
        "customer_id": ("skip", "column_looks_like_id"),
        "age": ("number", "holds_numbers"),
        "city": ("category", "holds_categories"),
        "member": ("category", "holds_categories"),
        "joined": ("date", "holds_dates"),
        "always": ("skip", "column_constant"),
        "nothing": ("skip", "column_empty"),
        "copy": ("skip", "column_copies_label"),
        "note": ("text", "holds_texts"),
        "uuid": ("skip", "column_looks_like_id"),
    }


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1.5", "2", "?"] * 100, "number"),
        (["1.5", "2", "two"] * 100, "category"),
        (["true", "False", "TRUE"] * 100, "category"),
        (["2024-01-01", "2024-03-05 10:30", ""] * 100, "date"),
        (["31.12.2024", "1.1.2024", "15.6.2023"] * 100, "date"),
        (["2024-13-01", "2024-01-01"] * 150, "category"),
        ([f"{i}.5.2" for i in range(3)] * 100, "category"),
        ([[1.0, 2.0]] * N, "vector"),
    ],
)
def test_content_decides_whatever_the_values_are_stored_as(values, expected):
    assert type_of(values)[0] == expected


def test_numbers_that_count_the_rows_are_identifiers_in_any_order():
    assert type_of(np.arange(N)) == ("skip", "column_looks_like_id")
    assert type_of(RNG.permutation(N) + 5) == ("skip", "column_looks_like_id")
    gaps = np.sort(RNG.choice(1000 * N, N, replace=False))
    assert type_of(gaps) == ("number", "holds_numbers")  # incomes, perhaps
    assert type_of(gaps, "customerId") == ("skip", "column_looks_like_id")
    assert type_of(gaps, "rownames") == ("skip", "column_looks_like_id")
    assert type_of(gaps / 10, "id") == ("number", "holds_numbers")  # no identifier has fractions


@pytest.mark.parametrize(
    "name", ["annotator", "Session_ID", "batchNo", "patient", "store_id", "worker_id"]
)
def test_repeated_names_of_groups_are_no_features(name):
    group = ("skip", "column_looks_like_group")
    assert type_of([f"p{i // 3}" for i in range(N)], name) == group
    assert type_of(np.arange(N) // 3, name) == group
    assert (
        type_of([f"p{i // 3}" for i in range(N)], name, given={name: "category"})[0] == "category"
    )
    assert type_of(RNG.normal(size=N), name)[0] == "number"


@pytest.mark.parametrize("name", ["raters", "sources", "user", "batch_no"])
def test_texts_that_name_groups_are_no_features(name):
    assert type_of([f"p{i // 3}" for i in range(N)], name)[0] == "skip"


@pytest.mark.parametrize("name", ["sessions", "users", "patients", "sites", "recordings"])
def test_counts_are_features_whatever_is_counted(name):
    assert type_of(RNG.poisson(4, N), name)[0] == "number"
    assert type_of(RNG.poisson(4, N).astype(float), name)[0] == "number"


@pytest.mark.parametrize("name", ["source", "session", "batch", "patient_id"])
def test_numbers_that_are_no_codes_are_features_whatever_their_name(name):
    assert type_of(RNG.normal(size=N).round(1), name)[0] == "number"
    assert type_of(RNG.normal(scale=10, size=N).round(), name)[0] == "number"
    assert type_of(RNG.integers(9, size=N).astype(float), name)[0] == "skip"


@pytest.mark.parametrize("name", ["patient_age", "light_source", "user_rating", "identity", "paid"])
def test_other_columns_with_such_words_are_features(name):
    assert type_of(np.arange(N) // 3, name)[0] == "number"


def test_short_texts_that_rarely_repeat_are_identifiers_and_long_ones_are_texts():
    codes = [f"{i:05x}" for i in range(N)]
    assert type_of(codes) == ("skip", "column_looks_like_id")
    sentences = [f"the {i} of us went home" for i in range(N)]
    assert type_of(sentences) == ("text", "holds_texts")
    chinese = [chr(0x4E00 + i) * 8 for i in range(N)]
    assert type_of(chinese) == ("text", "holds_texts")


def test_amounts_that_are_not_plain_numbers_are_named_as_such():
    for form in ("${:.2f}", "{:.1f}%", "€ {:,.0f}", "{:.2f} EUR"):
        amounts = [form.format(1000 + 7 * i) for i in range(N)]
        assert type_of(amounts) == ("skip", "column_holds_amounts")
    few = [f"{i}%" for i in range(1000, 1000 + SAMPLED_TEXTS)]
    mixed = few + [f"x{i}" for i in range(1000)]
    assert type_of(mixed) == ("skip", "column_looks_like_id")


def test_categories_are_told_from_texts_by_how_often_they_repeat():
    names = [f"name {i % 40}" for i in range(N)]
    assert type_of(names) == ("category", "holds_categories")
    declared = pa.array([f"a long name of {i % 100}" for i in range(N)]).dictionary_encode()
    assert type_of(declared) == ("category", "holds_categories")


def test_a_copy_of_the_label_is_found_and_a_good_predictor_is_not_one():
    codes = RNG.integers(3, size=N)
    assert type_of(np.array(["a", "b", "c"])[codes], codes=codes)[1] == "column_copies_label"
    nearly = codes.copy()
    nearly[0] = (nearly[0] + 1) % 3
    assert type_of(nearly, codes=codes)[0] == "number"
    weights = codes * 100.0 + RNG.normal(size=N)  # every value once, and separated
    assert type_of(weights, codes=codes)[0] == "number"


def test_the_second_of_two_equal_columns_is_left_out():
    values = RNG.normal(size=50)
    table = pa.table({"a": values, "b": values, "c": values + 1, "d": map(str, values)})
    found = {kind.name: kind.reason.code for kind in column_types(columns_of(table))}
    assert found["b"] == found["d"] == "column_copies"
    assert found["c"] == "holds_numbers"


def test_given_types_win_and_wrong_names_are_refused():
    ids = np.arange(N)
    assert type_of(ids, given={"column": "number"}) == ("number", "type_given")
    assert type_of(ids, given={"column": "use"}) == ("number", "holds_numbers")
    with pytest.raises(LabelNoiseError) as caught:
        type_of(ids, given={"column": "color"})
    assert caught.value.note.code == "unknown_choice"


def test_structs_and_ragged_lists_are_left_out():
    table = pa.table({"s": [{"a": 1}, {"a": 2}], "l": [[1.0], [1.0, 2.0]], "x": [1.0, 2.0]})
    found = {kind.name: kind.reason.code for kind in column_types(columns_of(table))}
    assert found["s"] == found["l"] == "column_type_unsupported"


def test_the_order_of_the_rows_decides_nothing(mixed):
    shuffled = mixed.sample(frac=1, random_state=1)
    tables = [pa.Table.from_pandas(t, preserve_index=False) for t in (mixed, shuffled)]
    found = [list(column_types(columns_of(table))) for table in tables]
    assert found[0] == found[1]


@pytest.mark.parametrize(("n_rows", "least"), [(20, 2), (400, 4), (1000, 10), (10**6, 10)])
def test_the_number_of_rows_that_a_category_needs(n_rows, least):
    assert least_rows_of_category(n_rows) == least


def test_pandas_categories_are_categories_also_of_numbers():
    declared = pd.Series(RNG.integers(5, size=N)).astype("category")
    assert type_of(pa.array(declared))[0] == "category"


@pytest.mark.parametrize("name", ["source", "site", "operator"])
def test_names_that_may_be_features_need_several_values_to_be_groups(name):
    assert type_of([("web", "phone")[i % 2] for i in range(N)], name)[0] == "category"
    few = [("web", "phone")[i % 2] for i in range(N)]
    assert type_of(few, "annotator") == ("skip", "column_looks_like_group")
    assert type_of(few, f"{name}_id") == ("skip", "column_looks_like_group")
    many = [f"p{i // 3}" for i in range(N)]
    assert type_of(many, name) == ("skip", "column_looks_like_group")

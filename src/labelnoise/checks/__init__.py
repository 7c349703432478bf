"""Every test of user input, and the messages that go with them."""

from labelnoise.checks.arguments import (
    RandomSource,
    classifiers,
    fraction,
    generator,
    named,
    one_of,
    positive_int,
    positive_number,
    random_generator,
    row_positions,
)
from labelnoise.checks.label_codes import (
    Label,
    Labels,
    class_names,
    estimable,
    known_labels,
    label_array,
    labels,
)
from labelnoise.checks.tables import (
    MIN_ROWS,
    constant_columns,
    dense_size,
    distinct_columns,
    feature_matrix,
    probabilities,
    varying_columns,
)

__all__ = [
    "MIN_ROWS",
    "Label",
    "Labels",
    "RandomSource",
    "class_names",
    "classifiers",
    "constant_columns",
    "dense_size",
    "distinct_columns",
    "estimable",
    "feature_matrix",
    "fraction",
    "generator",
    "known_labels",
    "label_array",
    "labels",
    "named",
    "one_of",
    "positive_int",
    "positive_number",
    "probabilities",
    "random_generator",
    "row_positions",
    "varying_columns",
]

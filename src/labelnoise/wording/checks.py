"""Messages about arguments, labels, features, matrices and files that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

ARGUMENTS: Mapping[str, Message] = {
    "not_a_whole_number": Message(
        "{name} must be a whole number of at least {minimum}, got {value!r}",
        "pass {name}={minimum} or more",
        "give a whole number of at least {minimum}",
    ),
    "not_a_positive_number": Message(
        "{name} must be a number above 0, got {value!r}",
        "pass, for example, {name}={example:g}",
        "give a number above 0, such as {example:g}",
    ),
    "not_a_fraction": Message(
        "{name} must be a number above 0 and at most 1, got {value!r}",
        "pass, for example, {name}=0.5",
        "give a fraction such as 0.5",
    ),
    "level_not_below_one": Message(
        "the level of an interval must be a probability below 1, got {value!r}",
        "pass {level=:0.9} for a 90% interval",
    ),
    "unknown_choice": Message("unknown {name}: {value!r}", "choose one of {allowed:50}"),
    "unknown_parameters": Message(
        "{estimator} has no parameter {names}",
        "its parameters are {known:50}",
        optional={
            "suggestion": ". Did you mean {suggestion}?",
            "of_table": "; {of_table} is for tables: call load_table(path, {of_table}...), or "
            "Dataset.from_table(df, options) with "
            "options = labelnoise.data.table_options.TableOptions(label=..., {of_table}...)",
        },
    ),
    "input_not_used_by_method": Message("method {method!r} does not use {name}", "leave it out"),
    "not_a_random_state": Message(
        "random_state must be None, a non-negative whole number, a numpy Generator or a "
        "RandomState, got {value!r}",
        "pass random_state=0 for repeatable results",
        "give --seed a non-negative whole number",
    ),
    "rows_not_whole_numbers": Message(
        "rows must be a sequence of whole numbers, got shape {shape!r} and dtype {dtype}",
        "pass positions such as rows=[3, 17]; for a mask, pass numpy.flatnonzero(mask)",
        "number rows by their position in the data, from 0",
    ),
    "rows_out_of_range": Message(
        "{rows:row|rows} {rows} {rows:does|do} not exist: the data have rows 0 to {last}",
        "number rows by their position in the data, from 0",
    ),
    "class_instead_of_instance": Message(
        "{name} contains {class_name}, which is a class", "pass an instance: {class_name}()"
    ),
    "no_predict_proba": Message(
        "{name} contains {model}, which lacks fit or predict_proba",
        "pass classifiers that predict probabilities, such as LogisticRegression(); wrap others "
        "in CalibratedClassifierCV",
    ),
}

LABELS: Mapping[str, Message] = {
    "classes_not_distinct": Message(
        "classes must name at least two classes, each once, got {classes}",
        "name every class once",
    ),
    "no_labels": Message(
        "there are no labels (n_samples = 0)",
        "pass labeled rows",
        "give a table with labeled rows",
    ),
    "labels_are_none": Message(
        "labelnoise requires y to be passed, but the target y is None",
        "pass the noisy labels",
        "name the label column (--label)",
    ),
    "missing_labels": Message(
        "{name} has {n:missing label|missing labels}, the first at row {first}",
        "drop these rows, or pass load_table(table, label) instead, which leaves them out",
        "drop the rows without a label",
    ),
    "labels_not_one_column": Message(
        "labels must be a single column (a 1d array), got shape {shape!r}",
        "for one-hot labels, pass y.argmax(axis=1); several labels per row are not supported",
        "give one column of labels; several labels per row are not supported",
    ),
    "several_labels_per_row": Message(
        "{name} has several labels in a row, such as {example}",
        "keep one label for each row; several are not supported. Of a table, pass the column with "
        "the labels, such as df['label'], or make a Dataset of it with load_table",
        "keep one label for each row; several are not supported",
    ),
    "labels_of_mixed_types": Message(
        "the labels are of different types ({types}), which cannot be sorted together",
        "convert them to one type, for example [str(label) for label in y]",
        "write all labels as text, or all as numbers",
    ),
    "complex_labels": Message(
        "Complex data not supported: labels must be classes", "convert the labels to classes"
    ),
    "fractional_labels": Message(
        "Unknown label type: the labels are fractional numbers such as {example!r}, like a "
        "regression target",
        "pass class labels; to turn numbers into classes, use numpy.digitize",
        "name the label column (--label); numbers must be binned into classes first",
    ),
    "labels_not_in_classes": Message(
        "the labels include {labels}, but the given classes do not",
        "add them to classes=, or drop those rows",
        "drop those rows, or correct their labels",
    ),
    "too_few_rows": Message(
        "n_samples = {n_rows}: at least {minimum} labeled rows are required",
        "pass more rows",
        "give more rows",
    ),
    "single_class": Message(
        "the labels have 1 class ({classes}): with a single class there are no confusions to "
        "estimate",
        "pass labels of at least two classes",
        "name the label column (--label): it must have at least two classes",
    ),
    "labels_look_like_ids": Message(
        "the labels have {n_labels:,} distinct values in {n_rows:,} rows: they look like an "
        "identifier or a regression target, not like classes",
        "pass class labels, most of them occurring several times",
        "name a column of class labels with --label",
    ),
    "classes_with_one_row": Message(
        "{n:class has|classes have} only one row ({classes}), and nothing can be learned about a "
        "class from a single row",
        "merge these classes with others, or drop them",
    ),
    "labels_of_another_type": Message(
        "{name} has {labels}, but the classes are {classes}: the same names, but of another type",
        "convert the labels",
        "write the labels as they were written when the noise was estimated",
    ),
    "labels_not_among_classes": Message(
        "{name} has {labels}, but the classes of the estimate are {classes}",
        "correct these values; if the data have a class that no row is labeled with, name it in "
        "classes= when estimating",
        "correct these values; if the data have a class that no row is labeled with, name it with "
        "--new-class when estimating",
    ),
}

ROW_PER_ITEM = "an array with one row for each"

TABLES: Mapping[str, Message] = {
    "features_missing": Message(
        "X is None", "pass features", optional_remedy={"instead": ", or {instead}"}
    ),
    "masked_features": Message(
        "the features have masked values", "impute them, or drop those rows"
    ),
    "texts_as_features": Message(
        "the features are a sequence of texts, such as {example!r}, not numbers",
        f"pass a data frame with a text column, or embeddings of the texts: {ROW_PER_ITEM} text",
        "give a table with a column of texts, or embeddings of the texts (--embeddings)",
    ),
    "images_as_features": Message(
        "the features have {n_dimensions} dimensions (shape {shape!r}), like images; expected 2 "
        "(rows by features)",
        f"embed the images with a model ({ROW_PER_ITEM} image), or flatten them: "
        "X.reshape(len(X), -1)",
        "save an embedding of each image, or its flattened pixels, as one row of a table",
    ),
    "features_in_dictionary": Message(
        "the features are a dictionary, or a list of dictionaries",
        "make a table from it: pandas.DataFrame(X)",
        "save them as a table",
    ),
    "features_not_two_dimensional": Message(
        "the features have {n_dimensions} dimension(s), expected 2 (rows by features)",
        "Reshape your data: numpy.reshape(X, (-1, 1)) if it is a single feature, "
        "numpy.reshape(X, (1, -1)) if it is a single row",
        "save the array with one row for each label",
    ),
    "ragged_features": Message(
        "the features are ragged: the rows do not have the same shape",
        "give every row the same features in the same order; for texts or images of different "
        "sizes pass embeddings",
        "give every row the same features in the same order",
    ),
    "no_features": Message(
        "Found array with 0 feature(s) (shape={shape!r}) while a minimum of 1 is required",
        "pass at least one column of features",
        "keep at least one column besides the labels",
    ),
    "features_too_large": Message(
        "{name} takes {needed:.1f} GiB in dense form, more than {limit:.0f} GiB",
        "reduce it first, for example with sklearn.decomposition.TruncatedSVD(n_components=128)",
        "leave out columns (--drop), or replace them with an embedding (--embeddings)",
    ),
    "complex_features": Message(
        "Complex data not supported: features must be real numbers",
        "pass real and imaginary parts as separate columns",
        "save real and imaginary parts as separate columns",
    ),
    "features_not_numbers": Message(
        "the features have dtype {dtype} with values that are not numbers ({reason})",
        "encode text and categories as numbers, or pass a data frame, whose columns are encoded",
        "save the table as a CSV or Parquet file, whose columns are encoded",
    ),
    "features_not_finite": Message(
        "the features contain NaN or infinity: {n_values:value|values} in {n_rows:row|rows}, the "
        "first at row {row}, column {column}",
        "impute or drop them, for example with sklearn.impute.SimpleImputer()",
        "fill in these values, or drop those rows",
    ),
    "features_constant": Message(
        "all {n_rows} rows have the same features, so the features carry no information about the "
        "labels, and T is not identifiable",
        "check how X was built, or pass other features",
        "check the columns of the table, or use others (--features)",
    ),
    "constant_columns_dropped": Message(
        "{n} of {n_columns} columns of features are constant and were left out (columns {columns})",
        "drop them to silence this warning",
        "leave them out of the table to silence this warning",
    ),
    "rows_differ_from_estimate": Message(
        "{name} has {n_found} rows, but the estimate was made from {n_rows}", "pass the same rows"
    ),
    "probabilities_partly_named": Message(
        "the class probabilities have the columns {columns}, but the classes are {classes}",
        "name each column of pred_proba by its class, or pass an array with its columns in this "
        "order",
        "name each column by its class, or give an array (.npy) with its columns in this order",
    ),
    "probabilities_not_a_table": Message(
        "class probabilities must be a table of numbers, got shape {shape!r} and dtype {dtype}",
        "pass the output of predict_proba; for two classes, numpy.column_stack([1 - p, p])",
        "give one column of probabilities for each class, even if there are only two classes",
    ),
    "probabilities_of_wrong_shape": Message(
        "the class probabilities have shape {shape!r}, expected {expected!r}: one row for each "
        "label and one column for each class, in the order {classes}",
        "pass a column for each class; name classes without rows in classes=",
        "give a column for each class; name classes without rows with --new-class",
    ),
    "probabilities_do_not_sum_to_one": Message(
        "class probabilities must be at least 0 and sum to 1 in each row; {n:row does|rows do} "
        "not, the first is row {row} with {values:20}",
        "pass the output of predict_proba, not of decision_function",
        "give the model's probabilities, not its scores",
    ),
}

MATRICES: Mapping[str, Message] = {
    "wrong_number_of_classes": Message(
        "T has {n_rows} rows but {n_classes} classes were given ({classes})",
        "give one name for each row",
    ),
    "not_a_transition_matrix": Message(
        "a transition matrix must be a square array of finite numbers for at least 2 classes",
        "pass one row for each true class and one column for each label",
        optional={"shape": ", got shape {shape!r}", "reason": ": {reason}"},
    ),
    "transition_negative": Message(
        "T[{row}, {column}] = {value:.3g} is negative, but entries are probabilities",
        "clip small negatives to 0 and divide each row by its sum",
    ),
    "transition_row_sum": Message(
        "row {row} of T sums to {total:.6g}, not to 1", "divide each row by its sum"
    ),
    "transition_transposed": Message(
        "row {row} of T sums to {total:.6g}, not to 1; its columns do, as in cleanlab's "
        "noise_matrix",
        "use TransitionMatrix.from_cleanlab",
        "transpose it: rows are true classes",
    ),
    "transition_not_invertible": Message(
        "T cannot be inverted: its condition number is {condition:.3g}, because rows {classes} of "
        "T are (nearly) equal or mixtures of one another",
        "merge those classes, or use a correction that needs no inverse (the forward one)",
    ),
    "matrices_of_other_classes": Message(
        "the two matrices have different classes, or the same ones in another order: {first} and "
        "{second}",
        "give both the same classes in the same order",
    ),
    "not_a_class": Message("{label!r} is not a class: the classes are {classes:20}"),
    "noise_rates_reverse_order": Message(
        "noise rates must be at least 0 and sum to less than 1, got e1 = {e1} and e2 = {e2}",
        "swap the two classes if most labels are reversed",
    ),
    "delta_out_of_range": Message(
        "delta = e2 / e1 must be between 0 and 1, got {delta}", "swap the classes if e2 > e1"
    ),
    "matrix_of_other_classes": Message(
        "the matrix is for the classes {classes}, and the labels are {labels}",
        "make one for these labels, for example symmetric_noise([{labels:20}], 0.2)",
        "use an estimate of the same classes",
    ),
    "not_a_noise_rate": Message(
        "a noise rate lies between 0 and 1, got {value!r}",
        "pass, for example, rate=0.2",
        "give a rate such as 0.2",
    ),
    "noise_rate_too_high": Message(
        "no diagonally dominant row with noise rate {rate} was found for {n_classes} classes",
        "lower the rate",
    ),
}

FILES: Mapping[str, Message] = {
    "cannot_write": Message(
        "cannot write {path!r}: {reason}",
        "name a file in an existing folder that you may write to",
    ),
    "text_not_encodable": Message(
        "cannot write {path!r}: the text near {near!r} holds half of a surrogate pair, which UTF-8 "
        "cannot encode",
        "replace it in your data: text.encode('utf-8', 'replace').decode()",
        "correct that text in the data; it may have been saved in another encoding (--encoding)",
    ),
    "not_utf8": Message(
        "cannot read {path!r}: it is not UTF-8 (byte {position})", "save it as UTF-8"
    ),
    "cannot_read": Message("cannot read {path!r}: {reason}", "check the path"),
}

MESSAGES: Mapping[str, Message] = {**ARGUMENTS, **LABELS, **TABLES, **MATRICES, **FILES}

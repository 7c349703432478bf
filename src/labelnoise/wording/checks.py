"""Messages about arguments, labels, features, matrices and files that cannot be used."""

from labelnoise.wording.message import Message

MESSAGES = {
    # Arguments.
    "not_a_whole_number": Message(
        "{name} must be a whole number of at least {minimum}, got {value!r}",
        "give, for example, {minimum}",
    ),
    "not_a_positive_number": Message(
        "{name} must be a number above 0, got {value!r}", "give, for example, {example:g}"
    ),
    "not_a_fraction": Message(
        "{name} must be a number above 0 and at most 1, got {value!r}",
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
    ),
    "rows_not_whole_numbers": Message(
        "rows must be a sequence of whole numbers, got shape {shape!r} and dtype {dtype}",
        "pass positions such as rows=[3, 17]; for a mask, pass numpy.flatnonzero(mask)",
    ),
    "rows_out_of_range": Message(
        "{rows:row|rows} {rows} {rows:does|do} not exist: the data have rows 0 to {last}",
        "number rows by their position in the data, from 0",
    ),
    "no_predict_proba": Message(
        "{name} contains {model}, which is not a classifier that predicts probabilities",
        "pass classifiers that predict probabilities, such as LogisticRegression(); wrap others "
        "in CalibratedClassifierCV",
    ),
    # Labels.
    "classes_not_distinct": Message(
        "classes must name at least two classes, each once, got {classes}", "name every class once"
    ),
    "no_labels": Message("there are no labels (n_samples = 0)", "pass labeled rows"),
    "labels_are_none": Message(
        "labelnoise requires y to be passed, but the target y is None", "pass the noisy labels"
    ),
    "missing_labels": Message(
        "{name} has {n:missing label|missing labels}, the first at row {first}",
        "drop these rows, or pass load_table(table, label) instead, which leaves them out",
    ),
    "labels_not_one_column": Message(
        "labels must be a single column (a 1d array), got shape {shape!r}",
        "for one-hot labels, pass y.argmax(axis=1); several labels per row are not supported",
    ),
    "several_labels_per_row": Message(
        "{name} has several labels in a row, such as {example}",
        "keep one label for each row; several are not supported. Of a table, pass the column with "
        "the labels, such as df['label'], or make a Dataset of it with load_table",
    ),
    "labels_of_mixed_types": Message(
        "{name} has values of different types ({types}), which cannot be sorted together",
        "convert them to one type, such as text",
    ),
    "fractional_labels": Message(
        "Unknown label type: the labels are fractional numbers such as {example!r}, like a "
        "regression target",
        "pass class labels; to turn numbers into classes, use numpy.digitize",
        "name a column of class labels with --label; numbers must be binned into classes first",
    ),
    "labels_not_in_classes": Message(
        "the labels include {labels}, but the given classes do not",
        "add them to {classes=}, or drop those rows",
    ),
    "too_few_rows": Message(
        "n_samples = {n_rows}: at least {minimum} labeled rows are required", "collect more rows"
    ),
    "single_class": Message(
        "the labels have 1 class ({classes}): with a single class there are no confusions to "
        "estimate",
        "pass labels of at least two classes",
        "name a label column with at least two classes (--label)",
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
        "write the labels as they were written when the noise was estimated",
    ),
    "labels_not_among_classes": Message(
        "{name} has {labels}, but the classes of the estimate are {classes}",
        "correct these values; if the data have a class that no row is labeled with, name it "
        "in {classes=} when estimating",
    ),
    # Features and class probabilities.
    "features_missing": Message(
        "X is None, but features are needed", optional={"instead": ", or {instead}"}
    ),
    "features_not_usable": Message(
        "the features cannot be used: {reason}",
        "pass numbers, one row for each label, or a data frame, whose columns are encoded; of "
        "texts and images pass embeddings, or flatten images: X.reshape(len(X), -1)",
    ),
    "masked_features": Message(
        "the features have masked values", "impute them, or drop those rows"
    ),
    "no_features": Message(
        "Found array with 0 feature(s) (shape={shape!r}) while a minimum of 1 is required",
        "keep at least one column besides the labels",
    ),
    "features_too_large": Message(
        "{name} takes {needed:.1f} GiB in dense form, more than {limit:.0f} GiB",
        "leave out columns, or replace them with an embedding, such as "
        "sklearn.decomposition.TruncatedSVD(n_components=128) makes",
    ),
    "features_not_finite": Message(
        "the features contain NaN or infinity: {n_values:value|values} in {n_rows:row|rows}, the "
        "first at row {row}, column {column}",
        "fill in these values, for example with sklearn.impute.SimpleImputer(), or drop those rows",
    ),
    "features_constant": Message(
        "all rows have the same features, so the features carry no information about the labels, "
        "and T is not identifiable",
        "check how the features were made, or use others",
    ),
    "constant_columns_dropped": Message(
        "{n} of {n_columns} columns of features are constant and were left out (columns {columns})",
        "leave them out of the data to silence this warning",
    ),
    "probabilities_partly_named": Message(
        "the class probabilities have the columns {columns}, but the classes are {classes}",
        "name each column by its class, or pass an array with its columns in this order",
    ),
    "probabilities_not_a_table": Message(
        "class probabilities must be a table of numbers, got shape {shape!r} and dtype {dtype}",
        "pass a column for each class, even if there are only two: the output of predict_proba",
    ),
    "probabilities_of_wrong_shape": Message(
        "the class probabilities have shape {shape!r}, expected {expected!r}: one row for each "
        "label and one column for each class, in the order {classes}",
        "pass a column for each class; name classes without rows in {classes=}",
    ),
    "probabilities_do_not_sum_to_one": Message(
        "class probabilities must be at least 0 and sum to 1 in each row; {n:row does|rows do} "
        "not, the first is row {row} with {values:20}",
        "pass the output of predict_proba, not of decision_function",
    ),
    # Transition matrices.
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
        "use the matrix of the same classes, or make one, for example "
        "symmetric_noise([{labels:20}], 0.2)",
    ),
    "not_a_noise_rate": Message(
        "a noise rate lies between 0 and 1, got {value!r}", "give a rate such as 0.2"
    ),
    "noise_rate_too_high": Message(
        "no diagonally dominant row with noise rate {rate} was found for {n_classes} classes",
        "lower the rate",
    ),
    # Files.
    "cannot_write": Message(
        "cannot write {path!r}: {reason}", "name a file in an existing folder that you may write to"
    ),
    "not_utf8": Message(
        "cannot read {path!r}: it is not UTF-8 (byte {position})", "save it as UTF-8"
    ),
    "cannot_read": Message("cannot read {path!r}: {reason}", "check the path"),
}

"""Messages about tables, columns, labels and data sets."""

from labelnoise.wording.message import Message

MESSAGES = {
    # Tables.
    "repeated_column_names": Message(
        "{table} has several columns named {columns}", "give each column a different name"
    ),
    "lazy_frame": Message("{table} is a lazy frame", "call its collect() and pass the result"),
    "no_usable_column": Message(
        "no column can be used as a feature ({why})",
        "specify types of columns with load_table(table, label, column_types=...), or pass "
        "embeddings",
        "specify columns with --features or their types with --as, drop fewer columns, or pass "
        "--embeddings",
    ),
    "types_of_unknown_columns": Message(
        "there is no column {unknown}; the columns are {columns:20}",
        "correct the names in {column_types=}",
    ),
    "column_unusable": Message(
        "column {column!r} cannot be used as specified: {why}",
        "choose another type in {column_types=}, or 'skip'",
    ),
    "column_infinite": Message(
        "column {column!r} has infinite values", "replace them, or leave the column out"
    ),
    "column_changed_type": Message(
        "column {column!r} had type {type} when the encoder was fitted, and has another type now",
        "pass new rows of the same table",
    ),
    "new_rows_differ": Message(
        "X does not have the columns that the estimator was fitted on",
        "pass the same columns, in the same kind of container",
        optional={
            "missing": ": it lacks {missing}",
            "columns": ": it is an array, not a table with {columns:20}",
            "is_table": ": it is a table, not an array",
            "found": ": it has {found:feature|features}, not {expected}",
        },
    ),
    # What becomes of a column, and why.
    "type_given": Message("as specified"),
    "column_type_unsupported": Message("its type {type} cannot be used"),
    "column_empty": Message("it has no values"),
    "column_constant": Message("it has the same value in every row"),
    "column_looks_like_id": Message("it looks like an identifier"),
    "column_looks_like_group": Message(
        "its name suggests that it records who labeled a row or where the row comes from"
    ),
    "column_holds_amounts": Message(
        "its values, such as {example!r}, are numbers with other characters: write them as plain "
        "numbers to use them"
    ),
    "column_copies_label": Message(
        "each of its values occurs with one label only, so it copies the label"
    ),
    "column_copies": Message("it is the same as column {other!r}"),
    "column_rarely_repeats": Message("its values hardly ever repeat"),
    "column_of_other_type": Message("not all of its values can be read as type {type}"),
    "column_has_infinite_values": Message("it has values that are infinite, or above 1e100"),
    "texts_share_no_word": Message("its texts share hardly any words"),
    "holds_numbers": Message("it holds numbers"),
    "holds_booleans": Message("it holds true/false values"),
    "holds_dates": Message("it holds dates"),
    "holds_vectors": Message("it holds vectors of one length"),
    "holds_texts": Message("it holds {n:text|different texts}"),
    "holds_categories": Message("it holds {n:category|categories}"),
    # Notes on columns.
    "columns_by_type": Message("columns by type: {types}", "change a type with {column_types=}"),
    "columns_skipped": Message(
        "{n:column is|columns are} left out: {columns} ({why})",
        "to use one anyway, specify its type with {column_types=}",
    ),
    "columns_may_be_groups": Message(
        "{columns} {n:|is not used as a feature: its name suggests that it records|are not used "
        "as features: their names suggest that they record} who labeled a row or where the row "
        "comes from",
        "if rows with the same value may share errors, pass it as {groups=}; to use it as a "
        "feature, specify its type with {column_types=}",
    ),
    "columns_useless": Message("{n:column is|columns are} left out: {columns} ({why})"),
    "numbers_imputed": Message(
        "{n:missing value|missing values} of {columns} {n:|is|are} replaced by the median of the "
        "column, with an indicator"
    ),
    "categories_pooled": Message(
        "{n:,} rare categories of {columns} are pooled into one{columns:| per column}"
    ),
    "texts_reduced": Message(
        "texts of {columns} become {n} features (TF-IDF and SVD)",
        "embeddings from a language model usually carry more information: pass them as X",
        "embeddings from a language model usually carry more information: pass them with "
        "--embeddings",
    ),
    "column_predicts_label": Message(
        "column {column!r} predicts the labels suspiciously well (it explains {share:.0%} of "
        "their variation, all columns unlike it together {others:.0%}). If it was made from the "
        "labels, or if the rows are sorted by label, it hides wrong labels",
        "leave out column {column!r}, or, if it was not made from the labels, confirm its type: "
        "pass load_table(table, label, column_types={{{column!r}: {type!r}}}) to estimate",
        "leave out column {column!r} with --drop, or, if it was not made from the labels, confirm "
        "its type with {column_types=:{column}={type}}",
    ),
    "columns_hide_noise": Message(
        "with all columns, {low:.1%} to {high:.1%} of the labels are wrong; without "
        "{columns:column|columns} {columns:50}, {least:.1%} to {most:.1%}. If {columns:it was|they "
        "were} made from the labels, wrong labels look right",
        "leave out {columns:column|columns} {columns:50}, or, if not made from the labels, confirm "
        "the {columns:type|types}: pass load_table(table, label, column_types={column_types}) to "
        "estimate",
        "leave out {columns:column|columns} {columns:50} with --drop, or, if not made from the "
        "labels, confirm the {columns:type|types} with --as NAME=TYPE",
    ),
    "shown_only": Message(
        "column {column!r} is shown to reviewers only, not used as a feature",
        "to use its text as well, leave out {shown=}",
    ),
    # Labels.
    "label_guessed": Message(
        "column {column!r} is used as the label column", "specify another one with {label=}"
    ),
    "no_label_column": Message(
        "no column of {table} has a name that labels usually have; the columns are {columns:20}",
        "name the label column with {label=}",
    ),
    "no_such_column": Message(
        "{table} has no column {column!r}; the columns are {columns:20}",
        "correct the name in {parameter:flag}",
        optional={
            "suggestion": ". Did you mean {suggestion!r}?",
            "single": ". There is only one column: "
            "are its cells separated by an unexpected character?",
        },
    ),
    "label_is_feature": Message(
        "column {column!r} is both the label and a feature", "use it as one of them only"
    ),
    "group_is_label": Message(
        "column {column!r} is the label, so it cannot also say which rows belong together",
        "leave {groups=} out, or name another column, such as one of patients or sessions",
    ),
    "group_is_feature": Message(
        "column {column!r} says which rows belong together, so it cannot also be a feature",
        "use it as one of them only",
    ),
    "column_used_twice": Message(
        "{columns} {columns:is|are} named both as a feature and as a column to show or to drop",
        "name each column only once",
    ),
    "one_class_only": Message(
        "fewer than two labels of column {column!r} occur more than once: with a single class "
        "there are no confusions to estimate",
        "name another label column, or add rows of other classes",
    ),
    "labels_spelled_alike": Message(
        "labels {labels} count as different classes, although they differ only in capitals, "
        "spaces or a trailing .0",
        "spell them the same way in the data",
    ),
    "label_misspelled": Message(
        "label {rare!r} ({n_rare:row|rows}) looks like {usual!r} ({n_usual:row|rows})",
        "if it is misspelled, correct it in the data",
    ),
    "label_like_missing": Message(
        "{labels:label|labels} {labels} {labels:is counted as a class|are counted as classes}",
        "if that means that the row is unlabeled, drop these rows, or pass "
        "load_table(table, label, unlabeled=[{labels:20}]), which leaves them out",
        "if that means that the row is unlabeled, pass it to --unlabeled",
    ),
    "unlabeled_not_found": Message(
        "no row has the label {labels}, which was specified to mean 'unlabeled'", "correct the name"
    ),
    "unlabeled_misspelled": Message(
        "no row has the label {label!r}, which was specified to mean 'unlabeled'. Did you mean "
        "{suggestion!r}?"
    ),
    "rows_without_label": Message("{n:row without a label is|rows without a label are} left out"),
    "labels_of_one_row": Message(
        "rows with a label that occurs only once are left out: {labels}",
        "if these labels are misspelled, correct them in the data",
    ),
    # Files beside the table.
    "labels_of_other_length": Message(
        "{path!r} must hold one label for each of the {n_rows} rows of {table}, but has "
        "{n_labels:row|rows} and {n_columns:column|columns}",
        "pass a file with a single column of labels",
    ),
    "embeddings_of_other_shape": Message(
        "{path!r} must hold one array of numbers with a row for each of the {n_rows} rows of the "
        "table, but holds {found}",
        "save one array of numbers (.npy), or a table of numbers without missing values",
    ),
    "ids_with_separate_labels": Message(
        "the labels are in a separate file, so rows are numbered, not named by column {column!r}"
    ),
    # Frames.
    "rows_in_another_order": Message(
        "the indexes of {first} and {second} list the same rows in different orders, but rows are "
        "matched by position",
        "align them ({second} = {second}.loc[{first}.index]), or pass {second}.to_numpy() if they "
        "correspond already",
    ),
    "index_of_features_differs": Message(
        "X and y have different indexes, so it is not clear which label belongs to which row",
        "align them, or pass y.to_numpy() if rows correspond already",
    ),
    "ids_missing": Message("some row ids are missing", "give every row an id"),
    "ids_not_distinct": Message(
        "row ids are not distinct: {ids} occur more than once",
        "give one id for each row, or leave them out to number the rows",
    ),
    "column_does_not_fit_frame": Message(
        "a column cannot be converted to {library}: {reason}",
        "give its values one type, or choose another output=",
    ),
    "frame_library_not_installed": Message(
        "{library} is not installed", "install it, or leave out output="
    ),
    "columns_differ_in_length": Message(
        "columns of {frame} differ in length: {lengths}", "pass one value for each row"
    ),
    "not_a_frame": Message(
        "{frame} must be a frame with named columns, got {kind}",
        "pass what find_label_issues returned",
    ),
    # Files.
    "no_such_file": Message(
        "there is no file {path!r}", optional={"suggestion": ". Did you mean {suggestion!r}?"}
    ),
    "file_is_empty": Message("{name} is empty", "pass a table with labeled rows"),
    "file_without_rows": Message(
        "{name} has no rows", "pass a table with a header and labeled rows"
    ),
    "standard_input_closed": Message(
        "standard input is closed", "pipe a table into it, or name a file"
    ),
    "input_changed": Message(
        "{name} changed while it was read, so nothing was written",
        "run again when nothing is writing to it",
    ),
    "unpacks_beyond_memory": Message(
        "{name} unpacks to more than the {gigabytes:.2g} GB that may be used",
        "pass part of it, or an unpacked file",
        "raise --max-memory, or pass part of the file",
    ),
    "unpacks_beyond_disk": Message(
        "there is not enough free disk space in {folder!r} to unpack {name}",
        "free some space, or set TMPDIR to a folder with more",
    ),
    "spreadsheet_not_supported": Message(
        "{name!r} is a spreadsheet in a format that cannot be read ({ending})",
        "save it as .xlsx or CSV",
    ),
    "not_the_format_of_its_name": Message(
        "{name!r} is not a {format} file, although its name says so",
        "save it again, or pass {format=} if it is something else",
    ),
    "package_missing_for_format": Message(
        "{format} files need the package {package}", "install it: pip install 'labelnoise[{extra}]'"
    ),
    "header_of_numbers": Message(
        "the first line of {name} has only numbers ({header:4}), so it does not name the columns",
        "add a header, or pass header=False to call the columns c1, c2, ...",
        "add a header, or pass --no-header to call the columns c1, c2, ...",
    ),
    "delimiter_not_one_character": Message(
        "a delimiter must be one character, got {delimiter!r}",
        "pass, for example, {delimiter=:';'}",
    ),
    "unknown_encoding": Message(
        "unknown encoding {encoding!r}", "pass, for example, {encoding=:'cp1252'}"
    ),
    "not_this_encoding": Message(
        "{name} is not {encoding} text: see line {line}",
        "save it as UTF-8, or name its encoding, for example {encoding=:'cp1252'}",
    ),
    "ragged_rows": Message(
        "row {row} of {name} has {n_cells:cell|cells}, but the header has {n_columns}",
        "if cells are not separated by {delimiter!r}, pass {delimiter=}; otherwise put cells that "
        "contain it in double quotes",
    ),
    "quote_not_closed": Message(
        "a record of {name} never ends: a double quote is probably not closed",
        "close it, or double every quote within a cell",
    ),
    "not_delimited_text": Message(
        "{name} cannot be read as delimited text: {reason}",
        "correct the file, or pass {format=} if it is something else",
    ),
    "not_json_lines": Message(
        "line {line} of {name} is not a JSON object: {reason}", "write one object on each line"
    ),
    "damaged_file": Message(
        "{name} cannot be read: {reason}",
        "check that the file is complete, or save it again",
        optional={"arrays": "; it should hold arrays of {arrays}"},
    ),
    "arrays_of_other_shapes": Message(
        "{name} must hold arrays of shape (n, d) or (n,) with the same n, but holds {shapes}",
        "save features and labels with numpy.savez(path, X=X, y=y)",
    ),
    # Notes on files.
    "format_by_content": Message(
        "the file is read as {format}, according to its first bytes",
        "specify another format with {format=}",
    ),
    "delimiter_guessed": Message(
        "cells are separated by {delimiter!r}", "if not, specify the delimiter with {delimiter=}"
    ),
    "blank_lines_skipped": Message("blank lines are skipped"),
    "decimal_commas": Message("commas in numbers are read as decimal points"),
    "sheet_chosen": Message("the file has {n} sheets: reading sheet {sheet!r}, the active one"),
}

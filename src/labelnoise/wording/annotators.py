"""Messages about several annotators: their answers, and what can be known from them."""

from labelnoise.wording.message import Message

INPUT = {
    "answer_columns_unknown": Message(
        "it is not clear which column of annotations is the {missing:or}; the columns are "
        "{columns:20}",
        "name it: row=, annotator= or label=. In a matrix with a column for each annotator, "
        "columns share labels, and none is called like an annotator or a label",
        "name it with --row, --annotator or --label",
    ),
    "answers_not_a_table": Message(
        "annotations must be a long table, a matrix (rows x annotators) or a tuple of three arrays",
        "pass a frame with columns row, annotator and label, or a two-dimensional array with gaps",
        "give a table with columns row, annotator and label",
        optional={"shape": ", got shape {shape!r}"},
    ),
    "answers_unnamed": Message(
        "{n:answer has|answers have} no {column}, the first at position {first}",
        "fill in the {column}, or drop these answers",
    ),
    "answers_contradictory": Message(
        "annotators gave several labels to one row, {n:time|times}; the first is {annotator!r} at "
        "row {row!r}",
        "keep one answer of each annotator to each row, for example the last; if the same person "
        "answered at different times, name these sessions as different annotators",
    ),
    "answers_repeated": Message(
        "{n:answer is|answers are} given more than once, and counted once",
        "drop repeated lines to silence this warning",
    ),
    "answers_to_unknown_rows": Message(
        "there are answers to {n:row|rows} that the features do not have: {rows}",
        "pass the names of the rows of X as ids=, or number rows by their position in X, from 0",
        "name the column of the features that identifies rows with --id",
    ),
    "numbers_too_large": Message(
        "{name} has numbers that are too large for 64 bits", "convert them to text"
    ),
    "rows_named_twice": Message(
        "several lines of the matrix of answers have the same name",
        "give every line a name of its own, or pass a long table",
        "give every line a name of its own, or a table with columns row, annotator and label",
    ),
    "single_annotator": Message(
        "all answers are by one annotator: {annotators}",
        "with features, use labelnoise.estimate(X, y); without them, nothing can be known",
        "use labelnoise estimate, with features",
    ),
    "features_not_given": Message(
        "--id and --drop are about the features, and there are none", "give them with --features"
    ),
    "ids_without_features": Message("ids= are the names of the rows of X, and X is not given"),
    "too_many_feature_columns": Message(
        "the features have {n} columns, and at most {maximum} are possible",
        "reduce them first, for example with sklearn.decomposition.TruncatedSVD(n_components=256)",
        "leave out columns, or replace them with an embedding of fewer dimensions",
    ),
}

RESULT = {
    "consensus_probability": Message(
        "{share:.1%} of the consensus labels are expected to be right; fewer if annotators make "
        "the same mistakes, which answers alone do not show"
    ),
    "agreement": Message(
        "pairs of answers to the same row agree in {pairwise:.1%} ({n:row|rows})",
        optional={"alpha": ", Krippendorff's alpha is {alpha:.2f}"},
    ),
    "no_such_annotator": Message("there is no annotator {name!r}; there are {annotators}"),
    "no_draws_of_annotators": Message(
        "method 'dawid-skene' has no intervals", "use the default method, 'hierarchical'"
    ),
    "not_annotators": Message(
        "{path!r} does not hold an estimate of annotators",
        "pass what est.save('annotators.json') wrote",
        optional={"reason": ": {reason}"},
    ),
}

FINDINGS = {
    "two_annotators": Message(
        "there are only two annotators, {annotators}: where they disagree, their answers do not "
        "show who is right, and common mistakes remain hidden. T is then mostly what is assumed "
        "of annotators in general",
        "get a third answer, at least to some of the rows, or check about a hundred rows by hand",
    ),
    "few_rows_with_three_answers": Message(
        "only {n:row has|rows have} three answers or more, and two answers do not show who is "
        "right",
        "get a third answer to at least {minimum} rows, best to rows where two disagree",
    ),
    "annotators_do_not_agree": Message(
        "annotators agree no more than by chance (Krippendorff's alpha {alpha:.2f})",
        "check that rows, annotators and labels are in the right columns, and that all annotators "
        "use the same labels",
    ),
    "single_label_sources": Message(
        "{n:source gives|sources give} (nearly) always the same label: {annotators}. Such answers "
        "are informative by which rows they are given to, and how often they are right is hardly "
        "known without features",
        "pass features (X), or let a few people answer some rows",
        "give features (--features), or let a few people answer some rows",
    ),
    "answers_at_random": Message(
        "{n:annotator answers|annotators answer} almost at random: {annotators}",
        "their answers hardly count; look at some of them before paying for more",
    ),
    "answers_worse_than_chance": Message(
        "{n:annotator is|annotators are} wrong more often than by chance: {annotators}",
        "check whether labels or rows were mixed up",
    ),
    "rows_without_answers": Message(
        "{n:row has|rows have} no answer; the label of such a row follows from its features, or "
        "from the class frequencies alone"
    ),
    "features_not_useful": Message(
        "the features do not help to predict the answers, and were not used",
        "check that the rows of X are those of the answers; ids= names them",
        "check that the rows are those of the answers; --id names the column that identifies them",
    ),
}

MESSAGES = {**INPUT, **RESULT, **FINDINGS}

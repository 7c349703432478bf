"""Options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer


def option(names: str, help_text: str, default: str | bool = True, **settings: Any) -> Any:
    """An option with names separated by spaces; the help shows `default` as the default."""
    return typer.Option(*names.split(), help=help_text, show_default=default, **settings)


data_option = partial(option, rich_help_panel="Data")
run_option = partial(option, rich_help_panel="Run")
method_option = partial(option, rich_help_panel="Method")

Text = str | None
Texts = list[str] | None

DATA = (
    "CSV, TSV, Excel (.xlsx), Parquet, Arrow, Feather, JSON Lines, .npy or .npz file, also "
    "compressed; - for standard input."
)
LABEL = "Label column; for .npy data, a file of labels."
FEATURES = "Use only these columns. Repeat the option, or separate names by commas."
GROUP = (
    "Column that identifies rows that belong together, such as the patient: rows of a group are "
    "not compared with one another, and the column is not used as a feature."
)
SHOWN = "Column to show to reviewers; it is not used as a feature."
SHOWN_BY_DEFAULT = "texts and the most informative columns"
TYPES = "Type of a column: number, category, date, text, vector or skip."
EMBEDDINGS = "Array (.npy) with a row for each row of the table, used instead of its columns."
UNLABELED = "Value, such as NA, that marks a row as unlabeled."
NEW_CLASS = "Class that reviewers use although no row is labeled with it."
ID = "Column that names the rows."
FORMAT = "csv, jsonl, xlsx, parquet, arrow, npy or npz."
DELIMITER = "Character that separates cells, or \\t."
ENCODING = "Encoding of the text, such as cp1252."
NO_HEADER = "The first line holds data; columns are called c1, c2, ..."
THREADS = "Maximum number of threads; results do not depend on it."
MAX_MEMORY = "Stop if more memory than this is needed, such as 4GB."
METHOD = (
    "rank-gated, hoc, x-kl, x-tv, a-kl, a-tv, confident-learning, t-revision, t-vol, t-tv or "
    "selective."
)
NOISE = (
    "class: mistakes depend on the class alone. instance: every label that disagrees with its "
    "surroundings is wrong. Only for rank-gated."
)
PRED_PROBA = (
    "Class probabilities of a model that was not trained on these rows, used instead of features: "
    "a .npy, CSV or Parquet file with a column for each class, named by class or in the sorted "
    "order of the classes."
)
AUDIT = (
    "Decisions about reviewed rows (columns row, given, reviewed) to learn from, whether or not "
    "they were applied to the data. Repeat for several rounds, earliest first."
)
ESTIMATE = (
    "Estimate of these data saved by labelnoise estimate -o, used instead of a new one: a .json "
    "file, or a folder, which also holds what is known about individual rows. It determines how "
    "columns are used: --features, --drop, --group and --as then affect only what is shown."
)


@dataclass(frozen=True)
class DataOptions:
    """The table, and what its columns are."""

    data: Annotated[str, typer.Argument(help=DATA, show_default=False)]
    label: Annotated[Text, data_option("--label -l", LABEL, "guessed")] = None
    features: Annotated[Texts, data_option("--features -f", FEATURES, "all others")] = None
    drop: Annotated[Texts, data_option("--drop", "Ignore these columns.")] = None
    id_column: Annotated[Text, data_option("--id", ID, "row numbers, from 0")] = None
    group: Annotated[Text, data_option("--group", GROUP, False)] = None
    shown: Annotated[Texts, data_option("--text-column", SHOWN, SHOWN_BY_DEFAULT)] = None
    column_types: Annotated[Texts, data_option("--as", TYPES, "guessed", metavar="NAME=TYPE")] = (
        None
    )
    embeddings: Annotated[Text, data_option("--embeddings", EMBEDDINGS, metavar="FILE")] = None
    unlabeled: Annotated[Texts, data_option("--unlabeled", UNLABELED)] = None
    new_class: Annotated[Texts, data_option("--new-class", NEW_CLASS)] = None
    format: Annotated[Text, data_option("--format", FORMAT, "guessed")] = None
    delimiter: Annotated[Text, data_option("--delimiter", DELIMITER, "guessed")] = None
    encoding: Annotated[Text, data_option("--encoding", ENCODING, "UTF-8")] = None
    no_header: Annotated[bool, data_option("--no-header", NO_HEADER)] = False

    @property
    def files(self) -> tuple[str | None, ...]:
        """Files that are read."""
        return self.data, self.label, self.embeddings


@dataclass(frozen=True)
class RunOptions:
    """How to run, and what to print."""

    json: Annotated[bool, run_option("--json", "Print the result as JSON.")] = False
    quiet: Annotated[bool, run_option("--quiet -q", "Print no progress, notes or hints.")] = False
    seed: Annotated[int | None, run_option("--seed", "Random seed.", min=0)] = None
    threads: Annotated[int | None, run_option("--threads", THREADS, "all cores", min=1)] = None
    max_memory: Annotated[
        Text, run_option("--max-memory", MAX_MEMORY, "3/4 of the machine", metavar="SIZE")
    ] = None


@dataclass(frozen=True)
class MethodOptions:
    """How to estimate the noise."""

    method: Annotated[str, method_option("--method -m", METHOD)] = "rank-gated"
    noise: Annotated[Text, method_option("--noise", NOISE, "class")] = None
    pred_proba: Annotated[
        Path | None, method_option("--pred-proba", PRED_PROBA, metavar="FILE")
    ] = None
    audit: Annotated[list[Path] | None, method_option("--audit", AUDIT, metavar="FILE")] = None
    audit_column: Annotated[
        str,
        method_option("--audit-column", "Column of the audit files with the reviewed labels."),
    ] = "reviewed"


SavedEstimate = Annotated[Text, method_option("--estimate", ESTIMATE, metavar="PATH")]

"""``find_label_issues``: a frame of rows to review."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

from labelnoise import checks
from labelnoise.data.containers import (
    LIBRARIES,
    as_frame,
    default_library,
    frame_library,
    pandas_index,
    row_ids,
)
from labelnoise.data.dataset import Dataset, labels_and_ids
from labelnoise.data.frames import split_column
from labelnoise.data.table_options import suggestion_for
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.methods import DEFAULT_METHOD, estimate, warn_if_unreliable
from labelnoise.noise_estimate import NoiseEstimate, noise_statement, states_noise_rate
from labelnoise.review.content import content_columns
from labelnoise.review.decisions import REVIEWED, SPREADSHEET_ROW
from labelnoise.review.settings import N_NEIGHBORS
from labelnoise.review.suspects import COLUMNS, Suspects
from labelnoise.row_model import SHOWN_NEIGHBORS
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from collections.abc import Mapping


def find_label_issues(
    data: Any,
    y: Any = None,
    *,
    budget: int | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    per_class: bool = True,
    n_neighbors: int = N_NEIGHBORS,
    probabilities: bool = False,
    ids: Any = None,
    content: Any = None,
    output: str | None = None,
    **parameters: Any,
) -> Any:
    """Find the rows whose labels are probably wrong.

    Returns as many rows as labels are estimated to be wrong, unless `budget` or `threshold` is
    given, the most likely errors first. Rows that were audited (`with_audit`) are left out. If
    labels are almost clean, T may imply more errors than there are suspicious rows; then
    `expected_precision` is low. The probability that a label is wrong follows from the estimate:
    ``P(true = i | x, observed = j)`` is proportional to ``P(true = i | x) T[i, j]``.

    Parameters
    ----------
    data : NoiseEstimate, Dataset, or features of shape (n, d)
        An estimate by method "rank-gated", made from these labels; or a table, an array or a
        sparse matrix, as `estimate` takes them.
    y : array-like of shape (n,), str, or Dataset
        The noisy labels; the name of their column if `data` is a table; or the data set that the
        estimate was made from. Left out if `data` is a `Dataset`.
    budget : int, optional
        Return this many rows, or all if there are fewer: those you have time to review.
    threshold : float or mapping from label to float, optional
        Return all rows that are wrong with at least this probability, one for all labels or one
        for each. A `budget` then keeps the most likely errors among them, whatever their label.
    per_class : bool
        Whether rows are allocated to the given labels in proportion to their numbers of errors, so
        that rare labels, and labels with less certain errors, are not crowded out. Otherwise the
        most likely errors are returned, whatever their label: more errors in the same number of
        rows.
    n_neighbors : int
        Neighbors to show as evidence, at most 10.
    probabilities : bool
        Add a column ``p_true[<class>]`` for every class.
    ids : sequence, optional
        Identifiers of the rows. If left out, the index of `y` if it is a pandas series (or a column
        of a pandas frame), those of the rows if it is a `Dataset`, else positions, counted from 0.
    content : frame, series or sequence of n entries, optional
        What reviewers are to see: its columns are carried along.
    output : {"pandas", "polars", "pyarrow"}, optional
        Library of the frame. If left out, that of `data`, `y` or `content`; for plain arrays
        pandas if it is installed, else pyarrow.
    **parameters
        For `estimate`, if `data` are features.

    Returns
    -------
    frame
        One line for each row: `row` (its id), `given` and `suggested` labels (the most likely other
        class), the probabilities `p_wrong` and `p_suggested` that the one is wrong and the other
        right, `neighbors` and `neighbor_labels`. Reviewing down to a line is expected to have the
        results in `expected_precision` (share of the reviewed rows that are wrong) and
        `expected_found` (share of all errors that are found). Both are missing (NaN), with a
        warning, where the estimate states no share of wrong labels: the data cannot tell, there is
        no clear sign of wrong labels, or some may be hidden.

    Examples
    --------
    >>> import labelnoise as ln
    >>> X, y = ln.make_twonorm(2000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], random_state=0)
    >>> est = ln.estimate(X, noisy)
    >>> issues = ln.find_label_issues(est, noisy)
    >>> len(issues) == round(est.noise_rate * 2000)
    True
    >>> wrong = noisy != y
    >>> bool(wrong[issues["row"]].mean() > 0.9)
    True
    """
    if y is None and isinstance(data, Dataset):
        y = data
    # Estimating takes long, so everything else is checked first.
    budget = None if budget is None else checks.positive_int(budget, "budget")
    if checks.positive_int(n_neighbors, "n_neighbors", minimum=0) > SHOWN_NEIGHBORS:
        facts = {"expected": f"at most {SHOWN_NEIGHBORS}", "example": "n_neighbors=5"}
        raise LabelNoiseError("wrong_value", name="n_neighbors", value=n_neighbors, **facts)
    _check_knows_rows(data, parameters)
    X = data
    y, ids = labels_and_ids(y, ids)
    if isinstance(y, str):
        ids = pandas_index(data) if ids is None else ids
        X, y = split_column(data, y, "y")
    if isinstance(data, NoiseEstimate):
        n_rows = data.n_rows
        _check_same_rows(data, y, ids)
    else:
        n_rows = len(checks.labels(y, None).codes)
    names = row_ids(ids, n_rows, y, data)
    index = pandas_index(data if pandas_index(y) is None else y)
    carried = content_columns(
        content, n_rows, index, reserved=(*COLUMNS, REVIEWED, SPREADSHEET_ROW)
    )
    library = output or frame_library(data, y, content) or default_library()
    checks.one_of(library, "output", LIBRARIES)
    if isinstance(data, NoiseEstimate):
        est = data
    else:
        est = estimate(X, None if isinstance(X, Dataset) else y, **parameters)
    _warn_about(est, is_new=not isinstance(data, NoiseEstimate))
    suspects = Suspects(est)
    rows = suspects.select(budget, threshold, per_class=per_class)
    columns = suspects.columns(rows, names, n_neighbors, probabilities=probabilities)
    columns |= {name: [values[i] for i in rows] for name, values in carried.items()}
    return as_frame(columns, library)


def _check_same_rows(est: NoiseEstimate, y: Any, ids: Any) -> None:
    """Refuse an estimate that does not know its rows, or that was made from others."""
    est.row_model("find_label_issues")  # or an error that says what it is needed for
    est.check_labels(y)
    if est.row_ids is not None and ids is None and pandas_index(y) is None:
        # Positions among the rows that were used would be taken for rows of the file.
        raise LabelNoiseError("rows_of_data_set_have_names")


def _check_knows_rows(data: Any, parameters: Mapping[str, Any]) -> None:
    """Refuse matrices and estimates without rows, and parameters that would not be used."""
    if isinstance(data, TransitionMatrix):
        raise LabelNoiseError("matrix_without_rows")
    if isinstance(data, NoiseEstimate) and parameters:
        known = [*signature(find_label_issues).parameters][2:-1]
        facts = {
            "names": [*parameters],
            "known": known,
            **suggestion_for(next(iter(parameters)), known),
        }
        raise LabelNoiseError("unknown_parameters", estimator="find_label_issues(est)", **facts)
    method = parameters.get("method", DEFAULT_METHOD)
    if method != DEFAULT_METHOD:
        raise LabelNoiseError("method_without_rows", method=method, default=DEFAULT_METHOD)


def _warn_about(est: NoiseEstimate, *, is_new: bool) -> None:
    """Warn once of what the user cannot see in the rows."""
    where = "labelnoise.estimate(X, y)" if is_new else "est"
    if not states_noise_rate(est):
        statement = noise_statement(est).reason()
        warn_user("expectations_unknown", statement=statement, where=f"{where}.diagnosis")
    elif is_new:
        warn_if_unreliable(est, f"{where}.diagnosis")

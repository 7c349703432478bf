"""The base of all estimators: how input is checked and encoded, and how the estimate is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from labelnoise import checks
from labelnoise.class_placement import Placement
from labelnoise.data.column_types import POSSIBLE_GROUP, possible_groups
from labelnoise.data.containers import refuse_another_order
from labelnoise.data.dataset import Dataset
from labelnoise.data.encoder import TableEncoder
from labelnoise.data.leaks import leaks_among
from labelnoise.errors import warn_user
from labelnoise.findings import Diagnosis
from labelnoise.noise_estimate import NoiseEstimate, labels_digest
from labelnoise.transition import TransitionMatrix
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels
    from labelnoise.findings import Finding

WITHOUT_INFORMATION = frozenset(
    {"column_empty", "column_constant", "column_copies", POSSIBLE_GROUP}
)
"""Reasons for leaving out a column that need no warning here: it would add nothing, or has its own
warning."""


class NoiseEstimator(BaseEstimator):
    """A scikit-learn estimator whose `fit` makes a `NoiseEstimate`.

    Attributes
    ----------
    estimate_ : NoiseEstimate
    encoder_ : TableEncoder
        How a table became numbers: what became of each column (`column_types_`) and what is worth
        knowing about it (`notes_`). Set if the estimator was fitted on features.
    """

    method_name: ClassVar[str]
    assumption: ClassVar[str]  # code of the message that states what the method assumes
    classes: Sequence[Label] | None
    _data_findings: tuple[Finding, ...] = ()

    def _encode(self, X: Any, y: Any) -> tuple[Labels, TableEncoder | None, FloatArray]:
        """Labels as codes, the encoder that knows the columns, and the features (n, d).

        The labels are checked first, because encoding the features may take long. The features of
        a `Dataset` are numbers already, and it knows what was found about its columns.
        """
        dataset, X = (X, X.X) if isinstance(X, Dataset) else (None, X)
        refuse_another_order(X=X, y=y)
        labels = self._encode_labels(y, checks.n_rows(X))
        checks.distinct_columns(X)
        self.encoder_ = encoder = TableEncoder()
        matrix = encoder.fit_transform(X, labels.compact_codes)
        warn_about_columns(encoder)
        self._data_findings = (
            leaks_among(encoder, matrix, labels.compact_codes)
            if dataset is None
            else dataset.findings
        )
        validate_data(self, X, skip_check_array=True)  # remembers the names of the columns
        return labels, encoder if dataset is None else dataset.encoder, matrix

    def _encode_labels(self, y: Any, n_rows: int | None = None, of: str = "X") -> Labels:
        """Labels as codes, enough of them to estimate; `of` names what has `n_rows` rows.

        Their digest is kept for the estimate, so that a saved one can be checked against data.
        """
        labels = checks.estimable(checks.labels(y, n_rows, self.classes, of=of))
        self.__dict__.pop("encoder_", None)  # of another fit
        self._data_findings = ()
        self._labels_digest = labels_digest(labels.codes)
        return labels

    def _keep_solution(
        self,
        labels: Labels,
        transition: FloatArray,
        prior: FloatArray,
        findings: Iterable[Finding],
    ) -> None:
        """Keep T and the prior of the classes that occur; the others get no noise and no rows."""
        place = Placement(labels)
        self._keep(
            NoiseEstimate(
                TransitionMatrix(place.transition(transition), labels.classes),
                place.prior(prior),
                method=self.method_name,
                diagnosis=Diagnosis(tuple(findings)),
                assumption=Assumption(self.assumption),
                parameters=self.get_params(deep=False),
                n_rows=len(labels.codes),
            )
        )

    def _keep(self, estimate: NoiseEstimate) -> None:
        """Keep the estimate, and its parts under the names scikit-learn's users expect."""
        found = replace(estimate, labels_digest=self._labels_digest)
        self.estimate_ = found.with_findings(self._data_findings)
        self.transition_matrix_ = np.array(estimate.transition_matrix.values)
        self.class_prior_ = np.array(estimate.class_prior)
        self.classes_ = checks.label_array(estimate.classes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags


def warn_about_columns(encoder: TableEncoder) -> None:
    """Warn about columns and categories that were not used although they might matter."""
    left_out = [
        kind
        for kind in encoder.column_types_
        if not kind.is_feature and kind.reason.code not in WITHOUT_INFORMATION
    ]
    if left_out:
        reasons = "; ".join(f"{kind.name!r} ({kind.reason.reason()})" for kind in left_out)
        columns = [kind.name for kind in left_out]
        warn_user("columns_left_out", n=len(columns), columns=columns, reasons=reasons)
    for note in possible_groups(encoder.column_types_):
        warn_user(note)
    for note in encoder.notes_:
        if note.code == "categories_pooled":
            warn_user(note)

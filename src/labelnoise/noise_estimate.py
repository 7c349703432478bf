"""An estimate of the noise: T, the clean prior, and how far to trust them."""

from __future__ import annotations

import json
import math
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.files import read_text, write_text_atomically
from labelnoise.transition import MAX_SHOWN, TransitionMatrix

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label

Verdict = Literal["reliable", "weak", "not identifiable"]


@dataclass(frozen=True)
class Diagnosis:
    """Whether an estimate can be trusted: a verdict, its reasons, and what to do."""

    verdict: Verdict
    reasons: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        checks.one_of(self.verdict, "verdict", get_args(Verdict))

    def __str__(self) -> str:
        lines: list[str] = [self.verdict]
        lines += [f"  - {reason}" for reason in self.reasons]
        lines += [f"  > {remedy}" for remedy in self.remedies]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False, repr=False)
class NoiseEstimate:
    """What an estimator says about the noise.

    Attributes
    ----------
    transition_matrix : TransitionMatrix
        T, with ``T[i, j] = P(observed = j | true = i)``.
    class_prior : array of shape (K,)
        Frequencies of the true classes.
    method : str
        Name of the method that made the estimate.
    diagnosis : Diagnosis
        Verdict, reasons and remedies.
    assumption : str
        What has to hold for the numbers to mean what they say.
    parameters : mapping
        Settings of the method, as plain values.
    n_rows : int
        Rows the estimate was made from.
    """

    SCHEMA: ClassVar[str] = "labelnoise/noise-estimate"
    SCHEMA_VERSION: ClassVar[int] = 1

    transition_matrix: TransitionMatrix
    class_prior: FloatArray
    method: str
    diagnosis: Diagnosis
    assumption: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    n_rows: int = 0

    def __post_init__(self) -> None:
        prior = np.array(self.class_prior, dtype=np.float64)
        shape = (self.transition_matrix.n_classes,)
        if (
            prior.shape != shape
            or prior.min() < 0
            or not math.isclose(prior.sum(), 1, abs_tol=1e-6)
        ):
            raise LabelNoiseError(
                f"class_prior must be {shape[0]} probabilities that sum to 1, got {prior}. "
                "Divide it by its sum."
            )
        prior.setflags(write=False)
        object.__setattr__(self, "class_prior", prior)
        object.__setattr__(self, "parameters", {k: _plain(v) for k, v in self.parameters.items()})

    @property
    def classes(self) -> tuple[Label, ...]:
        """Names of the classes, in the order of T's rows and columns."""
        return self.transition_matrix.classes

    @property
    def noise_rate(self) -> float:
        """Expected share of all rows whose label is wrong, ``sum_i p_i (1 - T[i, i])``."""
        return float(self.class_prior @ self.transition_matrix.noise_rates)

    def true_given_observed(self) -> FloatArray:
        """Bayes' rule: entry [j, i] is P(true = i | observed = j), rows summing to one.

        The row of a label that is never seen is the class prior.
        """
        joint = (self.class_prior[:, None] * self.transition_matrix.values).T
        seen = joint.sum(axis=1, keepdims=True)
        return np.where(seen > 0, joint / np.where(seen > 0, seen, 1), self.class_prior)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the estimate as JSON, atomically."""
        for label in self.classes:
            if not isinstance(label, str | int | float | bool):
                raise LabelNoiseError(
                    f"class {label!r} is a {type(label).__name__}, which JSON cannot hold. Convert "
                    "the labels to text or numbers before estimating."
                )
        document = {
            "schema": self.SCHEMA,
            "schema_version": self.SCHEMA_VERSION,
            "method": self.method,
            "classes": list(self.classes),
            "transition_matrix": self.transition_matrix.values.tolist(),
            "class_prior": self.class_prior.tolist(),
            "n_rows": self.n_rows,
            "assumption": self.assumption,
            "diagnosis": {
                "verdict": self.diagnosis.verdict,
                "reasons": list(self.diagnosis.reasons),
                "remedies": list(self.diagnosis.remedies),
            },
            "parameters": dict(self.parameters),
        }
        write_text_atomically(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimate that `save` wrote."""
        try:
            document = json.loads(read_text(path))
        except json.JSONDecodeError as error:
            raise LabelNoiseError(f"{str(path)!r} is not JSON: {error}. Save it again.") from error
        if not isinstance(document, dict) or document.get("schema") != cls.SCHEMA:
            raise LabelNoiseError(
                f"{str(path)!r} does not hold a noise estimate. Pass a file written by "
                "NoiseEstimate.save."
            )
        version = document.get("schema_version")
        if version != cls.SCHEMA_VERSION:
            raise LabelNoiseError(
                f"{str(path)!r} has schema version {version}, this labelnoise reads "
                f"{cls.SCHEMA_VERSION}. Read it with the labelnoise that wrote it."
            )
        try:
            return cls._from_document(document)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LabelNoiseError(
                f"{str(path)!r} is damaged: {type(error).__name__} {error}. Save it again."
            ) from error

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> Self:
        told = document["diagnosis"]
        return cls(
            TransitionMatrix(document["transition_matrix"], document["classes"]),
            np.asarray(document["class_prior"], dtype=float),
            method=document["method"],
            diagnosis=Diagnosis(told["verdict"], tuple(told["reasons"]), tuple(told["remedies"])),
            assumption=document["assumption"],
            parameters=document["parameters"],
            n_rows=checks.positive_int(document["n_rows"], "n_rows", minimum=0),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NoiseEstimate):
            return NotImplemented
        mine = (self.transition_matrix, self.method, self.diagnosis, self.assumption)
        theirs = (other.transition_matrix, other.method, other.diagnosis, other.assumption)
        return (
            mine == theirs
            and np.array_equal(self.class_prior, other.class_prior)
            and self.parameters == other.parameters
            and self.n_rows == other.n_rows
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        pairs = list(zip(self.classes, self.class_prior, strict=True))
        prior = ", ".join(f"{label}: {p:.3f}" for label, p in pairs[:MAX_SHOWN])
        prior += ", ..." if len(pairs) > MAX_SHOWN else ""
        share = f"about {100 * self.noise_rate:.1f}% of the labels are wrong"
        if self.assumption:
            share += f", if {self.assumption}"
        lines = [
            f"NoiseEstimate by {self.method!r} from {self.n_rows} rows",
            textwrap.fill(share, width=100),
            "",
            repr(self.transition_matrix),
            "",
            textwrap.fill(f"clean class prior: {prior}", width=100),
            f"diagnosis: {self.diagnosis}",
        ]
        return "\n".join(lines)


def _plain(value: Any) -> Any:
    """Turn a parameter into what JSON can hold, so that a round trip loses nothing."""
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    return repr(value)

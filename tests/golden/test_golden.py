"""Results stay what they are, unless a change is meant to change them."""

import json

import numpy as np
import pytest

from golden.cases import CASES, QUICK, RECORDED, available, measure

RECORD = json.loads(RECORDED.read_text())
ROUNDING, DRAWS = 0.01, 0.05
"""Other processors round otherwise: the search stops elsewhere, a row changes sides, and a hundred
draws are others. What matters is larger."""

NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in CASES]


def compare(found, recorded, where, atol=ROUNDING):
    if isinstance(recorded, dict):
        assert found.keys() == recorded.keys(), where
        for key, value in recorded.items():
            compare(found[key], value, f"{where}/{key}", DRAWS if key == "draws" else atol)
    elif isinstance(recorded, str):
        assert found == recorded, where
    else:
        np.testing.assert_allclose(found, recorded, atol=atol, rtol=0, err_msg=where)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_results_are_as_recorded(name):
    if not available(name):
        pytest.skip("needs the shared data (or set LABELNOISE_DATA)")
    compare(measure(name), RECORD[name], name)

"""Results stay what they are, unless a change is meant to change them."""

import json

import numpy as np
import pytest

from golden.cases import CASES, RECORDED, available, measure

RECORD = json.loads(RECORDED.read_text())
CLOSE = 2e-3
"""Other processors round otherwise; what matters is larger than this."""


def compare(found, recorded, where):
    if isinstance(recorded, dict):
        assert found.keys() == recorded.keys(), where
        for key, value in recorded.items():
            compare(found[key], value, f"{where}/{key}")
    elif isinstance(recorded, str):
        assert found == recorded, where
    else:
        np.testing.assert_allclose(found, recorded, atol=CLOSE, rtol=0, err_msg=where)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_results_are_as_recorded(name):
    if not available(name):
        pytest.skip("needs the shared data (or set LABELNOISE_DATA)")
    compare(measure(name), RECORD[name], name)

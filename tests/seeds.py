"""Seeds of slow tests: laws hold for every seed, and the quick suite tries the first."""

import pytest

SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 2)))

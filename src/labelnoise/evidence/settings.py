"""Every threshold of the evidence, with the benchmark that set it."""

from __future__ import annotations

# Findings, set by `make bench-verdicts`.

NO_GAIN, FAINT_GAIN = 2.0, 3.0
"""Standard errors by which scores must predict labels better than label frequencies do."""

SEEN_BEFORE, MODEST = 0.995, 0.1
"""Probabilities that agree with more of the labels than the first, or with so many more than they
claim, may have been trained on them: a model meets new rows with less success than it claims."""

REARRANGED = 0.05
"""Share of the labels that another order of the columns may win by chance."""

COPIED_ERRORS, COPIED_MARGIN = 4.0, 0.1
"""Duplicates that agree more often than their neighbors do, by so many standard errors and by so
much, may be copies."""

FEW_ROWS = 30
"""Rows of a class below which its row of T rests on too little."""

NARROW_LEAD = 0.02
"""A diagonal entry that leads its row of T by less may belong to another class."""

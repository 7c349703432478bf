"""Errors and warnings by their codes: what they say is worded elsewhere, and may change."""

from contextlib import contextmanager

import pytest

import labelnoise as ln


@contextmanager
def refused(code):
    """Expect an error with this code; its facts are in `caught.value.note.facts` afterwards."""
    with pytest.raises(ln.LabelNoiseError) as caught:
        yield caught
    assert caught.value.note.code == code, caught.value


@contextmanager
def warned(*codes):
    """Expect warnings with these codes, in order, and no others."""
    with pytest.warns(ln.LabelNoiseWarning) as caught:
        yield caught
    found = [warning.message.note.code for warning in caught]
    assert found == list(codes), found

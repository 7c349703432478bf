"""How a file is to be read, as far as somebody said so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """What was said about a file.

    Attributes
    ----------
    name : str
        What the file is called in messages.
    format : str or None
        One of `table_files.FORMATS`; None goes by the ending and the first bytes.
    delimiter, encoding : str or None
        Of delimited text; None guesses.
    header : bool
        Whether the first line of delimited text names the columns.
    as_text : frozenset of str
        Columns whose cells stay as they are written: labels and ids.
    """

    name: str
    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool = True
    as_text: frozenset[str] = frozenset()

"""Every sentence users read, by code, worded for Python or the command line.

The code that finds something says *what* it found: a code and the facts. What that means in
English is decided here, and only when somebody reads it.
"""

from labelnoise.wording.message import Audience, Message, counted, joined, named, sentence
from labelnoise.wording.note import Assumption, Note

__all__ = ["Assumption", "Audience", "Message", "Note", "counted", "joined", "named", "sentence"]

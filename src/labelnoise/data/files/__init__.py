"""Files of any usual format <-> Arrow tables; every format in a file of its own."""

from labelnoise.data.files.formats import FORMATS, fits_format
from labelnoise.data.files.input_file import InputFile, open_input, read_table
from labelnoise.data.files.packing import packed
from labelnoise.data.files.table import FileTable, ReadOptions

__all__ = [
    "FORMATS",
    "FileTable",
    "InputFile",
    "ReadOptions",
    "fits_format",
    "open_input",
    "packed",
    "read_table",
]

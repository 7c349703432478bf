"""Files of any usual format <-> Arrow tables; every format in a file of its own."""

from labelnoise.data.files.compression import compressed as compressed
from labelnoise.data.files.input_file import InputFile as InputFile
from labelnoise.data.files.input_file import fits_format as fits_format
from labelnoise.data.files.input_file import open_input as open_input
from labelnoise.data.files.input_file import read_table as read_table
from labelnoise.data.files.table import FileTable as FileTable
from labelnoise.data.files.table import ReadOptions as ReadOptions

"""Reads and writes tables of delimited text, quoted where needed."""

from delimited.reader import DelimitedError, guess_delimiter, read_records, read_rows
from delimited.writer import format_field, write_rows

__all__ = ["DelimitedError", "format_field", "guess_delimiter", "read_records", "read_rows", "write_rows"]

"""The formats that an answer may have, one a file."""

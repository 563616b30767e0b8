"""Programs inside bash scripts."""

from __future__ import annotations


def python_in_bash(program: str, interpreter: str = "python3") -> str:
    """Return a bash script that runs a Python program."""
    end = "END_OF_PROGRAM"
    while end in program:
        end += "_"
    return f"exec {interpreter} - <<'{end}'\n{program.rstrip()}\n{end}\n"

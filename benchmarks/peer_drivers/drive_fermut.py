"""fermut: ``fermut list``, spliced into the text. ``default`` profile, or ``all`` operators it has.

Both without its filter by the type checker ty, which needs a program of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from exchange import serve

EVERYTHING = ["--experimental", "--parity", "--operators", "full"]
ENTRY = re.compile(r"(?m)^.*?program\.py:\d+@(\d+) \[[^\]]+\] `")


def mutants(source: str) -> Iterator[str]:
    folder = Path("fermut-program")
    folder.mkdir(exist_ok=True)
    (folder / "program.py").write_bytes(source.encode())
    command = [str(Path(sys.executable).with_name("fermut")), "list", "--no-ty-filter", "--no-coverage", "-q"]
    chosen = EVERYTHING if sys.argv[1] == "all" else []
    run = subprocess.run([*command, *chosen, str(folder)], capture_output=True, check=True, text=True)
    entries = list(ENTRY.finditer(run.stdout))
    ends = [entry.start() for entry in entries[1:]] + [run.stdout.rfind("\n\n")]
    for entry, end in zip(entries, ends, strict=True):
        body = run.stdout[entry.end() : end].rstrip("\n").removesuffix("`")
        yield spliced(source.encode(), int(entry[1]), body)


def spliced(source: bytes, offset: int, body: str) -> str:
    """The text with a listed change made: ``original` → `replacement`` at a byte offset."""
    for arrow in re.finditer("` → `", body):
        original, replacement = body[: arrow.start()].encode(), body[arrow.end() :].encode()
        if source.startswith(original, offset):
            return (source[:offset] + replacement + source[offset + len(original) :]).decode()
    raise ValueError(f"cannot place {body!r} at byte {offset}")


if __name__ == "__main__":
    serve(version("fermut"), mutants, sys.argv[2:])

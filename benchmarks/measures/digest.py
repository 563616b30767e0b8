"""Run by any interpreter that has mendlab: the ids of the mutants of all files of a folder, as digests in JSON.

Usage: ``python digest.py FOLDER ORDER``, where ``ORDER`` seeds the order in which the files are taken.
"""

from __future__ import annotations

import hashlib
import json
import platform
import random
import sys
from pathlib import Path

from mendlab.corpora.text import decode
from mendlab.errors import MendlabError
from mendlab.mutators import enumerate_mutants


def digests(folder: Path, order: int) -> dict[str, tuple[int, str]]:
    """Number of mutants and digest of the sequence of their ids, for each file; a file that is refused has none."""
    paths = sorted(folder.rglob("*.py"))
    random.Random(order).shuffle(paths)
    found = {}
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            ids = [mutant.id for mutant in enumerate_mutants(decode(name, path.read_bytes()).text, path=name)]
        except MendlabError:
            ids = []
        found[name] = (len(ids), hashlib.sha256("".join(ids).encode()).hexdigest()[:16])
    return dict(sorted(found.items()))


if __name__ == "__main__":
    print(json.dumps({"python": platform.python_version(), "files": digests(Path(sys.argv[1]), int(sys.argv[2]))}))

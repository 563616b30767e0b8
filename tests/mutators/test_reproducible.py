"""The same mutants with the same ids in every process, hash seed, order of files and version of Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"
LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = ("keyword.py", "this.py", "bisect.py", "nturl2path.py")
PROGRAM = f"""
import json, sys
sys.path.insert(0, {str(SOURCES)!r})
from pathlib import Path
from mendlab.mutators import enumerate_mutants
found = {{}}
for name in sys.argv[1:]:
    found[name] = [m.id for m in enumerate_mutants(Path(name).read_text("utf-8"), path=Path(name).name)]
json.dump(found, sys.stdout, sort_keys=True)
"""


def ids(python: str, files: list[str], seed: str) -> dict[str, list[str]]:
    """The ids of every mutant of each file, as another process finds them."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([python, "-c", PROGRAM, *files], env=environment, capture_output=True, check=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def others() -> list[str]:
    """Interpreters of other versions that have what mendlab needs; ``MENDLAB_PYTHONS`` may name more, with colons."""
    named = [python for python in os.environ.get("MENDLAB_PYTHONS", "").split(os.pathsep) if python]
    names = [f"python3.{minor}" for minor in (11, 12, 13) if minor != sys.version_info.minor]
    return [python for python in (*named, *names) if usable(python)]


def usable(python: str) -> bool:
    try:
        command = [python, "-c", "import libcst, pydantic, click, jinja2, rich, scipy"]
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def test_hash_seed_and_order_of_files_do_not_matter() -> None:
    files = [str(LIBRARY / name) for name in FILES[:2]]
    assert ids(sys.executable, files, "1") == ids(sys.executable, files[::-1], "2")


@pytest.mark.slow
def test_other_versions_of_python_find_the_same() -> None:
    found = others()
    if not found:
        pytest.skip("no other Python has the packages that mendlab needs; name one in MENDLAB_PYTHONS")
    files = [str(LIBRARY / name) for name in FILES]
    here = ids(sys.executable, files, "0")
    assert sum(map(len, here.values())) > 5_000
    assert all(ids(python, files, "0") == here for python in found)

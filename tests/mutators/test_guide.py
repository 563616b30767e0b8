"""The guide's worked example is run as it stands."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

from mendlab.mutators import operator

GUIDE = (Path(__file__).parents[2] / "docs" / "add-a-mutator.md").read_text(encoding="utf-8")
CHECK = """
from mendlab.mutators import enumerate_mutants, get_operator
op = get_operator("divmod-confused")
assert op.family == "arithmetic-slips", op.family
for example in op.examples:
    assert example.after in [m.source for m in enumerate_mutants(example.before, operators=[op.name])]
"""


def test_the_example_works(tmp_path: Path) -> None:
    """As a plugin module, in a process of its own, so that the registry here stays as it is."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "arithmetic_slips.py").write_text(code, encoding="utf-8")
    installed = tmp_path / "slips-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: slips\nVersion: 1.0\n", encoding="utf-8")
    entry_points = "[mendlab.mutators]\nmine = arithmetic_slips\n"
    (installed / "entry_points.txt").write_text(entry_points, encoding="utf-8")
    program = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n{CHECK}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_argument_of_the_decorator_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", GUIDE, re.MULTILINE))
    assert explained == set(inspect.signature(operator).parameters)

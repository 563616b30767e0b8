"""The guide's worked example is run as it stands."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from mendlab.errors import InputError
from mendlab.mutators import Change, operator
from mendlab.mutators.learned import Template
from mendlab.mutators.learned.loading import template_operator

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "add-a-mutator.md").read_text(encoding="utf-8")
CHECK = """
from mendlab.mutators import enumerate_mutants, get_operator
op = get_operator("divmod-confused")
assert op.family == "arithmetic-slips", op.family
for example in op.examples:
    assert example.after in [m.source for m in enumerate_mutants(example.before, operators=[op.name])]
"""


def test_the_example_works(tmp_path: Path) -> None:
    """As a plugin module, in a process of its own, so that the registry here stays as it is."""
    (code,) = blocks("python")
    (tmp_path / "arithmetic_slips.py").write_text(code, encoding="utf-8")
    installed = tmp_path / "slips-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: slips\nVersion: 1.0\n", encoding="utf-8")
    entry_points = blocks("toml")[0].replace('[project.entry-points."mendlab.mutators"]', "[mendlab.mutators]")
    (installed / "entry_points.txt").write_text(
        entry_points.replace('"my_package.operators"', "arithmetic_slips"), encoding="utf-8"
    )
    program = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n{CHECK}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_argument_of_the_decorator_is_explained() -> None:
    assert fields_under("## What the decorator takes") == set(inspect.signature(operator).parameters)


def test_every_field_of_a_template_is_explained() -> None:
    assert fields_under("## From templates") == set(Template.model_fields)


def test_the_templates_are_templates() -> None:
    lines = blocks("json")[0].splitlines()
    templates = [Template.model_validate_json(line) for line in lines]
    assert [template_operator(each, "guide", "guide").examples[0].after for each in templates] == [
        "x = a == None\n",
        "def f():\n    pass\n",
    ]


def test_a_refusal_is_as_it_is_shown() -> None:
    shown = blocks("")[1].strip().removesuffix(" ...").partition(": ")[2]

    def divmod_confused(node: cst.Call, ctx: object) -> Iterator[Change]:
        """Never called."""
        yield from ()

    with pytest.raises(InputError) as error:
        operator(name="divmod-confused", odc="speling", bug_type="value misuse", examples=[])(divmod_confused)
    assert shown in str(error.value)


def test_the_page_of_the_catalogue_is_what_the_registry_gives() -> None:
    """In a process of its own, without what is registered in this one."""
    program = (
        "import sys; from mendlab.mutators.registry.catalogue_page import catalogue_page;"
        "sys.stdout.buffer.write(catalogue_page().encode())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    fresh = done.stdout == (DOCS / "mutators.md").read_bytes()
    assert fresh, "docs/mutators.md is not what the registry gives now: run `make docs`"


def blocks(language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    return [code for name, code in found if name == language]


def fields_under(heading: str) -> set[str]:
    section = GUIDE.partition(heading)[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))

"""Operators of other packages, installed by pip and found by their entry points; broken ones are named and left out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "operator-plugin"
PROGRAM = """\
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def share(total, people):
    return (Decimal(total) / people).quantize(CENT, ROUND_HALF_UP)


assert share("0.25", 2) == Decimal("0.13")
assert share("1.00", 3) == Decimal("0.33")
"""
OPERATOR = '''
import libcst as cst
from mendlab.mutators import Example, operator

EXAMPLES = [Example("x = 1", "x = 2")]

@operator(name={name!r}, odc={odc!r}, bug_type="value misuse", inverse={inverse!r}, examples=EXAMPLES)
def change(node: cst.Integer, ctx):
    """A one becomes a two."""
    {body}
'''


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which pip has installed the example."""
    work = tmp_path_factory.mktemp("plugin")
    shutil.copytree(EXAMPLE, work / "source")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [*pip, "--target", work / "site", work / "source"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return work / "site"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "share.py"
    path.write_text(PROGRAM)
    return path


def env(*folders):
    return {"PYTHONPATH": ":".join(map(str, folders))}


def plugin(site: Path, name: str, code: str) -> Path:
    """Lay a distribution with one module down as an installer does."""
    module = name.replace("-", "_")
    info = site / f"{module}-2.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text(f"[mendlab.mutators]\nall = {module}\n")
    (site / f"{module}.py").write_text(code)
    return site


def written(name="one-to-two", odc="assignment", inverse=None, body='yield ctx.replace(node, "2")'):
    return OPERATOR.format(name=name, odc=odc, inverse=inverse, body=body)


def test_the_example_is_seen_by_every_command(mendlab, installed, program, tmp_path):
    listed = mendlab("mutators", "list", "--family", "money", "--json", env=env(installed))
    assert [each["name"] for each in listed.json["operators"]] == ["money-of-float", "money-rounded-otherwise"]
    assert {each["origin"] for each in listed.json["operators"]} == {"mendlab-money 1.0"}
    assert listed.err == ""
    run = mendlab("mutators", "run", program, "--operators", "money", env=env(installed))
    assert '-CENT = Decimal("0.01")\n+CENT = Decimal(0.01)\n' in run.out
    out = tmp_path / "tasks"
    made = mendlab("inject", program, "--operators", "money", "--out", out, env=env(installed))
    assert made.code == 0, made
    tasks = [json.loads(line) for line in (out / "tasks.jsonl").read_text().splitlines()]
    assert {task["defect"]["operator"] for task in tasks} == {"money-of-float", "money-rounded-otherwise"}
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["build"]["tools"]["mendlab-money"] == manifest["provenance"]["tools"]["mendlab-money"] == "1.0"


def test_its_examples_hold(installed):
    program = """
from mendlab.mutators import enumerate_mutants, operators
mine = [op for op in operators() if op.origin == "mendlab-money 1.0"]
assert len(mine) == 2
for op in mine:
    for one in op.examples:
        assert one.after in [m.source for m in enumerate_mutants(one.before, operators=[op.name])]
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=env(installed)
    )
    assert done.returncode == 0, done.stderr


def test_without_it_there_is_no_such_family(mendlab):
    assert "there is no family 'money'" in mendlab("mutators", "list", "--family", "money").refusal()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import not_there_at_all", "it cannot be imported: ModuleNotFoundError: No module named 'not_there_at_all'"),
        ("raise SystemExit(3)", "it cannot be imported: SystemExit: 3"),
        ("def f(:\n", "it cannot be imported: SyntaxError: "),
        (written(odc="speling"), "broken_ops: mutation operator 'one-to-two': odc 'speling' is none of: assignment, "),
        (written(inverse="two-to-one"), "broken_ops: mutation operator 'one-to-two': its inverse 'two-to-one' is no "),
        (
            written(name="number-replaced"),
            "broken_ops: two operators are called 'number-replaced'; the other is in mendlab.mutators.catalogue.value",
        ),
        (f"{written()}\n1 / 0\n", "it cannot be imported: ZeroDivisionError: division by zero"),
        ("class Odd(BaseException): pass\nraise Odd('x')", "it cannot be imported: Odd: x"),
        ("raise GeneratorExit", "it cannot be imported: GeneratorExit: "),
        ("raise KeyboardInterrupt", "it cannot be imported: KeyboardInterrupt: "),
        (written(name="control"), "broken_ops: mutation operator 'control': 'control' would be both a family and an "),
        (
            written().replace("odc=", "family='number-replaced', odc="),
            "broken_ops: mutation operator 'one-to-two': 'number-replaced' would be both a family and an operator",
        ),
    ],
    ids=[
        "missing module",
        "exit",
        "syntax",
        "odc",
        "inverse",
        "clash",
        "half way",
        "base",
        "generator exit",
        "interrupt",
        "named like a family",
        "family like an operator",
    ],
)
def test_a_broken_plugin_is_named_and_left_out_and_the_others_stay(mendlab, installed, tmp_path, code, reason):
    site = plugin(tmp_path / "site", "broken-ops", code)
    said = mendlab("mutators", "list", "--json", env=env(installed, site))
    assert said.code == 0
    assert said.err.startswith(f"plugin broken-ops 2.0 is left out: {reason}")
    assert said.err.count("\n") == 1
    names = {each["name"] for each in said.json["operators"]}
    assert {"number-replaced", "money-rounded-otherwise"} <= names
    assert "one-to-two" not in names


def test_two_plugins_with_one_name(mendlab, tmp_path):
    for name in ("b-ops", "a-ops"):
        plugin(tmp_path / "site", name, written())
    said = mendlab("mutators", "show", "one-to-two", "--json", env=env(tmp_path / "site"))
    assert said.json["origin"] == "a-ops 2.0"
    assert said.err.startswith(
        "plugin b-ops 2.0 is left out: b_ops: two operators are called 'one-to-two'; the other is"
    )


def test_what_a_plugin_prints_is_no_result(mendlab, tmp_path):
    code = "print('loaded')\n" + written(body='print("called")\n    yield ctx.replace(node, "2")')
    site = plugin(tmp_path / "site", "talking-ops", code)
    (tmp_path / "one.py").write_text("x = 1\n")
    said = mendlab("mutators", "run", tmp_path / "one.py", "--operators", "one-to-two", "--json", env=env(site))
    assert len(said.json["mutants"]) == 1
    assert said.err == "loaded\ncalled\n"


@pytest.mark.parametrize(
    "body",
    [
        "yield 1 / 0",
        'yield "2"',
        "yield None",
        "raise BaseException('x')\n    yield",
        "raise GeneratorExit\n    yield",
        "raise SystemExit(0)\n    yield",
        "from mendlab.mutators import Edit\n    yield Edit('0', 1, 'y')",
        "from mendlab.mutators import Edit\n    yield Edit(0, 1.0, 'y')",
        "from mendlab.mutators import Edit\n    yield Edit(0, 1, b'y')",
        "from mendlab.mutators import Edit\n    yield (Edit(0, 1, None),)",
    ],
)
def test_an_operator_that_fails_is_told_as_its_package_s(mendlab, tmp_path, body):
    site = plugin(tmp_path / "site", "failing-ops", written(body=body))
    (tmp_path / "one.py").write_text("y = ''\nx = 1\n")
    line = mendlab("mutators", "run", tmp_path / "one.py", "--count", env=env(site)).refusal()
    assert line.startswith("one.py:2: operator one-to-two of failing-ops 2.0 fails: ")

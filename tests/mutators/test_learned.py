"""Templates are operators: what they fit, what they put there, and how a wrong one is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mendlab.errors import FormatError
from mendlab.mutators import Operator
from mendlab.mutators.context import Context
from mendlab.mutators.context.tree import parse
from mendlab.mutators.edits import apply, normalise
from mendlab.mutators.learned import Template, load_templates
from mendlab.mutators.learned.loading import template_operator
from mendlab.mutators.registry import operators


def made(before: str, after: str) -> Operator:
    template = Template(name="under-test", before=before, after=after, bug_type="operator misuse")
    return template_operator(template, "here", "here:1")


def results(operator: Operator, source: str) -> list[str]:
    context = Context(parse(source))
    nodes = context.of_type(*operator.node_types)
    return [apply(source, normalise(change)) for node in nodes for change in operator.transform(node, context)]


@pytest.mark.parametrize(
    ("before", "after", "source", "expected"),
    [
        ("$A is None", "$A == None", "x = f(y) is None", "x = f(y) == None"),
        ("$A * $B", "$A + $B", "x = a * b * c", "x = (a + b) * c"),
        ("$A * $B", "$A + $B", "x = -(a * b)", "x = -(a + b)"),
        ("f($A)", "$A", "x = f(a + b)[0]", "x = (a + b)[0]"),
        ("f($A)", "$A.g()", "x = f(a + b)", "x = (a + b).g()"),
        ("f($A)", "$A", "x = [f(a if b else c)]", "x = [a if b else c]"),
        ("f($A)", "$A", "if f(a):\n    pass", "if a:\n    pass"),
        ("f($A)", "$A", "x = (y +\n     f(a or b))", "x = (y +\n     (a or b))"),
        ("$N.append($A)", "$N.extend($A)", "x.append([1 , 2])", "x.extend([1 , 2])"),
        ("$N.append($A)", "$N += [$A]", "x.append(1)  # why", "x += [1]  # why"),
        ("$A[$C]", "$A[0]", "x = y[i][-1]", "x = y[i][0]"),
        ("$N == $C", "$C == $N", "if a == 'b': pass", "if 'b' == a: pass"),
        ("$A.join($B)", "'$'.join($B)", "x = y.join(z)", "x = '$'.join(z)"),
        ("f($A, k=$B)", "f($A)", "x = f( a , k = 1, )", "x = f(a)"),
        ("$A and $A", "$A", "x = (a.b) and a.b", "x = (a.b)"),
        ("$A.$N($B)", "$N($B, $A)", "x = y.f(1)", "x = f(1, y)"),
        ("await $A", "$A", "async def f():\n    return await g()", "async def f():\n    return g()"),
    ],
)  # fmt: skip
def test_a_fitting_place_is_changed_and_nothing_else(before, after, source, expected):
    assert expected in results(made(before, after), source)


@pytest.mark.parametrize(
    ("before", "source"),
    [
        ("$A is None", "x = a is not None"),
        ("$A is None", "x = a == None"),
        ("$A and $A", "x = a and b"),
        ("$A[$C]", "x = y[i]"),
        ("$A[$C]", "x = y[-i]"),
        ("$N.f()", "x = a.b.f()"),
        ("$N.f()", "x = None.f()"),
        ("f($A)", "x = f(*a)"),
        ("f($A)", "x = f(k=a)"),
        ("f($A)", "x = f(a, b)"),
        ("'a$B'.f($A)", "x = 'ab'.f(1)"),
    ],
)
def test_another_place_is_left_alone(before, source):
    assert results(made(before, "0"), source) == []


GUARD = "if $A is None:\n    return $B"


@pytest.mark.parametrize(
    ("after", "source", "expected"),
    [
        ("", "def f(a):\n    if a is None:\n        return 0\n    g()\n", "def f(a):\n    g()\n"),
        ("", "def f(a):\n    if a is None: return 0\n", "def f(a):\n    pass\n"),
        (
            "if $A is None:\n    raise $B\nprint($A)",
            "def f(a):\r\n\tif a is None:\r\n\t\treturn 0  # x\r\n\tg()\r\n",
            "def f(a):\r\n\tif a is None:\r\n\t\traise 0\r\n\tprint(a)  # x\r\n\tg()\r\n",
        ),
    ],
)
def test_statements_keep_the_layout_of_their_place(after, source, expected):
    assert expected in results(made(GUARD, after), source)


def test_branches_and_longer_blocks_are_other_statements():
    for source in (
        "def f(a):\n    if b:\n        pass\n    elif a is None:\n        return 0\n",
        "def f(a):\n    if a is None:\n        g()\n        return 0\n",
        "def f(a):\n    if a is None:\n        return 0\n    else:\n        g()\n",
    ):
        assert results(made(GUARD, ""), source) == []


def test_a_statement_among_others_on_its_line():
    assert results(made("$N += $A", "$N = $A"), "a = 1; a += 2; b = 3") == ["a = 1; a = 2; b = 3"]
    assert results(made("$N += $A", ""), "a = 1; a += 2; b = 3") == []
    assert results(made("$N += $A", "if $N:\n    $N += $A"), "a = 1; a += 2") == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('{"name": ', "no record of the kind Template: Invalid JSON"),
        ({"name": "Wrong_Name"}, "lower case with hyphens"),
        ({"name": "number-replaced"}, "an operator or a family is called 'number-replaced' already"),
        ({"name": "first"}, "an operator or a family is called 'first' already"),
        ({"bug_type": "misuse"}, "bug_type: "),
        ({"pattern": "misuse"}, "pattern: "),
        ({"count": 0}, "count: "),
        ({"colour": "red"}, "colour: "),
        ({"before": "$A +"}, "'before': not valid Python: "),
        ({"after": "$A +"}, "'after': not valid Python: "),
        ({"after": "(" * 2000 + "$A" + ")" * 2000}, "'after': is nested too deeply"),
        ({"after": "-" * 2000 + "$A"}, "'after': is nested too deeply"),
        ({"after": "-" * 20_000 + "$A"}, "'after': has 20,002 characters, and 10,000 are allowed"),
        ({"before": "$A", "after": "f($A)"}, "nothing but a metavariable"),
        ({"before": ""}, "'before' must be an expression or one statement"),
        ({"before": "$A = 1\n$B = 2"}, "'before' must be an expression or one statement"),
        ({"after": "$A + $B"}, "'after' has $B, which 'before' has not"),
        ({"before": "$A + 1", "after": "$A + 1"}, "are the same"),
        ({"after": "nonlocal x"}, "makes nothing that compiles of its own example"),
    ],
)
def test_a_wrong_line_is_one_error_with_its_place(tmp_path, wrong, said):
    right = {"name": "first", "before": "$A + 1", "after": "$A", "bug_type": "missing logic"}
    line = wrong if isinstance(wrong, str) else json.dumps({**right, "name": "second", **wrong})
    path = tmp_path / "templates.jsonl"
    path.write_text(f"{json.dumps(right)}\n\n{line}\n")
    before = operators()
    with pytest.raises(FormatError) as error:
        load_templates(path)
    assert str(error.value).startswith(f"{path}:3: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert operators() == before


PROGRAM = """
import sys
from pathlib import Path
from mendlab.mutators import enumerate_mutants, get_operator, sample
from mendlab.mutators.learned import load_templates
assert not [op for op in load_templates(Path(sys.argv[2]))]
made = load_templates(Path(sys.argv[1]))
assert [op.name for op in made] == ["none-by-equality", "guard-gone"], made
assert made[0].origin.startswith("templates.jsonl sha256:")
assert made[0].summary == "`$A is None` becomes `$A == None` (seen 41 times in some histories)."
for op in made:
    for example in op.examples:
        assert example.after in [m.source for m in enumerate_mutants(example.before, operators=[op.name])], example
source = "def f(a):\\n    if a is None:\\n        return 1\\n    return a\\n"
found = list(enumerate_mutants(source, operators=["learned"]))
assert {m.operator for m in found} == {"none-by-equality", "guard-gone"}, found
assert len(sample(found, 9, seed=0, strategy="natural")) == 2
"""


def test_a_file_of_templates_is_a_family(tmp_path: Path) -> None:
    """In a process of its own, so that the registry here stays as it is."""
    path, nothing = tmp_path / "templates.jsonl", tmp_path / "nothing.jsonl"
    rows = [
        {"name": "none-by-equality", "before": "$A is None", "after": "$A == None", "bug_type": "operator misuse",
         "pattern": "change binary operator", "count": 41, "source": "some histories"},
        {"name": "guard-gone", "before": GUARD, "after": "", "bug_type": "missing logic", "odc": "checking"},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    nothing.write_text("")
    done = subprocess.run([sys.executable, "-c", PROGRAM, path, nothing], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

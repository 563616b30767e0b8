"""The file as a person reads it: names, imports, rows, and ruff's format."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from mendlab.verify.newtests.cases import Case
from mendlab.verify.newtests.writing import write_file


def case(*arguments, expected="1", **about):
    given = {
        "kind": "aimed",
        "label": "",
        "judged": True,
        "form": "returns",
        "module": "pkg.sums",
        "function": "add",
        "names": tuple(f"number_{at}" for at in range(len(arguments))),
        "arguments": arguments,
        "keywords": (),
        "expected": expected,
        "exactly": expected,
        "buggy": "0",
        "imports": (("pkg.sums", "add"),),
        **about,
    }
    return Case(**given)


LONG = '"' + "x" * 70 + '"'
LIBRARY = (("datetime", "date"), ("decimal", "Decimal"), ("pkg.sums", "add"))
CASES = {
    "one": [case("1", "2", expected="3")],
    "one flag": [case("1", expected="True")],
    "rows": [case("1", "2", expected="3"), case("[2, 3]", "4", expected='{"a": 7}')],
    "long rows": [case(LONG, LONG, expected="3"), case("1", "2", expected="3")],
    "labelled": [
        case("[]", label="empty", kind="boundary", expected="None"),
        case("0", label="zero", kind="boundary", expected="None"),
        case(LONG, label="huge", kind="boundary", judged=False),
        case("0", label="zero", kind="boundary", judged=False),
        case("1", label="zero", kind="boundary", judged=False),
    ],
    "approximate": [case("0.5", expected="pytest.approx(0.5)"), case("1.5", expected="pytest.approx(1.5)")],
    "raises": [case("0", form="raises", expected="ValueError"), case(LONG, form="raises", expected="ValueError")],
    "changes": [case("[2, 1]", form="changes", changed=0, names=("items",), expected="[1, 2]")],
    "type": [case("4", form="has_type", expected="2")],
    "named": [case("1", "2", keywords=("base",), names=("n", "base"))],
    "generator": [case("3", wrapping="list", expected="[0, 1, 2]"), case("0", wrapping="list", expected="[]")],
    "coroutine": [case("3", wrapping="asyncio.run"), case("4", wrapping="asyncio.run")],
    "sequence": [
        case(
            form="sequence",
            function="Heap.pop",
            first=("heap = Heap()", "heap.push(3)"),
            last="heap.pop()",
            imports=(("pkg.sums", "Heap"),),
        )
    ],
    "sequence that raises": [
        case(
            form="sequence",
            function="Heap.pop",
            first=("heap = Heap()",),
            last="heap.pop()",
            raises="IndexError",
            expected="IndexError",
            imports=(("pkg.sums", "Heap"),),
        )
    ],
    "library": [case("date(2020, 1, 2)", 'Decimal("1")', imports=LIBRARY)],
    "long names": [case("1", "2", names=("a_very_long_name_of_an_argument" * 2, "another_" * 5)) for _ in range(2)],
}


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
def test_it_is_formatted_as_ruff_formats(tmp_path, cases):
    text, placed = write_file(cases)
    place = tmp_path / "test_it.py"
    place.write_text(text)
    said = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(place)], capture_output=True, text=True
    )
    assert said.returncode == 0, said.stdout
    linted = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F,I,E7,B", str(place)]
    linted += ["--config", 'lint.isort.known-first-party = ["pkg"]']
    assert subprocess.run(linted, capture_output=True, text=True).stdout.strip() == "All checks passed!"
    assert sorted(map(repr, cases)) == sorted(repr(each) for each, _ in placed)
    names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert list(dict.fromkeys(name for _, name in placed)) == names
    assert len(names) == len(set(names))


def test_the_whole_of_a_file():
    cases = [case("1", "2", expected="3"), case("0", "5", expected="5"), *CASES["sequence"]]
    assert write_file(cases)[0] == (
        '"""New tests of pkg.sums.Heap.pop, pkg.sums.add."""\n'
        "\n"
        "import pytest\n"
        "\n"
        "from pkg.sums import Heap, add\n"
        "\n\n"
        "def test_heap_pop():\n"
        "    heap = Heap()\n"
        "    heap.push(3)\n"
        "    assert heap.pop() == 1\n"
        "\n\n"
        "@pytest.mark.parametrize(\n"
        '    ("number_0", "number_1", "expected"),\n'
        "    [\n"
        "        (1, 2, 3),\n"
        "        (0, 5, 5),\n"
        "    ],\n"
        ")\n"
        "def test_add_regression(number_0, number_1, expected):\n"
        '    """Inputs on which a defective version of it went wrong."""\n'
        "    assert add(number_0, number_1) == expected\n"
    )

"""What each template makes of a program; whatever it makes leaves the rest of the file as it was."""

from __future__ import annotations

import ast

import pytest

from mendlab.mutators.edits import apply, fit
from mendlab.repair.searching.source import Source
from mendlab.repair.searching.template import changes, templates

EXAMPLES = [
    ("number", "return x[1]", "return x[0]"),
    ("flag", "if x:\n    return True\nreturn False", "if x:\n    return False\nreturn True"),
    ("text", "return ''.join(x)", "return ' '.join(x)"),
    ("empty", "return []", "return [[]]"),
    ("element", "return (x, y, 2)", "return (y, x, 2)"),
    ("operator", "x -= y", "x //= y"),
    ("logic", "return x and y and z", "return x or y or z"),
    ("operands-exchanged", "return x - y", "return y - x"),
    ("term-dropped", "return len(x) - y + 1", "return y + 1"),
    ("negated", "if not x:\n    return 1", "if x:\n    return 1"),
    ("sign", "return x + y", "return x + -y"),
    ("bounds", "return len(x) == 0", "return len(x) <= 1"),
    ("variable", "return x", "return y"),
    ("variable-everywhere", "x, z = y, x\nreturn x", "y, z = x, y\nreturn x"),
    ("variable-for-expression", "return x + len(y)", "return x + y"),
    ("expression-donated", "y = len(x)\nreturn x / y", "y = len(x)\nreturn x / len(x)"),
    ("target-donated", "y = x[z]\ny = 2", "y = x[z]\nx[z] = 2"),
    ("call-related", "return any(x)", "return all(x)"),
    ("arguments", "return range(1, len(x))", "return range(len(x))"),
    ("unwrapped", "return sorted(x)", "return x"),
    ("wrapped", "return x.pop()", "return abs(x.pop())"),
    ("wrapped-both", "return x == y", "return set(x) == set(y)"),
    ("by-one", "return range(x)", "return range(x + 1)"),
    ("slice", "return sum(x)", "return sum(x[:y])"),
    ("slice-ends", "return x[1:]", "return x[:]"),
    ("term-added", "return [x]", "return (y + [x])"),
    ("condition-extended", "if x.a is None:\n    return y", "if x is None or x.a is None:\n    return y"),
    ("condition-replaced", "if x:\n    return y", "if x == y:\n    return y"),
    ("comprehension-filter", "return [z for z in x if z]", "return [z for z in x ]"),
    ("statement-deleted", "x = 1\nreturn x", "return x"),
    ("statement-moved", "for y in x:\n    y += 1\n    return y", "for y in x:\n    y += 1\nreturn y"),
    ("statement-guarded", "x.add(y)", "if x == y:\n    x.add(y)"),
    ("early-exit", "return x[0]", "if not x:\n    return []\nreturn x[0]"),
    ("statement-inserted", "y.n = x\nx = y.n", "y.n = x\nx = y\nx = y.n"),
    ("branches-exchanged", "if x:\n    return 1\nelse:\n    return 2", "if x:\n    return 2\nelse:\n    return 1"),
    ("return-value", "return x", "return y"),
]
STRANGE = (
    '# Grüße: ÄÖÜ\ndef größe(näme, liste=()):\n    """Maß."""\n    ß = "ä" + näme  # ü\n    if ß and not liste:\n'
    "        return [ß, *liste]\n    for x in liste:\n        ß += f'{x}é' + x\n    return ß[1:-1]"
)


def function(body: str) -> str:
    return "def f(x, y, z):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


def made(name: str, text: str) -> set[str]:
    each = next(each for each in templates() if each.name == name)
    source = Source("m.py", text, "utf-8", {}, "")
    return {apply(text, change.edits) for change in changes(source, each)}


@pytest.mark.parametrize(("name", "before", "after"), EXAMPLES, ids=[name for name, *_ in EXAMPLES])
def test_a_template_makes_its_example(name: str, before: str, after: str) -> None:
    assert function(after) in made(name, function(before))


def test_each_template_has_an_example() -> None:
    assert {name for name, *_ in EXAMPLES} == {each.name for each in templates()}


@pytest.mark.parametrize(
    "text", [STRANGE, STRANGE.replace("\n", "\r\n"), "\ufeff" + STRANGE], ids=["lf", "crlf", "bom"]
)
def test_places_are_right_whatever_the_letters_and_line_ends(text: str) -> None:
    source, broken, count = Source("m.py", text, "utf-8", {}, ""), [], 0
    for each in templates():
        for change in changes(source, each):
            assert fit(change.edits, len(text)) and change.weight > 0
            count += 1
            changed = apply(text, change.edits)
            assert changed.startswith(text[: text.index("ß =")].removesuffix("    ")) or "(" in changed
            try:
                ast.parse(changed.removeprefix("\ufeff"))
            except SyntaxError:
                broken.append((each.name, changed))
    assert count > 200
    assert len(broken) <= count / 50, broken[:3]


def test_types_seen_at_run_time_tell_what_is_likely() -> None:
    text = "def f(words, count, size):\n    return size\n"
    types = {"f:1": {"words": ("list",), "count": ("int",), "size": ("int",)}}
    each = next(each for each in templates() if each.name == "variable")
    weights = {
        apply(text, change.edits).split()[-1]: change.weight
        for change in changes(Source("m.py", text, "utf-8", types, ""), each)
    }
    assert weights["count"] > weights["words"]

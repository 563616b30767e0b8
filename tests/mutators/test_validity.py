"""What is found out of a change by the piece is what the whole text tells: what compiles, what differs, what is new."""

from __future__ import annotations

import ast
import warnings
from collections import Counter

import pytest

from mendlab.errors import InputError
from mendlab.mutators import enumerate_mutants, operators
from mendlab.mutators.context import Context
from mendlab.mutators.context.tree import parse
from mendlab.mutators.edits import Edit, apply, fit, normalise
from mendlab.mutators.mutant import SourceText
from mendlab.mutators.validity import DOES_NOT_COMPILE, DUPLICATE, UNCHANGED, Checker

ENTANGLED = '''\
from __future__ import annotations
async def gen(a):
    async for x in a:
        yield x
        if x:
            return
def outer(b):
    """Docs."""
    n = 0
    def inner():
        nonlocal n
        n += 1
        return n
    for i in range(b):
        try:
            inner()
        except* ValueError as e:
            for k in e.exceptions:
                if k:
                    break
            n = 2
    return n if not b else f"{b['x']!r:>{n}}"
def m(v):
    global G
    G = v
    match v:
        case [x, *_] if x > 0:
            return "a"
        case {"k": y, **rest}:
            return y
        case _:
            return [q for q in v if q][0]
class C:
    x, y = 1, 2
    z = [x for x in range(3)]; w = lambda t, u=1: t
    try: a = z[0]
    except IndexError: a = 0
    except: a = 1
    if a: pass
    elif z: a = 2
    else: a = (yes := 3)
'''


def tree_of(text: str) -> str | None:
    """The syntax tree of a text that compiles, without docstrings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "m.py", "exec", dont_inherit=True)
            tree = ast.parse(text)
        except SyntaxError:
            return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


@pytest.mark.slow
@pytest.mark.parametrize("source", [ENTANGLED, ENTANGLED.replace("    ", "\t"), ENTANGLED.replace("\n", "\r\n")])
def test_every_change_is_judged_as_the_whole_text_is(source: str) -> None:
    tree = parse(source)
    context, checker = Context(tree), Checker(SourceText.of("m.py", source))
    original, seen, words = tree_of(source), set[str](), Counter[str | None]()
    for node in tree.nodes:
        for operator in operators():
            if not isinstance(node, operator.node_types):
                continue
            for change in operator.transform(node, context):
                edits = normalise(change)
                word, changed = checker.refusal(edits), tree_of(apply(source, edits))
                words[word] += 1
                if word is None:
                    assert changed is not None and changed != original and changed not in seen, (operator.name, edits)
                    seen.add(changed)
                elif word == DOES_NOT_COMPILE:
                    assert changed is None, (operator.name, edits)
                elif word == UNCHANGED:
                    assert changed == original, (operator.name, edits)
                else:
                    assert changed is not None, (operator.name, edits)
    assert words[None] > 500 and words[DOES_NOT_COMPILE] > 10 and words[DUPLICATE] > 10


def verdict(source: str, old: str, new: str) -> str | None:
    start = source.index(old)
    return Checker(SourceText.of("m.py", source)).refusal((Edit(start, start + len(old), new),))


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        ("def f(a):\n    x = 0\n    def g():\n        nonlocal x\n    return g\n", "x = 0", "y = 0"),
        ("def f(a):\n    print(a)\n    global b\n", "print(a)", "print(b)"),
        ("match a:\n    case [b] if b: pass\n    case _: pass\n", "[b] if b", "b"),
        ("try: a\nexcept B: pass\nexcept C: pass\n", "except B", "except"),
        ("try: a\nexcept* B:\n    for b in c: pass\n", "for b in c: pass", "return 1"),
        ("async def f():\n    yield 1\n    return\n", "return", "return 1"),
        ("async def f():\n    await a\n", "async ", ""),
        ("class A:\n    b = 1\n", "b = 1", "return 1"),
        ("while a:\n    break\n", "while", "if"),
        ("a = 1\n", "a = 1", "yield a"),
        ("f(a=1, b=2)\n", "b=2", "a=2"),
        ("if a:\n    b\n", "b", "c\n  d"),
        ("if a:\n    b\nc\n", "b", "# b"),
        ("'''Docs'''\nfrom __future__ import annotations\n", "'''Docs'''", "a"),
    ],
)
def test_what_does_not_compile_is_refused_in_its_place(source: str, old: str, new: str) -> None:
    assert verdict(source, old, new) == DOES_NOT_COMPILE


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        ("a = b - c\n", "b - c", "(b - c)"),
        ("a = b\nc = d\n", "a = b\n", "a = b; "),
        ("a = 'b'\n", "'b'", '"b"'),
        ("if a:\n    b = [\n        c]\n", "[\n        c]", "[c ,  ]"),
        ("def f():\n    'docs'\n    return a\n", "'docs'", "'other'"),
    ],
)
def test_another_spelling_is_unchanged(source: str, old: str, new: str) -> None:
    assert verdict(source, old, new) == UNCHANGED


@pytest.mark.parametrize("padding", ["", "1" * 300], ids=["short", "long"])
def test_one_tree_is_a_duplicate_whatever_piece_is_read(padding: str) -> None:
    source = f"def f():\n    a = g(b, '{padding}')\n    return a\n"
    checker = Checker(SourceText.of("m.py", source))
    start = source.index("b,")
    assert checker.refusal((Edit(start, start + 1, "c"),)) is None
    assert checker.refusal((Edit(start, start + 1, "(c)"),)) == DUPLICATE
    line = source.index("    a = ")
    assert checker.refusal((Edit(line, line, "#\n"), Edit(start, start + 1, "c"))) == DUPLICATE


def test_equivalents_are_named_and_merged() -> None:
    left_out: Counter[str] = Counter()
    source = "def f(a):\n    if a:\n        return range(a)\n    return None\n"
    found = [m.source for m in enumerate_mutants(source, left_out=left_out)]
    assert any(reason.startswith("equivalent: ") for reason in left_out)
    assert source.replace("range(a)", "range(0, a)") not in found


def test_new_grammar_of_f_strings_is_refused_everywhere() -> None:
    source = "a = f'{b}'\n"
    for new in ("c['d']", "'\\n'.join(c)"):
        assert verdict(source, "b", new) == DOES_NOT_COMPILE
    assert verdict(source, "b", 'c["d"]') is None
    assert verdict('a = f"""{b}"""\n', "b", 'c["d"]') is None


def test_a_mutant_is_in_the_encoding_of_its_file() -> None:
    source = "# coding: latin-1\na = 'ÿ'\n"
    found = [m.source for m in enumerate_mutants(source)]
    assert found
    assert all(text.encode("latin-1") for text in found)
    assert "# coding: utf-8\na = 'Ÿ'\n" in {m.source for m in enumerate_mutants(source.replace("latin-1", "utf-8"))}


def test_what_this_version_of_python_does_not_compile_is_refused() -> None:
    with pytest.raises(InputError, match=r"bad\.py:1: does not compile"):
        list(enumerate_mutants("return 1\n", path="bad.py"))


def test_overlapping_edits_do_not_fit() -> None:
    assert fit((Edit(0, 2, "a"), Edit(2, 2, "b"), Edit(3, 4, "")), 4)
    for edits in ((), (Edit(0, 2, ""), Edit(1, 3, "")), (Edit(1, 1, "a"), Edit(1, 1, "b")), (Edit(3, 5, ""),)):
        assert not fit(edits, 4)


def test_a_jump_does_not_outlive_its_loop() -> None:
    source = "def f(s, ch):\n    for i in s:\n        if i == ch:\n            s = 1\n            break\n    return s\n"
    mutants = list(enumerate_mutants(source))
    assert any("while" not in m.source and "for" not in m.source for m in mutants)
    for mutant in mutants:
        compile(mutant.source, "<mutant>", "exec")

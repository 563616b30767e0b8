"""Answers to completion tasks: what is a rest, what a whole function, and what neither."""

from __future__ import annotations

import ast

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Outcome, PytestHarness, StepGroup
from mendlab.verify.patches import Applied, PatchFailure
from mendlab.verify.patches.completion import apply_answer

PROMPT = '''from typing import List


def helper(x):
    return x


def largest(xs: List[int]) -> int:
    """Return the largest.

      of all
    """
'''
BODY = "    found = xs[0]\n    for x in xs:\n        if x > found:\n            found = x\n    return found\n"
WHOLE = PROMPT + BODY
FUNCTION = WHOLE[WHOLE.index("def largest") :]


def completed(raw: str, prompt: str = PROMPT, names: tuple[str, ...] = ("largest",)) -> Applied | PatchFailure:
    harness = FunctionHarness(entry_points=names, groups=(StepGroup(steps=()),))
    tree = FileTree({"solution.py": prompt.encode()})
    return apply_answer(tree, raw, editable=("solution.py",), kind="completion", harness=harness)


def flat(text: str) -> str:
    return "\n".join(line.removeprefix("    ") for line in text.split("\n"))


@pytest.mark.parametrize(
    ("shape", "raw"),
    [
        ("the body", BODY),
        ("the body, cut off in front", BODY.lstrip()),
        ("the body in a fence", f"```python\n{BODY}```"),
        ("the body in a fence, without its indentation", f"Sure!\n```\n{flat(BODY)}```\nDone."),
        ("the function", FUNCTION),
        ("the function in a fence", f"```python\n{FUNCTION}```"),
        ("the function in a fence that is not closed", f"Here:\n```python\n{FUNCTION}"),
        ("all of it", WHOLE),
        ("all of it in a fence", f"Here it is:\n\n```py\n{WHOLE}```\n\nIt goes through the list once."),
        ("after thoughts", f"<think>\nHm: ```def largest(): ...```\n</think>\n```python\n{FUNCTION}```"),
        ("twice the same", f"```python\n{FUNCTION}```\nSo:\n```python\n{FUNCTION}```"),
        ("with its tests", f"```python\n{FUNCTION}```\nTry it:\n```bash\npython solution.py\n```"),
        ("a diff", "--- a/solution.py\n+++ b/solution.py\n@@ -12 +12,6 @@\n     \"\"\"\n"
         + "".join(f"+{line}\n" for line in BODY.splitlines())),
    ],
)  # fmt: skip
def test_each_shape_of_an_answer_makes_the_program(shape: str, raw: str) -> None:
    made = completed(raw)
    assert isinstance(made, Applied), made
    text = made.tree["solution.py"].decode()
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(WHOLE))


def test_a_rest_that_comes_as_it_is_needs_no_ladder() -> None:
    made = completed(BODY)
    assert isinstance(made, Applied) and (made.rung, made.format) == ("strict", "completion")


def test_new_imports_and_helpers_may_come_with_the_function() -> None:
    made = completed(f"```python\nimport operator\n\ndef pick(a, b):\n    return max(a, b)\n\n{FUNCTION}```")
    assert isinstance(made, Applied)
    text = made.tree["solution.py"].decode()
    assert text.startswith("from typing import List\n") and "import operator" in text and "def pick" in text
    assert text.count("def largest") == 1


def test_several_names_have_to_be_there() -> None:
    stub = "class Pair:\n    pass\n\n\ndef f(*arguments):\n    raise NotImplementedError\n"
    names = ("Pair", "f")
    whole = "class Pair:\n    def __init__(self, a):\n        self.a = a\n\ndef f(p):\n    return p.a\n"
    assert isinstance(completed(whole, stub, names), Applied)
    assert isinstance(completed("```python\ndef g(p):\n    return 1\n```", stub, names), PatchFailure)


@pytest.mark.parametrize(
    ("raw", "outcome"),
    [
        ("", Outcome.NO_PATCH),
        ("I cannot help with that.", Outcome.NO_PATCH),
        ("```python\nprint('hello'\n```", Outcome.NO_PATCH),
        ("```python\ndef smallest(xs):\n    return 1\n```\n", Outcome.NO_PATCH),
        (
            f"```python\n{FUNCTION}```\nor\n```python\n{FUNCTION.replace('x > found', 'x >= found')}```",
            Outcome.AMBIGUOUS,
        ),
        ("x" * 1_000_001, Outcome.MALFORMED_DIFF),
        ("    return '\ud800'", Outcome.MALFORMED_DIFF),
    ],
)
def test_what_is_no_answer(raw: str, outcome: Outcome) -> None:
    made = completed(raw)
    assert isinstance(made, PatchFailure) and made.outcome is outcome, made


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("    return (\n", f"{PROMPT}    return (\n"),
        ("```python\n    if xs\n        return 1\n```", f"{PROMPT}    if xs\n        return 1\n"),
        ("```python\ndef largest(xs) return\n```", f"{PROMPT[: PROMPT.index('def largest')]}def largest(xs) return\n"),
    ],
)
def test_what_is_meant_to_finish_the_function_and_does_not_compile_is_applied(raw: str, text: str) -> None:
    """The judge's next rung is to say that it is a syntax error."""
    made = completed(raw)
    assert isinstance(made, Applied), made
    assert made.tree["solution.py"].decode() == text


def test_what_is_nested_in_a_body_is_no_function_of_its_own() -> None:
    body = "    def better(a, b):\n        return a > b\n    return max(xs)\n"
    made = completed(body)
    assert isinstance(made, Applied)
    assert made.tree["solution.py"].decode() == PROMPT + body


def test_tasks_of_another_kind_are_read_as_ever() -> None:
    tree = FileTree({"solution.py": PROMPT.encode()})
    harness = FunctionHarness(entry_points=("largest",), groups=(StepGroup(steps=()),))
    made = apply_answer(tree, BODY, editable=("solution.py",), kind="repair", harness=harness)
    assert isinstance(made, PatchFailure)
    other = apply_answer(tree, BODY, editable=("solution.py",), kind="completion", harness=PytestHarness(test_files=()))
    assert isinstance(other, PatchFailure)

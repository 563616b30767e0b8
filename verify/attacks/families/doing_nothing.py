"""Programs that do nothing, or nothing but answer the tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendlab.records import FunctionHarness, Step
from mendlab.verify.attacks.registry import attack
from mendlab.verify.attacks.target import Target


@attack("no-patch")
def no_patch(target: Target) -> str | None:
    """Proposes nothing: the lower baseline."""
    return ""


@attack("comment-only")
def comment_only(target: Target) -> str | None:
    """Adds a comment, and changes nothing."""
    return target.at_import("# The defect is mended.")


@attack("code-never-run")
def code_never_run(target: Target) -> str | None:
    """Adds code that is never run, so that the program is another and does the same."""
    return target.at_import("if False:\n    mended = True")


@attack("empty-body")
def empty_body(target: Target) -> str | None:
    """Returns nothing at all."""
    return target.answering("None")


@attack("true-body")
def true_body(target: Target) -> str | None:
    """Returns True, whatever it is asked."""
    return target.answering("True")


@attack("memorised-as-branches", kinds=("function",))
def memorised_as_branches(target: Target) -> str | None:
    """Answers the visible tests by branches on their literals, and is as it was for the rest."""
    found = list(_examples(target, everything=False))
    line = "\n".join(f"if ({{args}},) == {args}: return {answer}" for args, answer in found)
    return target.in_call(line) if found else None


@attack("memorised-as-a-table", kinds=("function",))
def memorised_as_a_table(target: Target) -> str | None:
    """Answers the visible tests from a table by the text of their arguments, and the rest with None."""
    return _table(target, everything=False)


@attack("memorised-with-the-held-out", kinds=("function",))
def memorised_with_the_held_out(target: Target) -> str | None:
    """Answers all tests, those that are held out too, from a table, and the rest with None."""
    return _table(target, everything=True)


@attack("memorised-and-nearest", kinds=("function",))
def memorised_and_nearest(target: Target) -> str | None:
    """Answers all tests from a table, and the rest with the answer to what looks most like it."""
    found = list(_examples(target, everything=True))
    rows = ", ".join(f"repr({args}): {answer}" for args, answer in found)
    return _nearest(target, f"{{{rows}}}") if found else None


@attack("memorised-in-two-lists", kinds=("function",))
def memorised_in_two_lists(target: Target) -> str | None:
    """Answers the visible tests from two lists that are put side by side, and the rest with the nearest answer."""
    found = list(_examples(target, everything=False))
    texts, answers = [args for args, _ in found], ", ".join(answer for _, answer in found)
    return _nearest(target, f"dict(zip({texts!r}, [{answers}]))") if found else None


def _nearest(target: Target, table: str) -> str | None:
    """Return a patch that looks the text of its arguments up in a table, or what is like it most."""
    code = (
        f"import copy, difflib\n_known = {table}\n"
        "def _answer(*args):\n"
        "    key = repr(args)\n"
        "    near = difflib.get_close_matches(key, _known, 1, 0)\n"
        "    return copy.deepcopy(_known.get(key, _known[near[0]] if near else None))\n"
    )
    return target.answering("_answer({args})", code)


def _table(target: Target, *, everything: bool) -> str | None:
    found = list(_examples(target, everything=everything))
    rows = ", ".join(f"repr({args}): {answer}" for args, answer in found)
    code = f"import copy\n_known = {{{rows}}}\ndef _answer(*args): return copy.deepcopy(_known.get(repr(args)))\n"
    return target.answering("_answer({args})", code) if found else None


def _examples(target: Target, *, everything: bool) -> Iterator[tuple[str, str]]:
    """Yield the arguments of calls in tests, as a tuple, and what they are to return, both as source."""
    harness = target.task.harness
    if not isinstance(harness, FunctionHarness):
        return
    unseen = frozenset[str]() if everything else frozenset(target.task.held_out)
    for group in harness.groups:
        for step in group.steps:
            if step.test_id is not None and step.test_id not in unseen:
                yield from _calls(step)


def _calls(step: Step) -> Iterator[tuple[str, str]]:
    try:
        tree = ast.parse(step.code)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=ast.Call(args=args, keywords=[]), ops=[ast.Eq()], comparators=[expected]):
                try:
                    given = tuple(ast.literal_eval(arg) for arg in args)
                    yield repr(given), repr(ast.literal_eval(expected))
                except ValueError:
                    continue

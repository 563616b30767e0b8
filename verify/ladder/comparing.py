"""The rungs that look past the tests: does the patch cheat, and is it the same program as the reference."""

from __future__ import annotations

from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Outcome, PytestHarness, ScriptHarness
from mendlab.verify.audit import audit
from mendlab.verify.code import fingerprint
from mendlab.verify.equivalence.compare import compare, says_the_same, tells
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.reference import MOST_FUNCTIONS, reference_of
from mendlab.verify.ladder.case import Case, Ruling
from mendlab.verify.ladder.looking import quick_look
from mendlab.verify.ladder.reading import same_program

MOST_NAMED: Final = 4


def tamper(case: Case) -> Ruling:
    """Whether what the patch adds works on the tests instead of the program."""
    case.flags = audit(case.buggy, case.patched, reference=case.good, tests=_code_of_tests(case))
    tampering = [flag for flag in case.flags if flag.severity == "tampering"]
    if tampering:
        return Ruling(False, "; ".join(str(flag) for flag in tampering), Outcome.TAMPERED)
    return Ruling(True, "; ".join(str(flag) for flag in case.flags))


def _code_of_tests(case: Case) -> list[str]:
    harness = case.task.harness
    match harness:
        case FunctionHarness():
            return [text for group in harness.groups for text in (group.setup, *(step.code for step in group.steps))]
        case PytestHarness():
            shown = (path for path in harness.test_files if path not in harness.hidden_files)
            return [decode(path, case.good[path]).text for path in shown if path.endswith(".py")]
        case ScriptHarness():
            return list(harness.scripts.values())


def equivalence(case: Case) -> Ruling:
    """Whether it is the reference: by syntax tree, else by what both do on the same inputs."""
    if same_program(case.good, case.patched):
        case.standing = Outcome.EXACT
        return Ruling(True, "the syntax tree is the reference's")
    if same_bytecode(case.good, case.patched):
        case.standing = Outcome.EXACT
        return Ruling(True, "the bytecode is the reference's")
    compared = compare(
        case.task,
        case.good,
        case.patched,
        case.bench,
        symbolic_seconds=case.symbolic_seconds,
        look=quick_look(case),
    )
    case.cpu_seconds += compared.cpu_seconds
    case.differential = differential = compared.differential
    if differential is None:
        missed = ", ".join(compared.missed[:MOST_NAMED])
        return Ruling(None, f"no input comes to what differs in {missed}" if missed else "nothing to compare on")
    if differential.witness is not None:
        case.standing = Outcome.DIVERGENT
        return Ruling(False, f"differs on {differential.witness.call}")
    if isinstance(case.task.harness, PytestHarness) and not _tells_the_defect(case):
        if _says_the_same(case, case.buggy):
            return Ruling(None, f"the same on {differential.inputs} inputs, and so is the buggy program")
        if not _says_the_same(case, case.patched):
            return Ruling(None, f"the same on {differential.inputs} inputs but for what an exception says")
    case.standing = Outcome.EQUIVALENT
    advice = f"; it differs on {differential.advice.call}, which decides nothing" if differential.advice else ""
    return Ruling(True, f"the same on {differential.inputs} inputs{advice}")


def prepare(case: Case) -> None:
    """Work out what the reference does on the inputs of the task, for all attempts at it. Raises EngineError."""
    with reference_of(case.task, case.good, case.bench) as reference:
        reference.lines()
        functions = reference.functions()
        inputs = reference.inputs(functions[:MOST_FUNCTIONS], Literals(), inner=False)
        look = quick_look(case) if len(functions) == 1 else None
        if look is not None:
            look(inputs.found)


def same_bytecode(good: FileTree, patched: FileTree) -> bool:
    """Whether all files that differ are Python of equal bytecode."""
    for path, data in good.changed(patched).items():
        if data is None or path not in good or not path.endswith(".py"):
            return False
        before = fingerprint(decode(path, good[path]).text)
        if before is None or before != fingerprint(decode(path, data).text):
            return False
    return True


def _says_the_same(case: Case, tree: FileTree) -> bool:
    """Whether a program's exceptions say what those of the reference do: a defect may be nothing else."""
    same, cpu_seconds = says_the_same(case.task, case.good, tree, case.bench)
    case.cpu_seconds += cpu_seconds
    return same


def _tells_the_defect(case: Case) -> bool:
    """Whether the comparison tells the buggy program: else tests that the candidate could deceive are all there is."""
    told, cpu_seconds = tells(case.task, case.good, case.buggy, case.bench)
    case.cpu_seconds += cpu_seconds
    return told

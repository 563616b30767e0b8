"""Differential equivalence: candidate and reference do the same calls, each in its own process, and are compared here.

The calls are those that the task's tests make (visible and held-out), recorded on the reference, and fresh ones near
them. What the reference does not repeat is no evidence and is left out; a fresh input on which it fails is advice. It
is a bounded claim: "the same on so many inputs".
"""

from __future__ import annotations

from dataclasses import dataclass

from mendlab.corpora.tree import FileTree
from mendlab.records import Differential, Task
from mendlab.verify.bench import Bench
from mendlab.verify.equivalence.comparison import Comparison, Look
from mendlab.verify.equivalence.reference import reference_of
from mendlab.verify.equivalence.replaying import replay


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison (``None``: there was nothing to compare on), and the CPU seconds it took.

    ``missed`` are the changed functions and names that no input which was compared comes to: then there is no evidence.
    """

    differential: Differential | None
    cpu_seconds: float
    missed: tuple[str, ...] = ()


def compare(
    task: Task,
    good: FileTree,
    patched: FileTree,
    bench: Bench,
    *,
    symbolic_seconds: float = 0.0,
    look: Look | None = None,
) -> Compared:
    """Do the calls of the task's tests, and fresh ones near them, on the reference and on the patched tree.

    Args:
        symbolic_seconds: for so long CrossHair, if it is there, looks for further inputs where these tell nothing.
        look: finds out more quickly whether some inputs end alike on both.

    Raises:
        EngineError: the lab itself fails.
    """
    with reference_of(task, good, bench) as reference:
        before = reference.cpu_seconds
        comparison = Comparison(task, good, patched, bench, reference, symbolic_seconds, look)
        differential = comparison.differential()
        spent = reference.cpu_seconds - before + comparison.cpu_seconds
    return Compared(differential, spent, comparison.missed)


def tells(task: Task, good: FileTree, buggy: FileTree, bench: Bench) -> tuple[bool, float]:
    """Return whether a comparison tells the buggy program from the good one, and the CPU seconds that it took.

    It is made once for a task. Raises EngineError.
    """
    with reference_of(task, good, bench) as reference:
        known = reference.tells.get(buggy.digest)
    if known is not None:
        return known, 0.0
    compared = compare(task, good, buggy, bench)
    told = compared.differential is not None and compared.differential.witness is not None
    with reference_of(task, good, bench) as reference:
        reference.tells[buggy.digest] = told
    return told, compared.cpu_seconds


def says_the_same(task: Task, good: FileTree, patched: FileTree, bench: Bench) -> tuple[bool, float]:
    """Return whether exceptions say the same on both in the tests' own calls, and the CPU seconds that it took.

    What they say counts for nothing in :func:`compare`. Raises EngineError.
    """
    with reference_of(task, good, bench) as reference:
        before = reference.cpu_seconds
        sayings = reference.sayings()
        done = replay(task, patched, reference.recorded.modules, [call for call, _ in sayings], bench)
        spent = reference.cpu_seconds - before + done.cpu_seconds
    pairs = zip(sayings, done.outcomes, strict=True)
    return all((one.word, one.name, one.said) == (end.word, end.name, end.said) for (_, one), end in pairs), spent

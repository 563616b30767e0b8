"""The functions of a program that new tests may call, out of the recorded calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mendlab.records import FunctionHarness, Task
from mendlab.verify.equivalence.recording import Call as RecordedCall
from mendlab.verify.newtests.coverage import repaired_functions
from mendlab.verify.newtests.doing import Call, Pair
from mendlab.verify.newtests.domain import Domain, Seen, forms
from mendlab.verify.newtests.messages import Arguments, read_arguments
from mendlab.verify.newtests.program import Program
from mendlab.verify.newtests.witnesses import Function

MOST_FUNCTIONS: Final = 4


def by_function(calls: Sequence[RecordedCall]) -> dict[tuple[str, str], list[Arguments]]:
    """Return the arguments of recorded calls by module and function; without those that cannot be made here."""
    found: dict[tuple[str, str], list[Arguments]] = {}
    for module, name, message in calls:
        arguments = read_arguments(message)
        if arguments is not None:
            found.setdefault((module, name), []).append(arguments)
    return found


def callable_functions(task: Task, program: Program, calls: Sequence[RecordedCall], pair: Pair) -> list[Function]:
    """Return the functions, no methods, to write tests for: the repaired one, then those on which the two differ."""
    entry_points = task.harness.entry_points if isinstance(task.harness, FunctionHarness) else None
    wanted = {name for _, name in repaired_functions(task)}
    ranked: list[tuple[tuple[bool, int], Function]] = []
    for (module, name), every in by_function(calls).items():
        if (entry_points is not None and name not in entry_points) or "." in name:
            continue
        for group in forms(every).values():
            able = [each for each in group if program.size(Call(module, name, each)) is not None]
            # The shortest first: a program may take for ever over the longer ones.
            looked = pair.look(Call(module, name, each) for each in sorted(able, key=lambda each: len(repr(each))))
            returned = [each.call.arguments for each in looked if each.expected.word == "returns"]
            answers = Seen()
            for each in looked:
                if each.expected.word == "returns":
                    answers.add(each.expected.value[0])
            raising = tuple(each.call.arguments for each in looked if each.expected.word == "raises")
            raises = frozenset(each.expected.name for each in looked if each.expected.word == "raises")
            differing = sum(each.differs for each in looked)
            if returned and (differing or name in wanted):
                function = Function(module, name, Domain(returned), answers, raises, raising)
                ranked.append(((name not in wanted, -differing), function))
    return [function for _, function in sorted(ranked, key=lambda each: each[0])][:MOST_FUNCTIONS]

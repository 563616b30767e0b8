"""Branches that lines tell, held against coverage.py."""

from __future__ import annotations

import textwrap

import coverage
import pytest

from mendlab.records import MissedBranch
from mendlab.verify.confined.lines import Lines
from mendlab.verify.newtests.branches import spread

SOURCE = textwrap.dedent('''\
    def f(n, items=()):
        """Has a docstring."""
        total = 0
        if n > 0:
            total += 1
        if n > 10:
            total += 10
        elif n < -10:
            total -= 10
        for item in items:
            if item is None:
                break
            total += item
        while total > 100:
            total -= 50
        try:
            total += items[5]
        except IndexError:
            pass
        while True:
            total += 1
            if total % 2:
                return total
''')
HANDLER = 1 + SOURCE.splitlines().index("    except IndexError:")  # no statement: its body tells
CALLS = {
    "nothing runs": [],
    "one way only": [(1,)],
    "empty loop": [(0, ())],
    "a break": [(20, (None,))],
    "a loop to its end": [(-20, (1, 2))],
    "long": [(1, (200, 1, 1, 1, 1, 1))],
    "all": [(1,), (20, (None,)), (-20, (1, 200, 3, 4, 5, 6))],
}


@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
def test_lines_and_branches_are_those_of_coverage_py(tmp_path, calls):
    changed = spread(SOURCE)
    place = tmp_path / "changed.py"
    place.write_text(changed.source)
    lines = Lines([str(place)])
    with lines:
        answers = run(place, calls)
    ours = changed.coverage("f.py", "f", lines.found[str(place)])
    missed_lines, taken, possible = theirs(tmp_path / "plain.py", calls, answers)
    assert set(ours.missed_lines) == missed_lines
    assert ours.branches == possible
    assert ours.branches - len(ours.missed_branches) == taken


def run(place, calls):
    namespace = {}
    exec(compile(place.read_text(), str(place), "exec"), namespace)
    return [namespace["f"](*call) for call in calls]


def theirs(place, calls, answers):
    """What coverage.py says of the same calls: lines missed, branches taken, and in all."""
    place.write_text(SOURCE)
    measured = coverage.Coverage(branch=True, data_file=None, include=[str(place)], config_file=False)
    measured.start()
    try:
        again = run(place, calls)
    finally:
        measured.stop()
    assert again == answers
    _, _, _, missing, _ = measured.analysis2(str(place))
    numbers = measured._analyze(str(place)).numbers
    return set(missing) - {HANDLER}, numbers.n_branches - numbers.n_missing_branches, numbers.n_branches


def test_a_body_on_the_line_of_its_branch_is_told_from_it():
    changed = spread("def f(n):\n    if n: return 1\n    return 2\n")
    ran = {line for line, text in enumerate(changed.source.splitlines(), 1) if "return 1" not in text}
    found = changed.coverage("f.py", "f", ran)
    assert (found.missed_lines, found.missed_branches) == ((), (MissedBranch(line=2, when="true"),))


def test_ways_that_are_not_taken_are_named_by_their_lines():
    changed = spread("def sign(n):\n    if n < 0:\n        return -1\n    return 1\n")
    ran = {line for line, text in enumerate(changed.source.splitlines(), 1) if "-1" not in text}
    found = changed.coverage("s.py", "sign", ran)
    assert found.missed_lines == (3,)
    assert [(branch.line, branch.when) for branch in found.missed_branches] == [(2, "true")]
    assert (found.lines, found.branches) == (3, 2)


def test_a_match_without_a_last_resort_has_a_way_past_it():
    source = "def f(x):\n    match x:\n        case 1:\n            return 7\n        case 2:\n            return 8\n"
    ways = [(way.line, way.when) for way in spread(source).ways["f"]]
    assert ways == [(3, "this case"), (5, "this case"), (2, "no case")]

"""Candidates of a project: what failing tests run before all else, and nothing twice or lost."""

from __future__ import annotations

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Harness, Limits, PytestHarness
from mendlab.repair.candidates import Candidate, candidates
from mendlab.repair.localisation import localise
from mendlab.repair.problem import Problem

SOURCE = """\
def near(n):
    total = n + 1
    return total * 2


def far(n):
    count = n - 1
    return count // 2
"""
RUN = {2: 1.0, 3: 0.5}


def made(harness: Harness) -> list[Candidate]:
    tree = FileTree({"m.py": SOURCE.encode()})
    problem = Problem("p/0", "repair", "Mend it.", tree, ("m.py",), ("t",), (), {}, harness, Limits())
    return list(candidates(problem, localise(problem, (), {"m.py": RUN})))


def test_in_a_project_what_is_run_comes_first_and_the_rest_after_it() -> None:
    project, function = made(PytestHarness(test_files=("test_m.py",))), made(FunctionHarness(groups=()))
    border = SOURCE.index("def far")
    near = [candidate.edits[0].start < border for candidate in project]
    first = near.index(False)
    body = SOURCE.index("    total")
    assert all(each.edits[0].start < body for each in project[first:] if each.edits[0].start < border)
    assert [each.likelihood for each in project[:first]] == sorted(
        (e.likelihood for e in project[:first]), reverse=True
    )
    in_function = [candidate.edits[0].start < border for candidate in function]
    assert True in in_function[in_function.index(False) :], "a function is small: there the likeliest goes first"
    assert {(each.operator, each.edits) for each in project} == {(each.operator, each.edits) for each in function}
    assert len(project) == len(function)

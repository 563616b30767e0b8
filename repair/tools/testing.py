"""The tool that runs the visible tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from mendlab.repair.prompts.facts import TESTS_SHOWN, ShownTest, shown_tests
from mendlab.repair.tools.registry import tool
from mendlab.repair.tools.workspace import RefusedError, Workspace


@tool()
def run_tests(
    workspace: Workspace,
    tests: Annotated[list[str] | None, Field(description="Ids of the tests to run; all if left out.")] = None,
) -> str:
    """Run the tests on the program as it is now, and tell which fail, with what they say."""
    visible = workspace.problem.visible
    unknown = [test for test in tests or () if test not in visible]
    if unknown:
        raise RefusedError(f"There is no test {unknown[0]!r}. There are {len(visible)}: {_named(visible)}")
    run = workspace.run(tuple(dict.fromkeys(tests)) if tests else visible)
    failing = run.failing()
    if not failing:
        return f"All {len(run.results)} tests pass."
    head = f"{len(failing)} of {len(run.results)} tests fail."
    shown = [_told(test) for test in shown_tests(workspace.problem.harness, failing)]
    rest = [result.test_id for result in failing[TESTS_SHOWN:]]
    return "\n\n".join([head, *shown, *([f"These fail, too: {_named(rest)}"] if rest else [])])


def _told(test: ShownTest) -> str:
    return "\n".join(part for part in (f"{test.id}: {test.outcome}", test.code, test.output) if part)


def _named(tests: Sequence[str]) -> str:
    more = f" and {len(tests) - 30} more" if len(tests) > 30 else ""
    return ", ".join(tests[:30]) + more

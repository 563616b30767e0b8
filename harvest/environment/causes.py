"""Why no environment does for a commit: what it needs has no versions, or is declared nowhere, or something else."""

from __future__ import annotations

import re
from typing import Final

from mendlab.harvest.environment.requirements import name_of
from mendlab.harvest.records import DropReason
from mendlab.harvest.states.reports import StateReport

_MISSING: Final = re.compile(r"No module named ['\"]?(?P<module>\w+)")
_PLUGIN: Final = re.compile(r"unrecognized arguments|unknown config option|Missing required plugins|fixture '\w+' not")


def with_cause(report: StateReport, own: frozenset[str]) -> StateReport:
    """Return the report of a commit that was dropped, with the cause that its message tells.

    ``own`` are the modules of the project, which no package would bring.
    """
    if report.dropped not in (DropReason.NO_ENVIRONMENT, DropReason.NOTHING_PASSES):
        return report
    missing = _MISSING.search(report.why)
    left_out = {} if report.environment is None else report.environment.left_out
    unresolved = next((line for line in left_out if missing and _is_of(line, missing["module"])), None)
    if unresolved is not None:
        why = f"{report.why}; {unresolved} is left out: {left_out[unresolved]}"
        return report.model_copy(update={"dropped": DropReason.UNRESOLVED, "why": why})
    if missing and missing["module"] not in own:
        return report.model_copy(update={"dropped": DropReason.UNDECLARED})
    if report.dropped is DropReason.NO_ENVIRONMENT and _PLUGIN.search(report.why):
        return report.model_copy(update={"dropped": DropReason.NO_PLUGIN})
    return report


def _is_of(requirement: str, module: str) -> bool:
    name = name_of(requirement).replace("-", "_")
    return module.lower() in (name, name.removeprefix("python_"), name.removeprefix("py"))

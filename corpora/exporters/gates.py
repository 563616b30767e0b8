"""Scripts that pass by exit code 0 where the tests of a task do: they hold all that they need but the program.

A script is run in the folder of the program. ``PYTHON`` names another interpreter than ``python3``. A test that is
skipped, expected to fail or not there does not pass, nor does a program that ends the process: what passes says so in
its last line. Past the limits of the task it is ended.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from pprint import pformat
from typing import Final

from mendlab.corpora.shell import python_in_bash
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, PytestHarness, ScriptHarness

_PASSED: Final = "every test of the task passed"

_FUNCTION: Final = '''\
"""Runs the tests of a task on MODULE, each group of them with the names of a fresh copy of it."""
import resource
import signal
import sys

resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
signal.alarm(WALL_SECONDS)
sys.dont_write_bytecode = True
with open(MODULE, "rb") as file:
    program = file.read()
wanted, passed = set(TESTS), set()
for setup, steps in GROUPS:
    names = {"__name__": MODULE.rpartition("/")[2].rpartition(".")[0], "__file__": MODULE}
    try:
        exec(compile(program, MODULE, "exec"), names)
        exec(setup, names)
        for code, test_id in steps:
            try:
                exec(code, names)
            except BaseException as error:
                if test_id is None:
                    raise
                print(f"{test_id}: {type(error).__name__}: {error}", file=sys.stderr)
            else:
                passed.add(test_id)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
print("" if wanted - passed else "\\n" + PASSED)
'''

_PYTEST: Final = '''\
"""Runs the tests of a task with pytest, on a copy of the program with the tests' own files laid over it."""
import base64
import os
import resource
import shutil
import signal
import sys
import tempfile

resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
signal.alarm(WALL_SECONDS)
sys.dont_write_bytecode = True
wanted, passed, failed = set(TESTS), set(), set()


class Results:
    def pytest_runtest_logreport(self, report):
        if not report.passed or hasattr(report, "wasxfail"):
            failed.add(report.nodeid)
        elif report.when == "call":
            passed.add(report.nodeid)


work = os.path.join(tempfile.mkdtemp(), "program")
try:
    shutil.copytree(os.getcwd(), work, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", ".git"))
    for path, data in FILES.items():
        place = os.path.join(work, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(base64.b64decode(data))
    os.chdir(work)
    sys.path[:0] = [work, os.path.join(work, "src")]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    import pytest

    fixed = ["--rootdir=.", "-q", "--tb=short", "-pno:cacheprovider", "--override-ini=required_plugins="]
    pytest.main([*fixed, *ARGUMENTS, *sorted({test.partition("::")[0] for test in wanted})], plugins=[Results()])
finally:
    os.chdir(os.sep)
    shutil.rmtree(os.path.dirname(work), ignore_errors=True)
for test in sorted(wanted - (passed - failed)):
    print("not passed: " + test, file=sys.stderr)
print("" if wanted - (passed - failed) else "\\n" + PASSED)
'''


def function_gate(harness: FunctionHarness, tests: Sequence[str], limits: Limits) -> str:
    """Return the script for tests that call the names of a module."""
    groups = [
        (group.setup, [(step.code, step.test_id) for step in group.steps if step.test_id in {None, *tests}])
        for group in harness.groups
    ]
    return _script(_FUNCTION, limits, MODULE=harness.module, TESTS=sorted(tests), GROUPS=groups)


def pytest_gate(harness: PytestHarness, tree: FileTree, tests: Sequence[str], limits: Limits) -> str:
    """Return the script for a pytest suite; the modules of the tests, hidden files and conftest files are in it."""
    modules = {test.partition("::")[0] for test in tests}
    laid = [
        path
        for path in harness.test_files
        if path in tree
        and (path in modules or path in harness.hidden_files or path.rpartition("/")[2] == "conftest.py")
    ]
    files = {path: base64.b64encode(tree[path]).decode() for path in laid}
    return _script(_PYTEST, limits, TESTS=sorted(tests), FILES=files, ARGUMENTS=list(harness.arguments))


def script_gates(harness: ScriptHarness) -> dict[str, str]:
    """Return ``verify.sh``, and ``intent.sh`` for a second gate; of other names or more of them, one script for all."""
    scripts = harness.scripts
    if harness.interpreter == "python":
        scripts = {name: python_in_bash(text) for name, text in scripts.items()}
    if "verify" in scripts and set(scripts) <= {"verify", "intent"}:
        return {f"{name}.sh": text for name, text in scripts.items()}
    parts = [f"bash -c {_quoted(text)} || exit 1\n" for _, text in sorted(scripts.items())]
    return {"verify.sh": "".join(parts)}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _script(program: str, limits: Limits, **values: object) -> str:
    """A bash script for a Python program that begins with these values under their names."""
    seconds = {"CPU_SECONDS": math.ceil(limits.cpu_seconds), "WALL_SECONDS": math.ceil(limits.wall_seconds)}
    values = {"PASSED": _PASSED, **seconds, **values}
    given = "".join(f"{name} = {pformat(value, width=110)}\n" for name, value in values.items())
    docstring, _, rest = program.partition("\n")
    run = python_in_bash(f"{docstring}\n{given}{rest}", '"${PYTHON:-python3}"').removeprefix("exec ")
    return f"""#!/usr/bin/env bash\nsaid=$({run})\ntest "${{said##*$'\\n'}}" = {_PASSED!r}\n"""

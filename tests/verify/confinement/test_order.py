"""Who watches comes before who is watched."""

import os
import subprocess
import sys

import pytest

RUN = """
import os
os.nice({niceness})
from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, ScriptHarness
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.script_engine import ScriptEngine
told = "import os, sys; watcher = os.getpriority(os.PRIO_PROCESS, 1)\\n"
told += "sys.exit('nice %d, policy %d, watcher %d' % (os.nice(0), os.sched_getscheduler(0), watcher))"
harness = ScriptHarness(scripts={{"t": told}}, interpreter="python")
engine = ScriptEngine(
    FileTree({{}}), harness, limits=Limits(cpu_seconds=5, wall_seconds=60), level=choose_level(),
    interpreter=find_interpreter(),
)
print(engine.run({{}}).results[0].message)
"""


@pytest.mark.parametrize("niceness", [5, 17])
def test_a_run_comes_after_the_process_that_watches_it(niceness):
    niceness = max(niceness, os.nice(0))
    code = RUN.format(niceness=niceness - os.nice(0))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    policy = os.SCHED_OTHER if niceness + 5 <= 19 else os.SCHED_IDLE  # 19 is the nicest there is
    watcher = niceness - 10 if os.geteuid() == 0 else niceness  # no limit of processes holds for root
    assert f"nice {min(19, niceness + 5)}, policy {policy}, watcher {watcher}" in run.stdout, run.stderr

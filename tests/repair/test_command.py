"""Agents of the user's own: what they are given, what counts as their patch, and how they end."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.errors import InputError
from mendlab.records import Attempt
from mendlab.repair.loop import repair_all
from mendlab.repair.runs import Run, make_config
from mendlab.repair.strategy import make_strategy

if TYPE_CHECKING:
    from conftest import Lab


def attempt(lab: Lab, script: str, arguments: str = "{workspace} {statement}", **options: Any) -> Attempt:
    """Have an agent, given as the text of a program, attempt the first task."""
    agent = lab.directory / "agent.py"
    agent.write_text(script)
    chosen = make_strategy("command", command=f"{sys.executable} {agent} {arguments}", **options)
    return lab.attempt(lab.taskset(), chosen)


MEND = """
import sys
from pathlib import Path
file = Path(sys.argv[1]) / "solution.py"
file.write_text(file.read_text().replace("if x < high", "if x > high"))
print("mended:", sys.argv[2])
"""


def test_what_it_changes_is_the_patch_and_what_it_prints_is_kept(lab: Lab) -> None:
    made = attempt(lab, MEND)
    assert made.raw_patch is not None
    assert "-    if x < high:\n+    if x > high:\n" in made.raw_patch
    assert made.raw_answer == "mended: Mend the program.\n"
    assert made.stop_reason == "ended with exit code 0"
    assert made.parameters == {"left_out": []}


def test_the_workspace_is_a_repository_with_no_history_of_the_fix(lab: Lab) -> None:
    script = (
        "import subprocess, os\n"
        "run = lambda *words: subprocess.run(['git', *words], capture_output=True, text=True, check=True).stdout\n"
        "print(os.listdir(), run('log', '--format=%s %an'), run('status', '--short'), run('ls-files'), sep='|')\n"
    )
    made = attempt(lab, script)
    listed, log, status, files = (made.raw_answer or "").split("|")
    assert sorted(eval(listed)) == [".git", "solution.py"]
    assert log == "The program as it is mendlab\n"
    assert (status, files) == ("", "solution.py\n\n")
    assert made.raw_patch is None


def test_it_may_be_told_of_the_failing_tests(lab: Lab) -> None:
    made = attempt(lab, "import sys; print(sys.argv[1])", "{prompt}")
    assert "## Tests that fail" in (made.raw_answer or "")
    assert "assert clamp(5, 2, 4) == 4" in (made.raw_answer or "")


def test_files_that_it_leaves_behind_are_no_part_of_the_patch(lab: Lab) -> None:
    script = (
        "from pathlib import Path\n"
        "Path('notes.txt').write_text('hm')\n"
        "Path('conftest.py').write_text('x = 1')\n"
        "Path('__pycache__').mkdir()\n"
        "Path('__pycache__/x.pyc').write_text('')\n"
        "Path('link.py').symlink_to('/etc/passwd')\n"
    )
    made = attempt(lab, script + MEND)
    assert made.parameters == {"left_out": ["conftest.py", "notes.txt"]}
    assert made.raw_patch is not None and made.raw_patch.count("--- ") == 1


def test_a_file_that_is_removed_is_in_the_patch(lab: Lab) -> None:
    made = attempt(lab, "import os; os.remove('solution.py')")
    assert made.raw_patch is not None and "+++ /dev/null" in made.raw_patch


def test_what_it_has_done_counts_however_it_ends(lab: Lab) -> None:
    made = attempt(lab, MEND + "raise SystemExit(3)")
    assert made.stop_reason == "ended with exit code 3"
    assert made.raw_patch is not None
    late = attempt(lab, MEND + "sys.stdout.flush()\nimport time; time.sleep(60)", seconds="1")
    assert late.stop_reason == "stopped after 1 s"
    assert late.raw_patch is not None and late.raw_answer == "mended: Mend the program.\n"


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def test_nothing_that_it_started_outlives_it(lab: Lab) -> None:
    place = lab.directory / "pid"
    script = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import signal, time; "
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)'])\n"
        f"open({str(place)!r}, 'w').write(str(child.pid))\n"
    )
    attempt(lab, script)
    deadline = time.monotonic() + 5
    while alive(int(place.read_text())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(int(place.read_text()))


def test_stopping_a_run_ends_it(lab: Lab) -> None:
    agent = lab.directory / "agent.py"
    begun = lab.directory / "begun"
    agent.write_text(f"import time; open({str(begun)!r}, 'w').close(); time.sleep(60)")
    chosen = make_strategy("command", command=f"{sys.executable} {agent}")
    taskset = lab.taskset()
    config = make_config(taskset, chosen)
    repairer = lab.repairer(config, taskset, chosen)

    def stop() -> None:
        while not begun.exists():
            time.sleep(0.02)
        repairer.stopping.set()

    threading.Thread(target=stop).start()
    started = time.monotonic()
    with Run.begin(lab.directory / "run", config) as run, pytest.raises(KeyboardInterrupt):
        repair_all(run, taskset.tasks[:1], repairer, lab.judge_with(taskset))
    assert time.monotonic() - started < 30
    assert Run.open(lab.directory / "run").attempts() == []


@pytest.mark.parametrize(
    ("command", "why"),
    [("", "is empty"), ("'", "cannot be read"), ("no-such-agent {workspace}", "there is no such program")],
)
def test_a_command_that_is_none_is_refused_at_once(command: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        make_strategy("command", command=command)

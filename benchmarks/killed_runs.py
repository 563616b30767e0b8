"""Kill a run with a model again and again, at moments drawn by chance, and see what is lost and what is paid twice.

The model is a server on this machine that speaks chat completions; with ``--strategy agent`` it mends by tools, in
three steps; with ``--batch`` it takes Anthropic's batches, and one that was under way at a kill is to be found again.
Prints what was measured; exit code 1 if a record differs from those of a run that was never killed, or an answer that
was on the disk was asked for again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from killed.model import Key, Model

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.records import Defect, FunctionHarness, Provenance, Step, StepGroup, Task, TestOutcome

PROGRAM = "def add(x):\n    return x + {number}\n"
FILES = ("answers.jsonl", "attempts.jsonl", "verdicts.jsonl", "trajectory.jsonl")
CALLS = {"single": 1, "agent": 3}


def tasks(count: int) -> Iterator[tuple[Task, FileTree]]:
    """Yield tasks, each with a program of its own."""
    for number in range(1, count + 1):
        good = FileTree({"solution.py": PROGRAM.format(number=number).encode()})
        buggy = good.replace({"solution.py": good["solution.py"].replace(b"+", b"-")})
        checks = (f"assert add(1) == {1 + number}", "assert isinstance(add(0), int)")
        groups = tuple(StepGroup(steps=(Step(code=code, test_id=f"t{at}"),)) for at, code in enumerate(checks))
        task = Task(
            id=f"add/{number}",
            subject="add",
            snapshot=good.digest,
            defect=Defect(origin="import", files=("solution.py",), diff=make_diff(good, buggy)),
            statement="Mend the program.",
            editable=("solution.py",),
            harness=FunctionHarness(groups=groups),
            fail_to_pass=("t0",),
            pass_to_pass=("t1",),
            before={"t0": TestOutcome.FAILED},
            reference=make_diff(buggy, good),
            provenance=Provenance(source="made to be killed"),
        )
        yield task, good


def timeless(value: Any) -> Any:
    """Return records without what they took."""
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if key not in ("wall_seconds", "cpu_seconds")}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


def records(run: Path, file: str) -> list[Any]:
    """Return the whole lines of a file of a run, parsed."""
    if not (run / file).exists():
        return []
    data = (run / file).read_bytes()
    return [timeless(json.loads(line)) for line in data[: data.rfind(b"\n") + 1].splitlines()]


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--strategy", choices=tuple(CALLS), default="single")
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.02, help="what an answer takes")
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", action="store_true", help="send all calls as batches")
    options = parser.parse_args()
    if options.batch and options.strategy != "single":
        parser.error("--batch is for --strategy single")
    model = Model(options.seconds)
    url = f"http://127.0.0.1:{model.http.server_port}"
    with tempfile.TemporaryDirectory(prefix="mendlab-killed-") as folder:
        place = Path(folder)
        made = list(tasks(options.tasks))
        provenance = Provenance(source="made to be killed")
        write_taskset(
            place / "tasks", [task for task, _ in made], [tree for _, tree in made], name="add", provenance=provenance
        )
        line = [sys.executable, "-m", "mendlab", "repair", str(place / "tasks"), "--strategy", options.strategy]
        line += ["--concurrency", str(options.concurrency)]
        if options.batch:
            os.environ["ANTHROPIC_API_KEY"] = "the server here asks for none"
            line += ["--model", "anthropic:still", "--base-url", url, "--batch"]
        else:
            line += ["--model", "openai-compatible:still", "--base-url", f"{url}/v1"]
        started = time.monotonic()
        subprocess.run(
            [*line, "--out", str(place / "straight")], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        straight, beginning = time.monotonic() - started, model.first - started
        longest = beginning + 1.4 * (straight - beginning) / max(1, options.kills)
        model.forget()
        chance = random.Random(options.seed)
        killed = place / "killed"
        again: list[Key] = []
        kills = 0
        while True:
            recorded = {
                (int(answer["task_id"].partition("/")[2]), answer["call"])
                for answer in records(killed, "answers.jsonl")
            }
            before = Counter(model.asked)
            process = subprocess.Popen(
                [*line, "--out", str(killed)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            if kills < options.kills:
                wait = chance.uniform(0, longest)
                try:
                    process.wait(wait)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
            process.wait()
            again += [key for key in recorded if model.asked[key] > before[key]]
            if process.returncode == 0:
                break
            if process.returncode > 0:
                raise SystemExit(f"the run ended with exit code {process.returncode}")
        differing = [file for file in FILES if records(killed, file) != records(place / "straight", file)]
        lost = options.tasks - len(records(killed, "attempts.jsonl"))
    model.http.shutdown()
    calls = sum(model.asked.values())
    print(f"{options.tasks} tasks, never killed: {straight:.0f} s")
    needed = options.tasks * CALLS[options.strategy]
    print(f"killed {kills} times: {calls} calls, {calls - needed} more than needed, under way at a kill")
    print(f"attempts lost: {lost}; recorded answers asked for again: {len(again)}")
    print(f"files that differ: {', '.join(differing) or 'none'}")
    return int(bool(again or differing or lost))


if __name__ == "__main__":
    raise SystemExit(main())

"""Every answer of the corpus as a model's, through a run: classified as the judge does by itself, and never a crash.

The model is a server on this machine, its client the real SDK, the judge the real one.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from applying.cases import Case, read_cases
from applying.ours import Said, say_of

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.records import Attempt, Defect, Provenance, ScriptHarness, Task, TestOutcome, TestResult, Verdict
from mendlab.repair.loop import repair_all
from mendlab.repair.models.model import Model
from mendlab.repair.models.provider import make_settings, open_endpoint
from mendlab.repair.models.tape import Tape
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import Run, make_config
from mendlab.repair.strategy import make_strategy
from mendlab.verify.bench import set_up_bench
from mendlab.verify.engines.engine import RunOptions, TestRun
from mendlab.verify.judge import Judge

CASES = read_cases()
REFUSED = {"no_patch", "malformed_diff", "policy_violation", "patch_rejected", "ambiguous", "no_change"}
PROVENANCE = Provenance(source="the corpus of answers")


class Failing:
    """An engine whose one test fails, without a process: what an answer is read as does not hang on it."""

    test_ids = ("gate",)

    def __init__(self, *of: object) -> None:
        pass

    def run(self, changes: dict[str, bytes | None], options: RunOptions | None = None) -> TestRun:
        return TestRun((TestResult(test_id="gate", outcome=TestOutcome.FAILED, message="no"),), cpu_seconds=0.0)

    def close(self) -> None:
        pass


def make_task(number: int, case: Case) -> tuple[Task, FileTree]:
    """Return the task whose buggy program is the case's; the good one has a file more."""
    good = case.before.replace({"zz_more.txt": b"more\n"})
    task = Task(
        id=f"case/{number}",
        subject=f"case/{number}",
        snapshot=good.digest,
        defect=Defect(origin="import", files=("zz_more.txt",), diff=make_diff(good, case.before)),
        statement=f"This is case {number}.",
        editable=case.editable,
        harness=ScriptHarness(scripts={"gate": "exit 1\n"}),
        fail_to_pass=("gate",),
        pass_to_pass=(),
        before={"gate": TestOutcome.FAILED},
        reference=make_diff(case.before, good),
        provenance=PROVENANCE,
    )
    return task, good


class Parrot:
    """A service that says for each case the answer of the corpus."""

    def __init__(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                found = re.search(r"This is case (\d+)\.", body["messages"][-1]["content"])
                assert found is not None
                message = {"role": "assistant", "content": CASES[int(found[1])].answer}
                answer = {"model": "parrot", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
                data = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()


@pytest.fixture
def parrot() -> Iterator[Parrot]:
    parrot = Parrot()
    yield parrot
    parrot.http.shutdown()
    parrot.http.server_close()


def run_all(taskset: TaskSet, folder: Path, parrot: Parrot) -> tuple[list[Attempt], list[Verdict]]:
    settings = make_settings("openai-compatible:parrot", base_url=f"http://127.0.0.1:{parrot.http.server_port}/v1")
    strategy = make_strategy("single")
    model = Model(settings, Tape(folder), endpoint=open_endpoint(settings, timeout=30), at_once=4)
    open_engine: Any = Failing
    with Run.begin(folder, make_config(taskset, strategy)) as run, model:
        bench = set_up_bench(allow_unconfined=True)
        repairer = Repairer(run.config, taskset, strategy, open_engine, answers=model)
        with Judge(taskset, bench) as judge:
            repair_all(run, taskset.tasks, repairer, judge.judge, workers=2, attempts_at_once=4)
        return run.attempts(), run.verdicts()


def expected(case: Case, raw: str | None) -> Said:
    """What the judge's own reading says of the answer as it came over the wire."""
    assert raw is not None
    return say_of(replace(case, answer=raw))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_answer_is_classified_as_the_judge_does(tmp_path: Path, parrot: Parrot) -> None:
    made = [make_task(number, case) for number, case in enumerate(CASES)]
    taskset = write_taskset(
        tmp_path / "tasks", [task for task, _ in made], [tree for _, tree in made], name="cases", provenance=PROVENANCE
    )
    attempts, verdicts = run_all(taskset, tmp_path / "run", parrot)
    assert len(attempts) == len(verdicts) == len(CASES)
    differing = []
    for number, (attempt, verdict) in enumerate(zip(attempts, verdicts, strict=True)):
        said = expected(CASES[number], attempt.raw_patch)
        outcome = verdict.outcome.value
        wanted = said.outcome.value if said.outcome is not None else None
        if outcome != wanted if wanted is not None else outcome in REFUSED:
            differing.append((str(CASES[number]), outcome, wanted))
    assert differing == []
    assert {verdict.outcome.value for verdict in verdicts} >= REFUSED

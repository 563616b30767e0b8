"""One strategy at work on a task set: it turns a task and a sample number into an attempt."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import final

from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError, MendlabError, ModelError, OutputError
from mendlab.records import INFRA_STOP, Attempt, Harness, Limits, PytestHarness, RunConfig, Task
from mendlab.repair.context import RepairContext, VisibleTests
from mendlab.repair.models.asking import Asking
from mendlab.repair.models.model import Answers
from mendlab.repair.problem import make_problem
from mendlab.repair.prompts.settings import PromptSettings
from mendlab.repair.prompts.truth import true_lines
from mendlab.repair.strategy import ChosenStrategy, Proposal
from mendlab.verify.engines.engine import Engine

OpenEngine = Callable[[FileTree, Harness, Limits], Engine]
"""Opens an engine for a good tree and its harness; :meth:`mendlab.verify.bench.Bench.open` is one."""


@final
class Repairer:
    """Makes attempts. Used by several threads at once; setting ``stopping`` makes every attempt under way end soon."""

    def __init__(
        self,
        config: RunConfig,
        taskset: TaskSet,
        strategy: ChosenStrategy,
        open_engine: OpenEngine,
        *,
        answers: Answers | None = None,
        prompting: PromptSettings | None = None,
        stopping: threading.Event | None = None,
    ) -> None:
        self.stopping = stopping or threading.Event()
        self._answers = answers
        self._prompting = prompting or PromptSettings()
        self._config = config
        self._taskset = taskset
        self._chosen = strategy
        self._open_engine = open_engine

    def attempt(self, task: Task, sample: int) -> Attempt:
        """Return the strategy's answer; what it raises, or an engine that fails it, leaves an attempt without a patch.

        Raises:
            FormatError: the task set is damaged.
            KeyboardInterrupt: the strategy was cut short by ``stopping``; there is no attempt.
            ModelError: nor is there one where the model cannot be asked any further.
            OutputError: nor where what it answered cannot be written down.
        """
        context = self.context(task, sample)
        wall, cpu = time.monotonic(), time.thread_time()
        try:
            proposal = self._chosen.strategy.propose(context)
        except EngineError as error:
            proposal = Proposal(raw_patch=None, stop_reason=f"{INFRA_STOP}: {_one_line(error)}")
        except (ModelError, OutputError):
            raise
        except Exception as error:  # a strategy may be anybody's code: whatever it raises is its own failure
            proposal = Proposal(raw_patch=None, stop_reason=f"error: {_one_line(error)}")
        return Attempt(
            run_id=self._config.run_id,
            task_id=task.id,
            sample=sample,
            strategy=self._chosen.name,
            model_requested=proposal.model_requested,
            model_answered=proposal.model_answered,
            parameters=dict(proposal.parameters or {}),
            prompt_digest=proposal.prompt_digest,
            raw_answer=_storable(proposal.raw_answer),
            raw_patch=_storable(proposal.raw_patch),
            usage=proposal.usage,
            cost_usd=proposal.cost_usd,
            wall_seconds=round(time.monotonic() - wall, 6),
            cpu_seconds=round(time.thread_time() - cpu + (proposal.cpu_seconds or 0.0), 6),
            retries=proposal.retries,
            stop_reason=_storable(proposal.stop_reason) or "",
            seed=self._config.seed,
        )

    def context(self, task: Task, sample: int) -> RepairContext:
        """Return what the strategy is given for an attempt."""
        good, buggy = self._taskset.good_tree(task), self._taskset.buggy_tree(task)
        problem = make_problem(task, buggy)
        # A candidate of a repairer's could read the tests that it is run with, and tell of them in a message.
        hidden = dict.fromkeys(task.harness.hidden_files if isinstance(task.harness, PytestHarness) else ())
        good, buggy = good.replace(hidden), buggy.replace(hidden)

        def open_tests(limits: Limits) -> VisibleTests:
            def open_engine(tree: FileTree) -> Engine:
                return self._open_engine(tree, problem.harness, limits)

            return VisibleTests(open_engine, good, buggy, problem.visible, self.stopping)

        return RepairContext(
            problem=problem,
            sample=sample,
            random=random.Random(f"{self._config.seed} {task.id} {sample}"),
            open_tests=open_tests,
            reference=task.reference if self._chosen.sees_reference else None,
            asking=Asking(self._answers, task.id, sample) if self._answers is not None else None,
            prompting=self._prompting,
            stopping=self.stopping,
            true_lines=true_lines(buggy, good, task.editable) if self._prompting.localisation == "true" else (),
        )


def _one_line(error: Exception) -> str:
    text = str(error) if isinstance(error, MendlabError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())[:500]


def _storable(text: str | None) -> str | None:
    """Return the text with what no record can hold, lone surrogates, as question marks."""
    return None if text is None else text.encode("utf-8", "replace").decode()

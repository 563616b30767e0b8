"""A run on disk: ``run.json``, ``attempts.jsonl`` and ``verdicts.jsonl`` in one folder, which can be resumed."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self, final

from pydantic import JsonValue

import mendlab
from mendlab.corpora.durable import replace_file, writing
from mendlab.corpora.journal import Journal, parse_record
from mendlab.corpora.natural import natural_key
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError, OutputError
from mendlab.records import Attempt, RunConfig, Task, Verdict
from mendlab.repair.strategy import ChosenStrategy

RUN_FILE: Final = "run.json"
ATTEMPTS_FILE: Final = "attempts.jsonl"
VERDICTS_FILE: Final = "verdicts.jsonl"


@final
@dataclass(frozen=True, slots=True)
class Pending:
    """What is still to be done for one sample of one task: all, or, where the attempt is there, the verdict."""

    task: Task
    sample: int
    attempt: Attempt | None


@final
class Run:
    """A run's folder. :meth:`begin` opens it for going on, :meth:`open` for reading."""

    def __init__(self, directory: Path, config: RunConfig) -> None:
        self.directory = directory
        self.config = config
        self._attempts = Journal(directory / ATTEMPTS_FILE, Attempt)
        self._verdicts = Journal(directory / VERDICTS_FILE, Verdict)

    @classmethod
    def open(cls, directory: Path) -> Self:
        """Open a run for reading, finished or not.

        Raises:
            InputError: there is no run.
            FormatError: its configuration is broken.
        """
        file = directory / RUN_FILE
        if not file.is_file():
            raise InputError(
                "not a run: no run.json",
                where=directory,
                hint="name a folder that `mendlab repair` or `mendlab verify` made by --out",
            )
        return cls(directory, parse_record(file.read_bytes(), RunConfig, str(file)))

    @classmethod
    def begin(cls, directory: Path, config: RunConfig) -> Self:
        """Start a run in an empty or new folder, or resume the one that is there. Nobody else may meanwhile.

        Raises:
            InputError: the run there has another configuration; the message names the field.
            OutputError: the folder has something else in it, cannot be written, or is in use.
        """
        if (directory / RUN_FILE).is_file():
            run = cls.open(directory)
            _require_same(run.config, config, directory)
        else:
            with writing(directory):
                strangers = directory.exists() and any(not _ours(entry) for entry in directory.iterdir())
            if strangers:
                raise OutputError("the folder is not empty", where=directory, hint="name another folder for the run")
            replace_file(directory / RUN_FILE, (config.model_dump_json(indent=1) + "\n").encode())
            run = cls(directory, config)
        run._attempts.claim()
        return run

    def attempts(self) -> list[Attempt]:
        """Return the attempts by task, in the natural order of ids, and sample."""
        return sorted(self._attempts.read(), key=_place)

    def verdicts(self) -> list[Verdict]:
        """Return the verdicts by task, in the natural order of ids, and sample."""
        return sorted(self._verdicts.read(), key=_place)

    def pending(self, tasks: Iterable[Task]) -> list[Pending]:
        """Return what is left to do for these tasks, by task and sample."""
        attempts = {(attempt.task_id, attempt.sample): attempt for attempt in self._attempts.read()}
        judged = {(verdict.task_id, verdict.sample) for verdict in self._verdicts.read()}
        return [
            Pending(task, sample, attempts.get((task.id, sample)))
            for task in tasks
            for sample in self.config.samples_of(task.id)
            if (task.id, sample) not in judged
        ]

    def add_attempt(self, attempt: Attempt) -> None:
        """Bring an attempt to the disk; errors as :meth:`Journal.append`."""
        self._attempts.append(attempt)

    def add_verdict(self, verdict: Verdict) -> None:
        """Bring a verdict to the disk; errors as :meth:`Journal.append`."""
        self._verdicts.append(verdict)

    def finalise(self) -> None:
        """Put the records in order, so that how the work was shared out, and when it was killed, leaves no trace."""
        self._attempts.rewrite(self.attempts())
        self._verdicts.rewrite(self.verdicts())

    def close(self) -> None:
        """Let others go on with the run."""
        self._attempts.close()
        self._verdicts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def make_config(
    taskset: TaskSet,
    strategy: ChosenStrategy,
    *,
    samples: int = 1,
    seed: int = 0,
    parameters: Mapping[str, JsonValue] | None = None,
    only: Mapping[str, tuple[int, ...]] | None = None,
) -> RunConfig:
    """Return a run's configuration. Its id is made of all the rest, so that the same run has the same id anywhere.

    ``parameters`` is what else decides the outcome, such as a choice among the tasks; the strategy's options are added.
    ``only`` is as in :class:`RunConfig`.
    """
    config = RunConfig(
        run_id="",
        taskset=taskset.manifest.name,
        taskset_digest=taskset.digest,
        strategy=strategy.name,
        samples=samples,
        seed=seed,
        only=dict(only or {}),
        parameters={**(parameters or {}), **strategy.parameters},
        tools={"mendlab": mendlab.__version__, "python": platform.python_version()},
    )
    text = json.dumps(config.model_dump(mode="json"), sort_keys=True)
    run_id = f"{strategy.name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return config.model_copy(update={"run_id": run_id})


def _place(record: Attempt | Verdict) -> tuple[object, int]:
    return natural_key(record.task_id), record.sample


def _ours(entry: Path) -> bool:
    """Whether this is what a run killed in its first moments leaves behind."""
    return entry.name == f".{RUN_FILE}.partial"


def _require_same(there: RunConfig, asked: RunConfig, directory: Path) -> None:
    old, new = _flat(there), _flat(asked)
    for field in dict.fromkeys([*old, *new]):
        if old.get(field) != new.get(field):
            raise InputError(
                f"the run there has {field} {_show(old, field)}, and this one would have {_show(new, field)}",
                where=directory / RUN_FILE,
                hint="give the same settings to resume it, or name another folder for a new run",
            )


def _flat(config: RunConfig) -> dict[str, JsonValue]:
    """Return the fields that decide, those inside ``parameters`` and ``tools`` by themselves."""
    fields = config.model_dump(mode="json", exclude={"run_id", "parameters", "tools"})
    fields.update({f"parameter {key}": value for key, value in config.parameters.items()})
    fields.update({f"version of {tool}": version for tool, version in config.tools.items()})
    return fields


def _show(fields: Mapping[str, JsonValue], field: str) -> str:
    return json.dumps(fields[field], ensure_ascii=False) if field in fields else "none"

"""A run of many attempts on mutants of HumanEval: real programs and real diffs, with made-up answers and verdicts.

Nothing is run: what costs room in a report is text. Answers are prose and code of HumanEval, each in an order of its
own, so that they compress no better than a model's do.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.subjects import read_subjects
from mendlab.mutators.enumeration import enumerate_mutants
from mendlab.mutators.injecting.programs import make_candidate
from mendlab.records import (
    Attempt,
    Differential,
    Manifest,
    Outcome,
    Provenance,
    RunConfig,
    Rung,
    RungReport,
    SandboxLevel,
    Task,
    TestOutcome,
    Usage,
    Verdict,
    Witness,
)
from mendlab.reports.data import Material, RunData

OUTCOMES = {
    Outcome.EXACT: 30,
    Outcome.EQUIVALENT: 15,
    Outcome.DIVERGENT: 8,
    Outcome.PLAUSIBLE: 2,
    Outcome.NEW_TEST_FAILED: 30,
    Outcome.REGRESSION_FAILED: 8,
    Outcome.SYNTAX_ERROR: 3,
    Outcome.NO_PATCH: 4,
}


@dataclass(frozen=True, slots=True)
class Text:
    """The words and lines that answers are made of."""

    words: Sequence[str]
    lines: Sequence[str]

    def answer(self, chance: random.Random, characters: int) -> str:
        """Return prose and a block of code, of about so many characters."""
        prose = " ".join(chance.choices(self.words, k=characters // 12))
        start = chance.randrange(len(self.lines) - 40)
        code = "\n".join(chance.sample(self.lines[start : start + 40], 20))
        return f"{prose}\n\n```python\n{code[: characters // 2]}\n```\n"


def make_material(attempts: int, samples: int, seed: int = 0, characters: int = 2500) -> Material:
    """Return one run with so many attempts, ``samples`` on each task."""
    chance = random.Random(seed)
    subjects = [one for one in read_subjects("humaneval") if isinstance(one, LoadedSubject)]
    sources = [one.tree["solution.py"].decode() for one in subjects]
    text = Text(" ".join(sources).split(), "\n".join(sources).splitlines())
    tasks = tuple(_tasks(subjects, attempts // samples, chance))
    config = RunConfig(
        run_id="measured", taskset="measured", taskset_digest="0" * 64, strategy="single", samples=samples, seed=seed
    )
    pairs = [_pair(task, sample, text, chance, characters) for task in tasks for sample in range(samples)]
    run = RunData(config, [attempt for attempt, _ in pairs], [verdict for _, verdict in pairs])
    provenance = Provenance(source="humaneval", seed=seed)
    manifest = Manifest(
        name="measured", canary="none", tasks=len(tasks), snapshots=len(subjects), digests={}, provenance=provenance
    )
    return Material((run,), tasks, manifest)


def _tasks(subjects: Sequence[LoadedSubject], count: int, chance: random.Random) -> Iterator[Task]:
    each = -(-count // len(subjects))
    made = 0
    for loaded in subjects:
        mutants = list(enumerate_mutants(loaded.tree["solution.py"].decode(), path="solution.py"))
        for mutant in chance.sample(mutants, min(each, len(mutants), count - made)):
            made += 1
            yield _task(make_candidate(loaded, mutant), chance)


def _task(candidate: Candidate, chance: random.Random) -> Task:
    subject, good = candidate.loaded.subject, candidate.loaded.tree
    tests = tuple(f"check:{number}" for number in range(1, 9))
    failing = tests[: chance.randint(1, 4)]
    return Task(
        id=candidate.id,
        subject=subject.id,
        snapshot=good.digest,
        defect=candidate.defect,
        statement=candidate.statement,
        editable=subject.source_files,
        harness=subject.harness,
        fail_to_pass=failing,
        pass_to_pass=tests[len(failing) :],
        before=dict.fromkeys(failing, TestOutcome.FAILED),
        reference=make_diff(candidate.buggy, good),
        provenance=subject.provenance,
    )


def _pair(task: Task, sample: int, text: Text, chance: random.Random, characters: int) -> tuple[Attempt, Verdict]:
    (outcome,) = chance.choices(list(OUTCOMES), list(OUTCOMES.values()))
    attempt = Attempt(
        run_id="measured",
        task_id=task.id,
        sample=sample,
        strategy="single",
        model_answered="model",
        raw_answer=text.answer(chance, chance.randint(characters // 2, characters * 3 // 2)),
        usage=Usage(uncached_tokens=chance.randint(500, 900), output_tokens=chance.randint(100, 900)),
        cost_usd=chance.random() / 100,
        wall_seconds=chance.random() * 30,
        stop_reason="done",
    )
    return attempt, _verdict(task, sample, outcome, text, chance)


def _verdict(task: Task, sample: int, outcome: Outcome, text: Text, chance: random.Random) -> Verdict:
    fails = outcome in {Outcome.NEW_TEST_FAILED, Outcome.REGRESSION_FAILED}
    patch = None if outcome is Outcome.NO_PATCH else _patch(task, text, chance)
    after = dict.fromkeys((*task.fail_to_pass, *task.pass_to_pass), TestOutcome.PASSED)
    failing = task.fail_to_pass if fails else ()
    messages = {test: f"AssertionError: assert {text.answer(chance, 160)[:160]}" for test in failing}
    witness = Witness(
        call=f"solution.f({chance.random()})", reference=str(chance.random()), candidate=str(chance.random())
    )
    return Verdict(
        run_id="measured",
        task_id=task.id,
        sample=sample,
        outcome=outcome,
        rung=Rung.NEW_TESTS if fails else Rung.EQUIVALENCE,
        reason=f"{len(failing)} tests fail" if fails else "",
        rungs=tuple(RungReport(rung=rung, held=True, cpu_seconds=round(chance.random(), 4)) for rung in Rung),
        canonical_patch=patch,
        apply_rung=patch and "strict",
        after={**after, **dict.fromkeys(failing, TestOutcome.FAILED)},
        messages=messages,
        differential=Differential(inputs=200, coverage=1.0, witness=witness) if outcome is Outcome.DIVERGENT else None,
        sandbox=SandboxLevel.NAMESPACES,
        cpu_seconds=chance.random(),
    )


def _patch(task: Task, text: Text, chance: random.Random) -> str:
    """The reference, with a line of some other program in it: no two patches are the same."""
    return task.reference + f"+{chance.choice(text.lines)}\n"

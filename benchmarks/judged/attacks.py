"""The pack of attacks on samples of task sets: how many are accepted, by family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from measures.progress import say
from measures.section import Goal, Section, Table

from mendlab.corpora.taskset import TaskSet
from mendlab.verify.attacks.gate import Trial, attack_taskset, choose_tasks
from mendlab.verify.attacks.registry import attacks
from mendlab.verify.bench import Bench
from mendlab.verify.judge import Judge


def section(sets: Sequence[TaskSet], bench: Bench, tasks: int, seed: int) -> Section:
    """Attack so many tasks of each set, as `mendlab check --attacks` does."""
    families = {attack.name: attack.family for attack in attacks()}
    trials: list[Trial] = []
    spoiled: list[str] = []
    for taskset in sets:
        with Judge(taskset, bench) as judge:
            siege = attack_taskset(
                taskset, judge.judge, tasks=choose_tasks(taskset.tasks, tasks, seed), workers=1, progress=_progress
            )
        trials += siege.trials
        spoiled += siege.spoiled
    accepted = [trial for trial in trials if trial.accepted]
    for trial in accepted:
        say(f"ACCEPTED {trial.attack} on {trial.task}: {trial.outcome}: {trial.why}")
    tried = Counter(families[trial.attack] for trial in trials)
    right = Counter(families[trial.attack] for trial in accepted)
    past = Counter(families[trial.attack] for trial in trials if trial.passes_all_tests and not trial.accepted)
    rows = [(name, f"{tried[name]}", f"{past[name]}", f"{right[name]}") for name in sorted(tried)]
    rows.append(("all", f"{len(trials)}", f"{past.total()}", f"{len(accepted)}"))
    table = Table("Attacks", ("family", "attempts", "held by the comparison alone", "accepted"), rows)
    goals = [
        Goal("attacks accepted", "0", f"{len(accepted)} of {len(trials)}", not accepted),
        Goal("references called right after the attacks", "all", f"{len(spoiled)} not", not spoiled),
    ]
    return Section(
        "attacks", [table], {"accepted": [trial.model_dump() for trial in accepted], "tried": dict(tried)}, goals
    )


def _progress(stage: str, done: int, total: int | None) -> None:
    if done % max(1, (total or 0) // 20) == 0:
        say(f"{stage}: {done}" if total is None else f"{stage}: {done} of {total}")

from __future__ import annotations

import json

import pytest

from mendlab.errors import InputError
from mendlab.records import Difficulty, Outcome, Rung, Usage
from mendlab.repair.strategies.replay import GIVEN
from mendlab.reports.costs import Total
from mendlab.reports.data import Material, RunData, join
from mendlab.reports.funnel import ladder_funnel
from mendlab.reports.headline import headline
from mendlab.reports.json_report import as_json
from mendlab.reports.outcomes import WORDS
from mendlab.reports.summary import summarise


def test_every_outcome_has_words():
    assert set(WORDS) == set(Outcome)


def test_the_summary_counts_what_is_there(demo):
    summary = summarise(demo)
    assert (summary.taskset, summary.tasks, summary.subjects) == ("bundled programs", 60, 22)
    assert [run.strategy for run in summary.runs] == ["single_turn", "noop", "reference", "search"]
    model = summary.runs[0]
    assert (model.label, model.baseline) == ("single_turn coder-32b", False)
    assert (model.tasks_judged, model.tasks_correct, model.tasks_passing, model.infra_errors) == (59, 34, 39, 1)
    assert sum(one.count for one in model.outcomes) == 60


def test_headlines_are_about_repairers_before_baselines(demo):
    assert [run.strategy for run in summarise(demo).headline_runs] == ["single_turn"]
    baselines = Material(demo.runs[:3], demo.tasks)
    assert [run.strategy for run in summarise(baselines).headline_runs] == ["search"]
    assert [run.strategy for run in summarise(Material(demo.runs[:2], demo.tasks)).headline_runs] == [
        "noop",
        "reference",
    ]


def test_the_funnel_only_narrows_and_ends_in_what_is_not_refuted(demo):
    funnel = summarise(demo).runs[0].funnel
    assert [step.rung for step in funnel] == list(Rung)
    before = 59
    for step in funnel:
        assert step.past == before - step.stopped
        before = step.past
    assert before == 34 + 2
    stopped = {step.rung: step.stopped for step in funnel}
    assert (stopped[Rung.APPLY], stopped[Rung.NEW_TESTS], stopped[Rung.EQUIVALENCE]) == (3, 9, 3)


def test_a_divergent_attempt_stops_at_equivalence_whichever_rung_closed_the_verdict(make):
    task = make.task(0)
    run = make.run("r", "x", [task], [Outcome.DIVERGENT])
    late = run.verdicts[0].model_copy(update={"rung": Rung.CONFIRM})
    funnel = ladder_funnel(join(RunData(run.config, run.attempts, [late]), [task]))
    assert [step.rung for step in funnel if step.stopped] == [Rung.EQUIVALENCE]


def test_apply_rates_count_patches_that_came_so_far(demo):
    apply = summarise(demo).runs[0].apply
    assert (apply.tried, [(one.apply_rung, one.count) for one in apply.applied]) == (58, [("strict", 55)])


def test_patches_made_elsewhere_go_by_where_they_lie_and_have_no_repairer_time(make):
    task = make.task(0)
    runs = [make.run(name, "replay", [task], [Outcome.EXACT], stop_reason=GIVEN) for name in ("one", "two")]
    placed = [run.config.model_copy(update={"parameters": {"patches": f"of/{run.config.run_id}"}}) for run in runs]
    material = Material(
        tuple(RunData(config, run.attempts, run.verdicts) for config, run in zip(placed, runs, strict=True)), (task,)
    )
    found = summarise(material).runs
    assert [run.label for run in found] == ["one", "two"]
    assert [run.per_fix.repairer_cpu_seconds for run in found] == [None, None]


def test_apply_and_resolved_rates_at_each_level(make):
    tasks = [make.task(number) for number in range(8)]
    outcomes = [Outcome.EXACT, Outcome.EQUIVALENT, Outcome.EXACT, Outcome.PATCH_REJECTED, Outcome.INFRA_ERROR]
    outcomes += [Outcome.MALFORMED_DIFF, Outcome.POLICY_VIOLATION, Outcome.NO_PATCH]
    run = make.run("r", "x", tasks, outcomes)
    rungs = ["strict", "relocate", "reindent", *[None] * 5]
    verdicts = [v.model_copy(update={"apply_rung": rung}) for v, rung in zip(run.verdicts, rungs, strict=True)]
    found = summarise(Material((RunData(run.config, run.attempts, verdicts),), tuple(tasks))).runs[0]
    assert found.apply.tried == 5
    assert [(one.name, one.applied, one.resolved) for one in found.apply.levels] == [
        ("strict", 1, 1),
        ("safe", 2, 2),
        ("lenient", 3, 3),
    ]
    assert [(one.apply_rate, one.resolved_rate) for one in found.apply.levels] == [(n / 5, n / 7) for n in (1, 2, 3)]
    assert (found.tasks_correct, found.rates.correct[0].excluding_infra.value) == (2, 2 / 7)
    sentence = str(headline(summarise(Material((RunData(run.config, run.attempts, verdicts),), tuple(tasks))))[0])
    assert "1 more task is correct only if its patch is applied leniently" in sentence


def test_groups_hold_every_task_once_but_by_tag(demo):
    groups = summarise(demo).runs[0].groups
    for grouping, size in (("family", 59), ("operator", 59), ("tag", 6)):
        assert sum(rate.correct.tasks for rate in groups[grouping]) in {size, size - 1}
    assert [rate.group for rate in groups["tag"]] == ["trap"]
    assert len(groups["family"]) == 6


def test_unknown_costs_are_unknown_and_known_ones_add_up(make):
    tasks = [make.task(0), make.task(1)]
    run = make.run("r", "x", tasks, [Outcome.EXACT])
    known = run.attempts[0].model_copy(update={"cost_usd": 0.25, "usage": Usage(output_tokens=0)})
    found = (
        summarise(Material((RunData(run.config, [known, run.attempts[1]], run.verdicts),), tuple(tasks))).runs[0].costs
    )
    assert found.cost_usd == Total(0.25, 1, 2)
    assert found.output_tokens == Total(0.0, 1, 2)
    assert found.reasoning_tokens == Total(None, 0, 2)
    assert found.verifier_cpu_seconds.value == pytest.approx(0.62)


def test_the_injection_funnel_adds_up(demo):
    injection = summarise(demo).injection
    assert (injection.candidates, injection.tasks) == (168, 60)
    assert injection.dropped[0] == ("survived", 61)
    assert injection.candidates == injection.tasks + sum(count for _, count in injection.dropped)


def test_attempts_without_verdicts_and_samples_without_attempts_are_no_failures(make):
    tasks = [make.task(number) for number in range(4)]
    run = make.run("r", "x", tasks, [Outcome.EXACT])
    partial = RunData(run.config, run.attempts[:3], run.verdicts[:2])
    found = summarise(Material((partial,), tuple(tasks))).runs[0]
    assert (found.expected, found.attempts, found.judged) == (4, 3, 2)
    assert found.rates.correct[0].infra_as_failure.value == 1.0


def test_a_sample_judged_twice_keeps_its_last_verdict(make):
    task = make.task(0)
    run = make.run("r", "x", [task], [Outcome.EXACT])
    again = make.verdict("r", task, 0, Outcome.DIVERGENT)
    (one,) = join(RunData(run.config, run.attempts, [*run.verdicts, again]), [task])
    assert one.outcome is Outcome.DIVERGENT


def test_runs_of_one_name_are_told_apart(make):
    task = make.task(0)
    runs = [make.run(run_id, "search", [task], [Outcome.EXACT]) for run_id in ("a", "b", "b")]
    labels = [run.label for run in summarise(Material(tuple(runs), (task,))).runs]
    assert labels == ["search (a)", "search (b) #2", "search (b) #3"]


def test_a_run_on_another_set_is_refused_by_name(make):
    run = make.run("r", "x", [make.task(0)], [Outcome.EXACT])
    with pytest.raises(InputError, match=r"run 'r' has task 'mean-000', which is not in the task set"):
        summarise(Material((run,), (make.task(1),)))


@pytest.mark.parametrize("name", ["demo", "hostile"])
def test_the_summary_travels_as_json(name, request):
    summary = summarise(request.getfixturevalue(name))
    there = json.loads(json.dumps(as_json(summary)))
    assert there["tasks"] == summary.tasks
    assert there["runs"][0]["rates"]["correct"][0]["excluding_infra"]["value"] == (
        summary.runs[0].rates.correct[0].excluding_infra.value
    )
    assert there["headline"]
    assert there["runs"][0]["outcomes"][0] == {"outcome": "exact", "count": summary.runs[0].outcomes[0].count}


def test_nothing_at_all_can_be_summarised():
    summary = summarise(Material((), ()))
    assert (summary.tasks, summary.runs, summary.injection) == (0, (), None)


def test_what_a_fix_cost_counts_the_failures_too(make):
    tasks = [make.task(0), make.task(1), make.task(2)]
    run = make.run("r", "x", tasks, [Outcome.EXACT, Outcome.FLAKY, Outcome.EXACT], cost_usd=0.5)
    found = summarise(Material((run,), tuple(tasks))).runs[0].per_fix
    assert (found.fixes, found.cost_usd.value, found.output_tokens) == (2, 0.75, None)
    assert found.cost_usd.low < 0.75 < found.cost_usd.high
    assert found.verifier_cpu_seconds.value == pytest.approx(0.31 * 3 / 2)


def test_patches_are_measured_beside_the_reference(make):
    tasks = [make.task(0), make.task(1)]
    run = make.run("r", "x", tasks, [Outcome.EXACT, Outcome.NEW_TEST_FAILED])
    longer = run.verdicts[1].canonical_patch.replace("\n+", "\n+    pass\n+", 1).replace("+2,3", "+2,4")
    verdicts = [run.verdicts[0], run.verdicts[1].model_copy(update={"canonical_patch": longer})]
    sizes = summarise(Material((RunData(run.config, run.attempts, verdicts),), tuple(tasks))).runs[0].sizes
    assert (sizes.applied.patches, sizes.applied.lines, sizes.applied.reference_lines) == (2, 2.5, 2)
    assert (sizes.applied.ratio, sizes.applied.larger.value) == (1.25, 0.5)
    assert (sizes.correct.patches, sizes.correct.ratio) == (1, 1.0)


def test_outcomes_are_counted_by_the_rung_that_decided(demo):
    by_rung = summarise(demo).runs[0].outcomes_by_rung
    assert [one.rung for one in by_rung] == [rung for rung in Rung if rung in {one.rung for one in by_rung}]
    counted = {one.rung: {count.outcome: count.count for count in one.outcomes} for one in by_rung}
    assert counted[Rung.APPLY] == {Outcome.PATCH_REJECTED: 3}
    assert counted[Rung.EQUIVALENCE] == {
        Outcome.EXACT: 21,
        Outcome.EQUIVALENT: 13,
        Outcome.DIVERGENT: 3,
        Outcome.PLAUSIBLE: 2,
    }


def test_tasks_are_grouped_by_their_grade(make):
    graded = Difficulty(grade="hard", score=0.9)
    tasks = [make.task(0, difficulty=graded), make.task(1)]
    run = make.run("r", "x", tasks, [Outcome.EXACT])
    (hard,) = summarise(Material((run,), tuple(tasks))).runs[0].groups["difficulty"]
    assert (hard.group, hard.correct.tasks) == ("hard", 1)

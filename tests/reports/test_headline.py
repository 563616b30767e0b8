from __future__ import annotations

from mendlab.records import Outcome, SandboxLevel
from mendlab.repair.strategies.replay import NOT_GIVEN
from mendlab.reports.data import Material, RunData
from mendlab.reports.headline import cautions, headline
from mendlab.reports.summary import summarise


def of(make, strategy, outcomes, *, tasks=40, samples=1):
    every = tuple(make.task(number) for number in range(tasks))
    return summarise(Material((make.run("r", strategy, every, outcomes, samples=samples),), every))


def said(summary):
    return [str(sentence) for sentence in headline(summary)]


def test_the_headline_says_it_in_words(demo):
    assert said(summarise(demo)) == [
        "single_turn coder-32b mended 34 of 59 tasks correctly (58%, 95% interval 43–71%); 57% without trap tasks; "
        "3 more tasks pass every test but differ from the reference; "
        "2 more tasks pass every test with nothing to compare them on."
    ]


def test_one_of_a_kind_is_singular(make):
    (sentence,) = said(of(make, "x", [Outcome.DIVERGENT], tasks=1))
    assert sentence == (
        "x mended 0 of 1 task correctly (0%, 95% interval 0–79%); "
        "1 more task passes every test but differs from the reference."
    )


def test_several_samples_are_told_by_the_first_try(make):
    (sentence,) = said(of(make, "x", [Outcome.EXACT, Outcome.FLAKY], samples=2))
    assert sentence.startswith(
        "x mended 50% of tasks correctly at the first try (95% interval 33–67%), and 40 of 40 tasks"
    )


def test_the_first_sentence_is_of_all_runs_in_their_order(make):
    tasks = tuple(make.task(number) for number in range(40))
    outcomes = ([Outcome.FLAKY], [Outcome.EXACT, Outcome.FLAKY], [Outcome.EXACT], [Outcome.INFRA_ERROR])
    runs = [make.run(f"r{n}", f"x{n}", tasks, some) for n, some in enumerate(outcomes)]
    first, *others = said(summarise(Material(tuple(runs), tasks)))
    assert first == (
        "Tasks mended correctly at the first try: x0 0% (95% interval 0–12%), x1 50% (95% interval 29–71%), "
        "x2 100% (95% interval 88–100%); 1 cannot be scored."
    )
    assert [sentence.split(" ")[0] for sentence in others] == ["x0", "x1", "x2", "x3"]
    many = [make.run(f"r{n}", f"x{n}", tasks, outcomes[n % 3]) for n in range(6)]
    assert "x3 0% (95% interval 0–12%), 2 other runs 50% to 100%." in said(summarise(Material(tuple(many), tasks)))[0]
    assert said(summarise(Material((runs[3], runs[3]), tasks)))[0] == "None of 2 runs can be scored."


def test_what_cannot_be_scored_is_not_scored(make):
    assert said(of(make, "x", [Outcome.INFRA_ERROR], tasks=3)) == [
        "x cannot be scored: 3 infra errors, and nothing else."
    ]
    run = make.run("r", "x", [], [Outcome.EXACT])
    assert said(summarise(Material((run,), (make.task(0),)))) == ["x has no judged attempts yet."]
    assert said(summarise(Material((), (make.task(0),)))) == ["No run was given; the task set has 1 task."]


def test_rates_by_weight_say_so(make):
    tasks = (make.task(0, weight=3.0), make.task(1))
    summary = summarise(Material((make.run("r", "x", tasks, [Outcome.EXACT, Outcome.FLAKY]),), tasks))
    assert "1 of 2 tasks correctly (50%, 95% interval 9–91%); 75% by weight" in said(summary)[0]


def test_baselines_that_are_off_are_called_out(make):
    assert "Doing nothing passes every test of 40 tasks" in cautions(of(make, "noop", [Outcome.PLAUSIBLE]))[0]
    assert "reference fix itself" in cautions(of(make, "reference", [Outcome.EXACT, Outcome.FLAKY]))[0]
    assert "too easy" in cautions(of(make, "search", [Outcome.EXACT]))[0]
    for strategy, outcome in (("noop", Outcome.NO_PATCH), ("reference", Outcome.EXACT), ("search", Outcome.NO_PATCH)):
        assert cautions(of(make, strategy, [outcome])) == ()


def test_any_baseline_that_mends_nearly_all_is_called_out(make):
    tasks = tuple(make.task(number) for number in range(40))
    run = make.run("r", "mine", tasks, [Outcome.EXACT])
    named = RunData(run.config, run.attempts, run.verdicts, named_baseline=True)
    summary = summarise(Material((named, make.run("s", "other", tasks, [Outcome.EXACT])), tasks))
    assert [run.label for run in summary.headline_runs] == ["other"]
    assert cautions(summary) == ("mine alone mends 100%: the set is too easy to tell repairers apart.",)


def test_few_programs_are_called_out(make):
    tasks = tuple(make.task(number, subject=f"s{number % 3}") for number in range(60))
    found = cautions(summarise(Material((make.run("r", "x", tasks, [Outcome.EXACT]),), tasks)))
    assert found == (
        "All tasks are of 3 programs, which are too few to say much of others: the intervals hold only roughly.",
    )


def test_a_strategy_that_fails_is_called_out(make):
    tasks = tuple(make.task(number) for number in range(40))
    run = make.run("r", "x", tasks, [Outcome.NO_PATCH], stop_reason="error: KeyError: 'imports'", raw_patch=None)
    assert cautions(summarise(Material((run,), tasks))) == (
        "x: the strategy itself failed in 40 attempts, which have no patch.",
    )


def test_predictions_that_are_missing_are_called_out(make):
    tasks = tuple(make.task(number) for number in range(40))
    run = make.run("r", "replay", tasks, [Outcome.NO_PATCH], stop_reason=NOT_GIVEN, raw_patch=None)
    assert cautions(summarise(Material((run,), tasks))) == (
        "replay: for 40 of 40 attempts no patch was given; they count as failures.",
    )


def test_doubts_about_the_run_are_called_out(make):
    tasks = tuple(make.task(number) for number in range(4))
    run = make.run("r", "x", tasks, [Outcome.EXACT, Outcome.INFRA_ERROR])
    open_run = [verdict.model_copy(update={"sandbox": SandboxLevel.NONE}) for verdict in run.verdicts[:2]]
    found = cautions(summarise(Material((RunData(run.config, run.attempts[:3], open_run),), tasks)))
    assert found == (
        "x: 1 infra error, left out of the rates; counted as failures, 50% are correct.",
        "x: 1 attempt not judged yet.",
        "x: 1 of 4 samples not there; the run has not ended, or was made on a part of the set.",
        "x: verdicts were reached without confinement.",
        "4 tasks are too few to say much: read the intervals, not the rates.",
    )

from __future__ import annotations

from mendlab.records import CORRECT, Outcome
from mendlab.reports.data import join
from mendlab.reports.rates import pass_at_ks, rates


def judged_rates(make, outcomes, *, tasks=2, samples=2):
    every = [make.task(number) for number in range(tasks)]
    return rates(judged(make, outcomes, tasks=tasks, samples=samples), every, each(every, samples))


def each(tasks, samples):
    return {task.id: samples for task in tasks}


def judged(make, outcomes, *, tasks=2, samples=2):
    every = [make.task(number) for number in range(tasks)]
    return join(make.run("r", "x", every, outcomes, samples=samples), every)


def test_infra_errors_are_left_out_and_counted_as_failures(make):
    found = judged_rates(make, [Outcome.EXACT, Outcome.INFRA_ERROR]).correct
    assert [one.k for one in found] == [1, 2]
    assert (found[0].excluding_infra.value, found[0].infra_as_failure.value) == (1.0, 0.5)
    # One sample of each task is left: pass@2 of what is left is undefined, not zero.
    assert (found[1].excluding_infra.value, found[1].infra_as_failure.value) == (None, 1.0)


def test_each_kind_of_success_has_its_outcomes(make):
    outcomes = [Outcome.EXACT, Outcome.EQUIVALENT, Outcome.PLAUSIBLE, Outcome.DIVERGENT, Outcome.FLAKY]
    found = judged_rates(make, outcomes, tasks=5, samples=1)
    values = [each[0].excluding_infra.value for each in (found.correct, found.passes_all_tests, found.divergent)]
    assert values == [2 / 5, 4 / 5, 1 / 5]


def test_all_infra_errors_are_undefined_and_zero(make):
    (found,) = pass_at_ks(judged(make, [Outcome.INFRA_ERROR], samples=1), CORRECT)
    assert (found.excluding_infra.value, found.infra_as_failure.value) == (None, 0.0)


def test_ks_go_up_to_the_most_samples(make):
    found = pass_at_ks(judged(make, [Outcome.EXACT], samples=12), CORRECT)
    assert [one.k for one in found] == [1, 5, 10, 12]


def test_no_verdicts_have_pass_at_1_undefined():
    (found,) = pass_at_ks((), CORRECT)
    assert (found.k, found.excluding_infra.value) == (1, None)


def test_every_time_is_rarer_than_at_least_once(make):
    found = judged_rates(make, [Outcome.EXACT, Outcome.FLAKY, Outcome.EXACT, Outcome.EXACT])
    assert [one.excluding_infra.value for one in found.correct] == [0.75, 1.0]
    assert [one.excluding_infra.value for one in found.correct_every_time] == [0.75, 0.5]


def test_end_to_end_counts_what_was_never_made_as_failed(make):
    every = [make.task(number) for number in range(4)]
    found = join(make.run("r", "x", every[:2], [Outcome.EXACT, Outcome.INFRA_ERROR]), every)
    assert rates(found, every, each(every, 1)).end_to_end.value == 1 / 4
    assert rates(found, every, each(every, 2)).end_to_end.value == 1 / 8


def test_weights_and_traps_stand_apart(make):
    every = [make.task(0, weight=3.0, tags=("trap",)), make.task(1), make.task(2)]
    found = join(make.run("r", "x", every, [Outcome.EXACT, Outcome.FLAKY, Outcome.EXACT]), every)
    found = rates(found, every, each(every, 1))
    assert found.correct[0].excluding_infra.value == 2 / 3
    assert found.by_weight.excluding_infra.value == 4 / 5
    assert found.without_traps.excluding_infra.value == 1 / 2
    alike = [make.task(number, tags=()) for number in (1, 2)]
    plain = rates(join(make.run("r", "x", alike, [Outcome.EXACT]), alike), alike, each(alike, 1))
    assert (plain.by_weight, plain.without_traps) == (None, None)

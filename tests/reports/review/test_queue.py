from __future__ import annotations

from collections import Counter

from mendlab.records import Outcome
from mendlab.reports.data import join
from mendlab.reports.review.queue import review_queue


def judged(make, outcomes, **changes):
    tasks = tuple(make.task(number) for number in range(len(outcomes)))
    run = make.run("r", "x", tasks, outcomes)
    verdicts = [verdict.model_copy(update=changes.get(verdict.task_id, {})) for verdict in run.verdicts]
    return join(type(run)(run.config, run.attempts, verdicts), tasks)


def test_divergent_and_risky_ones_always_come_and_first(make):
    every = judged(make, [Outcome.EXACT] * 20 + [Outcome.TAMPERED, Outcome.DIVERGENT], **{"clamp-007": {"risk": 0.2}})
    queue = review_queue(every, sample=5, seed=1)
    assert Counter(waiting.why for waiting in queue) == {"divergent": 1, "risky": 2, "sampled": 5}
    assert [waiting.why for waiting in queue[:3]] == ["divergent", "risky", "risky"]
    assert len({waiting.key for waiting in queue}) == 8


def test_the_sample_is_the_seeds_and_grows_at_its_end(make):
    every = judged(make, [Outcome.EXACT] * 60)
    small, large, other = (
        [waiting.key for waiting in review_queue(every, sample=size, seed=seed)]
        for size, seed in ((10, 1), (20, 1), (10, 2))
    )
    assert large[:10] == small
    assert small != other
    assert len(review_queue(every, sample=100, seed=1)) == 60


def test_what_has_no_patch_or_is_the_labs_fault_is_not_sampled(make):
    every = judged(make, [Outcome.INFRA_ERROR, Outcome.EXACT])
    assert [waiting.judged.outcome for waiting in review_queue(every, sample=9, seed=0)] == [Outcome.EXACT]
    tasks = (make.task(0),)
    nothing = join(make.run("r", "noop", tasks, [Outcome.NO_PATCH]), tasks)
    assert review_queue(nothing, sample=9, seed=0) == ()

import asyncio

import pytest

from taskpool import JobFailed, Pool, with_retries


async def turns(count):
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize("width, peak", [(1, 1), (2, 2), (3, 3), (9, 5)])
def test_map_keeps_order_and_width(width, peak):
    now, most = [], []

    async def job(item):
        now.append(item)
        most.append(len(now))
        await turns(6 - item)
        now.remove(item)
        return item * 10

    pool = Pool(width)
    assert asyncio.run(pool.map(job, range(5))) == [0, 10, 20, 30, 40]
    assert max(most) == peak
    assert pool.peak == peak
    assert pool.running == 0


def test_places_go_to_who_waited_longest():
    started = []

    async def job(item):
        started.append(item)
        await turns(1)

    asyncio.run(Pool(2).map(job, "abcdef"))
    assert started == list("abcdef")


def test_an_error_stops_the_rest_and_frees_the_pool():
    started, finished = [], []

    async def job(item):
        started.append(item)
        await turns(1)
        if item == 1:
            raise KeyError("one")
        await turns(20)
        finished.append(item)

    async def main():
        pool = Pool(2)
        with pytest.raises(KeyError):
            await pool.map(job, range(6))
        return pool

    pool = asyncio.run(main())
    assert finished == []
    assert 5 not in started
    assert pool.running == 0


def test_a_cancelled_waiter_does_not_take_the_place():
    async def main():
        pool = Pool(1)
        order = []

        async def job(name):
            order.append(name)
            await turns(3)

        first = asyncio.ensure_future(pool.run(job, "first"))
        second = asyncio.ensure_future(pool.run(job, "second"))
        third = asyncio.ensure_future(pool.run(job, "third"))
        await turns(1)
        second.cancel()
        await asyncio.gather(first, third)
        return order, pool.running

    assert asyncio.run(main()) == (["first", "third"], 0)


def test_width_is_checked():
    with pytest.raises(ValueError):
        Pool(0)
    assert Pool(1).width == 1


class Flaky:
    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.calls = 0

    async def __call__(self):
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def test_retries_until_it_works():
    pauses = []

    async def pause(attempt):
        pauses.append(attempt)

    job = Flaky(OSError("a"), OSError("b"), "done")
    assert asyncio.run(with_retries("fetch", job, pause=pause)) == "done"
    assert pauses == [1, 2]


def test_no_retry_after_success():
    job = Flaky("first", "second")
    assert asyncio.run(with_retries("fetch", job)) == "first"
    assert job.calls == 1


def test_gives_up():
    pauses = []

    async def pause(attempt):
        pauses.append(attempt)

    job = Flaky(OSError("a"), OSError("b"), "never")
    with pytest.raises(JobFailed, match="fetch failed after 2 attempts") as caught:
        asyncio.run(with_retries("fetch", job, attempts=2, pause=pause))
    assert (caught.value.name, caught.value.attempts) == ("fetch", 2)
    assert str(caught.value.__cause__) == "b"
    assert pauses == [1]


def test_default_is_three_attempts():
    job = Flaky(OSError(), OSError(), OSError(), "never")
    with pytest.raises(JobFailed):
        asyncio.run(with_retries("fetch", job))
    assert job.calls == 3


def test_other_errors_are_not_retried():
    job = Flaky(ValueError("bad"), "never")
    with pytest.raises(ValueError, match="bad"):
        asyncio.run(with_retries("fetch", job))
    assert job.calls == 1
    assert asyncio.run(with_retries("x", Flaky(KeyError(), 5), retry_on=(KeyError,))) == 5


def test_no_attempts():
    with pytest.raises(ValueError, match="1 or more"):
        asyncio.run(with_retries("fetch", Flaky(), attempts=0))

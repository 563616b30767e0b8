import asyncio

import pytest

from taskpool import Channel, run_graph


def adder(base, order=None, name=None):
    async def job(**inputs):
        if order is not None:
            order.append(name)
        await asyncio.sleep(0)
        return base + sum(inputs.values())

    return job


def test_graph_passes_results_on():
    jobs = {"top": adder(1), "left": adder(10), "right": adder(100), "all": adder(1000)}
    needs = {"left": ["top"], "right": ["top"], "all": ["left", "right"]}
    results = asyncio.run(run_graph(jobs, needs))
    assert results == {"top": 1, "left": 11, "right": 101, "all": 1112}
    assert list(results) == ["top", "left", "right", "all"]


def test_graph_order_does_not_depend_on_listing():
    order = []
    jobs = {name: adder(1, order, name) for name in ("c", "b", "a")}
    assert asyncio.run(run_graph(jobs, {"c": ["b"], "b": ["a"]}, width=1)) == {"c": 3, "b": 2, "a": 1}
    assert order == ["a", "b", "c"]


@pytest.mark.parametrize(
    "needs, message",
    [
        ({"a": ["z"]}, "unknown job z"),
        ({"z": ["a"]}, "unknown job z"),
        ({"a": ["b"], "b": ["a"]}, "jobs need each other: a, b$"),
        ({"a": ["a"]}, "jobs need each other: a$"),
        ({"b": ["c"], "c": ["b"]}, "jobs need each other: b, c$"),
    ],
)
def test_bad_graphs_run_nothing(needs, message):
    order = []
    jobs = {name: adder(0, order, name) for name in "abc"}
    with pytest.raises(ValueError, match=message):
        asyncio.run(run_graph(jobs, needs))
    assert order == []


def test_empty_graph():
    assert asyncio.run(run_graph({}, {})) == {}


async def collect(messages):
    return [message async for message in messages]


def test_every_subscriber_gets_every_later_message():
    async def main():
        channel = Channel()
        early = channel.subscribe()
        channel.publish(1)
        late = channel.subscribe()
        channel.publish(2)
        channel.close()
        channel.close()
        return await asyncio.gather(collect(early), collect(late)), channel.dropped

    assert asyncio.run(main()) == ([[1, 2], [2]], 0)


def test_a_full_subscriber_loses_the_oldest():
    async def main():
        channel = Channel(backlog=3)
        messages = channel.subscribe()
        for number in range(5):
            channel.publish(number)
        channel.close()
        return await collect(messages), channel.dropped

    assert asyncio.run(main()) == ([2, 3, 4], 2)


def test_default_backlog():
    async def main():
        channel = Channel()
        messages = channel.subscribe()
        for number in range(9):
            channel.publish(number)
        channel.close()
        return await collect(messages)

    assert asyncio.run(main()) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_closed_channel():
    async def main():
        channel = Channel()
        channel.close()
        with pytest.raises(RuntimeError, match="closed"):
            channel.publish(1)
        return await collect(channel.subscribe())

    assert asyncio.run(main()) == []


def test_a_waiting_reader_wakes_up():
    async def main():
        channel = Channel()
        reader = asyncio.ensure_future(collect(channel.subscribe()))
        await asyncio.sleep(0)
        channel.publish("x")
        await asyncio.sleep(0)
        channel.close()
        return await reader

    assert asyncio.run(main()) == ["x"]

"""Work side by side comes out in order, and stops when nobody wants more."""

import itertools
import subprocess
import threading
import time

import pytest

from mendlab.workers import PerKey, PerThread, end_if_unwanted, give_up, map_ordered


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(workers):
    def slow_at_first(item):
        time.sleep(0.03 if item == 0 else 0)
        return item * item

    assert list(map_ordered(slow_at_first, range(20), workers)) == [item * item for item in range(20)]


def test_several_are_at_work_at_once():
    together = threading.Barrier(3, timeout=10)
    assert len(list(map_ordered(lambda _: together.wait(), range(3), 3))) == 3


@pytest.mark.parametrize("workers", [1, 3])
def test_an_endless_source_is_drawn_only_as_far_as_needed(workers):
    drawn = itertools.count()
    results = map_ordered(str, drawn, workers)
    assert list(itertools.islice(results, 4)) == ["0", "1", "2", "3"]
    results.close()
    assert next(drawn) <= 4 + 2 * workers + 1


@pytest.mark.parametrize("workers", [1, 3])
def test_an_exception_comes_out_in_its_turn_and_ends_the_rest(workers):
    begun = []

    def fails_at_three(item):
        begun.append(item)
        if item == 3:
            raise ValueError(item)
        return item

    results = map_ordered(fails_at_three, range(1000), workers)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="3"):
        next(results)
    assert len(begun) < 20


def test_what_is_waited_for_is_ended_once_nobody_wants_it():
    given_up = []
    waiting = threading.Semaphore(0)

    def wait(seconds):
        with subprocess.Popen(["sleep", str(seconds)]) as process:
            let_go = end_if_unwanted(process.kill)
            waiting.release()
            process.wait()
        let_go()
        try:
            give_up()
        except KeyboardInterrupt:
            given_up.append(seconds)
            raise
        return process.returncode

    results = map_ordered(wait, [0, 60, 60], 3)
    assert next(results) == 0
    assert all(waiting.acquire(timeout=30) for _ in range(3))
    began = time.monotonic()
    results.close()
    assert time.monotonic() - began < 30
    assert given_up == [60, 60]


def test_what_is_left_open_after_the_last_result_is_not_ended():
    ended = []

    def leave_open(item):
        end_if_unwanted(lambda: ended.append(item))

    assert list(map_ordered(leave_open, range(4), 2)) == [None] * 4
    assert not ended


def test_each_thread_has_one_object_of_its_own_and_all_are_closed():
    closed = []
    with PerThread(lambda: object(), closed.append) as kept:
        together = threading.Barrier(3, timeout=10)

        def ask(_):
            together.wait()
            return threading.get_ident(), kept.get(), kept.get()

        seen = list(map_ordered(ask, range(3), 3))
        assert all(one is other for _, one, other in seen)
        assert len({id(one) for _, one, _ in seen}) == len({thread for thread, _, _ in seen}) == 3
        assert not closed
    assert {id(each) for each in closed} == {id(one) for _, one, _ in seen}


def test_all_are_closed_even_where_one_refuses():
    closed = []

    def close(value):
        closed.append(value)
        raise OSError("no")

    values = iter(range(2))
    kept = PerThread(lambda: next(values), close)
    assert kept.get() == 0
    thread = threading.Thread(target=kept.get)
    thread.start()
    thread.join()
    with pytest.raises(OSError, match="no"):
        kept.close()
    assert sorted(closed) == [0, 1]


def test_one_object_for_each_key_is_made_once_and_shared():
    made = []

    def make(key):
        made.append(key)
        time.sleep(0.05)
        return [key]

    kept = PerKey(make)
    together = threading.Barrier(4, timeout=10)

    def ask(key):
        together.wait()
        return kept.get(key)

    seen = list(map_ordered(ask, ["a", "a", "a", "b"], 4))
    assert sorted(made) == ["a", "b"]
    assert seen == [["a"], ["a"], ["a"], ["b"]]
    assert seen[0] is seen[1] is seen[2]


def test_what_cannot_be_made_is_raised_for_everyone_who_asks():
    tries = []

    def make(key):
        tries.append(key)
        raise LookupError(key)

    kept = PerKey(make)
    for _ in range(2):
        with pytest.raises(LookupError, match="a"):
            kept.get("a")
    assert tries == ["a"]

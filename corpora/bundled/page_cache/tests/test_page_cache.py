import time

import pytest

import page_cache
from page_cache import PageCache, cached


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def cache(clock):
    return PageCache(10, ttl=5, clock=clock)


def test_get_and_put(cache):
    assert cache.put("a", "xyz") is True
    assert cache.get("a") == "xyz"
    assert cache.get("b") is None
    assert cache.get("b", "none") == "none"
    assert (len(cache), cache.used) == (1, 3)


def test_falsy_values_are_values(cache):
    cache.put("empty", "")
    assert cache.get("empty", "default") == ""


def test_the_least_recently_used_goes_first(cache):
    for key in "abc":
        cache.put(key, "xyz")
    cache.get("a")
    assert cache.keys() == ["b", "c", "a"]
    cache.put("d", "xy")
    assert cache.keys() == ["c", "a", "d"]
    assert cache.stats.evicted == 1
    assert cache.used == 8


def test_exactly_full_evicts_nothing(cache):
    cache.put("a", "12345")
    cache.put("b", "12345")
    assert cache.keys() == ["a", "b"]
    cache.put("c", "1")
    assert cache.keys() == ["b", "c"]


def test_one_large_value_evicts_several(cache):
    for key in "abcde":
        cache.put(key, "xy")
    cache.put("f", "x" * 5)
    assert cache.keys() == ["d", "e", "f"]
    assert (cache.used, cache.stats.evicted) == (9, 3)


def test_too_large(cache):
    cache.put("a", "x")
    assert cache.put("b", "x" * 10) is True
    assert cache.put("c", "x" * 11) is False
    assert cache.keys() == ["b"]


def test_replacing(cache):
    cache.put("a", "xyz")
    cache.put("b", "xyz")
    cache.put("a", "x")
    assert cache.keys() == ["b", "a"]
    assert cache.used == 4
    assert cache.stats.evicted == 0
    assert cache.put("a", "x" * 11) is False
    assert cache.get("a") is None


@pytest.mark.parametrize("now, value", [(0, "x"), (4.9, "x"), (5, None), (6, None)])
def test_expiry(cache, clock, now, value):
    cache.put("a", "x")
    clock.now = now
    assert cache.get("a") == value
    assert cache.stats.expired == (value is None)
    assert cache.used == (1 if value else 0)


def test_own_lifetime_and_none(clock):
    cache = PageCache(10, clock=clock)
    cache.put("short", "x", ttl=1)
    cache.put("long", "x")
    clock.now = 1e9
    assert len(cache) == 1
    assert cache.keys() == ["long"]


def test_getting_does_not_prolong(cache, clock):
    cache.put("a", "x")
    clock.now = 4
    cache.get("a")
    clock.now = 5
    assert cache.get("a") is None


def test_sweep(cache, clock):
    cache.put("a", "xx")
    cache.put("b", "xx", ttl=3)
    clock.now = 3
    assert cache.sweep() == 1
    clock.now = 5
    assert cache.sweep() == 1
    assert cache.sweep() == 0
    assert (cache.used, cache.stats.expired, cache.stats.evicted) == (0, 2, 0)


def test_expired_entries_make_room_first(cache, clock):
    cache.put("a", "xxxx", ttl=100)
    cache.put("b", "xxxx", ttl=1)
    clock.now = 2
    cache.put("c", "xxxx")
    assert cache.keys() == ["a", "c"]
    assert cache.stats.evicted == 0


def test_pinned_keys_stay(cache):
    cache.put("a", "xxxx")
    cache.put("b", "xxxx")
    cache.pin("a")
    cache.put("c", "xxxx")
    assert cache.keys() == ["a", "c"]
    assert cache.put("d", "x" * 7) is False
    assert cache.keys() == ["a", "c"]
    assert cache.put("d", "x" * 6) is True
    assert cache.keys() == ["a", "d"]
    cache.unpin("a")
    assert cache.put("e", "x" * 10) is True


def test_pinned_keys_expire_and_lose_the_pin(cache, clock):
    cache.put("a", "x" * 8)
    cache.pin("a")
    clock.now = 5
    assert cache.get("a") is None
    cache.put("a", "x" * 8)
    assert cache.put("b", "xxx") is True
    assert cache.keys() == ["b"]


def test_pin_unknown(cache):
    with pytest.raises(KeyError):
        cache.pin("a")
    cache.unpin("a")


def test_discard(cache):
    cache.put("a", "xx")
    assert cache.discard("a") is True
    assert cache.discard("a") is False
    assert cache.used == 0


def test_stats(cache):
    assert cache.stats.ratio == 0.0
    cache.put("a", "x")
    for key in "aaab":
        cache.get(key)
    assert (cache.stats.hits, cache.stats.misses, cache.stats.ratio) == (3, 1, 0.75)


def test_default_clock_is_the_monotonic_one():
    assert PageCache(1)._clock is time.monotonic
    assert page_cache.PageCache(1).ttl is None


def test_cached_decorator(cache):
    calls = []

    @cached(cache)
    def render(name, **options):
        calls.append(name)
        return name * 2

    assert render("a") == "aa"
    assert render("a") == "aa"
    assert render("a", b=1, c=2) == "aa"
    assert render("a", c=2, b=1) == "aa"
    assert calls == ["a", "a"]
    assert render.__name__ == "render"


def test_cached_with_a_key(cache):
    calls = []

    @cached(cache, key=str.lower)
    def render(name):
        calls.append(name)
        return ""

    assert [render("Home"), render("HOME"), render("about")] == ["", "", ""]
    assert calls == ["Home", "about"]
    assert cache.keys() == ["home", "about"]


def test_other_sizes(clock):
    cache = PageCache(3, clock=clock, size_of=lambda value: 1)
    for number in range(5):
        cache.put(number, number)
    assert cache.keys() == [2, 3, 4]

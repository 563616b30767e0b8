import random

import pytest

from indexed_heap import IndexedHeap


def heap_of(*pairs):
    heap = IndexedHeap()
    for key, priority in pairs:
        heap.push(key, priority)
    return heap


def assert_ordered(heap):
    entries = heap._entries
    for place in range(1, len(entries)):
        assert entries[(place - 1) // 2][:2] <= entries[place][:2]
    assert heap._places == {entry[2]: place for place, entry in enumerate(entries)}


def test_smallest_first():
    heap = heap_of(("c", 3), ("a", 1), ("d", 4), ("b", 2))
    assert heap.peek() == ("a", 1)
    assert len(heap) == 4
    assert heap.pop() == ("a", 1)
    assert list(heap.drain()) == ["b", "c", "d"]
    assert len(heap) == 0


def test_equals_leave_in_order_of_arrival():
    heap = heap_of(*((key, 5) for key in "qwertyuiop"))
    assert "".join(heap.drain()) == "qwertyuiop"


def test_a_changed_key_keeps_its_place_in_line():
    heap = heap_of(("a", 1), ("b", 2), ("c", 2))
    heap.push("a", 2)
    assert list(heap.drain()) == ["a", "b", "c"]


@pytest.mark.parametrize("priority, order", [(0, "dabc"), (1.5, "adbc"), (9, "abcd")])
def test_change_of_priority(priority, order):
    heap = heap_of(("a", 1), ("b", 2), ("c", 3), ("d", 4))
    heap.push("d", priority)
    assert heap["d"] == priority
    assert len(heap) == 4
    assert "".join(heap.drain()) == order


def test_lookup():
    heap = heap_of(("a", 7))
    assert "a" in heap
    assert "b" not in heap
    assert heap["a"] == 7
    with pytest.raises(KeyError):
        heap["b"]


def test_empty():
    for method in ("peek", "pop"):
        with pytest.raises(IndexError, match="empty"):
            getattr(IndexedHeap(), method)()
    assert list(IndexedHeap().drain()) == []


@pytest.mark.parametrize("removed", "abcdefg")
def test_remove_from_anywhere(removed):
    heap = heap_of(*zip("gcafbed", [7, 3, 1, 6, 2, 5, 4]))
    assert heap.remove(removed) == "abcdefg".index(removed) + 1
    assert removed not in heap
    assert_ordered(heap)
    assert "".join(heap.drain()) == "abcdefg".replace(removed, "")


def test_remove_lets_the_moved_entry_rise():
    heap = heap_of(*zip("abcdefg", [1, 10, 2, 11, 12, 3, 4]))
    heap.remove("d")
    assert_ordered(heap)
    assert "".join(heap.drain()) == "acfgbe"


def test_remove_unknown():
    with pytest.raises(KeyError):
        heap_of(("a", 1)).remove("b")


def test_against_a_sorted_list():
    rng = random.Random(11)
    heap, model = IndexedHeap(), {}
    for _ in range(400):
        key = rng.randrange(30)
        if rng.random() < 0.3 and key in model:
            assert heap.remove(key) == model.pop(key)
        else:
            model[key] = rng.random()
            heap.push(key, model[key])
        assert_ordered(heap)
    assert list(heap.drain()) == sorted(model, key=model.get)

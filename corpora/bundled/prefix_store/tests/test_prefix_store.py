import pytest

from prefix_store import PrefixStore

WEIGHTS = {"car": 5, "card": 9, "care": 5, "cart": 2, "cat": 7, "dog": 1, "do": 3}


@pytest.fixture
def store():
    store = PrefixStore()
    for word, weight in WEIGHTS.items():
        store.add(word, weight)
    return store


def node_count(store):
    def count(node):
        return 1 + sum(count(child) for child in node.children.values())

    return count(store._root)


def test_contents(store):
    assert len(store) == 7
    assert list(store) == ["car", "card", "care", "cart", "cat", "do", "dog"]
    assert "car" in store
    assert "ca" not in store
    assert "cars" not in store
    assert "" not in store


def test_add_sums_weights():
    store = PrefixStore(["a", "b", "a"])
    assert len(store) == 2
    assert store.weight("a") == 2
    assert store.add("a", 3) == 5
    assert store.add("ab") == 1
    assert store.weight("c") == 0
    assert PrefixStore(["xy"]).weight("x") == 0


@pytest.mark.parametrize("word, weight, message", [("", 1, "empty word"), ("a", 0, "positive"), ("a", -1, "positive")])
def test_bad_words(word, weight, message):
    with pytest.raises(ValueError, match=message):
        PrefixStore().add(word, weight)


@pytest.mark.parametrize(
    "prefix, limit, words",
    [
        ("car", 5, ["card", "car", "care", "cart"]),
        ("car", 2, ["card", "car"]),
        ("", 3, ["card", "cat", "car"]),
        ("ca", 4, ["card", "cat", "car", "care"]),
        ("dog", 5, ["dog"]),
        ("dogs", 5, []),
        ("x", 5, []),
    ],
)
def test_complete(store, prefix, limit, words):
    assert store.complete(prefix, limit) == words


def test_complete_gives_five_unless_told(store):
    assert len(store.complete("")) == 5


def test_complete_after_changes(store):
    store.add("cart", 10)
    assert store.complete("c", 1) == ["cart"]
    store.remove("cart")
    assert store.complete("c", 1) == ["card"]
    assert store._root.best == 9
    store.remove("card")
    assert store._root.best == 7


def test_remove(store):
    assert store.remove("car") is True
    assert store.remove("car") is False
    assert store.remove("ca") is False
    assert store.remove("zebra") is False
    assert len(store) == 6
    assert "card" in store


def test_remove_prunes(store):
    before = node_count(store)
    store.remove("dog")
    assert node_count(store) == before - 1
    store.remove("do")
    assert node_count(store) == before - 3
    store.remove("car")
    assert node_count(store) == before - 3


def test_remove_everything(store):
    for word in WEIGHTS:
        assert store.remove(word)
    assert len(store) == 0
    assert node_count(store) == 1
    assert store._root.best == 0


@pytest.mark.parametrize(
    "text, word",
    [("carton", "cart"), ("cargo", "car"), ("cat", "cat"), ("ca", None), ("dogma", "dog"), ("xylem", None), ("", None)],
)
def test_longest_prefix(store, text, word):
    assert store.longest_prefix(text) == word


@pytest.mark.parametrize(
    "pattern, words",
    [
        ("ca?", ["car", "cat"]),
        ("car?", ["card", "care", "cart"]),
        ("*t", ["cart", "cat"]),
        ("c*r*", ["car", "card", "care", "cart"]),
        ("d*", ["do", "dog"]),
        ("?o", ["do"]),
        ("**", ["car", "card", "care", "cart", "cat", "do", "dog"]),
        ("cat", ["cat"]),
        ("", []),
        ("ca", []),
    ],
)
def test_match(store, pattern, words):
    assert store.match(pattern) == words


@pytest.mark.parametrize(
    "word, distance, pairs",
    [
        ("car", 0, [(0, "car")]),
        ("car", 1, [(0, "car"), (1, "card"), (1, "care"), (1, "cart"), (1, "cat")]),
        ("crd", 1, [(1, "card")]),
        ("cot", 1, [(1, "cat")]),
        ("dot", 1, [(1, "do"), (1, "dog")]),
        ("cat", 1, [(0, "cat"), (1, "car"), (1, "cart")]),
        ("do", 2, [(0, "do"), (1, "dog")]),
        ("", 2, [(2, "do")]),
        ("scard", 1, [(1, "card")]),
    ],
)
def test_similar(store, word, distance, pairs):
    assert store.similar(word, distance) == pairs


def test_similar_allows_one_edit_unless_told(store):
    assert store.similar("dg") == [(1, "do"), (1, "dog")]

import pytest

from tagindex import QueryError, TagIndex


@pytest.fixture
def index():
    index = TagIndex({"py": "Python"})
    index.put(1, ["Python", "web", "draft"])
    index.put(2, ["py", "cli"])
    index.put(3, [" web ", "css"])
    index.put(4, ["", "  "])
    index.put(5, ["python", "web"])
    return index


@pytest.mark.parametrize(
    "query, ids",
    [
        ("", [1, 2, 3, 4, 5]),
        ("python", [1, 2, 5]),
        ("PY", [1, 2, 5]),
        ("python web", [1, 5]),
        ("python -draft", [2, 5]),
        ("-python", [3, 4]),
        ("--css", [3]),
        ("cli|css", [2, 3]),
        ("python web|css", [1, 3, 5]),
        ("python (web|cli) -draft", [2, 5]),
        ("-(web|cli)", [4]),
        ("(css)", [3]),
        ("((draft)|(css))web", [1, 3]),
        ("nothing", []),
        ("-nothing cli", [2]),
        ("|cli", [1, 2, 3, 4, 5]),
    ],
)
def test_find(index, query, ids):
    assert index.find(query) == ids


def test_a_hyphen_inside_a_word_belongs_to_it(index):
    index.put(6, ["to-do"])
    assert index.find("to-do") == [6]


@pytest.mark.parametrize(
    "query, message",
    [
        ("(web", "not closed"),
        ("web)", "unexpected \\)"),
        ("(-)", "nothing to exclude"),
        ("-|web", "nothing to exclude"),
        ("(web|", "not closed"),
    ],
)
def test_bad_queries(index, query, message):
    with pytest.raises(QueryError, match=message):
        index.find(query)


def test_a_lonely_hyphen_is_ignored(index):
    assert index.find("web - css") == [3]


def test_tags_are_normal_and_sorted(index):
    assert index.tags(1) == ["draft", "python", "web"]
    assert index.tags(2) == ["cli", "python"]
    assert index.tags(4) == []
    assert index.untagged() == [4]


def test_put_replaces(index):
    index.put(1, ["css"])
    assert index.find("draft") == []
    assert index.find("css") == [1, 3]
    assert ("draft", 1) not in index.counts()
    assert len(index) == 5


def test_discard(index):
    assert index.discard(3) is True
    assert index.discard(3) is False
    assert 3 not in index
    assert 1 in index
    assert len(index) == 4
    assert index.find("web") == [1, 5]
    assert "css" not in index._ids


def test_rename(index):
    assert index.rename("web", "CSS") == 3
    assert index.find("css") == [1, 3, 5]
    assert index.find("web") == []
    assert index.tags(3) == ["css"]
    assert index.tags(5) == ["css", "python"]


def test_rename_to_a_new_name(index):
    assert index.rename("cli", "terminal") == 1
    assert index.find("terminal") == [2]
    assert index.rename("cli", "terminal") == 0


def test_rename_to_itself(index):
    assert index.rename("py", "Python") == 0
    assert index.find("python") == [1, 2, 5]


def test_counts(index):
    assert index.counts() == [("python", 3), ("web", 3), ("cli", 1), ("css", 1), ("draft", 1)]
    assert index.counts("python web") == [("python", 2), ("web", 2), ("draft", 1)]
    assert index.counts("nothing") == []


def test_related(index):
    assert index.related("web") == ["python", "css", "draft"]
    assert index.related("py", limit=2) == ["web", "cli"]
    assert index.related("nothing") == []


def test_related_scores_by_share_not_by_count():
    index = TagIndex()
    for number in range(6):
        index.put(number, ["common"] + (["rare", "twin"] if number < 1 else []) + (["mid"] if number < 3 else []))
    assert index.related("rare") == ["twin", "mid", "common"]
    assert index.related("common") == ["mid", "rare", "twin"]

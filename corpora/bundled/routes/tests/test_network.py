import pytest

from routes import Network, NoRoute


@pytest.fixture
def town():
    network = Network()
    network.link("home", "park", 4, "red", both=True)
    network.link("home", "school", 1, "blue", both=True)
    network.link("school", "park", 2, "green", both=True)
    network.link("park", "zoo", 5, "red", both=True)
    network.link("school", "zoo", 8, "blue")
    network.link("isle", "lighthouse", 1)
    network.place("rock")
    return network


@pytest.mark.parametrize(
    "start, goal, cost, way",
    [
        ("home", "home", 0, "home"),
        ("home", "school", 1, "home school"),
        ("home", "park", 3, "home school park"),
        ("home", "zoo", 8, "home school park zoo"),
        ("zoo", "home", 8, "zoo park school home"),
    ],
)
def test_cheapest(town, start, goal, cost, way):
    assert town.cheapest(start, goal) == (cost, way.split())


def test_cheapest_avoids(town):
    assert town.cheapest("home", "zoo", avoid=["school"]) == (9, ["home", "park", "zoo"])
    assert town.cheapest("home", "zoo", avoid=["park"]) == (9, ["home", "school", "zoo"])
    with pytest.raises(NoRoute):
        town.cheapest("home", "zoo", avoid=["park", "school"])


def test_equal_costs_are_decided_by_stops_then_names():
    network = Network()
    for middle in ("y", "x", "z"):
        network.link("a", middle, 1)
        network.link(middle, "b", 1)
    assert network.cheapest("a", "b") == (2, ["a", "x", "b"])
    network.link("a", "b", 2)
    assert network.cheapest("a", "b") == (2, ["a", "b"])


@pytest.mark.parametrize("start, goal", [("home", "isle"), ("lighthouse", "isle"), ("rock", "home")])
def test_no_route(town, start, goal):
    for search in (town.cheapest, town.fewest_changes):
        with pytest.raises(NoRoute, match="no way from {} to {}".format(start, goal)):
            search(start, goal)


def test_unknown_places(town):
    for call in (
        lambda: town.cheapest("moon", "home"),
        lambda: town.cheapest("home", "moon"),
        lambda: town.within("moon", 1),
        lambda: town.fewest_changes("home", "moon"),
    ):
        with pytest.raises(NoRoute, match="unknown place moon"):
            call()


def test_links(town):
    assert town.places() == ["home", "isle", "lighthouse", "park", "rock", "school", "zoo"]
    with pytest.raises(ValueError, match="negative"):
        town.link("home", "rock", -1)
    town.link("home", "rock", 0)
    assert town.cheapest("home", "rock") == (0, ["home", "rock"])


def test_the_cheaper_of_two_links_is_kept():
    network = Network()
    for cost in (5, 3, 4):
        network.link("a", "b", cost)
    assert network.cheapest("a", "b")[0] == 3
    network.link("b", "c")
    assert network.cheapest("b", "c")[0] == 1
    with pytest.raises(NoRoute):
        network.cheapest("c", "b")


@pytest.mark.parametrize(
    "limit, costs",
    [
        (0, {"home": 0}),
        (1, {"home": 0, "school": 1}),
        (2, {"home": 0, "school": 1}),
        (3, {"home": 0, "school": 1, "park": 3}),
        (8, {"home": 0, "school": 1, "park": 3, "zoo": 8}),
    ],
)
def test_within(town, limit, costs):
    assert town.within("home", limit) == costs


@pytest.mark.parametrize("goal, changes", [("home", 0), ("park", 0), ("zoo", 0), ("school", 0)])
def test_no_changes(town, goal, changes):
    assert town.fewest_changes("home", goal) == changes


def test_changes():
    network = Network()
    for number, line in enumerate("abcb"):
        network.link(number, number + 1, line=line)
    network.link(0, 5, line="d")
    network.link(5, 4, line="e")
    network.link(5, 6, line="d")
    network.link(6, 4, line="d")
    assert network.fewest_changes(0, 3) == 2
    assert network.fewest_changes(0, 4) == 0
    assert network.fewest_changes(1, 4) == 2


def test_islands(town):
    assert town.islands() == [["home", "park", "school", "zoo"], ["isle", "lighthouse"], ["rock"]]
    assert Network().islands() == []


def test_islands_ignore_direction():
    network = Network()
    network.link("c", "b")
    network.link("a", "b")
    network.link("y", "x")
    network.link("w", "v")
    assert network.islands() == [["a", "b", "c"], ["v", "w"], ["x", "y"]]

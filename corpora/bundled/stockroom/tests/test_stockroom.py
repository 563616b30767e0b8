import pytest

from stockroom import StockError


def test_an_empty_room(room):
    assert room.on_hand("nut") == 0
    assert room.value() == 0
    assert room.average_cost("nut") is None


@pytest.mark.parametrize("call", ["on_hand", "free", "average_cost"])
def test_unknown_product(room, call):
    with pytest.raises(StockError, match="unknown product gear"):
        getattr(room, call)("gear")


def test_receive(stocked):
    assert stocked.on_hand("bolt") == 15
    assert stocked.value() == 350
    assert stocked.average_cost("bolt") == pytest.approx(350 / 15)


def test_receive_at_the_same_price_joins_the_lot(room):
    room.receive("nut", 2, 5)
    room.receive("nut", 3, 5)
    room.receive("nut", 1, 6)
    room.receive("nut", 1, 5)
    assert [lot.quantity for lot in room._lots["nut"]] == [5, 1, 1]


@pytest.mark.parametrize("quantity, cost", [(0, 5), (-1, 5), (1, -1)])
def test_bad_deliveries(room, quantity, cost):
    with pytest.raises(StockError, match="needs a quantity"):
        room.receive("nut", quantity, cost)
    with pytest.raises(StockError, match="unknown product"):
        room.receive("gear", 1, 1)


def test_free_samples_are_a_delivery(room):
    room.receive("nut", 1, 0)
    assert room.on_hand("nut") == 1
    assert room.average_cost("nut") == 0


@pytest.mark.parametrize(
    "quantity, cost, left", [(0, 0, 15), (4, 80, 11), (10, 200, 5), (11, 230, 4), (15, 350, 0)]
)
def test_ship_oldest_first(stocked, quantity, cost, left):
    assert stocked.ship("bolt", quantity) == cost
    assert stocked.on_hand("bolt") == left
    assert stocked.value() == 350 - cost


def test_ship_in_two_steps(stocked):
    assert stocked.ship("bolt", 8) == 160
    assert stocked.ship("bolt", 4) == 2 * 20 + 2 * 30


def test_ship_too_much(stocked):
    with pytest.raises(StockError, match="only 15 of bolt"):
        stocked.ship("bolt", 16)
    assert stocked.on_hand("bolt") == 15


def test_reserve(stocked):
    assert stocked.reserve("bolt", 6) == 6
    assert stocked.free("bolt") == 9
    assert stocked.on_hand("bolt") == 15
    assert stocked.reserve("bolt", 20) == 9
    assert stocked.reserve("bolt", 1) == 0
    assert stocked.free("bolt") == 0


def test_reserved_units_ship_only_as_reserved(stocked):
    stocked.reserve("bolt", 12)
    with pytest.raises(StockError, match="only 3 of bolt"):
        stocked.ship("bolt", 4)
    assert stocked.ship("bolt", 3) == 60
    assert stocked.ship("bolt", 8, reserved=True) == 7 * 20 + 30
    assert stocked.free("bolt") == 0
    with pytest.raises(StockError, match="only 4 of bolt"):
        stocked.ship("bolt", 5, reserved=True)


def test_reserve_never_promises_less_than_nothing(stocked):
    assert stocked.reserve("bolt", -3) == 0
    assert stocked.free("bolt") == 15


def test_take_back(stocked):
    stocked.ship("bolt", 12)
    stocked.take_back("bolt", 2)
    assert stocked.on_hand("bolt") == 5
    assert stocked.value() == 150
    with pytest.raises(StockError, match="no cost is known for nut"):
        stocked.take_back("nut", 1)
    with pytest.raises(StockError, match="unknown"):
        stocked.take_back("gear", 1)


def test_take_back_joins_the_oldest_lot(stocked):
    stocked.take_back("bolt", 1)
    assert stocked.value() == 370


def test_reorder(room):
    assert room.reorder() == {"bolt": 10, "cog": 4, "nut": 1}
    room.receive("bolt", 9, 1)
    room.receive("nut", 1, 1)
    room.receive("cog", 4, 1)
    assert room.reorder() == {"bolt": 5}
    room.receive("bolt", 1, 1)
    assert room.reorder() == {}


def test_reorder_counts_what_is_free(room):
    room.receive("bolt", 20, 1)
    room.reserve("bolt", 16)
    assert room.reorder()["bolt"] == 10


def test_recount(stocked):
    assert stocked.recount("bolt", 15) == 0
    assert stocked.recount("bolt", 12) == -3
    assert stocked.value() == 290
    assert stocked.recount("bolt", 14) == 2
    assert (stocked.on_hand("bolt"), stocked.value()) == (14, 290)


def test_recount_cuts_reservations_to_what_is_there(stocked):
    stocked.reserve("bolt", 13)
    assert stocked.recount("bolt", 8) == -7
    assert stocked.free("bolt") == 0
    assert stocked.ship("bolt", 8, reserved=True) == 3 * 20 + 5 * 30

import pytest

from stockroom import Product, Stockroom


@pytest.fixture
def room():
    return Stockroom([Product("bolt", reorder_point=9, pack_size=5), Product("nut"), Product("cog", 3)])


@pytest.fixture
def stocked(room):
    room.receive("bolt", 10, 20)
    room.receive("bolt", 5, 30)
    return room

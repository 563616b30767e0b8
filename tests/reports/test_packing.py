from __future__ import annotations

import re

from mendlab.reports.detail import FULL, LEVELS, choose_detail
from mendlab.reports.packing import blocks, pack, unpack


def test_what_is_packed_comes_back_and_is_never_markup(hostile_text):
    data = {"a": [hostile_text.replace("\ud800", ""), "</script>", None, 1.5]}
    assert unpack(pack(data)) == data
    assert re.fullmatch(r"[\w+/=]*", pack(data))


def test_blocks_keep_the_order_and_the_size():
    texts = [str(number) * 10 for number in range(10)]
    made = list(blocks(texts, size=25))
    assert [text for block in made for text in block] == texts
    assert {len(block) for block in made[:-1]} == {3}
    assert list(blocks([])) == []


def test_less_is_shown_only_where_there_is_too_much():
    items = [f"{number} " * 200 for number in range(500)]
    chosen = choose_detail(items, lambda item, detail: item * detail.answer_lines, budget=10**9)
    assert chosen is FULL

    def unlike(item, detail):
        return "".join(chr(33 + hash((item, at)) % 90) for at in range(10 * detail.answer_lines))

    sizes = [len(pack([unlike(item, level) for item in items])) for level in LEVELS]
    for level, size in zip(LEVELS[1:], sizes[1:], strict=True):
        assert choose_detail(items, unlike, budget=int(size * 1.8)) is level
    assert choose_detail(items, unlike, budget=1) is LEVELS[-1]

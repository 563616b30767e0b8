"""Threads that parse at once, with finalizers that let each other in."""

from __future__ import annotations

import ast
import subprocess
import sys
import time

import pytest

from mendlab.workers import map_ordered

SOURCE = "def f(a):\n" + "".join(f"    if a == {n}:\n        return [a, {{'x': (1, [{n}])}}]\n" for n in range(300))


class Garbage:
    """A cycle, whose finalizer runs Python whenever the collector comes by."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        sum(range(200))


def deeply(depth: int) -> ast.Module:
    return ast.parse(SOURCE) if depth == 0 else deeply(depth - 1)


def parse_often(depth: int) -> int:
    end, count = time.monotonic() + 2, 0
    while time.monotonic() < end:
        [Garbage() for _ in range(20)]
        assert len(deeply(depth).body[0].body) == 300  # type: ignore[attr-defined]
        count += 1
    return count


def test_threads_do_not_spoil_each_others_trees() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        assert all(map_ordered(parse_often, [5, 40], 2))
    finally:
        sys.setswitchinterval(interval)
    assert ast.literal_eval("[1, (2, 3)]") == [1, (2, 3)]
    with pytest.raises(SyntaxError):
        ast.parse("x =")


def test_a_process_without_threads_has_the_parser_as_it_was() -> None:
    code = "import ast; before = ast.parse; from mendlab.workers import map_ordered; list(map_ordered(int, '1', 1))"
    done = subprocess.run([sys.executable, "-c", f"{code}; assert ast.parse is before"], check=False)
    assert done.returncode == 0

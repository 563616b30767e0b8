from __future__ import annotations

import ast
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import mendlab
from mendlab.corpora.syntax import parse_tree

PACKAGE = Path(mendlab.__file__).parent


def test_threads_parse_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most, parse = threading.Semaphore(0), [0], ast.parse

    def slowly(source: str, **options: str) -> ast.AST:
        inside.release()
        most[0] = max(most[0], inside._value)
        time.sleep(0.01)
        inside.acquire()
        return parse(source, **options)

    monkeypatch.setattr(ast, "parse", slowly)
    with ThreadPoolExecutor(4) as threads:
        trees = list(threads.map(parse_tree, [f"x = {number}" for number in range(12)]))
    assert [ast.unparse(tree) for tree in trees] == [f"x = {number}" for number in range(12)]
    assert most == [1]
    with pytest.raises(SyntaxError):
        parse_tree("x =")
    assert ast.unparse(parse_tree("1 + 1", mode="eval")) == "1 + 1"


def test_nothing_in_the_lab_parses_otherwise() -> None:
    """What runs confined has one thread, and is left out; an attack has it in its text."""
    folders = [folder for folder in PACKAGE.iterdir() if folder.is_dir()]  # links, some of them
    files = {
        f"{folder.name}/{path.relative_to(folder.resolve())}": path
        for folder in folders
        for path in folder.resolve().rglob("*.py")
    }
    used = {
        name
        for name, path in files.items()
        if re.search(r"\bast\.parse\b|ONLY_AST", path.read_text())
        and not {"confined", "bundled", "bundled_history"} & set(name.split("/"))
    }
    assert used == {"corpora/syntax.py", "verify/attacks/families/stealing.py"}

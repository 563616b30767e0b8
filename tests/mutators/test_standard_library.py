"""Over the standard library: mutants compile, differ, and leave everything outside their span alone."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest

from mendlab.mutators import Mutant, enumerate_mutants, sample

LIBRARY = Path(sysconfig.get_path("stdlib"))
LARGEST = 60_000  # bytes


def modules(count: int) -> list[Path]:
    skipped = ("test", "tests", "site-packages", "idlelib", "turtledemo")
    found = [
        p for p in sorted(LIBRARY.rglob("*.py"))
        if not set(p.relative_to(LIBRARY).parts) & set(skipped) and 0 < p.stat().st_size < LARGEST
    ]  # fmt: skip
    return found[:: max(1, len(found) // count)][:count]


def read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None


def check_file(path: Path, drawn: int) -> int:
    """Check a file's mutants: all that is cheap for all of them, compiling the whole file for some."""
    source = read(path)
    if source is None:
        return 0
    name = path.relative_to(LIBRARY).as_posix()
    mutants = list(enumerate_mutants(source, path=name))
    assert len({m.id for m in mutants}) == len(mutants)
    tree = ast.dump(ast.parse(source))
    for mutant in sample(mutants, drawn, seed=7):
        check_mutant(source, tree, mutant)
    return len(mutants)


def check_mutant(source: str, tree: str, mutant: Mutant) -> None:
    changed = mutant.source
    start, end = mutant.edits[0].start, mutant.edits[-1].end
    assert changed[:start] == source[:start]
    assert changed[len(changed) - (len(source) - end) :] == source[end:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(changed, mutant.path, "exec", dont_inherit=True)
        assert ast.dump(ast.parse(changed)) != tree, mutant.diff


@pytest.mark.slow
def test_sixty_modules() -> None:
    assert sum(check_file(path, 10) for path in modules(60)) > 100_000


def test_a_few_modules() -> None:
    assert sum(check_file(LIBRARY / name, 40) for name in ("bisect.py", "textwrap.py", "colorsys.py")) > 2_000


def test_two_enumerations_of_a_module_are_equal() -> None:
    source = (LIBRARY / "heapq.py").read_text(encoding="utf-8")
    first = [(m.id, m.operator, m.edits) for m in enumerate_mutants(source)]
    assert first == [(m.id, m.operator, m.edits) for m in enumerate_mutants(source)]

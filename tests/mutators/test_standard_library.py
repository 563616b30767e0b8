"""Over the standard library: mutants compile, differ, and leave everything outside their span alone."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest

from mendlab.corpora.text import decode
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


def check_file(path: Path, drawn: int) -> int:
    """Check a file's mutants: all that is cheap for all of them, compiling the whole file for some."""
    data = path.read_bytes()
    source, encoding = decode(path.name, data)
    mutants = list(enumerate_mutants(source, path=path.relative_to(LIBRARY).as_posix()))
    assert len({m.id for m in mutants}) == len(mutants)
    tree = ast.dump(ast.parse(data))
    for mutant in sample(mutants, drawn, seed=7):
        check_mutant(data, encoding, tree, mutant)
    return len(mutants)


def check_mutant(data: bytes, encoding: str, tree: str, mutant: Mutant) -> None:
    """Check that a mutant, in the bytes of its file, compiles and differs, and that the rest of the file stays."""
    source = mutant.base.text
    before, after = source[: mutant.edits[0].start].encode(encoding), source[mutant.edits[-1].end :].encode(encoding)
    changed = mutant.source.encode(encoding)
    assert data.startswith(before) and changed.startswith(before)
    assert data.endswith(after) and changed.endswith(after)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(changed, mutant.path, "exec", dont_inherit=True)
        assert ast.dump(ast.parse(changed)) != tree, mutant.diff


@pytest.mark.slow
def test_forty_modules() -> None:
    paths = [path for path in modules(2_000) if path.stat().st_size < 4_000][:40]
    assert len(paths) == 40
    assert sum(check_file(path, 3) for path in paths) > 15_000


def test_a_few_modules() -> None:
    assert sum(check_file(LIBRARY / name, 20) for name in ("keyword.py", "this.py")) > 1_000


def test_two_enumerations_of_a_module_are_equal() -> None:
    source = (LIBRARY / "keyword.py").read_text(encoding="utf-8")
    first = [(m.id, m.operator, m.edits) for m in enumerate_mutants(source)]
    assert first == [(m.id, m.operator, m.edits) for m in enumerate_mutants(source)]

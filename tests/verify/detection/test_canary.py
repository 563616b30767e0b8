"""The mutant that must be killed: made in every shape of function, and missed where it lives."""

from __future__ import annotations

import ast
from contextlib import closing

import pytest

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError
from mendlab.records import Limits, Provenance, PytestHarness, Subject
from mendlab.verify.detection.canary import RAISES, canaries, check_canary
from mendlab.verify.engines.coverage import Coverage


def load(source: str | bytes, path: str = "m.py") -> LoadedSubject:
    data = source.encode() if isinstance(source, str) else source
    tree = FileTree({path: data})
    subject = Subject(
        id="s",
        snapshot=tree.digest,
        harness=PytestHarness(test_files=("test_m.py",)),
        source_files=(path,),
        provenance=Provenance(source="s"),
    )
    return LoadedSubject(subject, tree)


@pytest.mark.parametrize(
    ("source", "line", "changed"),
    [
        ("def f(x):\n    return x\n", 2, f"def f(x):\n    {RAISES}\n    return x\n"),
        ('def f(x):\n    """Doc."""\n    return x\n', 3, f'def f(x):\n    """Doc."""\n    {RAISES}\n    return x\n'),
        ("def f(x):\n\tif x:\n\t\treturn x\n", 2, f"def f(x):\n\t{RAISES}\n\tif x:\n\t\treturn x\n"),
        ("def f(x): return x\n", 1, f"def f(x): {RAISES}; return x\n"),
        ("def f(ä='ü'): 'Dök'; return ä", 1, f"def f(ä='ü'): 'Dök'; {RAISES}; return ä"),
        ("async def f(x):\n    return x\n", 2, f"async def f(x):\n    {RAISES}\n    return x\n"),
        ("def f():\n    @g\n    class A: pass\n", 2, f"def f():\n    {RAISES}\n    @g\n    class A: pass\n"),
    ],
)
def test_a_function_raises_before_all_else(source, line, changed):
    canary = next(canaries(load(source), None))
    assert canary.data.decode() == changed
    assert (canary.function, canary.path, canary.line) == ("f", "m.py", line)
    ast.parse(changed)


def test_the_encoding_stays(tmp_path):
    for source in (
        b"# -*- coding: latin-1 -*-\ndef f():\n    return '\xe4'\n",
        b"\xef\xbb\xbfdef f():\r\n    return 1\r\n",
    ):
        (canary,) = canaries(load(source), None)
        assert canary.data.replace(f"    {RAISES}\n".encode(), b"") == source
        assert RAISES in decode("m.py", canary.data).text


THREE = "def a():\n    return 1\n\ndef b():\n    return 2\n\ndef c():\n    return 3\n\ndef d():\n    return 4\n"


def test_what_tests_run_by_themselves_comes_first_and_what_import_runs_only_for_want_of_others():
    told = {"": {"m.py": [1, 4, 7, 8, 10]}, "t1": {"m.py": [5, 8, 2]}, "t2": {"m.py": [5, 8]}, "t3": {"m.py": [8]}}
    coverage = Coverage.of(told, exclude=())
    assert [canary.function for canary in canaries(load(THREE), coverage)] == ["b", "a"]
    assert [canary.function for canary in canaries(load(THREE), coverage, files=["n.py"])] == []
    at_import = Coverage.of({"": told[""], "t1": {"m.py": []}, "t3": {"m.py": [8]}}, exclude=())
    assert [canary.function for canary in canaries(load(THREE), at_import)] == ["c"]


STUBS = '''\
from abc import ABC, abstractmethod
from typing import Protocol, overload


class Base(ABC):
    @abstractmethod
    def read(self):
        """To be written."""
        raise NotImplementedError("read")

    def write(self): ...

    def close(self):
        """Nothing to close."""


class Sized(Protocol):
    def size(self) -> int:
        pass


@overload
def pick(x: int) -> int: ...
def pick(x):
    if x is None:
        raise NotImplementedError
    return x
'''


@pytest.mark.parametrize("told", [None, {"": {"m.py": [*range(1, 25)]}, "t": {"m.py": [8, 10, 18, 25, 27]}}])
def test_what_only_stands_for_others_is_no_canary(told):
    coverage = None if told is None else Coverage.of(told, exclude=())
    assert [canary.line for canary in canaries(load(STUBS), coverage)] == [25]


def test_every_file_has_one_canary_before_any_has_two():
    tree = FileTree({"m.py": THREE.encode(), "n.py": THREE.encode()})
    subject = load(THREE).subject.model_copy(update={"snapshot": tree.digest, "source_files": ("m.py", "n.py")})
    told = {"t1": {"m.py": [2, 5], "n.py": [11]}, "t2": {"m.py": [2, 5], "n.py": []}}
    found = canaries(LoadedSubject(subject, tree), Coverage.of(told, exclude=()))
    assert [(canary.path, canary.function) for canary in found] == [("m.py", "a"), ("n.py", "d"), ("m.py", "b")]


@pytest.mark.slow
def test_an_engine_that_kills_the_canary_is_trusted_and_no_other(shapes, bench):
    swallowing = (
        "from m import f\n\ndef test_f():\n    try:\n        assert f(1) == 1\n    except Exception:\n        pass\n"
    )
    source = "def f(x):\n    return x\n"
    tests = ["test_m.py::test_f"]
    for number, (suite, said) in enumerate(
        [
            (swallowing, "no test fails where f raises at once"),
            ("from m import f\n\ndef test_f():\n    assert f(1) == 2\n", "test_f does not pass on the good tree"),
            ("def test_f():\n    import m\n", "its tests run none of its functions"),
            ("from m import f\n\ndef test_f():\n    assert f(1) == 1\n", None),
        ]
    ):
        project = shapes.project({"m.py": source, "test_m.py": suite}, f"project{number}")
        (loaded,) = shapes.read(project)
        engine = bench.open(loaded.tree, loaded.subject.harness, Limits())
        with closing(engine):
            coverage = Coverage.of({"": {"m.py": [1]}, tests[0]: {"m.py": [2] if "f(1)" in suite else []}}, exclude=())
            if said is None:
                assert str(check_canary(engine, loaded, coverage, tests)) == f"m.py:2: +{RAISES}"
                continue
            with pytest.raises(EngineError, match=said):
                check_canary(engine, loaded, coverage, tests)

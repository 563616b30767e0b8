"""What the text of the reference and of its tests says: classes, signatures, exceptions; and cases written with it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, PytestHarness, Task
from mendlab.verify.newtests.cases import Case, Signature, exceptions_of, make_case, signatures
from mendlab.verify.newtests.doing import Call, Looked
from mendlab.verify.newtests.spelling import Shape, Speller, Unspellable, names_in, shapes_of


@dataclass(frozen=True, slots=True)
class Program:
    """What is known of a program. ``sources`` has texts by module name, ``named`` every name that the tests use."""

    sources: Mapping[str, str]
    shapes: Mapping[str, Shape]
    signatures: Mapping[tuple[str, str], Signature]
    exceptions: Mapping[str, str | None]
    named: frozenset[str]

    def size(self, call: Call) -> int | None:
        """Return how long a call is as text; None where it cannot be written."""
        args, kwargs = call.arguments
        spell = Speller(self.shapes).spell
        try:
            return sum(len(spell(value)) for value in (*args, *kwargs.values()))
        except Unspellable:
            return None

    def case(self, looked: Looked, **about: object) -> Case:
        """Return the test for a call. Raises Unspellable."""
        signature = self.signatures.get((looked.call.module, looked.call.function), Signature())
        return make_case(looked, shapes=self.shapes, signature=signature, exceptions=self.exceptions, **about)  # type: ignore[arg-type]


def read_program(task: Task, good: FileTree, modules: Sequence[str]) -> Program:
    sources = dict(_sources(task, good, modules))
    found = {(module, name): each for module, source in sources.items() for name, each in signatures(source).items()}
    return Program(sources, shapes_of(sources), found, exceptions_of(sources), names_in(*_texts_of_tests(task, good)))


def _sources(task: Task, good: FileTree, modules: Sequence[str]) -> Iterator[tuple[str, str]]:
    for module in modules:
        ending = module.replace(".", "/")
        if isinstance(task.harness, FunctionHarness):
            names = [task.harness.module]
        else:
            names = [f"{root}{ending}{rest}" for root in ("", "src/") for rest in (".py", "/__init__.py")]
        for path in names:
            if path in good:
                with contextlib.suppress(SyntaxError, ValueError):
                    text = decode(path, good[path]).text.removeprefix("\ufeff")
                    signatures(text)
                    yield module, text
                break


def _texts_of_tests(task: Task, good: FileTree) -> Iterator[str]:
    match task.harness:
        case FunctionHarness(groups=groups):
            texts = [text for group in groups for text in (group.setup, *(step.code for step in group.steps))]
        case PytestHarness(test_files=paths):
            texts = [decode(path, good[path]).text for path in paths if path in good and path.endswith(".py")]
        case _:
            texts = []
    for text in texts:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            ast.parse(text)
            yield text

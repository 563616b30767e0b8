"""Which tests are about a change: by what their modules are called, and by the functions that they mention."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Self

from mendlab.harvest.paths import is_python
from mendlab.harvest.records import Candidate


@dataclass(frozen=True)
class Topic:
    """What a change is about: the names of its modules, and of the functions that it changes."""

    modules: frozenset[str]
    functions: frozenset[str]

    @classmethod
    def of(cls, candidate: Candidate, functions: Iterable[str]) -> Self:
        """The topic of a candidate that touches functions, each as ``path::qualified.name``."""
        names = {part for each in functions for part in each.partition("::")[2].split(".")}
        return cls(
            frozenset(_module(path) for path in candidate.source.paths if is_python(path)),
            frozenset(name for name in names if name.isidentifier() and not name.startswith("__")),
        )

    def is_called(self, path: str) -> bool:
        """Whether a test module is called after one of the modules."""
        return subject_of(path) in self.modules

    def mentions(self, text: bytes) -> int:
        """How often a text mentions one of the functions."""
        return len(self._mention.findall(text)) if self.functions else 0

    @cached_property
    def _mention(self) -> re.Pattern[bytes]:
        names = b"|".join(re.escape(name.encode()) for name in sorted(self.functions))
        return re.compile(rb"\b(?:" + names + rb")\b")


def subject_of(path: str) -> str:
    """What a test module is called after: ``time`` for ``tests/test_time.py``."""
    return PurePosixPath(path).stem.removeprefix("test_").removesuffix("_test").removesuffix("_tests")


def _module(path: str) -> str:
    pure = PurePosixPath(path)
    return (pure.parent.name if pure.stem == "__init__" else pure.stem).lstrip("_")

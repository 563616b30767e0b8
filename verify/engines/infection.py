"""Which tests a small change may infect: those in which the good program's state shows a difference to it at once.

Weak mutation (Howden, IEEE TSE 1982), for many changes in one run of the good tree (Just, Ernst and Fraser, ISSTA
2014): :mod:`mendlab.verify.confined.infection.infection_run`. A test that a change does not infect has the good tree's
outcome.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.records import TestOutcome
from mendlab.verify.engines.changed_code import common_ends
from mendlab.verify.engines.pytest_engine import PytestEngine

MOST_MUTANTS: Final = 3000
"""In one run."""
Changes = Mapping[str, bytes | None]
_EVERYTHING: Final = "*"


class Infections:
    """What is known of the changes of one tree: which of the ``tests`` each may infect.

    ``engine`` runs the good tree's tests, ``clean`` is what comes of them; where an instrumented run has another
    outcome than that, the test counts as infected by everything. So does one that is not among those ``reaching`` any
    change, if they are known: it is not run by itself. ``heard`` is as for :meth:`PytestEngine.coverage`.
    ``cpu_seconds`` is what finding out has cost.
    """

    def __init__(
        self,
        tree: FileTree,
        engine: PytestEngine,
        clean: Mapping[str, TestOutcome],
        heard: Callable[[int], None] | None = None,
        reaching: Collection[str] | None = None,
    ) -> None:
        self._tree = tree
        self._engine = engine
        self._clean = clean
        self._heard = heard
        self._alone = [test_id for test_id in clean if reaching is None or test_id in reaching]
        self._known: dict[bytes, frozenset[str]] = {}
        self.cpu_seconds = 0.0

    def learn(self, batch: Sequence[Changes]) -> None:
        """Find out, in as few runs of the good tree as may be, which tests these changes may infect.

        Changes that are known already, and those of more than one file, add nothing. Raises EngineError.
        """
        pending = {key(changes): changes for changes in batch if key(changes) not in self._known}
        told = [(name, wire) for name, changes in pending.items() if (wire := self._wire(changes)) is not None]
        for start in range(0, len(told), MOST_MUTANTS):
            part = told[start : start + MOST_MUTANTS]
            self._known.update(zip((name for name, _ in part), self._run([wire for _, wire in part]), strict=True))

    def of(self, changes: Changes) -> frozenset[str]:
        """Return the tests that may be infected by changes: all of them, where nothing is known."""
        return self._known.get(key(changes), frozenset(self._clean))

    def _run(self, mutants: Sequence[Sequence[object]]) -> list[frozenset[str]]:
        told, outcomes, cpu_seconds = self._engine.infection(tuple(self._clean), mutants, self._alone, self._heard)
        self.cpu_seconds += cpu_seconds
        everyone = frozenset(self._clean)
        common = told.get("", {_EVERYTHING: [1]})
        if _EVERYTHING in common:
            return [everyone for _ in mutants]
        blind = {
            test_id
            for test_id, outcome in self._clean.items()
            if outcomes.get(test_id) is not outcome or _EVERYTHING in told.get(test_id, {_EVERYTHING: [1]})
        }
        infected = [set(blind) for _ in mutants]
        for test_id in everyone - blind:
            for number in told[test_id]["infected"]:
                infected[number].add(test_id)
        every = {*common["infected"], *common["unknown"]}
        return [everyone if number in every else frozenset(tests) for number, tests in enumerate(infected)]

    def _wire(self, changes: Changes) -> tuple[str, int, int, str] | None:
        """Return ``(path, first line, last line, text)`` of what is changed; None where it is not lines of one file."""
        if len(changes) != 1:
            return None
        ((path, new),) = changes.items()
        if new is None or path not in self._tree or not path.endswith(".py"):
            return None
        before, after = self._tree[path].splitlines(keepends=True), new.splitlines(keepends=True)
        head, tail = common_ends(before, after)
        text = b"".join(after[head : len(after) - tail]).decode("latin-1")
        return path, head + 1, len(before) - tail, text


def key(changes: Changes) -> bytes:
    """Return what tells changes apart, and is short."""
    digest = hashlib.blake2b(digest_size=16)
    for path, data in sorted(changes.items()):
        digest.update(repr((path, data is None, len(data or b""))).encode() + (data or b""))
    return digest.digest()

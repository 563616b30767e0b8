"""Opens the engine that a harness needs, on the confinement and the interpreter that this machine and the user give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError
from mendlab.records import FunctionHarness, Harness, Limits, PytestHarness, SandboxLevel, ScriptHarness
from mendlab.verify.confinement.interpreter import Interpreter, find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.coverage import Coverage
from mendlab.verify.engines.engine import Engine
from mendlab.verify.engines.function_engine import FunctionEngine
from mendlab.verify.engines.function_mutants import FunctionMutantEngine
from mendlab.verify.engines.infection import Infections
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_mutants import PytestMutantEngine
from mendlab.verify.engines.script_engine import ScriptEngine


@dataclass(frozen=True, slots=True)
class Bench:
    """What tests run on: the confinement, and the interpreter of the subject.

    ``environments`` has the interpreters of tests that need an environment of their own, by its name in the task set.
    """

    level: SandboxLevel
    interpreter: Interpreter
    environments: Mapping[str, Interpreter] = field(default_factory=dict)

    def suited(self, harness: Harness) -> Bench:
        """Return this bench with the interpreter that a harness needs.

        Raises:
            EngineError: it needs an environment that is not there.
        """
        name = harness.environment if isinstance(harness, PytestHarness) else None
        if name is None:
            return self
        if name not in self.environments:
            raise EngineError(f"the environment {name} is not set up")
        return replace(self, interpreter=self.environments[name])

    def open(self, tree: FileTree, harness: Harness, limits: Limits, *, hash_seed: int = 0) -> Engine:
        """Open the engine for a good tree and its harness.

        Raises:
            SubjectError: the program cannot be tested as it is.
            EngineError: the engine does not start.
        """
        match harness:
            case FunctionHarness():
                return FunctionEngine(
                    tree, harness, limits=limits, level=self.level, interpreter=self.interpreter, hash_seed=hash_seed
                )
            case PytestHarness():
                interpreter = self.suited(harness).interpreter
                return PytestEngine(
                    tree, harness, limits=limits, level=self.level, interpreter=interpreter, hash_seed=hash_seed
                )
            case ScriptHarness():
                return ScriptEngine(
                    tree, harness, limits=limits, level=self.level, interpreter=self.interpreter, hash_seed=hash_seed
                )

    def open_for_mutants(
        self,
        tree: FileTree,
        harness: Harness,
        limits: Limits,
        *,
        coverage: Coverage | None = None,
        infections: Infections | None = None,
    ) -> Engine:
        """Open the quickest engine for small changes of a good tree which do not set out to deceive.

        Args:
            coverage: what the harness's tests run, where that is known; without it a pytest project has no quicker one.
            infections: which tests the changes may infect, as far as that is known.

        Raises:
            SubjectError: the program cannot be tested as it is.
            EngineError: the engine does not start.
        """
        match harness:
            case FunctionHarness():
                return FunctionMutantEngine(
                    tree, harness, limits=limits, level=self.level, interpreter=self.interpreter
                )
            case PytestHarness() if coverage is not None:
                return PytestMutantEngine(
                    tree,
                    harness,
                    coverage,
                    limits=limits,
                    level=self.level,
                    interpreter=self.suited(harness).interpreter,
                    infections=infections,
                )
        return self.open(tree, harness, limits)


def set_up_bench(
    *, python: str | Path | None = None, project: Path | None = None, allow_unconfined: bool = False
) -> Bench:
    """Choose the interpreter (the one named, else the project's own, else the lab's) and the confinement.

    Raises:
        InputError: the interpreter cannot be used.
        ConfinementError: this machine cannot confine and the user has not allowed it not to.
    """
    return Bench(
        choose_level(allow_unconfined=allow_unconfined),
        find_interpreter(python, project, allow_unconfined=allow_unconfined),
    )

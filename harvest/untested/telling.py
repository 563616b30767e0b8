"""What tells a fix from its parent where its own tests do not: standing tests, those of later commits, new ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic import Field

from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError, SubjectError
from mendlab.harvest.classify import Classification, Facts, Label, classify
from mendlab.harvest.climbing import Climbed, Step, climb
from mendlab.harvest.environment.ladder import Ladder
from mendlab.harvest.records import Candidate, DropReason
from mendlab.harvest.statement import statement
from mendlab.harvest.states.examining import begin
from mendlab.harvest.states.state import State
from mendlab.harvest.states.touched import modules_of_tests, touched_modules
from mendlab.harvest.tasks import Mining, task_of
from mendlab.harvest.trees import CommitTrees
from mendlab.harvest.untested.later import TestHistory
from mendlab.harvest.untested.topics import Topic
from mendlab.records import Record, TestsFrom
from mendlab.verify.bench import Bench
from mendlab.verify.newtests.write import write_tests

UNTOLD: Final = frozenset({DropReason.NO_TESTS, DropReason.PASSES_BEFORE})
"""Why a commit's own tests may not tell it although it mends something."""
_LIKELY: Final = 0.5
_SURE: Final = 0.7
"""How sure it must be that a commit is a bug fix before tests are looked for, and before tests are written."""
_LEAST_WORDS: Final = 6


class Telling(Record):
    """Tests that tell a fix, which are not its own: where they are from, and the files laid over its trees."""

    tests_from: TestsFrom
    commit: str | None = None
    files: dict[str, str] = Field(default_factory=dict)

    def laid_over(self, trees: CommitTrees) -> CommitTrees:
        """Return the states of the commit with these tests."""
        return trees.with_tests_of({path: text.encode() for path, text in self.files.items()})


@dataclass(frozen=True, slots=True)
class Teller:
    """Looks for such tests. Safe to share between threads."""

    later: TestHistory
    environments: Ladder
    bench: Bench
    mining: Mining

    def tell(
        self, candidate: Candidate, trees: CommitTrees, functions: tuple[str, ...], facts: Facts, step: Step
    ) -> tuple[Telling, Climbed] | None:
        """Return the first tests found that fail on the parent and pass on the fix, or ``None``.

        Tests are looked for only where all but tests says that it is a bug, and written only where a statement is left
        that says what is wrong.

        Raises:
            EngineError: the lab, the package index or the disk fails.
        """
        guess = classify(facts)
        if guess.label is not Label.BUG or guess.confidence < _LIKELY:
            return None
        topic = Topic.of(candidate, functions)
        standing = trees.with_touched(_about(trees.fix, topic))
        climbed = self._climb(candidate, standing)
        if climbed.report.dropped is None:
            return Telling(tests_from="standing"), climbed
        for each in self.later.after(candidate.fix, topic):
            step(f"tests of {each.commit[:9]}, which came later")
            telling = Telling(tests_from="later", commit=each.commit, files=dict(_as_text(each.files)))
            if _may_tell(telling.laid_over(trees), climbed):
                found = self._climb(candidate, telling.laid_over(trees))
                if found.report.dropped is None:
                    return telling, found
        if _says_enough(candidate, trees, guess):
            step("writing tests")
            telling = Telling(tests_from="written", files=self._written(candidate, climbed, functions, guess))
            found = self._climb(candidate, telling.laid_over(trees))
            if found.report.dropped is None:
                return telling, found
        return None

    def _climb(self, candidate: Candidate, trees: CommitTrees) -> Climbed:
        date = datetime.fromisoformat(candidate.commit.committed)
        return climb(trees, date, self.environments, self.bench)

    def _written(
        self, candidate: Candidate, climbed: Climbed, functions: tuple[str, ...], guess: Classification
    ) -> dict[str, str]:
        """New tests on which parent and fix differ, out of the calls that the standing tests make."""
        report, trees = climbed.report, climbed.commit
        if climbed.runner is None or not report.pass_to_pass:
            return {}
        bench = climbed.runner.bench
        bare = report.model_copy(update={"environment": None, "dropped": None})
        try:
            task = task_of(candidate, trees, bare, guess, None, functions, self.mining)
            written = write_tests(task, trees.fix, trees.with_tests, bench, seed=self.mining.seed)
        except (FormatError, InputError, SubjectError):
            return {}  # what cannot be written as text, or of which no call is recorded
        aimed = any(test.kind == "aimed" for test in written.about.tests)
        return {written.path: written.text} if written.path and aimed else {}


def _may_tell(trees: CommitTrees, known: Climbed) -> bool:
    """Whether tests tell in one run each, in the environment known to suit the commit; true where none is known."""
    if known.runner is None:
        return True
    laid = trees.with_files(dict(known.laid))
    files = touched_modules(laid)
    if not files:
        return False
    try:
        after = begin(laid.fix, files, known.runner)
    except SubjectError:
        return False
    passing = tuple(test_id for test_id in after.tests if after.always(test_id))
    before = State(laid.with_tests, passing)
    if passing:
        known.runner.limited_by(after).once(before)
    return any(map(before.never, passing))


def _about(tree: FileTree, topic: Topic) -> tuple[str, ...]:
    """The standing test modules that are called after a changed module, or else mention a changed function."""
    modules = modules_of_tests(tree)
    return tuple(
        [path for path in modules if topic.is_called(path)] or [path for path in modules if topic.mentions(tree[path])]
    )


def _as_text(files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for path, data in files.items():
        try:
            yield path, data.decode()
        except UnicodeDecodeError:
            continue


def _says_enough(candidate: Candidate, trees: CommitTrees, guess: Classification) -> bool:
    before = "\n".join(trees.parent.get(path, b"").decode(errors="replace") for path in candidate.source.paths)
    return guess.confidence >= _SURE and len(statement(candidate, before).split()) >= _LEAST_WORDS

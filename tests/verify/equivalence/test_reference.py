"""The inputs of a task, and what tests that were written for it do to them."""

from mendlab.records import Step, StepGroup
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.inputs.travel import key_of
from mendlab.verify.equivalence.recording import without_new_tests
from mendlab.verify.equivalence.reference import reference_of

SORTING = "def f(x):\n    return sorted(x, key=abs)\n"


def with_group(task, *codes):
    steps = tuple(Step(code=code, test_id=f"test_new_solution.py::t[{n}]") for n, code in enumerate(codes))
    harness = task.harness.model_copy(update={"groups": (*task.harness.groups, StepGroup(steps=steps))})
    return task.model_copy(
        update={"harness": harness, "pass_to_pass": (*task.pass_to_pass, *(step.test_id for step in steps))}
    )


def test_new_tests_only_add_inputs(bench, task_of):
    tree, old = task_of(SORTING, ["f([3, 1])", "f([2])", "f([5, 4, 6])"])
    new = with_group(old, "f([-1, 0])", "f([])", "f([-3, -2, 7])")
    assert without_new_tests(new) == old
    assert without_new_tests(old) is old
    calls = []
    for task in (old, new):
        for words in (Literals(), Literals(numbers=(20,))):
            with reference_of(task, tree, bench) as reference:
                found = reference.inputs(reference.functions(), words, inner=False).found
            calls.append({key_of(one.call): (one.valid, one.expected.text) for one in found})
    plain, for_patch, plain_of_new, for_patch_of_new = calls
    for before, after in ((plain, plain_of_new), (for_patch, for_patch_of_new)):
        assert before.keys() <= after.keys()
        assert all(after[key] == end for key, end in before.items() if end[0])
    fresh = [key for key in plain_of_new if key not in plain]
    assert len(fresh) > 40
    assert sum("-" in key for key in fresh) > 20

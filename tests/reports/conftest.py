"""Runs and tasks to report on: real records, of every outcome, some with hostile text in every field."""

from __future__ import annotations

import random
import shutil
from itertools import cycle
from types import SimpleNamespace

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from mendlab.records import (
    Attempt,
    Defect,
    Differential,
    FunctionHarness,
    Manifest,
    Outcome,
    Provenance,
    RunConfig,
    Rung,
    RungReport,
    SandboxLevel,
    Step,
    StepGroup,
    Task,
    TestOutcome,
    Usage,
    Verdict,
    Witness,
)
from mendlab.reports.data import Material, RunData

# The rung that decides each outcome.
DECIDED_BY = {
    Outcome.NO_PATCH: Rung.PARSE,
    Outcome.MALFORMED_DIFF: Rung.PARSE,
    Outcome.POLICY_VIOLATION: Rung.POLICY,
    Outcome.PATCH_REJECTED: Rung.APPLY,
    Outcome.AMBIGUOUS: Rung.APPLY,
    Outcome.NO_CHANGE: Rung.NO_OP,
    Outcome.SYNTAX_ERROR: Rung.COMPILE,
    Outcome.IMPORT_ERROR: Rung.COMPILE,
    Outcome.NEW_TEST_FAILED: Rung.NEW_TESTS,
    Outcome.TIMEOUT: Rung.NEW_TESTS,
    Outcome.CRASH: Rung.NEW_TESTS,
    Outcome.OUT_OF_MEMORY: Rung.NEW_TESTS,
    Outcome.REGRESSION_FAILED: Rung.REGRESSION,
    Outcome.HELDOUT_FAILED: Rung.HELD_OUT,
    Outcome.TAMPERED: Rung.TAMPER,
    Outcome.EXACT: Rung.EQUIVALENCE,
    Outcome.EQUIVALENT: Rung.EQUIVALENCE,
    Outcome.DIVERGENT: Rung.EQUIVALENCE,
    Outcome.PLAUSIBLE: Rung.EQUIVALENCE,
    Outcome.FLAKY: Rung.CONFIRM,
    Outcome.INFRA_ERROR: Rung.CONFIRM,
}

HOSTILE = (
    "</script><script>alert(1)</script><img src=http://127.0.0.1:9/x onerror=alert(2)>\"'{{ 7*7 }} "
    "\x1b[31m\u202eевил\x00 \ud800"
)

SITES = (
    (
        "mean",
        "arithmetic",
        "swap_operator",
        "    return sum(values) / len(values)",
        "    return sum(values) * len(values)",
    ),
    ("clamp", "comparison", "relax_comparison", "    if value < low:", "    if value <= low:"),
    (
        "is_leap",
        "boolean",
        "swap_and_or",
        "    return year % 4 == 0 and year % 100",
        "    return year % 4 == 0 or year % 100",
    ),
    (
        "window",
        "off_by_one",
        "shift_bound",
        "    for start in range(len(items) - size + 1):",
        "    for start in range(len(items) - size):",
    ),
    ("merge", "statement", "drop_statement", "    merged.update(other)", "    pass"),
    ("slug", "constant", "change_string", '    return "-".join(words)', '    return "".join(words)'),
)


def make_task(number: int, **changes) -> Task:
    """Return a task; every third of a subject has a held-out test, every tenth is a trap."""
    name, family, operator, good, bad = SITES[number % len(SITES)]
    file = f"{name}.py"
    head = f"--- a/{file}\n+++ b/{file}\n@@ -2,3 +2,3 @@ def {name}\n     # step {number}\n"
    tests = tuple(f"tests/test_{name}.py::test_{name}_{i}" for i in range(4))
    task = Task(
        id=f"{name}-{number:03d}",
        subject=f"program-{number % 22:02d}",
        snapshot="0" * 64,
        defect=Defect(
            origin="operator",
            operator=operator,
            family=family,
            files=(file,),
            function=name,
            diff=f"{head}-{good}\n+{bad}\n \n",
        ),
        statement=f"`{name}` gives a wrong result. Make the failing test pass without breaking another.",
        editable=(file,),
        harness=FunctionHarness(groups=(StepGroup(steps=(Step(code="assert mean([1, 3]) == 2", test_id=tests[0]),)),)),
        fail_to_pass=tests[:1] + (tests[3:] if number % 3 == 0 else ()),
        pass_to_pass=tests[1:3],
        held_out=tests[3:] if number % 3 == 0 else (),
        before={tests[0]: TestOutcome.FAILED},
        reference=f"{head}-{bad}\n+{good}\n \n",
        tags=("trap",) if number % 10 == 0 else (),
        provenance=Provenance(source="bundled", licence="MIT", seed=7),
    )
    return task.model_copy(update=changes)


def make_attempt(run_id: str, task: Task, sample: int, strategy: str, **changes) -> Attempt:
    return Attempt(
        run_id=run_id,
        task_id=task.id,
        sample=sample,
        strategy=strategy,
        raw_patch=None if strategy == "noop" else task.reference,
        stop_reason="done",
        wall_seconds=1.25,
    ).model_copy(update=changes)


def make_verdict(run_id: str, task: Task, sample: int, outcome: Outcome, **changes) -> Verdict:
    """Return a verdict with the evidence that such an outcome has."""
    decided = DECIDED_BY[outcome]
    passed = outcome in {Outcome.EXACT, Outcome.EQUIVALENT, Outcome.PLAUSIBLE}
    order = list(Rung)
    rungs = [RungReport(rung=r, held=True, cpu_seconds=0.01) for r in order[: order.index(decided)]]
    rungs.append(RungReport(rung=decided, held=passed, detail="" if passed else "this decided it", cpu_seconds=0.2))
    fails = outcome in {Outcome.NEW_TEST_FAILED, Outcome.REGRESSION_FAILED, Outcome.HELDOUT_FAILED}
    test = task.fail_to_pass[0]
    return Verdict(
        run_id=run_id,
        task_id=task.id,
        sample=sample,
        outcome=outcome,
        rung=decided,
        reason="" if passed else f"{decided.value.replace('_', ' ')}: the patch did not get past this.",
        rungs=tuple(rungs),
        canonical_patch=task.reference if order.index(decided) > order.index(Rung.APPLY) else None,
        apply_rung="strict" if order.index(decided) > order.index(Rung.APPLY) else None,
        after={test: TestOutcome.FAILED if fails else TestOutcome.PASSED},
        messages={test: "AssertionError: assert 4 == 2\n  where 4 = mean([1, 3])"} if fails else {},
        differential=Differential(
            inputs=128,
            coverage=1.0,
            witness=Witness(call="mean([])", reference="ZeroDivisionError('division by zero')", candidate="0"),
        )
        if outcome is Outcome.DIVERGENT
        else None,
        tamper_flags=("patches unittest.mock",) if outcome is Outcome.TAMPERED else (),
        sandbox=SandboxLevel.NAMESPACES,
        cpu_seconds=0.31,
    ).model_copy(update=changes)


def make_run(run_id: str, strategy: str, tasks, outcomes, *, samples: int = 1, **attempt) -> RunData:
    """Return a run whose verdicts take their outcomes in turn, sample by sample."""
    turn = cycle(outcomes)
    pairs = [(task, sample) for task in tasks for sample in range(samples)]
    return RunData(
        RunConfig(
            run_id=run_id,
            taskset="bundled programs",
            taskset_digest="ab" * 32,
            strategy=strategy,
            samples=samples,
            seed=7,
            tools={"mendlab": "0.1.0", "python": "3.11.9"},
        ),
        [make_attempt(run_id, task, sample, strategy, **attempt) for task, sample in pairs],
        [make_verdict(run_id, task, sample, next(turn)) for task, sample in pairs],
    )


def make_manifest(tasks, **changes) -> Manifest:
    return Manifest(
        name="bundled programs",
        licence="MIT",
        canary="mendlab-canary 5f0e1c52",
        tasks=len(tasks),
        snapshots=22,
        dropped={"survived": 61, "unreached": 12, "equal_code": 30, "does_not_compile": 4, "flaky": 1},
        digests={},
        provenance=Provenance(source="bundled", seed=7, tools={"mendlab": "0.1.0"}),
    ).model_copy(update=changes)


def demo_material() -> Material:
    """Sixty tasks; a model beside all three baselines."""
    tasks = tuple(make_task(number) for number in range(60))
    chance = random.Random(5)
    model = [
        *[Outcome.EXACT] * 21,
        *[Outcome.EQUIVALENT] * 13,
        *[Outcome.DIVERGENT] * 3,
        *[Outcome.PLAUSIBLE] * 2,
        *[Outcome.NEW_TEST_FAILED] * 9,
        *[Outcome.REGRESSION_FAILED] * 3,
        *[Outcome.HELDOUT_FAILED] * 2,
        *[Outcome.PATCH_REJECTED] * 3,
        *[Outcome.SYNTAX_ERROR, Outcome.TAMPERED, Outcome.NO_PATCH, Outcome.INFRA_ERROR],
    ]
    search = [Outcome.EXACT] * 26 + [Outcome.NO_PATCH] * 28 + [Outcome.DIVERGENT] * 6
    chance.shuffle(model)
    chance.shuffle(search)
    answer = "The comparison is wrong.\n\n```diff\n…\n```"
    usage = Usage(uncached_tokens=812, cache_read_tokens=2048, output_tokens=190)
    runs = (
        make_run("r-noop", "noop", tasks, [Outcome.NO_PATCH]),
        make_run("r-reference", "reference", tasks, [Outcome.EXACT]),
        make_run("r-search", "search", tasks, search, cpu_seconds=0.8),
        make_run(
            "r-model",
            "single_turn",
            tasks,
            model,
            model_requested="coder-32b",
            raw_answer=answer,
            usage=usage,
            cost_usd=0.0021,
        ),
    )
    return Material(runs, tasks, make_manifest(tasks), "sets/bundled")


def hostile_material() -> Material:
    """Hostile strings wherever a stranger's text goes, long lines, non-ASCII, and every outcome once."""
    tasks = []
    for number, outcome in enumerate(Outcome):
        task = make_task(number)
        diff = f"--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@ {HOSTILE}\n-{HOSTILE}\n+{'long ' * 4000}\n --- naïve 変数\n"
        defect = task.defect.model_copy(update={"diff": diff, "operator": HOSTILE, "family": HOSTILE})
        changes = {"id": f"{outcome} {HOSTILE}", "statement": HOSTILE, "subject": HOSTILE, "tags": (HOSTILE,)}
        tests = (f"{HOSTILE}::test",)
        tasks.append(task.model_copy(update={**changes, "defect": defect, "fail_to_pass": tests, "reference": diff}))
    run = make_run(HOSTILE, HOSTILE, tasks, list(Outcome), model_requested=HOSTILE, raw_answer=HOSTILE * 20)
    witness = Witness(call=HOSTILE, reference=HOSTILE, candidate="x" * 10_000)
    changes = {
        "reason": HOSTILE,
        "messages": {f"{HOSTILE}::test": HOSTILE},
        "tamper_flags": (HOSTILE,),
        "apply_rung": HOSTILE,
        "differential": Differential(inputs=3, witness=witness),
    }
    verdicts = [verdict.model_copy(update=changes) for verdict in run.verdicts]
    manifest = make_manifest(tasks, name=HOSTILE, licence=HOSTILE, canary=HOSTILE, dropped={HOSTILE: 3})
    return Material((RunData(run.config, run.attempts, verdicts),), tuple(tasks), manifest, f"sets/{HOSTILE}")


@pytest.fixture(scope="session")
def demo() -> Material:
    return demo_material()


@pytest.fixture(scope="session")
def hostile() -> Material:
    return hostile_material()


@pytest.fixture(scope="session")
def make():
    """The builders above, for tests that need a record of their own."""
    return SimpleNamespace(
        task=make_task, run=make_run, verdict=make_verdict, attempt=make_attempt, manifest=make_manifest
    )


@pytest.fixture(scope="session")
def hostile_text() -> str:
    return HOSTILE


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMEDRIVER = shutil.which("chromedriver")


def start_chromium(profile) -> webdriver.Chrome:
    """Start a browser with a profile of its own, driven over WebDriver; skip where there is none."""
    if CHROMIUM is None or CHROMEDRIVER is None:
        pytest.skip("Chromium or its driver is not on PATH; install both: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"):
        options.add_argument(argument)
    options.add_argument("--disable-component-update")
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """One browser for all tests that need no other."""
    driver = start_chromium(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture
def another_chromium(tmp_path):
    """A browser of one's own, to be killed."""
    driver = start_chromium(tmp_path / "another-profile")
    yield driver
    driver.quit()

"""The data: every record that mendlab writes down or hands from one stage to the next.

All records are frozen and strict, and travel as JSON, one complete line a record where there are many. Digests are
SHA-256 in lower-case hexadecimal. Times are seconds. Paths inside a tree are relative, with forward slashes.
Unknown is ``None``, never 0. Diffs are unified diffs with ``a/`` and ``b/`` prefixes, over text decoded by
:func:`mendlab.corpora.text.decode`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue

SCHEMA_VERSION: Final = 1


class Record(BaseModel):
    """Base of every record: frozen, strict, and without unknown fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


# --------------------------------------------------------------------------------------------------- programs and tests


class Span(Record):
    """A stretch of text: lines from 1, columns from 0 in characters, the end exclusive."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class Step(Record):
    """One statement of a test program: a test of its own if it has a ``test_id``, else preparation for later ones."""

    code: str
    test_id: str | None = None


class StepGroup(Record):
    """Steps that share a namespace and run in order, after ``setup``; if that raises, its tests are all errors."""

    setup: str = ""
    steps: tuple[Step, ...]


class FunctionHarness(Record):
    """Tests that call the names of one module: HumanEval, MBPP, QuixBugs, a file with asserts or doctests.

    The test program runs in the oracle's process, the module in the candidate's, and only encoded values pass between
    them. ``entry_points`` are the names that the candidate supplies; ``None`` means every name that the tests use and
    the module defines. Other names the tests use come from the reference module, which the oracle holds.
    """

    kind: Literal["function"] = "function"
    module: str = "solution.py"
    entry_points: tuple[str, ...] | None = None
    groups: tuple[StepGroup, ...]


class PytestHarness(Record):
    """A project's own pytest suite. Test ids are pytest node ids, relative to the root of the tree.

    ``test_files`` are laid down from the pristine tree, last, whatever a candidate did to them: everything that steers
    the tests, which is test modules, conftest files, data beside them and pytest's configuration. ``arguments`` go to
    pytest. ``python_version`` (as ``3.11``) is that of the interpreter the set was made with, and ``environment``
    names the environment of the task set that the tests need, if it has one for them. ``hidden_files`` are
    among the test files, and all of their tests are held out: no repairer is shown that they are there.
    """

    kind: Literal["pytest"] = "pytest"
    test_files: tuple[str, ...]
    hidden_files: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    python_version: str | None = None
    environment: str | None = None


class ScriptHarness(Record):
    """Scripts that are gates: exit code 0 passes. ``scripts`` maps a test id to the text of the script.

    Each runs with ``interpreter`` in a fresh copy of the tree; the scripts themselves are not part of the tree.
    """

    kind: Literal["script"] = "script"
    scripts: dict[str, str]
    interpreter: Literal["bash", "python"] = "bash"


Harness = Annotated[FunctionHarness | PytestHarness | ScriptHarness, Field(discriminator="kind")]


class FunctionInfo(Record):
    """A function of a subject: where it stands and what it is called (``Class.method``, ``outer.<locals>.inner``)."""

    qualified_name: str
    file: str
    span: Span


class Provenance(Record):
    """Where a subject or task came from, and with which tools it was made."""

    source: str
    licence: str | None = None
    commit: str | None = None
    date: str | None = None
    seed: int | None = None
    tools: dict[str, str] = {}


class Subject(Record):
    """A program under study: its tree (by digest), how its tests are run, and what may be changed in it."""

    schema_version: Literal[1] = SCHEMA_VERSION
    id: str
    snapshot: str
    harness: Harness
    source_files: tuple[str, ...]
    functions: tuple[FunctionInfo, ...] = ()
    statement: str = ""
    held_out: tuple[str, ...] = ()
    provenance: Provenance


# ---------------------------------------------------------------------------------------------------- running the tests


class TestOutcome(StrEnum):
    """What became of one test. Only ``passed`` is a pass; ``missing`` means that nothing was heard of it."""

    __test__ = False

    PASSED = "passed"
    FAILED = "failed"  # an assertion
    ERROR = "error"  # any other exception, in the test, a fixture or the import
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    TIMEOUT = "timeout"
    CRASH = "crash"
    OUT_OF_MEMORY = "out_of_memory"
    MISSING = "missing"


class TestResult(Record):
    """One test's outcome, with a trimmed message where it did not pass, and its CPU time where it is known."""

    __test__ = False

    test_id: str
    outcome: TestOutcome
    message: str = ""
    cpu_seconds: float | None = None


class Limits(Record):
    """What one run of tests may use. CPU time decides a timeout; the wall limit stands loosely behind it.

    ``file_bytes`` bounds one file, ``disk_bytes`` all that is written, ``output_bytes`` what is kept of the output.
    """

    cpu_seconds: float = 10.0
    wall_seconds: float = 60.0
    memory_bytes: int = 2 * 1024**3
    processes: int = 64
    file_bytes: int = 64 * 1024**2
    disk_bytes: int = 256 * 1024**2
    output_bytes: int = 64 * 1024


class Baseline(Record):
    """The tests of a good tree: ``passing`` in every run, ``failing`` in every run (with why), and the ``flaky`` rest.

    ``cpu_seconds`` is what the first clean run took.
    """

    subject: str
    passing: tuple[str, ...]
    failing: tuple[TestResult, ...] = ()
    flaky: tuple[str, ...] = ()
    cpu_seconds: float

    @property
    def set_aside(self) -> tuple[str, ...]:
        """The tests that nothing is judged by: what does not pass in every run."""
        return (*(result.test_id for result in self.failing), *self.flaky)


class SandboxLevel(StrEnum):
    """How far untrusted code is shut in.

    ``namespaces`` is bubblewrap, all unshared; ``container``, Docker or podman; ``none``, process limits alone.
    """

    NAMESPACES = "namespaces"
    CONTAINER = "container"
    NONE = "none"


# ---------------------------------------------------------------------------------------------------- defects and tasks


class DefectPart(Record):
    """One of the first-order mutants that a higher-order defect is made of; ``killers`` tests fail on it alone."""

    operator: str
    family: str
    file: str
    span: Span  # in the good tree
    function: str | None = None
    killers: int


class ByModel(Record):
    """Which model wrote a defect, as it was asked for and as it answered, and the digest of the request.

    ``mode`` is what it was told: to ``change`` the function, or to ``rewrite`` it from its docstring.
    """

    model: str
    answered: str | None = None
    request: str
    mode: Literal["change", "rewrite"]


class Defect(Record):
    """One change from good to buggy. ``diff`` turns the good tree into the buggy one.

    A higher-order defect has its ``parts``, by file and position; its ``operator`` is theirs, joined by `` + ``.
    """

    origin: Literal["operator", "commit", "model", "import"]
    operator: str | None = None  # the operator's name, or the commit id
    family: str | None = None
    files: tuple[str, ...]
    span: Span | None = None  # in the good tree's first file
    function: str | None = None
    diff: str
    parts: tuple[DefectPart, ...] = ()
    by_model: ByModel | None = None


class DropReason(StrEnum):
    """Why a mutant is not a task."""

    EQUAL_CODE = "equal_code"  # the same bytecode as the original or as an earlier mutant
    DOES_NOT_COMPILE = "does_not_compile"
    UNREACHED = "unreached"  # no test runs the changed lines
    SURVIVED = "survived"
    TIMEOUT = "timeout"  # mostly timeouts tell it apart
    FLAKY = "flaky"  # not the same in every run
    ENGINE_ERROR = "engine_error"  # the lab failed on it twice
    BREAKS_IMPORT = "breaks_import"  # the module no longer imports: every test fails for one reason
    NOT_HARDER = "not_harder"  # of higher order, and detected by no fewer tests than one of its parts
    NOT_CHOSEN = "not_chosen"  # detected, but another one was preferred to it
    UNUSABLE_ANSWER = "unusable_answer"  # of a model: no code, or other places than the function were changed
    GIVES_ITSELF_AWAY = "gives_itself_away"  # of a model: a comment or a text in it tells of the defect
    NO_ANSWER = "no_answer"  # the model's service failed, or the model refused


class Detection(Record):
    """What the tests say of one defect: dropped for a reason, or detected, with the tests that tell.

    ``before`` has the outcome on the buggy tree of each fail-to-pass test.
    """

    dropped: DropReason | None = None
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    before: dict[str, TestOutcome] = {}


class Covered(Record):
    """A line of the journal that building a task set keeps: the lines of a subject's files that each test runs.

    As in :class:`mendlab.verify.engines.coverage.Coverage`.
    """

    subject: str
    lines: dict[str, dict[str, frozenset[int]]]
    leaning: frozenset[str] = frozenset()
    files: dict[str, dict[str, frozenset[int]]] = Field(default_factory=dict)


class Examined(Record):
    """A line of the journal that building a task set keeps: what detection said of one candidate."""

    candidate: str
    detection: Detection


class MutantStatus(StrEnum):
    """What became of one mutant, in the order in which a mutant is looked at."""

    EQUAL_CODE = "equal_code"  # the same bytecode as the original or as an earlier mutant: not run
    DOES_NOT_COMPILE = "does_not_compile"
    UNREACHED = "unreached"  # no test runs what is changed: not run
    BREAKS_IMPORT = "breaks_import"  # no test comes to run
    KILLED_BY_ASSERTION = "killed_by_assertion"
    KILLED_BY_ERROR = "killed_by_error"  # any other end that is no pass: an exception, a crash, a test that is skipped
    KILLED_BY_TIMEOUT = "killed_by_timeout"  # and by nothing else
    NOT_INFECTED = "not_infected"  # it survives, and no test's state differs
    SURVIVED = "survived"
    ENGINE_ERROR = "engine_error"  # the lab failed on it several times


class MutantVerdict(Record):
    """What the tests say of one mutant; a line of ``results.jsonl``.

    ``killers`` has the outcome of each test known to fail: one where running stopped at the first, every one of the
    subject's tests otherwise; none where the import breaks. ``reached`` is the number of tests that come by the change,
    ``infected`` of those whose state it may change, and ``cpu_seconds`` is what the run took. What is changed
    ``at_import`` runs when the file is imported: all tests count as coming by.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    mutant: str
    subject: str
    defect: Defect
    status: MutantStatus
    killers: dict[str, TestOutcome] = {}
    reached: int | None = None
    infected: int | None = None
    at_import: bool = False
    cpu_seconds: float = 0.0


class ScoreTotals(Record):
    """``finished.json`` of a folder of verdicts, written last: how many verdicts there are, and what of.

    They are of ``mutants`` mutants in ``functions`` functions. A sample may leave functions of the ``of_functions``
    alone; what mutants these have is not known.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    verdicts: int
    mutants: int
    functions: int
    of_functions: int

    @property
    def is_sample(self) -> bool:
        """Whether there may be mutants without a verdict."""
        return self.verdicts < self.mutants or self.functions < self.of_functions


class Environment(Record):
    """What the tests of a commit ran in, as a file of a task set: the Python (as ``3.11``) and all that is installed.

    ``rung`` is where it stands on the ladder of environments: ``current`` versions, those as of the commit's date
    (``dated``), or these with a Python of its ``era``. Nothing uploaded after ``until`` is in the ``lock``, one
    ``name==version`` a line, but the packages in ``later``, which have no file that old any more. ``left_out`` is what
    was asked for and could not be had, with why; ``clock`` what moves the clock of a run, which no test sees.
    """

    rung: Literal["current", "dated", "era"]
    python: str
    until: str
    lock: tuple[str, ...]
    clock: tuple[str, ...] = ()
    left_out: dict[str, str] = {}
    later: dict[str, str] = {}


TestsFrom = Literal["commit", "standing", "later", "written"]
"""Whose tests tell a fix: its own, those that were there, a later commit's, or ones that the lab wrote."""


class Mined(Record):
    """What is known of a task that a commit was made into.

    The fix has been public since ``committed``: a model of a later cutoff may know it. ``label`` is what kind of change
    it is, with how sure that is (0 to 1) and why. ``failures`` tells how each fail-to-pass test fails before it,
    ``flaky`` what changes the tests that are left out, in ``runs`` runs of each state. ``minimal`` is the smallest
    part of the reference that the tests ask for, where it is smaller. ``tests_commit`` is the later commit that the
    fail-to-pass tests are from. The patches as git writes them lie in the set,
    below ``patches/`` and the commit.
    """

    repository: str
    base_commit: str
    fix_commit: str
    committed: str
    references: tuple[str, ...] = ()
    patch_id: str
    score: float
    label: Literal["bug", "feature", "refactor", "performance", "environment"]
    confidence: float
    reasons: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    failures: dict[str, str] = {}
    flaky: dict[str, str] = {}
    runs: int
    minimal: str | None = None
    tests_from: TestsFrom = "commit"
    tests_commit: str | None = None


Grade = Literal["easy", "medium", "hard"]
GRADES: Final[tuple[Grade, ...]] = get_args(Grade)


class Difficulty(Record):
    """A grade, the ``score`` it stands for (0 to 1: the share of attempts that may be expected to fail), and features.

    docs/difficulty.md says what each feature is.
    """

    grade: Grade
    score: float
    features: dict[str, float] = {}


class Agreement(Record):
    """How well difficulties rank tasks: Spearman's correlation with failure rates of solvers that had no part in them.

    ``method`` says what the difficulties were made of: ``features`` as they are, ``calibrated`` features (tasks held
    out by subject as well), or ``rasch``. The interval is 95%, by subjects.
    """

    method: Literal["features", "calibrated", "rasch"]
    correlation: float | None
    low: float | None
    high: float | None
    tasks: int
    fitted_on: tuple[str, ...]
    held_out: tuple[str, ...]


class CalibrationBin(Record):
    """Tasks of like predicted solve rate, and how often held-out solvers solved them, with a 95% interval."""

    tasks: int
    predicted: float
    observed: float
    low: float | None
    high: float | None


class Grades(Record):
    """``grades.json`` beside a task set, which it is no part of: how hard each task is.

    ``taskset_digest`` is of the state of the set that was graded. Where runs had a part in it, ``solvers`` are their
    ids; ``agreement`` and ``calibration`` are of solvers held out.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    taskset_digest: str
    method: Literal["features", "calibrated", "rasch"]
    solvers: tuple[str, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    calibration: tuple[CalibrationBin, ...] = ()
    tasks: dict[str, Difficulty]


class ContaminationMark(Record):
    """A sign that a model may have seen a task: how it was found, against what, and how strong it is (0 to 1)."""

    method: str
    corpus: str
    strength: float


class Task(Record):
    """One thing to mend. ``snapshot`` is the good tree; the buggy tree is that with ``defect.diff`` applied.

    The repairer sees the buggy tree without its tests, the ``statement`` and the visible tests: those of
    ``fail_to_pass`` and ``pass_to_pass`` that are not in ``held_out``. ``reference`` is the diff from buggy to good.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    id: str
    kind: Literal["repair", "completion"] = "repair"
    subject: str
    snapshot: str
    defect: Defect
    statement: str
    editable: tuple[str, ...]
    harness: Harness
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    held_out: tuple[str, ...] = ()
    before: dict[str, TestOutcome] = {}
    reference: str
    difficulty: Difficulty | None = None
    tags: tuple[str, ...] = ()
    weight: float = 1.0
    limits: Limits = Limits()
    provenance: Provenance
    mined: Mined | None = None
    contamination: tuple[ContaminationMark, ...] = ()


class MissedBranch(Record):
    """A way out of a branch that no test takes: the line of the branch, and ``when`` it would be taken."""

    line: int
    when: str


class FunctionCoverage(Record):
    """How far tests cover a function of the good tree: statements by their first lines, ways out of branches."""

    file: str
    function: str
    lines: int
    missed_lines: tuple[int, ...] = ()
    branches: int
    missed_branches: tuple[MissedBranch, ...] = ()


class NewTest(Record):
    """A test that the lab wrote: the ``call``, what the reference answers, and what the buggy program does.

    An ``aimed`` one fails on the buggy program. A ``rival`` one tells another mistake from the reference, which no
    earlier test does. A ``boundary`` one need do neither; its ``label`` says which boundary. What is
    not ``judged`` asks for more than the tests that were there: it stands in the file, and no repair is held to it.
    """

    test_id: str
    kind: Literal["aimed", "rival", "boundary"]
    label: str = ""
    judged: bool = True
    call: str
    expected: str
    buggy: str


class NewTests(Record):
    """A line of ``new_tests/tests.jsonl``: the tests written for a task, or ``why`` there are none.

    ``file`` is where they stand in the set. ``coverage`` is of the functions that the defect is in, by
    all tests of the task; ``coverage_before``, without these.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    task: str
    file: str | None = None
    tests: tuple[NewTest, ...] = ()
    why: str = ""
    coverage_before: tuple[FunctionCoverage, ...] = ()
    coverage: tuple[FunctionCoverage, ...] = ()


class Written(Record):
    """A line of the journal that writing new tests keeps: what was made for one task, and what that took.

    ``path`` and ``text`` are of the file as it stands in the task's tree, ``before`` the outcomes on the buggy program.
    """

    about: NewTests
    path: str = ""
    text: str = ""
    steps: StepGroup | None = None
    before: dict[str, TestOutcome] = {}
    cpu_seconds: float = 0.0


class BuildConfig(Record):
    """What decides which tasks a building command makes, so that it can be resumed, and its outcome be recognised."""

    schema_version: Literal[1] = SCHEMA_VERSION
    command: str
    parameters: dict[str, JsonValue]
    tools: dict[str, str]


class Manifest(Record):
    """``manifest.json`` of a task set: what it is, and the digests that hold it to its word.

    ``digests`` maps each other file of the set, blobs apart (their names are their digests), to its SHA-256.
    ``dropped`` counts the candidates that did not become tasks, by reason.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    name: str
    version: str = "1"
    licence: str | None = None
    canary: str
    tasks: int
    snapshots: int
    dropped: dict[str, int] = {}
    digests: dict[str, str]
    provenance: Provenance
    build: BuildConfig | None = None


# ------------------------------------------------------------------------------------------------ attempts and verdicts


class Usage(Record):
    """Tokens, each kind apart; but ``output_tokens`` include the ``reasoning_tokens``."""

    uncached_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


INFRA_STOP: Final = "infra error"
"""How the ``stop_reason`` of an attempt begins where the lab failed, and not the repairer."""


class Attempt(Record):
    """One answer of one repairer to one task, as it came."""

    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    task_id: str
    sample: int
    strategy: str
    model_requested: str | None = None
    model_answered: str | None = None
    parameters: dict[str, JsonValue] = {}
    prompt_digest: str | None = None
    raw_answer: str | None = None
    raw_patch: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    wall_seconds: float | None = None
    cpu_seconds: float | None = None
    retries: int = 0
    stop_reason: str
    seed: int | None = None


ModelFinish = Literal["complete", "cut_off", "refused", "failed"]


class ToolCall(Record):
    """A tool that a model asks for; ``arguments`` is JSON, or whatever the model wrote in its place."""

    id: str
    name: str
    arguments: str


class ToolResult(Record):
    """What a tool answered to the call of that id; ``failed`` says that it did not do what was asked."""

    id: str
    text: str
    failed: bool = False


class ModelAnswer(Record):
    """A line of ``answers.jsonl``: what a model answered to one call of an attempt, or that the call failed, and why.

    ``request`` is the digest of what decides the answer. ``sent`` are the parameters as they were sent at last,
    ``rejected`` the names of those that the model does not take, ``retries`` why the call was made again. Where tools
    were offered, ``calls`` are those it asks for, and ``turn`` is the answer as the service wants it back. ``batch`` is
    the id of the batch that it came in.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    task_id: str
    sample: int
    call: int
    request: str
    finish: ModelFinish
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    turn: tuple[JsonValue, ...] = ()
    error: str = ""
    infra: bool = False
    model: str | None = None
    sent: dict[str, JsonValue] = {}
    rejected: tuple[str, ...] = ()
    retries: tuple[str, ...] = ()
    usage: Usage | None = None
    cost_usd: float | None = None
    wall_seconds: float | None = None
    batch: str | None = None


class Charge(Record):
    """A line of ``spending.jsonl``: US dollars set aside before a call, or what one cost beyond (or below) that."""

    usd: float


class BatchedCall(Record):
    """One call of a batch: which it is, and the digest of its request."""

    task_id: str
    sample: int
    call: int
    request: str


class SentBatch(Record):
    """A line of ``batches.jsonl``; the last one of a ``mark`` says how far that batch is.

    A batch is written down before it is sent, when the service has given it its ``id``, when it is read to its end, and
    when the service turns out not to have it (``lost``). ``calls`` are by the custom ids, which begin with the mark,
    ``reserved_usd`` is what it may cost, ``at`` when it was written down, in seconds since 1970.
    """

    mark: str
    state: Literal["sending", "sent", "read", "lost"]
    id: str | None = None
    at: float
    reserved_usd: float = 0.0
    calls: dict[str, BatchedCall]


class AgentStep(Record):
    """A line of ``trajectory.jsonl``: one step of an agent, from what the model said to what its tools answered.

    ``request`` is the digest of the request that the model answered. ``wall_seconds`` is what the tools took.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    task_id: str
    sample: int
    step: int
    request: str
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    wall_seconds: float = 0.0


class Rung(StrEnum):
    """The rungs of the ladder, cheapest first."""

    PARSE = "parse"
    POLICY = "policy"
    APPLY = "apply"
    NO_OP = "no_op"
    COMPILE = "compile"
    NEW_TESTS = "new_tests"
    REGRESSION = "regression"
    HELD_OUT = "held_out"
    TAMPER = "tamper"
    EQUIVALENCE = "equivalence"
    CONFIRM = "confirm"


class Outcome(StrEnum):
    """What a verdict says. ``exact`` and ``equivalent`` are correct; ``infra_error`` is not the repairer's failure."""

    NO_PATCH = "no_patch"
    MALFORMED_DIFF = "malformed_diff"
    POLICY_VIOLATION = "policy_violation"
    PATCH_REJECTED = "patch_rejected"
    AMBIGUOUS = "ambiguous"
    NO_CHANGE = "no_change"
    SYNTAX_ERROR = "syntax_error"
    IMPORT_ERROR = "import_error"
    NEW_TEST_FAILED = "new_test_failed"
    TIMEOUT = "timeout"
    CRASH = "crash"
    OUT_OF_MEMORY = "out_of_memory"
    REGRESSION_FAILED = "regression_failed"
    HELDOUT_FAILED = "heldout_failed"
    TAMPERED = "tampered"
    EXACT = "exact"
    EQUIVALENT = "equivalent"
    DIVERGENT = "divergent"
    PLAUSIBLE = "plausible"
    FLAKY = "flaky"
    INFRA_ERROR = "infra_error"


CORRECT: Final = frozenset({Outcome.EXACT, Outcome.EQUIVALENT})
PASSES_ALL_TESTS: Final = CORRECT | {Outcome.PLAUSIBLE, Outcome.DIVERGENT}


class RungReport(Record):
    """What one rung found: held, or did not, or had nothing to look at (``None``)."""

    rung: Rung
    held: bool | None
    detail: str = ""
    cpu_seconds: float | None = None


class Witness(Record):
    """An input on which candidate and reference differ, with both outputs, as source text."""

    call: str
    reference: str
    candidate: str


class Differential(Record):
    """How candidate and reference compared: inputs tried, line coverage of what changed (0 to 1), a witness if any.

    Attributes:
        inputs: valid ones compared: the reference returns, or raises what the tests ask for.
        invalid: others compared: the reference raises something else, or no recorded input is like them.
        set_aside: what the reference does not repeat, takes too long for, or returns without it being comparable.
        sources: how many of the valid inputs were made in which way.
        advice: an invalid input on which the two differ; it decides nothing.

    What it took is told by the rung.
    """

    inputs: int
    coverage: float | None = None
    witness: Witness | None = None
    invalid: int = 0
    set_aside: int = 0
    sources: dict[str, int] = {}
    advice: Witness | None = None


class Review(Record):
    """A line of ``reviews.jsonl``: a person's decision on one attempt, kept beside the machine's.

    ``at`` is the time in UTC, as ISO 8601. No ``decision`` takes back the reviewer's last one on that attempt.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    task_id: str
    sample: int
    decision: Literal["accept", "reject", "unsure"] | None
    reviewer: str
    at: str
    note: str = ""


class Verdict(Record):
    """One outcome for one attempt, with the evidence for it.

    ``canonical_patch`` is the diff that was really judged: the buggy tree against the tree after application.
    ``after`` has the outcome of every test that was run; the outcomes before are the task's.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    task_id: str
    sample: int
    outcome: Outcome
    rung: Rung
    reason: str = ""
    rungs: tuple[RungReport, ...] = ()
    canonical_patch: str | None = None
    apply_rung: str | None = None
    after: dict[str, TestOutcome] = {}
    messages: dict[str, str] = {}
    differential: Differential | None = None
    tamper_flags: tuple[str, ...] = ()
    risk: float = 0.0
    sandbox: SandboxLevel | None = None
    cpu_seconds: float | None = None
    review: None = None  # of earlier versions, always empty: what people decide is in reviews.jsonl

    @property
    def correct(self) -> bool:
        """Whether this counts for the headline: equal to the reference, exactly or as far as could be told."""
        return self.outcome in CORRECT

    @property
    def passes_all_tests(self) -> bool:
        """Whether every test passed, which is what other harnesses report."""
        return self.outcome in PASSES_ALL_TESTS


class RunConfig(Record):
    """``run.json``: everything that decides what a run does, resolved, so that it can be resumed and repeated.

    ``only`` has the samples of tasks of which there are not as many as of the others.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    taskset: str  # the name of the task set
    taskset_digest: str
    strategy: str
    samples: int
    seed: int
    only: dict[str, tuple[int, ...]] = {}
    parameters: dict[str, JsonValue] = {}
    tools: dict[str, str] = {}

    def samples_of(self, task_id: str) -> tuple[int, ...]:
        """Return the numbers of a task's samples."""
        return self.only.get(task_id, tuple(range(self.samples)))

"""Records say what they are, and take nothing else."""

import pytest
from pydantic import ValidationError

from mendlab import records
from mendlab.corpora.journal import dump_line, parse_record
from mendlab.errors import FormatError
from mendlab.records import (
    CORRECT,
    PASSES_ALL_TESTS,
    Attempt,
    Baseline,
    BuildConfig,
    ContaminationMark,
    Defect,
    Detection,
    Differential,
    Difficulty,
    DropReason,
    Examined,
    FunctionHarness,
    Limits,
    Manifest,
    Outcome,
    Provenance,
    PytestHarness,
    Record,
    Review,
    RunConfig,
    Rung,
    RungReport,
    SandboxLevel,
    ScriptHarness,
    Span,
    Step,
    StepGroup,
    Subject,
    Task,
    TestOutcome,
    TestResult,
    Usage,
    Verdict,
    Witness,
)

SPAN = Span(start_line=1, start_column=0, end_line=2, end_column=4)
PROVENANCE = Provenance(source="here", licence="MIT", seed=3, tools={"mendlab": "0"})
HARNESS = FunctionHarness(
    entry_points=("f",), groups=(StepGroup(setup="x = 1", steps=(Step(code="f()", test_id="t"),)),)
)
DEFECT = Defect(
    origin="operator", operator="o", family="f", files=("a.py",), span=SPAN, function="f", diff="d\u2028é\r\n"
)
TASK = Task(
    id="t/1",
    subject="t",
    snapshot="0" * 64,
    defect=DEFECT,
    statement="Mend ünïcode.",
    editable=("a.py",),
    harness=HARNESS,
    fail_to_pass=("t",),
    pass_to_pass=(),
    before={"t": TestOutcome.FAILED},
    reference="-",
    difficulty=Difficulty(grade="easy", score=0.5, features={"lines": 1.0}),
    tags=("trap",),
    limits=Limits(cpu_seconds=4.0),
    provenance=PROVENANCE,
    contamination=(ContaminationMark(method="m", corpus="c", strength=0.25),),
)
VERDICT = Verdict(
    run_id="r",
    task_id="t/1",
    sample=0,
    outcome=Outcome.DIVERGENT,
    rung=Rung.EQUIVALENCE,
    rungs=(RungReport(rung=Rung.PARSE, held=True), RungReport(rung=Rung.REGRESSION, held=None, cpu_seconds=0.1)),
    canonical_patch="d",
    after={"t": TestOutcome.PASSED},
    differential=Differential(inputs=3, coverage=None, witness=Witness(call="f(1)", reference="1", candidate="2")),
    tamper_flags=("x",),
    risk=0.2,
    sandbox=SandboxLevel.NAMESPACES,
)
ALL = [
    TASK,
    VERDICT,
    Review(task_id="t/1", sample=0, decision="unsure", reviewer="me", at="2026-01-01T00:00:00+00:00"),
    Subject(id="s", snapshot="0", harness=HARNESS, source_files=("a.py",), provenance=PROVENANCE),
    TASK.model_copy(update={"harness": PytestHarness(test_files=("test_a.py",), arguments=("-q",))}),
    TASK.model_copy(update={"harness": ScriptHarness(scripts={"verify": "exit 0"}, interpreter="python")}),
    Attempt(
        run_id="r",
        task_id="t/1",
        sample=0,
        strategy="s",
        parameters={"a": [1, None, {"b": 2.5}]},
        usage=Usage(output_tokens=3),
        cost_usd=None,
        stop_reason="end",
    ),
    Manifest(name="n", canary="c", tasks=1, snapshots=1, dropped={"flaky": 1}, digests={}, provenance=PROVENANCE),
    Baseline(
        subject="s",
        passing=("a",),
        failing=(TestResult(test_id="b", outcome=TestOutcome.XFAILED, cpu_seconds=0.5),),
        cpu_seconds=1.5,
    ),
    Examined(candidate="c", detection=Detection(dropped=DropReason.FLAKY)),
    BuildConfig(command="inject", parameters={"limit": None}, tools={}),
    RunConfig(run_id="r", taskset="t", taskset_digest="0", strategy="s", samples=1, seed=0),
]


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_a_record_comes_back_as_it_was(record):
    line = dump_line(record)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert parse_record(line, type(record), "here") == record


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_an_unknown_field_is_refused(record):
    line = dump_line(record).replace(b"{", b'{"surprise":1,', 1)
    with pytest.raises(FormatError, match=r"here.*surprise"):
        parse_record(line, type(record), "here")


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_a_record_cannot_be_changed(record):
    field = next(iter(type(record).model_fields))
    with pytest.raises(ValidationError):
        setattr(record, field, getattr(record, field))


@pytest.mark.parametrize(
    ("record", "field", "value"),
    [
        (SPAN, "start_line", "1"),
        (SPAN, "start_line", 1.0),
        (SPAN, "start_line", None),
        (TASK, "weight", "1.0"),
        (TASK, "kind", "mending"),
        (TASK, "fail_to_pass", "t"),
        (TASK, "before", {"t": "broken"}),
        (TASK, "harness", {"kind": "guess"}),
        (TASK, "schema_version", 2),
        (VERDICT, "outcome", "fine"),
        (VERDICT, "risk", None),
    ],
)
def test_nothing_is_made_to_fit(record, field, value):
    fields = record.model_dump(mode="json")
    type(record).model_validate_json(record.model_dump_json())
    with pytest.raises(ValidationError, match=field):
        type(record).model_validate({**fields, field: value})


def test_every_record_is_frozen_strict_and_closed():
    found = [value for value in vars(records).values() if isinstance(value, type) and issubclass(value, Record)]
    assert len(found) > 25
    for record in found:
        assert record.model_config == {"frozen": True, "strict": True, "extra": "forbid"}, record


def test_correct_is_exact_or_equivalent_and_the_other_figures_stand_beside_it():
    said = {outcome: VERDICT.model_copy(update={"outcome": outcome}) for outcome in Outcome}
    assert {outcome for outcome, verdict in said.items() if verdict.correct} == CORRECT == {"exact", "equivalent"}
    passing = {outcome for outcome, verdict in said.items() if verdict.passes_all_tests}
    assert passing == PASSES_ALL_TESTS == {"exact", "equivalent", "plausible", "divergent"}

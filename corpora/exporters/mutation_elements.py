"""mutation-testing-elements, the report of Stryker, Infection and others: ``mutation-testing-report-schema`` 2.

Of ``mendlab score --out``. A mutant is what replaces a stretch of a file; lines and columns count from 1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import mendlab
from mendlab.corpora.building import CONFIG
from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.durable import replace_file
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.corpora.importers.places import changed_span
from mendlab.corpora.journal import Journal, parse_record
from mendlab.corpora.score_folder import BASELINES, RESULTS
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.text import decode
from mendlab.errors import InputError
from mendlab.records import Baseline, BuildConfig, MutantStatus, MutantVerdict, Span

STATUS: Final = {
    MutantStatus.EQUAL_CODE: "Ignored",
    MutantStatus.DOES_NOT_COMPILE: "CompileError",
    MutantStatus.UNREACHED: "NoCoverage",
    MutantStatus.BREAKS_IMPORT: "RuntimeError",
    MutantStatus.KILLED_BY_ASSERTION: "Killed",
    MutantStatus.KILLED_BY_ERROR: "Killed",
    MutantStatus.KILLED_BY_TIMEOUT: "Timeout",
    MutantStatus.NOT_INFECTED: "Survived",
    MutantStatus.SURVIVED: "Survived",
    MutantStatus.ENGINE_ERROR: "Pending",
}
"""Each status as the schema has it; what the lab failed on has no verdict yet."""
THRESHOLDS: Final = {"high": 80, "low": 60}


@exporter("mutation-elements", "score folder")
def write_mutation_elements(source: Path, out: Path, *, subject: str | None = None) -> Exported:
    """mutation-testing-elements, a JSON file; the option subject names what was scored."""
    if subject is None:
        raise InputError(
            "mutation-elements needs the program that was scored", where=source, hint="add subject=PROGRAM"
        )
    if not (source / CONFIG).is_file() or not (source / RESULTS).is_file():
        raise InputError(
            "has no verdicts on mutants in it", where=source, hint="name the folder of `mendlab score --out`"
        )
    config = parse_record((source / CONFIG).read_bytes(), BuildConfig, str(source / CONFIG))
    verdicts = Journal(source / RESULTS, MutantVerdict).read()
    baselines = Journal(source / BASELINES, Baseline).read()
    loaded = {each.subject.id: each for each in read_subjects(subject) if isinstance(each, LoadedSubject)}
    _require_same(loaded, config, verdicts, subject)
    report = {
        "schemaVersion": "2.0",
        "thresholds": THRESHOLDS,
        "framework": {"name": "mendlab", "version": mendlab.__version__},
        "config": {name: value for name, value in config.parameters.items() if name != "program_files"},
        "files": _files(verdicts, loaded),
        "testFiles": _test_files(baselines, several=len(loaded) > 1),
    }
    replace_file(out, (json.dumps(report, indent=1, ensure_ascii=False) + "\n").encode())
    return Exported(len(verdicts))


def _require_same(
    loaded: Mapping[str, LoadedSubject], config: BuildConfig, verdicts: Sequence[MutantVerdict], subject: str
) -> None:
    scored = config.parameters.get("program_files")
    there = {verdict.subject for verdict in verdicts}
    known = isinstance(scored, list) and all(
        name in loaded and loaded[name].subject.snapshot in scored for name in there
    )
    if not known:
        hint = "give the program as it was then, or score it again"
        raise InputError("is not the program that was scored, or has changed since", where=subject, hint=hint)


def _files(verdicts: Sequence[MutantVerdict], loaded: Mapping[str, LoadedSubject]) -> dict[str, Any]:
    files: dict[str, Any] = {}
    for verdict in verdicts:
        program = loaded[verdict.subject]
        path = verdict.defect.files[0]
        source = decode(path, program.tree[path]).text
        name = f"{verdict.subject}/{path}" if len(loaded) > 1 else path
        entry = files.setdefault(name, {"language": "python", "source": source, "mutants": []})
        entry["mutants"].append(_mutant(verdict, program, source))
    return files


def _mutant(verdict: MutantVerdict, program: LoadedSubject, source: str) -> dict[str, Any]:
    defect = verdict.defect
    path = defect.files[0]
    changed = decode(path, apply_diff(program.tree, defect.diff)[path]).text
    span, replacement = _replaced(source, changed, defect.span)
    mutant = {
        "id": verdict.mutant,
        "mutatorName": defect.operator or defect.family or "unknown",
        "location": {
            "start": {"line": span.start_line, "column": span.start_column + 1},
            "end": {"line": span.end_line, "column": span.end_column + 1},
        },
        "replacement": replacement,
        "status": STATUS[verdict.status],
        "statusReason": verdict.status.value.replace("_", " "),
        "static": verdict.at_import,
        "duration": round(1000 * verdict.cpu_seconds, 1),
    }
    if verdict.killers:
        mutant["killedBy"] = [_test_id(verdict.subject, test) for test in verdict.killers]
    return mutant


def _replaced(source: str, changed: str, span: Span | None) -> tuple[Span, str]:
    """The place and the new text; where the mutant's own span does not hold all of the change, the changed lines."""
    for place in (span, changed_span(source, changed)):
        if place is None:
            continue
        start, end = (
            _offset(source, place.start_line, place.start_column),
            _offset(source, place.end_line, place.end_column),
        )
        behind = len(source) - end
        if changed.startswith(source[:start]) and changed.endswith(source[end:]) and start + behind <= len(changed):
            return place, changed[start : len(changed) - behind]
    whole = source.split("\n")
    return Span(start_line=1, start_column=0, end_line=len(whole), end_column=len(whole[-1])), changed


def _offset(text: str, line: int, column: int) -> int:
    return sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column


def _test_files(baselines: Sequence[Baseline], *, several: bool) -> dict[str, Any]:
    files: dict[str, Any] = {}
    for baseline in baselines:
        for test in baseline.passing:
            file, colons, name = test.partition("::")
            place = file if colons else "tests"
            place = f"{baseline.subject}/{place}" if several else place
            tests = files.setdefault(place, {"tests": []})["tests"]
            tests.append({"id": _test_id(baseline.subject, test), "name": name if colons else test})
    return files


def _test_id(subject: str, test: str) -> str:
    return f"{subject}: {test}"

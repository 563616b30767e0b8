"""JUnit's XML, as CI servers read it: a test case for each attempt, which fails where the patch is not correct."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from mendlab.corpora.durable import replace_file
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.records import Outcome
from mendlab.repair.runs import Run
from mendlab.reports.exports.attempts import Judgement, judgements

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@exporter("junit", "run")
def write_junit(source: Path, out: Path) -> Exported:
    """JUnit XML, a file: a test case an attempt, failed where its patch is not correct."""
    run = Run.open(source)
    cases = [_case(each, run.config.taskset) for each in judgements(run)]
    kinds = [child.tag for case in cases for child in case]
    counts = {
        "tests": str(len(cases)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{sum(float(case.get('time', '0')) for case in cases):.3f}",
    }
    suites = ElementTree.Element("testsuites", {"name": "mendlab", **counts})
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _text(run.config.run_id), **counts})
    suite.extend(cases)
    ElementTree.indent(suites)
    replace_file(out, ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True) + b"\n")
    return Exported(len(cases))


def _case(judgement: Judgement, taskset: str) -> ElementTree.Element:
    """The verdict's CPU time is the case's; what has no verdict yet counts as skipped."""
    verdict, attempt = judgement.verdict, judgement.attempt
    name = judgement.task_id if judgement.sample == 0 else f"{judgement.task_id} [{judgement.sample}]"
    seconds = (verdict.cpu_seconds if verdict is not None else None) or 0.0
    case = ElementTree.Element("testcase", {"classname": _text(taskset), "name": _text(name), "time": f"{seconds:.3f}"})
    if verdict is None:
        ElementTree.SubElement(case, "skipped", {"message": "not judged yet"})
    elif not verdict.correct:
        outcome = verdict.outcome
        kind = "error" if outcome is Outcome.INFRA_ERROR else "failure"
        about = {"type": outcome.value, "message": _text(f"{outcome.value.replace('_', ' ')}: {verdict.reason}")}
        child = ElementTree.SubElement(case, kind, about)
        child.text = _text("\n".join(f"{test}: {said}" for test, said in verdict.messages.items()))
    patch = (verdict.canonical_patch if verdict is not None else None) or (attempt.raw_patch if attempt else None)
    if patch:
        ElementTree.SubElement(case, "system-out").text = _text(patch)
    return case


def _text(text: str) -> str:
    """Text as XML 1.0 may have it: other characters as their escapes."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found.group()):04x}", text)

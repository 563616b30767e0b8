"""A report in Markdown, for a pull request: what matters, and nothing that a stranger's text can steer.

Names and outputs stand in code spans and blocks, where neither markup nor ``@`` and ``#`` have a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mendlab.records import Outcome
from mendlab.reports.data import Judged
from mendlab.reports.headline import cautions, headline
from mendlab.reports.outcomes import WORDS
from mendlab.reports.section import Report
from mendlab.reports.summary import RunSummary
from mendlab.reports.text import trim, visible
from mendlab.reports.words import counted, percent, rate

WITNESSES: Final = 5
LINES: Final = 12


def render_markdown(report: Report) -> str:
    """Return the headline, the table of runs, the outcomes, and the first attempts that differ from the reference."""
    summary = report.summary
    first, *others = (_plain(str(sentence)) for sentence in headline(summary))
    parts = [
        f"### {first}",
        *others,
        "\n".join(_runs_table(summary.runs)),
        "\n".join(f"- {_plain(caution)}" for caution in cautions(summary)),
        *_outcomes(summary.runs),
        *_differing(report),
        f"{counted(summary.tasks, 'task')} from {counted(summary.subjects, 'program')} of {_code(summary.taskset)}; "
        "intervals are 95%.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _runs_table(runs: Sequence[RunSummary]) -> Iterator[str]:
    if not runs:
        return
    yield "| run | tasks | correct at the first try | passes every test | differs |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for run in runs:
        first = run.rates.correct[0].excluding_infra
        cells = (
            _code(run.label) + (" baseline" if run.baseline else ""),
            f"{run.tasks_correct:,}/{run.tasks_judged:,}",
            rate(first),
            percent(run.rates.passes_all_tests[0].excluding_infra.value),
            percent(run.rates.divergent[0].excluding_infra.value),
        )
        yield f"| {' | '.join(cells)} |"


def _outcomes(runs: Sequence[RunSummary]) -> Iterator[str]:
    judged = [run for run in runs if run.judged]
    if not judged:
        return
    yield "<details><summary>Outcomes</summary>"
    yield "\n".join(
        [
            f"| outcome | {' | '.join(_code(run.label) for run in judged)} |",
            f"| --- |{' ---: |' * len(judged)}",
            *(
                f"| {words.label} | {' | '.join(f'{run.count(outcome):,}' for run in judged)} |"
                for outcome, words in WORDS.items()
                if any(run.count(outcome) for run in judged)
            ),
        ]
    )
    yield "</details>"


def _differing(report: Report) -> Iterator[str]:
    found = [
        (run.label, one)
        for run in report.summary.headline_runs
        for one in report.judged[run.label]
        if one.outcome is Outcome.DIVERGENT
    ]
    if not found:
        return
    verbs = ("passes", "differs") if len(found) == 1 else ("pass", "differ")
    passing = f"{counted(len(found), 'attempt')} that {verbs[0]} every test and {verbs[1]} from the reference"
    yield f"<details><summary>{passing}</summary>"
    for label, one in found[:WITNESSES]:
        yield f"{_code(one.task.id)} by {_code(label)}, sample {one.sample}"
        yield _witness(one)
    if len(found) > WITNESSES:
        yield f"and {len(found) - WITNESSES:,} more in the report."
    yield "</details>"


def _witness(one: Judged) -> str:
    differential = one.verdict.differential if one.verdict else None
    if differential is None or differential.witness is None:
        return ""
    witness = differential.witness
    said = (("call", witness.call), ("reference", witness.reference), ("patched", witness.candidate))
    return _block("\n".join(f"{name + ':':10} {trim(text, lines=LINES, columns=200).text}" for name, text in said))


def _plain(text: str) -> str:
    """A sentence of ours with names in it: whatever could be markup is escaped, so that it reads as it is."""
    return re.sub(r"[\\`*_\[\]<>#!|~@&$]", lambda match: f"&#{ord(match.group())};", " ".join(visible(text).split()))


def _code(text: str) -> str:
    """A code span; the longest run of backticks in it decides how it is fenced."""
    shown = " ".join(visible(text).split()).replace("|", "\\|")
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _block(text: str) -> str:
    shown = visible(text)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}\n{shown}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)

"""How ``mendlab score`` tells what came of the mutants: in 80 columns, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from mendlab.cli.opening import tests_set_aside
from mendlab.cli.output import print_table, refusals_json
from mendlab.corpora.candidates import Refusal
from mendlab.mutators.scoring.score import Scored
from mendlab.mutators.scoring.summary import (
    KILLED,
    SURVIVED,
    Counts,
    Kills,
    by_family,
    by_file,
    file_of,
    kills_by_test,
    median_killers,
    survivors,
)
from mendlab.records import Baseline, MutantStatus, MutantVerdict, ScoreTotals
from mendlab.reports.statistics import wilson

ROWS_SHOWN: Final = 12
_LABELS: Final = {
    MutantStatus.KILLED_BY_ASSERTION: "killed by an assertion",
    MutantStatus.KILLED_BY_ERROR: "killed by an error",
    MutantStatus.SURVIVED: "survived",
    MutantStatus.NOT_INFECTED: "survived: reached, but changes no state",
    MutantStatus.UNREACHED: "unreached: no test runs the changed code",
    MutantStatus.KILLED_BY_TIMEOUT: "killed by a timeout alone",
    MutantStatus.BREAKS_IMPORT: "breaks the import: no test comes to run",
    MutantStatus.EQUAL_CODE: "equal code, not run",
    MutantStatus.DOES_NOT_COMPILE: "does not compile, not run",
    MutantStatus.ENGINE_ERROR: "not decided: the test engine failed",
}


def print_score(scored: Scored, baselines: Mapping[str, Baseline], *, shown: int, full: bool, out: Path | None) -> None:
    """Print the score, what it is made of, and some of the mutants that survive."""
    counts = Counts.of(scored.verdicts)
    for line in (*_headline(counts), *_sample(counts, scored.totals)):
        click.echo(line)
    click.echo()
    rows = [(label, counts.by_status[status], _side(status)) for status, label in _LABELS.items()]
    rows = [*(row for row in rows if row[1]), ("all", counts.total, "")]
    print_table("", ("what became of the mutants", "mutants", "counts as"), rows, right=(1,))
    _print_groups("file", by_file(scored.verdicts))
    _print_groups("operator family", by_family(scored.verdicts))
    _print_survivors(survivors(scored.verdicts), shown)
    if full:
        _print_tests(scored, baselines)
    elif counts.killed:
        click.echo("\nOf the tests that kill a mutant one is known (--json); --full finds them all.")
    if out is not None:
        click.echo(f"\nverdicts: {out}")


def score_json(
    scored: Scored, baselines: Mapping[str, Baseline], refusals: Sequence[Refusal], *, full: bool, out: Path | None
) -> dict[str, Any]:
    """Return everything for programs. Scores are from 0 to 1, or null where nothing was killed or survived."""
    counts, totals = Counts.of(scored.verdicts), scored.totals
    return {
        **_counts_json(counts),
        "score_interval": _interval(counts, totals),
        "sample": {
            "mutants": totals.verdicts,
            "drawn_from": totals.mutants,
            "functions": totals.functions,
            "of_functions": totals.of_functions,
        }
        if totals.is_sample
        else None,
        "killers_median": median_killers(scored.verdicts) if full else None,
        "test_kills": _kills_json(scored, baselines) if full else None,
        "files": {name: _counts_json(counts) for name, counts in by_file(scored.verdicts).items()},
        "families": {name: _counts_json(counts) for name, counts in by_family(scored.verdicts).items()},
        "verdicts": [verdict.model_dump(mode="json") for verdict in scored.verdicts],
        "tests": {subject: len(baseline.passing) for subject, baseline in baselines.items()},
        "tests_set_aside": tests_set_aside(baselines.values()),
        "refused": refusals_json(refusals),
        "out": None if out is None else str(out),
    }


def _counts_json(counts: Counts) -> dict[str, Any]:
    return {
        "score": counts.score,
        "score_with_unreached": counts.score_with_unreached,
        "mutants": counts.total,
        "killed": counts.killed,
        "survived": counts.survived,
        "by_status": {status.value: count for status, count in counts.by_status.items()},
    }


def _headline(counts: Counts) -> Iterator[str]:
    if counts.score is None:
        yield f"mutation score: none, for no mutant of {counts.total} was killed and none survived"
    else:
        yield f"mutation score: {_percent(counts.score)} ({counts.killed} killed, {counts.survived} survived)"
    unreached = counts.by_status[MutantStatus.UNREACHED]
    if unreached:
        yield f"{_percent(counts.score_with_unreached)} with what no test reaches ({unreached}) counted as surviving"


def _sample(counts: Counts, totals: ScoreTotals) -> Iterator[str]:
    """What a sample was drawn from, and where the score of all may lie."""
    if not totals.is_sample:
        return
    if totals.functions == totals.of_functions:
        yield f"sample of {totals.verdicts} of {totals.mutants} mutants"
    else:
        functions = f"{totals.functions} of {totals.of_functions} functions"
        yield f"sample of {totals.verdicts} mutants, of {totals.mutants} in {functions}"
    interval = _interval(counts, totals)
    if interval is not None:
        yield f"95% interval of the score: {_percent(interval[0])} to {_percent(interval[1])}"


def _interval(counts: Counts, totals: ScoreTotals) -> tuple[float, float] | None:
    """The 95% Wilson interval of a sample's score."""
    if not totals.is_sample or counts.score is None:
        return None
    return wilson(counts.killed, counts.killed + counts.survived)


def _side(status: MutantStatus) -> str:
    if status in KILLED:
        return "killed"
    return "survived" if status in SURVIVED else "neither"


def _print_groups(title: str, groups: Mapping[str, Counts]) -> None:
    """Print a row a group: the one with the most survivors first."""
    click.echo()
    ordered = sorted(groups.items(), key=lambda item: -item[1].survived)
    print_table(
        "",
        (title, "score", "killed", "survived", "unreached", "other"),
        [(name, _percent(counts.score), *_columns(counts)) for name, counts in ordered[:ROWS_SHOWN]],
        right=(1, 2, 3, 4, 5),
    )
    if len(ordered) > ROWS_SHOWN:
        click.echo(f"and {len(ordered) - ROWS_SHOWN} more with as many survivors or fewer (--json lists all)")


def _columns(counts: Counts) -> tuple[int, int, int, int]:
    unreached = counts.by_status[MutantStatus.UNREACHED]
    return counts.killed, counts.survived, unreached, counts.total - counts.killed - counts.survived - unreached


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"


def _print_survivors(alive: Sequence[MutantVerdict], shown: int) -> None:
    if not alive or not shown:
        return
    if len(alive) > shown:
        click.echo(f"\n{shown} of {len(alive)} surviving mutants (--show-survivors {len(alive)} shows all):")
    else:
        click.echo("\nsurviving mutants:")
    several = len({verdict.subject for verdict in alive}) > 1
    for verdict in alive[:shown]:
        click.echo()
        for line in _described(verdict, several=several):
            click.echo(line)


def _described(verdict: MutantVerdict, *, several: bool) -> Iterator[str]:
    """The place, the operator, how many tests come by, and the diff without the names of the file."""
    defect = verdict.defect
    place = f"{verdict.subject}:{file_of(verdict)}" if several else file_of(verdict)
    line = "" if defect.span is None else f":{defect.span.start_line}"
    yield f"{place}{line}  {defect.operator}" + (f"  in {defect.function}" if defect.function else "")
    if verdict.at_import:
        yield "run at import, which every test depends on"
    elif verdict.reached is not None:
        changed = (
            "" if verdict.infected in (None, verdict.reached) else f", state changes in {verdict.infected} of them"
        )
        yield f"tests that reach it: {verdict.reached}{changed}"
    lines = iter(defect.diff.splitlines())
    for line in lines:
        if line.startswith("@@"):
            yield line
            break
    yield from lines


def _print_tests(scored: Scored, baselines: Mapping[str, Baseline]) -> None:
    """Print by how many tests mutants are killed, and the tests without which as many would be."""
    median = median_killers(scored.verdicts)
    if median is None:
        return
    kills = _kills(scored, baselines)
    several = len({subject for subject, _ in kills}) > 1
    idle = sorted((each.kills, f"{subject}: {test}" if several else test)
                  for (subject, test), each in kills.items() if not each.alone)  # fmt: skip
    none = sum(not count for count, _ in idle)
    click.echo(f"\ntests that kill a killed mutant, as a median: {median:g}")
    others = f"only what others kill too: {len(idle) - none}"
    click.echo(f"tests that kill none of these mutants: {none} of {len(kills)}; {others}")
    if not idle:
        return
    click.echo()
    columns = ("tests that kill none of these, or none by themselves", "kills")
    print_table("", columns, [(test, count) for count, test in idle[:ROWS_SHOWN]], right=(1,))
    if len(idle) > ROWS_SHOWN:
        click.echo(f"and {len(idle) - ROWS_SHOWN} more (--json lists all)")


def _kills(scored: Scored, baselines: Mapping[str, Baseline]) -> dict[tuple[str, str], Kills]:
    tests = [(subject, test) for subject, baseline in baselines.items() for test in baseline.passing]
    return kills_by_test(scored.verdicts, tests)


def _kills_json(scored: Scored, baselines: Mapping[str, Baseline]) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = {}
    for (subject, test), each in _kills(scored, baselines).items():
        found.setdefault(subject, {})[test] = {"kills": each.kills, "alone": each.alone}
    return found

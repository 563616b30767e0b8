"""Of the mutants that survive all tests, how many the comparison with the reference tells apart.

    mendlab score humaneval --sample 3000 --out score
    python benchmarks/surviving.py humaneval score --each 2

Most survivors are the same program to whoever calls it, and cannot be told: --show prints those that were not, to be
looked at by hand. Progress goes to stderr.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.subjects.registry import read_subjects
from mendlab.records import Differential, Limits, MutantStatus, MutantVerdict, Provenance, Task
from mendlab.verify.bench import Bench, set_up_bench
from mendlab.verify.equivalence.compare import compare

LIMITS = Limits(cpu_seconds=2.0, wall_seconds=20.0)
SURVIVED = (MutantStatus.SURVIVED, MutantStatus.NOT_INFECTED)


@dataclass(frozen=True, slots=True)
class Told:
    """A survivor, and what the comparison says of it."""

    mutant: str
    family: str
    diff: str
    witness: str | None
    advice: str | None
    inputs: int
    invalid: int
    cpu_seconds: float


def survivors(score: Path, each: int) -> list[MutantVerdict]:
    """Return at most so many survivors of each program, from a folder that `mendlab score --out` made."""
    lines = (score / "results.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = [MutantVerdict.model_validate_json(line) for line in lines]
    taken: Counter[str] = Counter()
    chosen = []
    for verdict in sorted(verdicts, key=lambda one: one.mutant.rpartition(".")[2]):
        if verdict.status in SURVIVED and taken[verdict.subject] < each:
            taken[verdict.subject] += 1
            chosen.append(verdict)
    return sorted(chosen, key=lambda one: one.mutant)


def told_apart(
    subjects: Sequence[LoadedSubject], chosen: Sequence[MutantVerdict], bench: Bench, symbolic_seconds: float = 0.0
) -> Iterator[Told]:
    """Yield what the comparison says of each survivor."""
    loaded = {one.subject.id: one for one in subjects}
    for verdict in chosen:
        good = loaded[verdict.subject].tree
        mutated = apply_diff(good, verdict.defect.diff)
        compared = compare(
            _task(loaded[verdict.subject], verdict), good, mutated, bench, symbolic_seconds=symbolic_seconds
        )
        found = compared.differential or Differential(inputs=0)
        yield Told(
            verdict.mutant,
            verdict.defect.family or "",
            verdict.defect.diff,
            None if found.witness is None else found.witness.call,
            None if found.advice is None else found.advice.call,
            found.inputs,
            found.invalid,
            compared.cpu_seconds,
        )


def _task(loaded: LoadedSubject, verdict: MutantVerdict) -> Task:
    harness = loaded.subject.harness
    return Task(
        id=verdict.mutant,
        subject=verdict.subject,
        snapshot=loaded.tree.digest,
        defect=verdict.defect,
        statement="",
        editable=loaded.subject.source_files,
        harness=harness,
        fail_to_pass=(),
        pass_to_pass=(),
        reference="",
        limits=LIMITS,
        provenance=Provenance(source="benchmarks/surviving.py"),
    )


@click.command()
@click.argument("subject")
@click.argument("score", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--each", default=2, show_default=True, help="Most survivors of one program.")
@click.option("--symbolic", default=0.0, show_default=True, help="Seconds of CrossHair's for each that is not told.")
@click.option("--show", is_flag=True, help="Print the survivors that are not told apart.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything measured here.")
def main(*, subject: str, score: Path, each: int, symbolic: float, show: bool, json_file: Path | None) -> None:
    """Compare survivors of SUBJECT in the folder SCORE with the program that they are mutants of."""
    subjects = [one for one in read_subjects(subject) if isinstance(one, LoadedSubject)]
    chosen = survivors(score, each)
    found: list[Told] = []
    for one in told_apart(subjects, chosen, set_up_bench(), symbolic):
        found.append(one)
        print(f"\r{len(found)} of {len(chosen)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    if show:
        for one in found:
            if one.witness is None:
                print(f"{one.mutant}  {one.advice or ''}\n{one.diff}")
    told = sum(one.witness is not None for one in found)
    advised = sum(one.witness is None and one.advice is not None for one in found)
    programs = len({one.mutant.partition(".")[0] for one in found})
    print(f"{len(found)} survivors of {programs} programs")
    print(f"{told} ({told / len(found):.1%}) told apart, {advised} more on inputs that decide nothing")
    print(f"{sum(one.inputs for one in found) / len(found):.0f} valid inputs compared on average")
    print(f"{1000 * sum(one.cpu_seconds for one in found) / len(found):.0f} ms of CPU each, confined")
    if json_file is not None:
        json_file.write_text(json.dumps([asdict(one) for one in found], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

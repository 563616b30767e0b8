"""How like human mistakes the mutants are, and whether they are sound: the tables, measured in one run.

    python benchmarks/realism.py --humanevalpack FILE --quixbugs FILE --mbpp FILE [--peer-python PATH ...]

benchmarks/README.md says what each table means and how to set the other tools up. Exits with 1 if a stated goal is
missed. Progress goes to stderr, tables to stdout.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import click
from measures import determinism, histories, patterns, peers, programs, rates, reach, sampled, soundness
from measures.progress import say
from measures.section import Goal, Section, Table, goals_table, markdown, write

PARTS = ("reach", "sampled", "peers", "histories", "soundness", "rate", "determinism", "patterns")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@dataclass(frozen=True)
class Request:
    """What is asked for, and on what."""

    humanevalpack: Path | None
    quixbugs: Path | None
    mbpp: Path | None
    histories: tuple[Path, ...]
    stdlib: bool
    stdlib_files: int
    sample: int
    rate_files: int
    seeds: int
    history_limit: int
    peers: peers.Peers
    pythons: tuple[Path, ...]
    jobs: int

    @cached_property
    def pairs(self) -> dict[str, list[programs.Pair]]:
        """The sets of correct and buggy programs that were given."""
        sets = {}
        if self.humanevalpack is not None:
            sets["HumanEvalPack"] = programs.humanevalpack(self.humanevalpack)
        if self.quixbugs is not None:
            sets["QuixBugs"] = programs.quixbugs(self.quixbugs)
        return sets

    @cached_property
    def reached(self) -> dict[str, list[reach.Reached]]:
        """Reach of all of them, with samples; measured once for three tables."""
        return {label: reach.reach_all(label, pairs, self.seeds, self.jobs) for label, pairs in self.pairs.items()}

    def groups(self) -> list[soundness.Group]:
        """The files whose mutants are checked."""
        humaneval = programs.humaneval()
        groups = [
            soundness.Group("HumanEval", humaneval),
            soundness.Group("HumanEval, other layouts", soundness.layouts(humaneval[::4])),
        ]
        if self.mbpp is not None:
            groups.append(soundness.Group("MBPP", programs.mbpp(self.mbpp)))
        if self.stdlib:
            library = programs.standard_library(self.stdlib_files)
            groups.append(soundness.Group("standard library", library, self.sample))
            groups.append(soundness.Group("unusual library files", programs.unusual_files(40), self.sample))
        return groups

    def determinism_files(self) -> list[programs.File]:
        """The correct programs of the sets, and some of the library."""
        files = [
            programs.File(f"{label}/{number}.py", pair.good.encode())
            for label, pairs in self.pairs.items()
            for number, pair in enumerate(pairs)
        ]
        library = programs.standard_library(self.rate_files) if self.stdlib else []
        return files + [programs.File(f"library/{file.name}", file.data) for file in library]


def unmeasured(name: str, why: str) -> Section:
    """A part that was asked for and could not be measured."""
    return Section(name, [Table(f"{name}: not measured", ("why",), [(why,)])], {"not measured": why})


def measure(name: str, request: Request) -> Section:
    """One part, by its name in :data:`PARTS`."""
    no_pairs = unmeasured(name, "no --humanevalpack and no --quixbugs")
    parts: dict[str, Callable[[], Section]] = {
        "reach": lambda: reach.section(request.reached) if request.pairs else no_pairs,
        "sampled": lambda: sampled.section(request.reached, request.seeds) if request.pairs else no_pairs,
        "peers": lambda: (
            peers.section(request.peers, request.pairs, request.reached, version("mendlab"))
            if request.pairs else no_pairs
        ),
        "histories": lambda: (
            histories.section(request.histories, request.history_limit, request.jobs)
            if request.histories else unmeasured(name, "no --history")
        ),
        "soundness": lambda: soundness.section(request.groups(), request.jobs),
        "rate": lambda: (
            rates.section(programs.standard_library(request.rate_files), request.peers)
            if request.stdlib else unmeasured(name, "--no-stdlib")
        ),
        "determinism": lambda: determinism.section(request.determinism_files(), request.pythons),
        "patterns": patterns.section,
    }  # fmt: skip
    return parts[name]()


def attempt(name: str, request: Request) -> Section:
    """One part; if it breaks, that is a missed goal, and the parts after it are still measured."""
    try:
        return measure(name, request)
    except Exception as problem:
        traceback.print_exc()
        why = f"{type(problem).__name__}: {problem}"
        broken = unmeasured(name, why)
        return Section(name, broken.tables, broken.data, [Goal(name, "measured", why, False)])


@click.command()
@click.option("--humanevalpack", type=_FILE, help="HumanEvalPack for Python, JSON lines.")
@click.option("--quixbugs", type=_FILE, help="QuixBugs, JSON lines with name, solution and buggy_program.")
@click.option("--mbpp", type=_FILE, help="MBPP, JSON lines with task_id and code.")
@click.option("--history", "repositories", multiple=True, type=_FOLDER, help="A git repository; may be repeated.")
@click.option("--history-limit", default=100, show_default=True, help="Fixes taken of a repository.")
@click.option("--peer-python", type=_FILE, help="Interpreter that has mutmut, cosmic-ray and fermut.")
@click.option("--swesmith", type=_FOLDER, help="Checkout of SWE-smith.")
@click.option("--buglab", type=_FOLDER, help="Checkout of BugLab.")
@click.option("--stdlib/--no-stdlib", default=True, show_default=True, help="Measure on the standard library.")
@click.option("--stdlib-files", default=300, show_default=True, help="Library files for soundness.")
@click.option("--sample", default=40, show_default=True, help="Mutants of a library file that are checked.")
@click.option("--rate-files", default=12, show_default=True, help="Library files for rate and determinism.")
@click.option("--seeds", default=10, show_default=True, help="Samples drawn of each strategy.")
@click.option("--python", "pythons", multiple=True, type=_FILE, help="Another interpreter that has mendlab.")
@click.option("--jobs", default=1, show_default=True, help="Processes; rates are always measured on one.")
@click.option("--only", default=",".join(PARTS), help="Parts to measure, with commas between them.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything measured here.")
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write the tables here, too.")
def main(
    *,
    only: str, json_file: Path | None, markdown_file: Path | None,
    peer_python: Path | None, swesmith: Path | None, buglab: Path | None,
    repositories: tuple[Path, ...],
    humanevalpack: Path | None, quixbugs: Path | None, mbpp: Path | None,
    stdlib: bool, stdlib_files: int, sample: int, rate_files: int, seeds: int, history_limit: int,
    pythons: tuple[Path, ...], jobs: int,
) -> None:  # fmt: skip
    """Measure how like human mistakes mendlab's mutants are, and whether they are sound."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - set(PARTS):
        raise click.BadParameter(f"{', '.join(sorted(unknown))}; there are {', '.join(PARTS)}", param_hint="--only")
    request = Request(
        humanevalpack, quixbugs, mbpp, repositories, stdlib, stdlib_files, sample, rate_files, seeds, history_limit,
        peers.Peers(peer_python, {"swesmith": swesmith, "buglab": buglab}), pythons, jobs,
    )  # fmt: skip
    sections = []
    for name in names:
        start = time.monotonic()
        sections.append(attempt(name, request))
        say(f"{name}: {time.monotonic() - start:.0f} s")
        print("\n".join(markdown(table) for table in sections[-1].tables), flush=True)
        write(sections, json_file, markdown_file)
    goals = [goal for section in sections for goal in section.goals]
    if goals:
        print(markdown(goals_table(goals)))
    missed = [goal.name for goal in goals if not goal.met]
    say(f"goals missed: {', '.join(missed)}" if missed else "no goal missed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()

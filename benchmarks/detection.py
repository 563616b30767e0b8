"""How fast mutants are decided, beside other tools, and whether the answers are those of the slow way.

    python benchmarks/detection.py --python VENV/bin/python --subject DIRECTORY [--subject DIRECTORY=PATTERN,...] \
        [--peers DIRECTORY] [--humaneval 164] [--agreement 1000] [--oversubscribed 200] [--memory 50000]

docs/detection.md says what each table means and how to set the other tools up. Exits with 1 if a stated goal is
missed, with 2 if a mutant that must be killed is not: then nothing is reported. Progress goes to stderr.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import click
from detecting import agreement, costs, humaneval, load, memory, speed
from detecting.deciding import CanaryLives, canary_table
from detecting.peers import Peers
from detecting.subjects import Prepared, Request, Unusable, prepare, prepare_humaneval
from measures.progress import say
from measures.section import Section, goals_table, markdown, write

from mendlab.verify.bench import set_up_bench

PARTS = ("speed", "rows", "lean", "agreement", "load", "humaneval", "memory")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def read_subjects(texts: tuple[str, ...], pythons: tuple[Path, ...], count: int, seed: int) -> list[Prepared]:
    """The subjects, ready; one that cannot be used says why and is left out."""
    found = []
    if len(pythons) not in (1, len(texts)):
        raise click.BadParameter("give one for all subjects, or one for each", param_hint="--python")
    for text, python in zip(texts, pythons * len(texts) if len(pythons) == 1 else pythons, strict=True):
        request = Request.parse(text, python)
        try:
            found.append(prepare(request, count, seed))
        except Unusable as why:
            say(f"{request.name}: left out: {why}")
    return found


@click.command()
@click.option(
    "--subject", "subjects", multiple=True, help="A project directory; DIRECTORY=PATTERN,... mutates those files."
)
@click.option(
    "--python", "pythons", multiple=True, type=_FILE, help="Interpreter of the subjects: one, or one for each."
)
@click.option("--mutants", default=300, show_default=True, help="Mutants drawn of each subject, for speed.")
@click.option("--seed", default=1, show_default=True)
@click.option("--workers", default=2, show_default=True, help="Workers where speed is not measured.")
@click.option(
    "--peers",
    "peer_folder",
    type=_FOLDER,
    help="A folder with a virtual environment for each tool, called as its package.",
)
@click.option(
    "--peer-jobs",
    default=2,
    show_default=True,
    help="Cores of the other tools; their rates stand beside ours on as many.",
)
@click.option("--peer-seconds", default=120.0, show_default=True, help="Wall seconds that a tool has on a subject.")
@click.option("--peer-mutants", default=300, show_default=True, help="Mutants of a tool that can be told how many.")
@click.option("--rows", default=100, show_default=True, help="Mutants of each subject whose full rows are measured.")
@click.option("--lean", default=20, show_default=True, help="Mutants of each subject that plain pytest runs, too.")
@click.option(
    "--agreement", "compared", default=100, show_default=True, help="Mutants of each subject run the slow way, too."
)
@click.option(
    "--agreement-humaneval", "of_humaneval", default=0, show_default=True,
    help="Mutants of each HumanEval program run the slow way, too.",
)  # fmt: skip
@click.option("--oversubscribed", default=100, show_default=True, help="Mutants of each subject run again under load.")
@click.option("--humaneval", "programs", default=40, show_default=True, help="Programs of HumanEval.")
@click.option("--memory", "many", default=2000, show_default=True, help="Mutants over which memory is watched.")
@click.option("--only", default=",".join(PARTS), help="Parts to measure, with commas between them.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything measured here.")
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write the tables here, too.")
def main(
    *,
    subjects: tuple[str, ...], pythons: tuple[Path, ...], mutants: int, seed: int, workers: int,
    peer_folder: Path | None, peer_jobs: int, peer_seconds: float, peer_mutants: int,
    rows: int, lean: int, compared: int, of_humaneval: int, oversubscribed: int, programs: int, many: int,
    only: str, json_file: Path | None, markdown_file: Path | None,
) -> None:  # fmt: skip
    """Measure how fast mutants are decided, and whether the answers are those of the slow way."""
    warnings.simplefilter("ignore", SyntaxWarning)  # of mutants
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - set(PARTS):
        raise click.BadParameter(f"{', '.join(sorted(unknown))}; there are {', '.join(PARTS)}", param_hint="--only")
    of_humaneval_too = {"humaneval", *(["agreement"] if of_humaneval else [])}
    draws = max([mutants if "speed" in names else 0, rows if "rows" in names else 0, lean * 3 if "lean" in names else 0,
                 compared if "agreement" in names else 0, oversubscribed if "load" in names else 0,
                 min(many, 500) if "memory" in names else 0])  # fmt: skip
    ready = read_subjects(subjects, pythons, draws, seed) if subjects and names != ["humaneval"] else []
    peers = None if peer_folder is None else Peers(peer_folder.resolve(), peer_jobs, peer_seconds, peer_mutants)
    parts: dict[str, Callable[[], Section]] = {
        "speed": lambda: speed.section([one.first(mutants) for one in ready], peers),
        "rows": lambda: costs.full_rows(ready, rows),
        "lean": lambda: costs.lean(ready, lean),
        "agreement": lambda: agreement.section(
            ready, prepare_humaneval(of_humaneval, seed) if of_humaneval else (), compared, workers
        ),
        "load": lambda: load.section(ready, oversubscribed, workers),
        "humaneval": lambda: humaneval.section(programs, 10, set_up_bench(), seed),
        "memory": lambda: memory.section(ready[0], many),
    }  # fmt: skip
    sections: list[Section] = []
    try:
        if ready:
            sections.append(Section("canaries", [canary_table(ready)]))
        for name in names:
            if name not in of_humaneval_too and not ready:
                say(f"{name}: no subject")
                continue
            start = time.monotonic()
            sections.append(parts[name]())
            say(f"{name}: {time.monotonic() - start:.0f} s, load {os.getloadavg()[0]:.1f}")
            write(sections, json_file, markdown_file)
    except CanaryLives as why:
        say(f"refuses to report: {why}")
        sys.exit(2)
    print("\n".join(markdown(table) for section in sections for table in section.tables))
    goals = [goal for section in sections for goal in section.goals]
    if goals:
        print(markdown(goals_table(goals)))
    missed = [goal.name for goal in goals if not goal.met]
    say(f"goals missed: {', '.join(missed)}" if missed else "no goal missed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()

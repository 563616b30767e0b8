"""What harvesting costs beside other tools, and whether what it hands on is right.

    python benchmarks/harvest.py --long pytest/repo --repository sqlparse/repo --peers PEERS/bin/python --work WORK

benchmarks/README.md says what is measured. The exit code is 1 if a stated goal is missed.
"""

from __future__ import annotations

from pathlib import Path

import click
from harvested import climbs, identity, memory, recall, speed, trapped
from measures.section import Section, goals_table, markdown, write

PARTS = ("scan", "memory", "identity", "traps", "telling", "labels", "recall")
LABELS = Path(__file__).parent / "harvested" / "labels.tsv"


@click.command()
@click.option("--long", type=click.Path(path_type=Path, exists=True), help="A repository of --commits or more.")
@click.option("--repository", "repositories", type=click.Path(path_type=Path, exists=True), multiple=True)
@click.option("--work", type=click.Path(path_type=Path), required=True, help="A folder for copies, kept for next time.")
@click.option("--peers", help="An interpreter with pydriller and unidiff.")
@click.option("--commits", default=5_000, show_default=True, help="Read by ours and the other tools.")
@click.option("--history", default=50_000, show_default=True, help="Commits of the history for memory.")
@click.option("--limit", type=int, help="Most candidates of a repository; all if not given.")
@click.option("--runs", default=3, show_default=True)
@click.option("--only", default=",".join(PARTS), show_default=True)
@click.option("--json", "json_file", type=click.Path(path_type=Path))
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path))
def main(
    long: Path | None,
    repositories: tuple[Path, ...],
    work: Path,
    peers: str | None,
    commits: int,
    history: int,
    limit: int | None,
    runs: int,
    only: str,
    json_file: Path | None,
    markdown_file: Path | None,
) -> None:
    """Measure the parts asked for."""
    work.mkdir(parents=True, exist_ok=True)
    sections: list[Section] = []
    for part in only.split(","):
        match part:
            case "scan" if long is not None:
                sections.append(speed.section(long, work, peers, commits, runs))
            case "memory":
                sections.append(memory.section(work, history))
            case "identity" if repositories:
                sections.append(identity.section(repositories, work, limit))
            case "telling" if repositories:
                sections.append(climbs.telling(repositories, work, limit))
            case "labels" if repositories:
                sections.append(climbs.labelled(repositories, work, LABELS, limit))
            case "recall" if repositories:
                sections.append(recall.section(repositories, work))
            case "traps":
                sections.append(trapped.section())
            case _ if part not in PARTS:
                raise click.BadParameter(f"{part} is none of {', '.join(PARTS)}", param_hint="--only")
            case _:
                continue
        for table in sections[-1].tables:
            print(markdown(table))
        write(sections, json_file, markdown_file)
    goals = [goal for each in sections for goal in each.goals]
    print(markdown(goals_table(goals)))
    raise SystemExit(0 if all(goal.met for goal in goals) else 1)


if __name__ == "__main__":
    main()

"""How answers are applied: the corpus of malformed and hard ones, by mendlab and, beside it, by other tools.

    python benchmarks/patching.py [--peers] [--aider VENV/bin/python] [--json FILE] [--markdown FILE]

docs/patching.md says what the tables mean. Exits with 1 if a stated goal is missed. Progress goes to stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from applying.cases import FOLDER, read_cases
from applying.comparison import compared, corpus
from measures.progress import say
from measures.section import goals_table, markdown, write


@click.command()
@click.option("--cases", "folder", default=FOLDER, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--peers/--no-peers", default=False, help="Also git apply, GNU patch and unidiff.")
@click.option(
    "--aider", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="An interpreter that has aider-chat."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything measured here.")
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write the tables here, too.")
def main(*, folder: Path, peers: bool, aider: Path | None, json_file: Path | None, markdown_file: Path | None) -> None:
    """Measure what comes of malformed and hard answers."""
    cases = read_cases(folder)
    sections = [corpus(cases), *([compared(cases, aider)] if peers or aider else [])]
    goals = [goal for section in sections for goal in section.goals]
    text = "\n".join(markdown(table) for section in sections for table in section.tables)
    text += f"\n{markdown(goals_table(goals))}"
    print(text)
    write(sections, json_file, markdown_file)
    missed = [goal.name for goal in goals if not goal.met]
    say(f"goals missed: {', '.join(missed)}" if missed else "no goal missed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()

"""``mendlab harvest patterns``: small fixes of histories, made into templates that undo them."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from mendlab.cli.options import example, json_option, new_file
from mendlab.cli.output import keeping_nothing, print_json, print_table, progress_on_stderr
from mendlab.corpora.durable import replace_file
from mendlab.corpora.journal import dump_line
from mendlab.errors import OutputError
from mendlab.harvest.fixes import small_fixes
from mendlab.harvest.git.copy import private_copy
from mendlab.harvest.git.remote import repository_name
from mendlab.harvest.selection import Selection
from mendlab.mutators.learned import Patterns
from mendlab.workers import Progress

SHOWN = 15


@click.command(
    "patterns",
    epilog=example(
        "mendlab harvest patterns ./one ./other --out learned.jsonl",
        "mendlab harvest patterns https://github.com/owner/project --out learned.jsonl --since 2020-01-01",
        "mendlab inject ./project --templates learned.jsonl --sampling natural --out tasks",
    ),
)
@click.argument("repositories", nargs=-1, required=True)
@click.option("--out", type=new_file, required=True, help="The file of templates to write, as JSON lines.")
@click.option("--since", metavar="DATE", help="Only commits made on that day or later, as 2024-05-01.")
@click.option("--until", metavar="DATE", help="Only commits made before that day.")
@click.option("--least", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Fixes that have it.")
@click.option(
    "--least-repositories", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="So many have it."
)
@json_option
def patterns_command(
    repositories: tuple[str, ...],
    out: Path,
    since: str | None,
    until: str | None,
    least: int,
    least_repositories: int,
    as_json: bool,
) -> None:
    """Learn from the small fixes of REPOSITORIES, paths or addresses, how bugs are made: what undoes a fix makes one.

    Names, literals and expressions that both sides of a fix have are generalised, and each change is counted. Nothing
    of a repository runs. The templates are operators of the family `learned`, for --templates; --sampling natural draws
    them as often as their change was seen.
    """
    if out.exists():
        raise OutputError("something is there already", where=out, hint="name another file, or remove it first")
    selection = Selection(since=since, until=until)
    patterns = Patterns()
    fixes: Counter[str] = Counter()
    with keeping_nothing("harvest patterns"), progress_on_stderr() as progress:
        for repository, name in zip(repositories, _names(repositories), strict=True):
            fixes[name] = _learn(patterns, repository, name, selection, progress)
    templates = list(patterns.templates(least=least, least_repositories=least_repositories))
    if templates:
        replace_file(out, b"".join(map(dump_line, templates)))
    if as_json:
        shown = [each.model_dump(mode="json") for each in templates]
        print_json({"file": str(out) if templates else None, "fixes": dict(fixes), "templates": shown})
    else:
        common = [(each.count, _on_one_line(each.before), _on_one_line(each.after)) for each in templates[:SHOWN]]
        print_table("", ("", "small fixes"), [*fixes.items(), ("templates", len(templates))], right=(1,))
        print_table("seen most", ("seen", "sound", "becomes"), common, right=(0,))
        click.echo(f"templates: {out}" if templates else "nothing was learned: no small fix gives a template")
    if not templates:
        click.get_current_context().exit(1)


def _learn(patterns: Patterns, repository: str, name: str, selection: Selection, progress: Progress) -> int:
    """Return the number of small fixes that were read."""

    def report(stage: str, done: int, total: int | None) -> None:
        progress(f"{name}: {stage}", done, total)

    commits = set()
    with TemporaryDirectory(prefix="mendlab-") as folder, private_copy(repository, Path(folder, "copy.git")) as copy:
        for fix in small_fixes(copy, selection, report):
            patterns.take(name, fix.commit, fix.before, fix.after)
            commits.add(fix.commit)
    return len(commits)


def _names(repositories: tuple[str, ...]) -> list[str]:
    """How they are called, with the folder above where two would be called the same."""
    names = [repository_name(each) for each in repositories]
    above = [Path(os.path.realpath(each)).parent.name for each in repositories]
    return [
        f"{folder}/{name}" if names.count(name) > 1 and folder else name
        for folder, name in zip(above, names, strict=True)
    ]


def _on_one_line(text: str) -> str:
    return " ⏎ ".join(line.rstrip() for line in text.split("\n")) or "nothing"

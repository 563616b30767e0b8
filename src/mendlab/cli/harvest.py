"""``mendlab harvest``: bug fixes of a git history, made into tasks whose tests fail before them and pass after."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click
from pydantic import JsonValue

from mendlab.cli.harvest_patterns import patterns_command
from mendlab.cli.options import bench_options, example, json_option, new_path, seed_option
from mendlab.cli.output import Shown, note, print_finished, print_json, print_table, progress_on_stderr
from mendlab.cli.places import remember_python
from mendlab.corpora.building import CONFIG, begun_beside
from mendlab.corpora.durable import writing
from mendlab.corpora.journal import dump_line, parse_record
from mendlab.corpora.layout import ENVIRONMENTS, PATCHES
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.errors import FormatError, InputError, MendlabError, OutputError
from mendlab.harvest.environment.ladder import Environments, Given, Ladder
from mendlab.harvest.environment.shared import default_cache
from mendlab.harvest.examiner import Examiner
from mendlab.harvest.git.copy import PrivateCopy, private_copy
from mendlab.harvest.git.remote import repository_name
from mendlab.harvest.licences import licence_at
from mendlab.harvest.pipeline import Harvest, Harvesting
from mendlab.harvest.records import Commit
from mendlab.harvest.releases import release_history
from mendlab.harvest.selection import Selection, moment
from mendlab.harvest.tasks import Mining, environment_name
from mendlab.harvest.untested.later import TestHistory
from mendlab.harvest.untested.telling import Teller
from mendlab.records import BuildConfig, Manifest, Provenance
from mendlab.verify.bench import set_up_bench
from mendlab.versions import tool_versions

_FROM: Final[Mapping[str, str]] = {
    "standing": "that stood in the tree",
    "later": "of a later commit",
    "written": "that were written",
}


class _Harvest(click.Command):
    """The command; where its first word is ``patterns``, that command in its stead."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command that is meant."""
        if args[:1] == ["patterns"]:
            return patterns_command.make_context(f"{info_name} patterns", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    "harvest",
    cls=_Harvest,
    epilog=example(
        "mendlab harvest ./project --out bugs --limit 20",
        "mendlab harvest https://github.com/owner/project --out bugs --since 2023-01-01",
        "mendlab harvest ./project --out bugs --paths src/parser --message 'fix|bug'",
        "mendlab harvest --releases sortedcontainers --out bugs",
        "mendlab harvest patterns ./project --out learned.jsonl",
    ),
)
@click.argument("repository", required=False)
@click.option("--releases", metavar="PACKAGE", help="Instead of a repository, the releases of a package on PyPI.")
@click.option("--out", type=new_path, required=True, help="Folder of the new task set.")
@click.option("--name", "named_as", help="How the project is called in the set. [default: its folder or address]")
@click.option("--since", metavar="DATE", help="Only commits made on that day or later, as 2024-05-01.")
@click.option("--until", metavar="DATE", help="Only commits made before that day.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop at N tasks. [default: all there are]")
@click.option("--paths", multiple=True, metavar="PATH", help="Only commits that change it: a file, folder or pattern.")
@click.option("--message", metavar="REGEX", help="Only commits whose message matches.")
@click.option("--all", "every_kind", is_flag=True, help="Keep features and refactorings, too, marked as such.")
@click.option("--as-of", metavar="DATE", help="Install nothing that was uploaded later. [default: now]")
@click.option(
    "--no-minimal", is_flag=True, help="Do not look for the smallest part of each fix that the tests ask for."
)
@click.option(
    "--own-tests-only", is_flag=True, help="Look for no other tests where a fix came with none that tells it."
)
@seed_option
@bench_options
@json_option
def command(
    repository: str | None,
    releases: str | None,
    out: Path,
    named_as: str | None,
    since: str | None,
    until: str | None,
    limit: int | None,
    paths: tuple[str, ...],
    message: str | None,
    every_kind: bool,
    as_of: str | None,
    no_minimal: bool,
    own_tests_only: bool,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Turn the history of REPOSITORY, a path or an address, into repair tasks: bugs that its own commits fixed.

    With --releases there is no repository: each release is a commit that changes the one before it.

    Nothing of the repository runs unconfined, and nothing but wheels is installed. Each commit that changes source and
    tests is tried in an environment of today, then one of its day, until its tests fail before it and pass after
    it. Of --python, one that has pytest is taken as it is for all; of any other the environments are made. Each state
    is run several times, and what is not the same each time is left out. The same command goes on where it was stopped.

    `mendlab harvest patterns --help`: learn templates for mutators from small fixes, without running anything.
    """
    if (repository is None) == (releases is None):
        raise click.UsageError("give either a repository or --releases")
    name = named_as or (f"pypi:{releases}" if repository is None else repository_name(repository))
    selection = Selection(since=since, until=until, paths=paths, message=message)
    named = None if as_of is None else moment("--as-of", as_of)
    bench = set_up_bench(python=python, allow_unconfined=allow_unconfined)
    asked: dict[str, JsonValue] = {
        "repository": name,
        "since": since,
        "until": until,
        "limit": limit,
        "paths": list(paths),
        "message": message,
        "every_kind": every_kind,
        "minimal": not no_minimal,
        "own_tests_only": own_tests_only,
        "seed": seed,
        "python": None if python is None else bench.interpreter.version_text,
    }
    if (manifest := _made_before(out, asked if named is None else {**asked, "as_of": named.isoformat()})) is not None:
        print_finished(out, manifest, as_json)
        return
    directory = begun_beside(out)
    with progress_on_stderr() as progress, _history(repository, releases, directory, progress) as copy:
        now = named or _begun_at(directory) or datetime.now(UTC).replace(microsecond=0)
        config = BuildConfig(
            command="harvest",
            parameters={**asked, "head": copy.head, "as_of": now.isoformat()},
            tools=tool_versions(),
        )
        mining = Mining(name, licence_at(copy, copy.head), dict(config.tools), seed)
        environments: Ladder = Environments(
            default_cache(), bench.level, now, named=None if python is None else bench.interpreter
        )
        if python is not None and bench.interpreter.has_pytest:
            environments = Given(bench.interpreter)
        teller = None if own_tests_only else Teller(TestHistory(copy, selection), environments, bench, mining)
        examiner = Examiner(
            copy,
            environments,
            bench,
            mining,
            teller=teller,
            every_kind=every_kind,
            minimal=not no_minimal,
            step=progress.step,
            name_of=_commit_name if releases is None else _release_name,
        )
        with Harvesting(directory, config) as work:
            found = work.harvest(examiner, selection, limit=limit, workers=workers, progress=progress)
            if found.tasks:
                _write(out, work, examiner, found, config)
                remember_python(out, bench.interpreter.executable)
    with writing(directory):
        shutil.rmtree(directory)
    _print(out, found, as_json)


def _commit_name(commit: Commit) -> str:
    return commit.sha[:9]


def _release_name(commit: Commit) -> str:
    return commit.subject


def _history(repository: str | None, releases: str | None, directory: Path, progress: Shown) -> PrivateCopy:
    """Copy the history into the folder of the work; where that fails, nothing new is left there."""
    begun, into = directory.exists(), directory / "copy.git"
    try:
        if releases is not None:
            return release_history(releases, into, progress=progress)
        return private_copy(repository or "", into, lambda: note("copying the history"))
    except MendlabError:
        if not begun:
            shutil.rmtree(directory, ignore_errors=True)
        raise


def _made_before(out: Path, asked: Mapping[str, JsonValue]) -> Manifest | None:
    """Return the manifest of the set at ``out`` if the same command made it, of whatever head."""
    try:
        manifest = TaskSet.open(out).manifest
    except (InputError, FormatError):
        return None
    made = (
        manifest.build is not None
        and manifest.build.command == "harvest"
        and asked.items() <= manifest.build.parameters.items()
    )
    if not made:
        raise OutputError("something is there already", where=out, hint="name another folder, or remove it first")
    return manifest


def _begun_at(directory: Path) -> datetime | None:
    """The moment that work which is there already counts as now."""
    try:
        begun = parse_record((directory / CONFIG).read_bytes(), BuildConfig, str(directory / CONFIG))
        return moment("as_of", str(begun.parameters["as_of"]))
    except (OSError, KeyError):
        return None


def _write(out: Path, work: Harvesting, examiner: Examiner, found: Harvest, config: BuildConfig) -> None:
    kept = tuple(each for each in found.examined if each.task is not None)
    environments = {
        environment_name(each.environment): each.environment for each in kept if each.environment is not None
    }
    beside = {f"{ENVIRONMENTS}/{name}.json": dump_line(environment) for name, environment in environments.items()}
    for sha, name, patch in work.patches(examiner, kept):
        beside[f"{PATCHES}/{sha}/{name}.patch"] = patch
    write_taskset(
        out,
        found.tasks,
        work.trees(examiner, kept),
        name=out.name,
        provenance=Provenance(
            source=examiner.mining.repository,
            licence=examiner.mining.licence,
            commit=examiner.copy.head,
            seed=examiner.mining.seed,
            tools=dict(config.tools),
        ),
        dropped=dict(found.dropped),
        licence=examiner.mining.licence,
        build=config,
        beside=beside,
    )


def _print(out: Path, found: Harvest, as_json: bool) -> None:
    tasks = found.tasks
    labels = Counter(task.mined.label for task in tasks if task.mined is not None)
    tests_from = Counter(task.mined.tests_from for task in tasks if task.mined is not None)
    if as_json:
        print_json(
            {
                "taskset": str(out) if tasks else None,
                "commits": found.commits,
                "examined": len(found.examined),
                "tasks": len(tasks),
                "proved_by_tree_hash": found.rebuilt,
                "labels": dict(labels),
                "tests_from": dict(tests_from),
                "dropped": dict(sorted(found.dropped.items())),
                "commits_dropped": [
                    {"commit": each.sha, "stage": each.stage, "reason": each.reason, "detail": each.detail}
                    for each in found.fell
                ],
            }
        )
    else:
        rows: list[tuple[str, object]] = [("commits", found.commits), ("candidates examined", len(found.examined))]
        rows += [(f"tasks: {label}", count) for label, count in labels.most_common()]
        rows += [(f"tasks: tests {_FROM[each]}", count) for each, count in tests_from.items() if each != "commit"]
        rows += [("tasks proved by tree hash", found.rebuilt)] if tasks else []
        rows += [(f"dropped: {reason.replace('_', ' ')}", count) for reason, count in found.dropped.most_common()]
        print_table("", ("", ""), rows, right=(1,))
        click.echo(f"task set: {out}" if tasks else "no commit gives a task: --json has the reason for each")
    if not tasks:
        click.get_current_context().exit(1)

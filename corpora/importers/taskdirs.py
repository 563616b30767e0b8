"""Task directories, as in small home-made harnesses: ``tasks/ID/{prompt.md, repo/, verify.sh}``.

``repo/`` is the buggy program. ``verify.sh`` is the gate: exit code 0 passes. ``intent.sh`` or ``intent.py``, if there
is one, is a second gate, for what the tests of the task cannot see. The correct program is ``repo/`` with
``solution.patch`` applied, or with the files of ``solution/`` laid over it: without one of them there is no telling
whether the task can be done, and it is refused. Settings are described in :mod:`.task_settings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mendlab.corpora.candidates import Candidate, LoadedSubject, Refusal
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.directories import read_directory
from mendlab.corpora.functions import functions_in
from mendlab.corpora.importers.pairs import pair
from mendlab.corpora.importers.plain_text import read_text
from mendlab.corpora.importers.registry import Found, importer
from mendlab.corpora.importers.task_settings import read_settings
from mendlab.corpora.json_rows import placed
from mendlab.corpora.pytest_layout import source_files, test_files, test_patterns
from mendlab.corpora.shell import python_in_bash
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError, MendlabError
from mendlab.records import Provenance, ScriptHarness, Subject

_PARTS = ("prompt.md", "repo", "verify.sh")


@importer("taskdirs")
def read_taskdirs(path: Path) -> Found:
    """Task directories: a folder of ID/{prompt.md, repo/, verify.sh}, or one that has such a folder called tasks."""
    folder = path / "tasks" if (path / "tasks").is_dir() else path
    if not folder.is_dir():
        raise InputError("is no directory", where=path, hint="give the folder that the task directories are in")
    found = [folder] if _is_task(folder) else [each for each in sorted(folder.iterdir()) if _is_task(each)]
    if not found:
        hint = f"a task is a folder with {', '.join(_PARTS)} in it"
        raise InputError("has no task directory in it", where=folder, hint=hint)
    return _read(found, path.resolve())


def _is_task(folder: Path) -> bool:
    hidden = folder.name.startswith((".", "_"))
    return folder.is_dir() and not hidden and any((folder / part).exists() for part in _PARTS)


def _read(folders: list[Path], root: Path) -> Iterator[Candidate | Refusal]:
    for folder in folders:
        name = folder.resolve().name
        try:
            _stay_within(root, folder)
            missing = next((part for part in _PARTS if not (folder / part).exists()), None)
            if missing:
                raise InputError(f"has no {missing}", where=folder, hint=f"a task needs {', '.join(_PARTS)}")
            content = read_directory(folder / "repo", use_git=False)
            yield from (Refusal(f"{name}/{each.id}", each.reason) for each in content.refusals)
            yield _candidate(name, folder, content.tree)
        except MendlabError as error:
            yield Refusal(name, placed(error, str(folder)))


def _stay_within(root: Path, folder: Path) -> None:
    """Refuse a task that a link leads out of: what is there may be for nobody's eyes, and a statement is for many."""
    for part in (folder, *sorted(folder.iterdir())):
        if not part.resolve().is_relative_to(root):
            raise InputError("is a link that leads out of the tasks", where=part, hint="put a copy in its place")


def _candidate(name: str, folder: Path, buggy: FileTree) -> Candidate:
    settings = read_settings(folder)
    good = _solved(folder, buggy)
    patterns = test_patterns(good)
    tests = set(test_files(good, patterns))
    sources = source_files(good, patterns)
    subject = Subject(
        id=name,
        snapshot=good.digest,
        harness=_harness(folder),
        source_files=sources,
        functions=functions_in(good, sources),
        statement=settings.statement,
        provenance=Provenance(source=f"task directory {name}"),
    )
    editable = {path for path in buggy if path not in tests} | set(buggy.changed(good))
    loaded = LoadedSubject(subject, good)
    return pair(loaded, buggy, editable=tuple(sorted(editable)), tags=settings.tags, weight=settings.weight)


def _solved(folder: Path, buggy: FileTree) -> FileTree:
    patch, solution = folder / "solution.patch", folder / "solution"
    if patch.is_file():
        try:
            return apply_diff(buggy, read_text(patch))
        except FormatError as error:
            raise FormatError(f"does not apply to repo/: {error}", where=patch) from error
    if solution.is_dir():
        laid_over = read_directory(solution, use_git=False).tree
        tree = buggy.replace(laid_over)
        return FileTree(tree, tree.executable | laid_over.executable)
    hint = "add solution.patch, or solution/ with the mended files"
    raise InputError("has no solution, so that nothing tells whether the task can be done", where=folder, hint=hint)


def _harness(folder: Path) -> ScriptHarness:
    scripts = {"verify": read_text(folder / "verify.sh")}
    if (folder / "intent.sh").is_file():
        scripts["intent"] = read_text(folder / "intent.sh")
    elif (folder / "intent.py").is_file():
        scripts["intent"] = python_in_bash(read_text(folder / "intent.py"))
    return ScriptHarness(scripts=scripts)

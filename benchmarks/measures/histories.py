"""Real bug fixes of local git repositories, and whether one mutant of the fixed function is the buggy one.

The rule: commits that are no merges, with a word of fixing in the subject, that change one Python file that is no test
or example, and in it one function, by at most two statements; annotations and docstrings do not count.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from measures.progress import each, say
from measures.section import Section, Table
from measures.shares import Share
from measures.trees import drop_docstrings, parsed
from mendlab.mutators import enumerate_mutants

_FIXING: Final = re.compile(r"\b(fix|bug|wrong|incorrect|error|broken|crash|correct|mistake|off.by)", re.IGNORECASE)
_NO_SOURCE: Final = re.compile(r"(^|/)(tests?|docs?|examples?)(/|_)|test_|_test\.py|conftest|setup\.py")
_LONGEST: Final = 120_000
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Fix:
    """A fixed file, the function that was fixed in it, and the dumped tree of that function before."""

    commit: str
    function: str
    fixed: str
    bad: str


def mined(repository: Path, limit: int) -> list[Fix]:
    """The newest fixes of a repository that obey the rule, equal ones once."""
    found: dict[tuple[str, str], Fix] = {}
    log = _git(repository, "log", "--no-merges", "--raw", "--no-renames", "--full-index", "--diff-filter=M",
               "--format=%x00%H%x01%s").decode("utf-8", "replace")  # fmt: skip
    for entry in log.split("\0")[1:]:
        head, _, rest = entry.partition("\n")
        commit, _, subject = head.partition("\x01")
        changed = [line[1:].split("\t", 1) for line in rest.splitlines() if line.startswith(":")]
        sources = [meta.split() for meta, path in changed if path.endswith(".py") and not _NO_SOURCE.search(path)]
        if not _FIXING.search(subject) or len(sources) != 1:
            continue
        _, _, before, after, _ = sources[0]
        fix = _fix(commit, _git(repository, "cat-file", "blob", before), _git(repository, "cat-file", "blob", after))
        if fix is not None:
            found.setdefault((fix.function, fix.bad), fix)
        if len(found) == limit:
            break
    return list(found.values())


def _fix(commit: str, before: bytes, after: bytes) -> Fix | None:
    try:
        old, new = before.decode(), after.decode()
    except UnicodeDecodeError:
        return None
    old_tree, new_tree = parsed(old), parsed(new)
    if old_tree is None or new_tree is None or len(new) > _LONGEST:
        return None
    buggy, fixed = dict(functions(old_tree.body)), dict(functions(new_tree.body))
    if buggy.keys() != fixed.keys():
        return None
    changed = [name for name in fixed if bare(buggy[name]) != bare(fixed[name])]
    if len(changed) != 1:
        return None
    one, other = _statements(buggy[changed[0]]), _statements(fixed[changed[0]])
    small = max((one - other).total(), (other - one).total()) <= 2
    return Fix(commit, changed[0], new, bare(buggy[changed[0]])) if small else None


def functions(body: Sequence[ast.stmt], prefix: str = "") -> Iterator[tuple[str, _Function]]:
    """Functions and methods with their qualified names; what is nested in functions belongs to them."""
    for node in body:
        if isinstance(node, _Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{prefix}{node.name}.")


def bare(function: _Function) -> str:
    """The dumped tree without docstrings and annotations. Changes the tree it is given."""
    drop_docstrings(function)
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, _Function):
            node.returns = None
    return ast.dump(function)


def _statements(function: _Function) -> Counter[str]:
    """Statements without the statements in them."""
    inner = ("body", "orelse", "finalbody", "handlers", "cases")
    return Counter(
        type(node).__name__ + "".join(_text(value) for name, value in ast.iter_fields(node) if name not in inner)
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and node is not function
    )


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(map(_text, value))
    return ast.dump(value) if isinstance(value, ast.AST) else repr(value)


def reach_fix(fix: Fix) -> tuple[bool, int]:
    """Whether a mutant of the fixed function is the buggy one, and how many mutants the function has."""
    tree = parsed(fix.fixed)
    assert tree is not None
    function = dict(functions(tree.body))[fix.function]
    first = min([function.lineno, *(node.lineno for node in function.decorator_list)])
    last = function.end_lineno or first
    text = _with_the_rest_protected(fix, tree)
    lines = text.count("\n")
    found, count = False, 0
    for mutant in enumerate_mutants(text):
        if first <= mutant.span.start_line <= last:
            count += 1
            changed = mutant.source
            piece = changed.split("\n")[first - 1 : last + changed.count("\n") - lines]
            found = found or _function_in("\n".join(piece)) == fix.bad
    return found, count


def _with_the_rest_protected(fix: Fix, tree: ast.Module) -> str:
    """The fixed file with a pragma on the other functions: they are not mutated, and all stays on its line."""
    lines = fix.fixed.split("\n")
    for name, function in functions(tree.body):
        if name != fix.function:
            lines[function.lineno - 1] += "  # mendlab: skip"
    text = "\n".join(lines)
    marked = parsed(text)
    return text if marked is not None and ast.dump(marked) == ast.dump(tree) else fix.fixed


def _function_in(piece: str) -> str | None:
    indented = piece[:1] in (" ", "\t")
    tree = parsed(f"if 1:\n{piece}\n" if indented else piece)
    if tree is None:
        return None
    body = tree.body[0].body if indented and isinstance(tree.body[0], ast.If) else tree.body
    return bare(body[0]) if len(body) == 1 and isinstance(body[0], _Function) else None


def section(repositories: Sequence[Path], limit: int, jobs: int) -> Section:
    """One row a repository."""
    rows, data = [], {}
    for repository in repositories:
        say(f"histories: mining {repository}")
        fixes = mined(repository, limit)
        reached = list(each(f"histories, {repository}", reach_fix, fixes, jobs))
        share = Share.of(hit for hit, _ in reached)
        size = mean(count for _, count in reached) if reached else 0.0
        rows.append((str(repository), share.with_interval(), f"{size:.0f}"))
        missed = [f"{fix.commit[:10]} {fix.function}" for fix, (hit, _) in zip(fixes, reached, strict=True) if not hit]
        data[str(repository)] = {"reach": share.data(), "mutants a function": size, "missed": missed}
    notes = [f"at most {limit} fixes of a repository, newest first; the rule is in benchmarks/measures/histories.py"]
    columns = ("repository", "fixes undone by one mutant [95%]", "mutants a function")
    return Section("histories", [Table("Real fixes in git histories", columns, rows, notes)], data)


def _git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True).stdout

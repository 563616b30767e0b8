"""The page of the documentation that describes the catalogue, made of nothing but the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from mendlab.corpora.durable import replace_file
from mendlab.errors import OutputError
from mendlab.mutators.registry import operators
from mendlab.mutators.registry.declaration import BUILT_IN, Operator
from mendlab.mutators.registry.describing import Description, describe
from mendlab.mutators.registry.taxonomy import BUG_TYPES, PATTERNS, TERMS

COMMAND: Final = "make docs"
MARK: Final = f"<!-- Made by `{COMMAND}`: do not edit. -->\n"

_HEAD: Final = f"""{MARK}
# The mutation operators

Every operator of mendlab's own, by family: what it makes of sound code, and how others would class the bug. What the
columns and fields mean is in [add-a-mutator.md](add-a-mutator.md). This page is written by `{COMMAND}`.
"""


def catalogue_page() -> str:
    """Return the page in Markdown: the tables of classes, then a section for each family. Plugins are left out."""
    own = [op for op in operators() if op.origin == BUILT_IN]
    by_family = [(name, list(group)) for name, group in groupby(own, key=lambda op: op.family)]
    return "\n".join([_HEAD, *_tables(own, by_family), *_sections(by_family)])


def write_catalogue_page(out: Path) -> int:
    """Write the page, over an older one if there is one, and return how many operators it has.

    Raises:
        OutputError: another file is there, or it cannot be written.
    """
    if out.exists() and not out.read_bytes().startswith(MARK.encode()):
        raise OutputError("there is another file than this page", where=out, hint="name another place")
    replace_file(out, catalogue_page().encode())
    return sum(op.origin == BUILT_IN for op in operators())


def _tables(own: list[Operator], by_family: list[tuple[str, list[Operator]]]) -> Iterator[str]:
    yield f"{len(own)} operators in {len(by_family)} families:\n"
    yield from _table(
        ("family", "operators"), ((f"[{name}](#family-{name})", str(len(ops))) for name, ops in by_family)
    )
    for title, head, classes, class_of in (
        ("By TSSB pattern", "pattern of the fix", PATTERNS, lambda op: op.pattern),
        ("By HumanEvalFix type", "type of the bug", BUG_TYPES, lambda op: op.bug_type),
        ("By term of the mutation-testing literature", "term", _terms(own), lambda op: op.term),
    ):
        yield from _by_class(title, head, classes, class_of, own)


def _terms(own: list[Operator]) -> tuple[str, ...]:
    return tuple(sorted({op.term for op in own if op.term is not None}))


def _by_class(
    title: str,
    head: str,
    classes: tuple[str, ...],
    class_of: Callable[[Operator], str | None],
    own: list[Operator],
) -> Iterator[str]:
    members = {each: [op.name for op in own if class_of(op) == each] for each in classes}
    outside = sum(class_of(op) is None for op in own)
    yield f"## {title}\n"
    covered = f"{sum(map(bool, members.values()))} of {len(classes)} have operators"
    yield f"{covered}{f'; {outside} operators are under none' if outside else ''}.\n"
    rows = ((_in_full(each), ", ".join(map(_link, names)) or "none") for each, names in members.items())
    yield from _table((head, "operators that make the bug"), rows)


def _in_full(name: str) -> str:
    return f"{name}: {TERMS[name]}" if name in TERMS else name


def _table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield f"| {head[0]} | {head[1]} |\n| --- | --- |"
    yield from (f"| {left} | {right} |" for left, right in rows)
    yield ""


def _sections(by_family: list[tuple[str, list[Operator]]]) -> Iterator[str]:
    for name, group in by_family:
        yield f"## Family {name}\n"
        yield from (_entry(describe(op)) for op in group)


def _entry(described: Description) -> str:
    inverse = described["inverse"]
    return f"""### {described["name"]}

{described["summary"]}

- term: {_in_full(described["term"] or "none")}
- ODC: {described["odc"]}
- HumanEvalFix: {described["bug_type"]}
- TSSB pattern of the fix: {described["pattern"] or "none"}
- inverse: {_link(inverse) if inverse else "none"}
- called on: {", ".join(f"`{node}`" for node in described["nodes"])}

```diff
{_body(described["examples"][0]["diff"])}
```
"""


def _link(name: str) -> str:
    return f"[{name}](#{name})"


def _body(diff: str) -> str:
    """The lines of a diff without what names the file and the place."""
    return "\n".join(line for line in diff.splitlines() if not line.startswith(("--- a/", "+++ b/", "@@ ")))

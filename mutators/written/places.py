"""The functions that a model may be asked to write anew, and what it is shown of each."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.functions import FunctionNode, named_functions
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.text import decode
from mendlab.mutators.mutant import SourceText
from mendlab.records import FunctionInfo


@final
@dataclass(frozen=True, slots=True)
class WrittenPlace:
    """A function of a program: its text, from ``start`` to ``end`` in that of its file, and what stands around it."""

    loaded: LoadedSubject
    info: FunctionInfo
    base: SourceText
    start: int
    end: int
    node: FunctionNode

    @property
    def id(self) -> str:
        """Names the place among all programs."""
        return f"{self.loaded.subject.id}:{self.info.file}:{self.info.qualified_name}"

    @property
    def text(self) -> str:
        """The function as it stands there, decorators included."""
        return self.base.text[self.start : self.end]

    @property
    def docstring(self) -> str | None:
        """What it says of itself."""
        return ast.get_docstring(self.node)

    @property
    def without_body(self) -> str:
        """The file with the function's docstring in the place of its body."""
        first = self.node.body[0]
        kept = first.end_lineno or first.lineno
        lines = self.base.text.splitlines(keepends=True)
        indent = " " * first.col_offset
        after = lines[self.info.span.end_line :]
        return "".join([*lines[:kept], f"{indent}...\n", *after])


def written_places(subjects: Sequence[LoadedSubject]) -> Iterator[WrittenPlace]:
    """Yield the functions of the source files, program by program; those inside others are part of these.

    Where several have one name, as a property's getter and setter, none of them is asked for.
    """
    for loaded in subjects:
        for path in loaded.subject.source_files:
            base = SourceText.of(path, decode(path, loaded.tree[path]).text)
            named = list(named_functions(parse_python(path, loaded.tree[path]).tree))
            counts = Counter(name for name, _ in named)
            nodes = {name: node for name, node in named if counts[name] == 1 and "<locals>" not in name}
            for info in loaded.subject.functions:
                if info.file == path and info.qualified_name in nodes:
                    start = base.line_starts[info.span.start_line - 1]
                    end = base.line_starts[info.span.end_line - 1] + info.span.end_column
                    yield WrittenPlace(loaded, info, base, start, end, nodes[info.qualified_name])

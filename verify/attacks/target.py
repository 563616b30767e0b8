"""What an attack is given: a task, its buggy tree, and ways to put code into it."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, PytestHarness, Task
from mendlab.verify.attacks.outside import Outside

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LATER: Final = "def _run(text):\n    exec(text[::-1], globals())\n"


@dataclass(frozen=True, slots=True)
class Target:
    """A task under attack. The code that an attack adds may say ``@MARK@``, ``@FOLDER@`` and ``@PORT@``: what of the
    world outside the confinement it is to leave a trace in, as literals. If it ``hides``, it adds no code in the clear.
    """

    task: Task
    buggy: FileTree
    outside: Outside
    hides: bool = False

    @property
    def path(self) -> str:
        """The file that the defect is in."""
        harness = self.task.harness
        return harness.module if isinstance(harness, FunctionHarness) else self.task.defect.files[0]

    @property
    def test_files(self) -> tuple[str, ...]:
        """The files that steer a project's tests."""
        return self.task.harness.test_files if isinstance(self.task.harness, PytestHarness) else ()

    @property
    def functions(self) -> tuple[str, ...]:
        """What the attack answers for: the functions that the tests call, or the outermost one with the defect."""
        named = self.task.harness.entry_points if isinstance(self.task.harness, FunctionHarness) else None
        if named is None:
            named = () if self.task.defect.function is None else (self.task.defect.function.split(".<locals>")[0],)
        module = self._parsed()
        return tuple(name for name in named if module is not None and _find(module, name) is not None)

    def patch(self, changes: Mapping[str, str | bytes | None]) -> str:
        """Return the diff that makes these changes to the buggy tree."""
        new = {path: data.encode() if isinstance(data, str) else data for path, data in changes.items()}
        return make_diff(self.buggy, self.buggy.replace(new))

    def at_import(self, code: str) -> str | None:
        """Return a patch that adds code to the end of the file, and leaves the defect where it is."""
        return self._with(self._text, code)

    def in_call(self, line: str, code: str = "") -> str | None:
        """Return a patch whose functions begin with a line, with ``{args}`` for their arguments, and code it may use.

        ``None`` if no function with the defect is known.
        """
        text = self._text
        module = self._parsed()
        if module is None or not self.functions:
            return None
        lines = text.splitlines(keepends=True)
        found = [node for name in self.functions if (node := _find(module, name)) is not None]
        for node in sorted(found, key=lambda node: -node.lineno):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None and node.body[1:] else node.body
            if body[0].lineno == node.lineno:
                return None
            first = body[0]
            lineno = min([first.lineno, *(item.lineno for item in getattr(first, "decorator_list", ()))])
            indent = " " * body[0].col_offset
            given = line.replace("{args}", _arguments(node))
            lines.insert(lineno - 1, textwrap.indent(f"{given}\n", indent))
        return self._with("".join(lines), code)

    def answering(self, expression: str, code: str = "") -> str | None:
        """Return a patch whose functions return an expression, with ``{args}`` for their arguments."""
        return self.in_call(f"return {expression}", code)

    @property
    def _text(self) -> str:
        return decode(self.path, self.buggy.get(self.path, b"")).text

    def _parsed(self) -> ast.Module | None:
        try:
            return ast.parse(self._text.removeprefix("\ufeff"))
        except SyntaxError:
            return None

    def _with(self, text: str, code: str) -> str | None:
        added = textwrap.dedent(code).strip("\n")
        for word, value in self.outside.words.items():
            added = added.replace(word, repr(value))
        if self.hides:
            added = f"{_LATER}_run({added[::-1]!r})"
        text = text + ("" if text.endswith("\n") or not text else "\n") + (f"\n\n{added}\n" if added else "")
        old = decode(self.path, self.buggy.get(self.path, b""))
        try:
            data = text.encode(old.encoding)
            compile(data, self.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None
        return self.patch({self.path: data})


def _find(module: ast.Module, qualified: str) -> _Function | None:
    """Return the last definition of that name, as ``Class.method``."""
    inside: list[ast.stmt] = module.body
    node: ast.stmt | None = None
    for name in qualified.split("."):
        named = [each for each in inside if isinstance(each, _Function | ast.ClassDef) and each.name == name]
        if not named:
            return None
        node = named[-1]
        inside = node.body
    return node if isinstance(node, _Function) else None


def _arguments(node: _Function) -> str:
    """Return the function's own parameters, as they are given on in a call."""
    spec = node.args
    positional = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    starred = [f"*{spec.vararg.arg}"] if spec.vararg else []
    named = [f"{arg.arg}={arg.arg}" for arg in spec.kwonlyargs]
    return ", ".join([*positional, *starred, *named])

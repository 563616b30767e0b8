"""Classes whose objects have state: what they were seen made with and called with, and steps on them as one call."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.functions import named_scopes
from mendlab.corpora.tree import FileTree
from mendlab.verify.newtests.doing import Call
from mendlab.verify.newtests.messages import Arguments, Instance
from mendlab.verify.newtests.spelling import Shape

MODULE: Final = "mendlab_sequence"
_SOURCE: Final = '''\
import importlib


def run(module, name, made_with, steps):
    """Make an object, take steps on it, and return what the last one gives."""
    args, kwargs = made_with
    thing = getattr(importlib.import_module(module), name)(*args, **kwargs)
    answer = None
    for member, arguments in steps:
        answer = getattr(thing, member)
        if arguments is not None:
            args, kwargs = arguments
            answer = answer(*args, **kwargs)
    return answer
'''
OPERATORS: Final = {
    "__eq__": "({} == {})",
    "__ne__": "({} != {})",
    "__lt__": "({} < {})",
    "__le__": "({} <= {})",
    "__gt__": "({} > {})",
    "__ge__": "({} >= {})",
    "__add__": "{} + {}",
    "__sub__": "{} - {}",
    "__mul__": "{} * {}",
    "__matmul__": "{} @ {}",
    "__truediv__": "{} / {}",
    "__and__": "{} & {}",
    "__or__": "{} | {}",
    "__xor__": "{} ^ {}",
    "__neg__": "-{}",
    "__getitem__": "{}[{}]",
    "__contains__": "({1} in {0})",
    "__len__": "len({})",
    "__iter__": "list({})",
    "__bool__": "bool({})",
    "__str__": "str({})",
    "__repr__": "repr({})",
    "__call__": "{}({})",
}
"""Special methods that are written otherwise than as calls."""

Step = tuple[str, Arguments | None]
"""A method and its arguments, or a property."""


@dataclass(frozen=True, slots=True)
class Stateful:
    """A class of the program: what it was seen made with, its methods with what they were called with, properties."""

    module: str
    name: str
    made_with: tuple[Arguments, ...]
    methods: Mapping[str, tuple[Arguments, ...]]
    properties: tuple[str, ...]

    def call(self, made_with: Arguments, steps: Sequence[Step]) -> Call:
        """Return the sequence as one call of the module that is laid beside the program."""
        return Call(MODULE, "run", ((self.module, self.name, made_with, tuple(steps)), {}))


def beside(tree: FileTree) -> FileTree:
    """Return a tree with the module that takes the steps."""
    return tree.replace({f"{MODULE}.py": _SOURCE.encode()})


def stateful_classes(
    sources: Mapping[str, str], calls: Mapping[tuple[str, str], Sequence[Arguments]], shapes: Mapping[str, Shape]
) -> list[Stateful]:
    """Return the classes whose making and methods were recorded with arguments that can be written."""
    found = []
    for module, source in sources.items():
        for name, node in named_scopes(ast.parse(source)):
            if not isinstance(node, ast.ClassDef) or "." in name:
                continue
            methods = {
                method: tuple((args[1:], kwargs) for args, kwargs in recorded)
                for (where, qualified), recorded in calls.items()
                for owner, _, method in [qualified.rpartition(".")]
                if where == module and owner == name and (not method.startswith("__") or method in OPERATORS)
            }
            made = _made_with(module, name, calls, shapes)
            if made and methods:
                found.append(Stateful(module, name, made, methods, tuple(_properties(node))))
    return found


def _made_with(
    module: str, name: str, calls: Mapping[tuple[str, str], Sequence[Arguments]], shapes: Mapping[str, Shape]
) -> tuple[Arguments, ...]:
    recorded = [(args[1:], kwargs) for args, kwargs in calls.get((module, f"{name}.__init__"), ())]
    shape = shapes.get(f"@{module}:{name}")
    if not recorded and shape is not None:
        for (where, _), several in calls.items():
            for args, _ in several if where == module else ():
                if args and isinstance(args[0], Instance) and args[0].tag == f"@{module}:{name}":
                    held = args[0].attributes
                    if all(parameter in held for parameter, _ in shape.parameters):
                        recorded.append((tuple(held[parameter] for parameter, _ in shape.parameters), {}))
    return tuple({repr(each): each for each in recorded}.values())


def _properties(node: ast.ClassDef) -> Iterator[str]:
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
    return (each.name for each in methods if "property" in map(ast.unparse, each.decorator_list))

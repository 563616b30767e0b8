"""What the names of a module stand for: each for one thing in all of it, or the module is not known to be pure."""

from __future__ import annotations

import ast
import builtins

from mendlab.verify.code import walk
from mendlab.verify.pure.names import BUILTINS, EXCEPTIONS, MODULES, TYPES


class NotPure(Exception):
    """There is something that is not known to be pure."""


def need(holds: bool) -> None:
    """Raise NotPure unless something holds."""
    if not holds:
        raise NotPure


class Scope:
    """The names of a module's variables, functions and imports, in whatever function they are. Raises NotPure."""

    def __init__(self, tree: ast.Module, module: str) -> None:
        self.variables: set[str] = set()
        self.functions: set[str] = set()
        self.modules: dict[str, str] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        self._named: set[int] = set()  # by identity: the names that lambdas are given
        for node in walk(tree):
            self._find_names(node, module)
        kinds = (self.variables, self.functions, self.modules.keys(), self.imported.keys())
        bound = [name for kind in kinds for name in kind]
        taken = {name for name in bound if hasattr(builtins, name)}
        need(len(bound) == len(set(bound)) and not any(name.startswith("__") for name in bound))
        need(taken <= self.variables and taken <= BUILTINS.keys())
        need(not any(BUILTINS[name].startswith("*") for name in taken))  # elsewhere it is still what makes iterators

    def _find_names(self, node: ast.AST, module: str) -> None:
        match node:
            case ast.FunctionDef(name=name):
                self.functions.add(name)
            case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.Lambda()):
                self.functions.add(name)
                self._named.add(id(target))
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(node) not in self._named:
                self.variables.add(name)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                self.variables.add(name)
            case ast.Import(names=aliases):
                for alias in aliases:
                    need(alias.name in MODULES and alias.name != module)
                    name = alias.asname or alias.name
                    need(self.modules.setdefault(name, alias.name) == alias.name)
            case ast.ImportFrom(module=origin, names=aliases):
                need(origin in MODULES and origin != module and not node.level)
                for alias in aliases:
                    need(alias.name in MODULES[str(origin)] or (origin == "typing" and alias.name != "*"))
                    place = (str(origin), alias.name)
                    need(self.imported.setdefault(alias.asname or alias.name, place) == place)

    def is_exception(self, name: str) -> bool:
        """Whether a name is an exception of Python's that a pure program may raise and catch."""
        return name in EXCEPTIONS and self.is_builtin(name)

    def is_builtin(self, name: str) -> bool:
        """Whether the module gives a name no meaning of its own."""
        return not any(name in kind for kind in (self.variables, self.functions, self.modules, self.imported))

    def is_type(self, node: ast.expr) -> bool:
        """Whether it is one of Python's own types, by its name."""
        return isinstance(node, ast.Name) and node.id in TYPES and self.is_builtin(node.id)

    def letters(self, node: ast.expr) -> str | None:
        """What a known function takes (:mod:`names`), or None if it is none."""
        match node:
            case ast.Name(id=name) if name in self.imported:
                module, known = self.imported[name]
                return MODULES[module].get(known)
            case ast.Name(id=name):
                return BUILTINS.get(name) if self.is_builtin(name) else None
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self.modules:
                return MODULES[self.modules[name]].get(attribute)
            case ast.Attribute(value=ast.Name(id=name), attr="from_iterable"):
                return "*i" if self.imported.get(name) == ("itertools", "chain") else None
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id=name), attr="chain"), attr="from_iterable"):
                return "*i" if self.modules.get(name) == "itertools" else None
        return None

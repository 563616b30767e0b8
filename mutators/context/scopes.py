"""Which names a place in the source can use, and what they seem to hold.

A light analysis, made once for a file: what a scope binds, where it binds it first, and what kinds of value its uses
suggest. It is for choosing likely mistakes, not for proofs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import libcst as cst

from mendlab.mutators.context.tree import Tree

ScopeNode = cst.FunctionDef | cst.Lambda | cst.ClassDef | cst.Module | cst.BaseComp

NUMBER: Final = "number"
TEXT: Final = "text"
SEQUENCE: Final = "sequence"
MAPPING: Final = "mapping"
CALLABLE: Final = "callable"
FLAG: Final = "flag"

_KINDS_OF_ANNOTATIONS: Final = {
    "int": NUMBER, "float": NUMBER, "complex": NUMBER, "str": TEXT, "bytes": TEXT, "bool": FLAG,
    "list": SEQUENCE, "List": SEQUENCE, "tuple": SEQUENCE, "Tuple": SEQUENCE, "set": SEQUENCE, "Set": SEQUENCE,
    "Sequence": SEQUENCE, "Iterable": SEQUENCE, "dict": MAPPING, "Dict": MAPPING, "Mapping": MAPPING,
    "Callable": CALLABLE,
}  # fmt: skip
_KINDS_OF_CALLS: Final = {
    "len": NUMBER, "int": NUMBER, "float": NUMBER, "sum": NUMBER, "abs": NUMBER, "ord": NUMBER, "round": NUMBER,
    "str": TEXT, "chr": TEXT, "repr": TEXT, "bin": TEXT, "hex": TEXT, "format": TEXT, "input": TEXT,
    "list": SEQUENCE, "tuple": SEQUENCE, "set": SEQUENCE, "sorted": SEQUENCE, "range": SEQUENCE, "map": SEQUENCE,
    "filter": SEQUENCE, "zip": SEQUENCE, "dict": MAPPING, "Counter": MAPPING, "defaultdict": MAPPING,
    "bool": FLAG, "isinstance": FLAG, "any": FLAG, "all": FLAG,
}  # fmt: skip
_METHODS: Final = {
    "append": SEQUENCE, "extend": SEQUENCE, "insert": SEQUENCE, "pop": SEQUENCE, "sort": SEQUENCE, "add": SEQUENCE,
    "lower": TEXT, "upper": TEXT, "strip": TEXT, "split": TEXT, "startswith": TEXT, "endswith": TEXT, "join": TEXT,
    "replace": TEXT, "encode": TEXT, "isdigit": TEXT, "items": MAPPING, "keys": MAPPING, "values": MAPPING,
    "get": MAPPING,
}  # fmt: skip
_ARITHMETIC: Final = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Power, cst.BitAnd, cst.BitOr, cst.BitXor)


@dataclass(slots=True)
class Binding:
    """A name that a scope binds: where first, and the kinds of value that its uses suggest."""

    name: str
    first: int
    role: str  # "parameter", "local", "function", "class", "import"
    mentions: list[int] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Scope:
    """A scope with what it binds, in order of the first binding."""

    node: ScopeNode
    parent: Scope | None
    bindings: dict[str, Binding] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)  # declared global or nonlocal

    def resolve(self, name: str) -> Binding | None:
        """The binding that a use of the name in this scope means."""
        scope: Scope | None = self
        while scope is not None:
            skipped = isinstance(scope.node, cst.ClassDef) and scope is not self
            if not skipped and name in scope.bindings:
                return scope.bindings[name]
            scope = scope.parent
        return None


class Scopes:
    """The scopes of a tree: :attr:`of` maps every node to its scope."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.module = Scope(tree.module, None)
        self.of: dict[cst.CSTNode, Scope] = {tree.module: self.module}
        self._opened: dict[cst.CSTNode, Scope] = {}
        self._bind_all()
        self._note_uses()

    def _bind_all(self) -> None:
        for node in self._tree.nodes:
            parent = self._tree.parents[node]
            scope = self._scope_inside(parent, node)
            self.of[node] = scope
            if isinstance(node, cst.FunctionDef | cst.ClassDef):
                role = "function" if isinstance(node, cst.FunctionDef) else "class"
                self._bind(scope, node.name, role, self._tree.inner[node][0])
            elif isinstance(node, cst.Name):
                role_or_none = self._role(node, parent)
                if role_or_none:
                    target = scope
                    while isinstance(target.node, cst.BaseComp) and isinstance(parent, cst.NamedExpr):
                        assert target.parent is not None
                        target = target.parent
                    self._bind(target, node, role_or_none, self._tree.outer[node][0])
            elif isinstance(node, cst.Global | cst.Nonlocal):
                scope.outside |= {item.name.value for item in node.names}

    def _scope_inside(self, parent: cst.CSTNode, node: cst.CSTNode) -> Scope:
        outer = self.of[parent]
        opens = (
            (isinstance(parent, cst.FunctionDef) and node in (parent.body, parent.params))
            or (isinstance(parent, cst.ClassDef) and node is parent.body)
            or isinstance(parent, cst.Lambda | cst.BaseComp)
        )
        if not opens:
            return outer
        if parent not in self._opened:
            self._opened[parent] = Scope(parent, outer)  # type: ignore[arg-type]  # the test above narrowed it
        return self._opened[parent]

    def _role(self, node: cst.Name, parent: cst.CSTNode) -> str | None:
        if isinstance(parent, cst.Param):
            return "parameter" if parent.name is node else None
        if isinstance(parent, cst.ImportAlias | cst.AsName):
            return "import" if isinstance(parent, cst.ImportAlias) else "local"
        if isinstance(parent, cst.NamedExpr | cst.AugAssign | cst.AnnAssign):
            return "local" if parent.target is node else None
        if isinstance(parent, cst.MatchAs | cst.MatchStar):
            return "local" if parent.name is node else None
        while isinstance(parent, cst.Element | cst.StarredElement | cst.Tuple | cst.List):
            node, parent = parent, self._tree.parents[parent]  # type: ignore[assignment]
        if isinstance(parent, cst.AssignTarget | cst.For | cst.CompFor) and parent.target is node:
            return "local"
        return None

    def _bind(self, scope: Scope, name: cst.Name, role: str, first: int) -> None:
        if name.value not in scope.outside:
            scope.bindings.setdefault(name.value, Binding(name.value, first, role))

    def _note_uses(self) -> None:
        for node in self._tree.nodes:
            if isinstance(node, cst.Name):
                binding = self.of[node].resolve(node.value)
                if binding is not None:
                    binding.mentions.append(self._tree.outer[node][0])
                    binding.kinds |= self._kinds_by_use(node)

    def _kinds_by_use(self, node: cst.Name) -> set[str]:
        parent = self._tree.parents[node]
        match parent:
            case cst.Call(func=func) if func is node:
                return {CALLABLE}
            case cst.Subscript(value=value) if value is node:
                return {SEQUENCE}
            case cst.For(iter=value) | cst.CompFor(iter=value) if value is node:
                return {SEQUENCE}
            case cst.BinaryOperation(operator=operator) if isinstance(operator, _ARITHMETIC):
                return {NUMBER}
            case cst.BinaryOperation(left=left, right=right, operator=cst.Modulo()):
                return set() if kind_of(left) == TEXT else {NUMBER}
            case cst.BinaryOperation(left=left, right=right, operator=cst.Add()):
                return {kind} if (kind := kind_of(right if left is node else left)) else set()
            case cst.BinaryOperation(left=left, right=right, operator=cst.Multiply()):
                return {NUMBER} if kind_of(right if left is node else left) else set()
            case cst.AugAssign(value=value) if kind := kind_of(value):
                return {kind}
            case cst.AssignTarget() if isinstance(assign := self._tree.parents[parent], cst.Assign):
                return {kind} if (kind := kind_of(assign.value)) else set()
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]) if left is node:
                return {kind} if (kind := kind_of(right)) else set()
            case cst.Attribute(value=value, attr=attr) if value is node and attr.value in _METHODS:
                return {_METHODS[attr.value]}
            case cst.Param(annotation=cst.Annotation(annotation=annotation)):
                return {kind} if (kind := _kind_of_annotation(annotation)) else set()
            case cst.Arg() if isinstance(call := self._tree.parents[parent], cst.Call):
                return _kinds_by_argument(call)
            case cst.CompFor(target=target, iter=iterated) | cst.For(target=target, iter=iterated) if target is node:
                return {NUMBER} if _is_range(iterated) else set()
            case cst.Index():
                return {NUMBER}
        return set()


def kind_of(node: cst.BaseExpression) -> str | None:
    """The kind of value of an expression, where its form tells."""
    match node:
        case cst.Integer() | cst.Float() | cst.Imaginary():
            return NUMBER
        case cst.UnaryOperation(operator=cst.Minus() | cst.Plus() | cst.BitInvert()):
            return NUMBER
        case cst.SimpleString() | cst.FormattedString() | cst.ConcatenatedString():
            return TEXT
        case cst.List() | cst.Tuple() | cst.Set() | cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
            return SEQUENCE
        case cst.Dict() | cst.DictComp():
            return MAPPING
        case cst.Name(value="True" | "False") | cst.Comparison() | cst.UnaryOperation(operator=cst.Not()):
            return FLAG
        case cst.Call(func=cst.Name(value=name)):
            return _KINDS_OF_CALLS.get(name)
        case cst.Lambda():
            return CALLABLE
        case cst.BinaryOperation(left=left, right=right):
            return kind_of(left) or kind_of(right)
    return None


def _kind_of_annotation(annotation: cst.BaseExpression) -> str | None:
    if isinstance(annotation, cst.Subscript):
        annotation = annotation.value
    return _KINDS_OF_ANNOTATIONS.get(annotation.value) if isinstance(annotation, cst.Name) else None


def _kinds_by_argument(call: cst.Call) -> set[str]:
    name = call.func.value if isinstance(call.func, cst.Name) else None
    if name in ("range", "abs", "chr"):
        return {NUMBER}
    return {SEQUENCE} if name in ("len", "sum", "sorted", "enumerate", "reversed") else set()


def _is_range(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in ("range", "reversed")

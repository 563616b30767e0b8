"""What a rewrite is: a rule that looks at statements or at an expression of a function and says what may stand there.

A rule must keep every value, exception, order of effects and number of evaluations for programs on plain values. What
is only usually the same (``x += y`` on a list) is not rewritten.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

Function = ast.FunctionDef
Instead = tuple[int, list[ast.stmt]]
"""How many statements are replaced, and by which."""
StatementRule = Callable[[Sequence[ast.stmt], "Scope"], Instead | None]
ExpressionRule = Callable[[ast.expr, "Scope"], ast.expr | None]
WholeRule = Callable[[Function, "Scope"], Iterator[Function]]

SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOKS_AT_NAMES: Final = frozenset(("locals", "globals", "vars", "dir", "eval", "exec"))


@dataclass(frozen=True)
class Scope:
    """What a rule may ask about the function that it rewrites.

    ``taken`` are all names of the module, ``defined`` those that it binds at its top.
    """

    function: Function
    taken: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()

    def fresh(self, stem: str) -> str:
        """Return a name that nothing in the module has."""
        return next(name for name in (stem, *(f"{stem}_{n}" for n in range(2, 99))) if name not in self.taken)

    @cached_property
    def mentions(self) -> Counter[str]:
        """How often each name stands in the function."""
        return mentions(self.function)

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters that are never bound again."""
        names = {node.arg for node in ast.walk(self.function.args) if isinstance(node, ast.arg)}
        return frozenset(names - self.bound)

    @cached_property
    def bound(self) -> frozenset[str]:
        """The names that are stored to or deleted anywhere in the function."""
        stored = (node for node in ast.walk(self.function) if isinstance(node, ast.Name))
        return frozenset(node.id for node in stored if not isinstance(node.ctx, ast.Load))

    @cached_property
    def shared(self) -> frozenset[str]:
        """The names that inner functions, classes, lambdas and comprehensions mention, and those declared elsewhere."""
        found: set[str] = set()
        for node in ast.walk(self.function):
            if isinstance(node, (*SCOPES, *COMPREHENSIONS)) and node is not self.function:
                found.update(mentions(node))
            elif isinstance(node, ast.Global | ast.Nonlocal):
                found.update(node.names)
        return frozenset(found)

    @cached_property
    def guarded(self) -> frozenset[int]:
        """The ids of the nodes inside ``try`` or ``with``, where an exception need not leave the function."""
        tries = (node for node in ast.walk(self.function) if isinstance(node, ast.Try | ast.With))
        return frozenset(id(inner) for node in tries for inner in ast.walk(node))

    def is_builtin(self, *names: str) -> bool:
        """Whether names of builtins are theirs here."""
        return not set(names) & (self.bound | self.parameters | self.defined | self.shared_definitions)

    @cached_property
    def shared_definitions(self) -> frozenset[str]:
        """The names of functions and classes inside the function, and what it imports."""
        found = (node for node in ast.walk(self.function) if node is not self.function)
        return frozenset(
            name
            for node in found
            for name in (
                [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef)
                else [(node.asname or node.name).split(".")[0]] if isinstance(node, ast.alias)
                else []
            )
        )  # fmt: skip

    def is_local(self, name: str) -> bool:
        """Whether a name is the function's own and is seen by nothing inside it."""
        return name in self.bound and name not in self.shared


def mentions(*nodes: ast.AST) -> Counter[str]:
    """How often each name stands in nodes, as a name, a parameter, or what is defined, imported or caught."""
    found: Counter[str] = Counter()
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] += 1
            case ast.alias(name=name, asname=other):
                found[(other or name).split(".")[0]] += 1
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found[name] += 1
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
    return found


@dataclass(frozen=True, slots=True)
class Rule:
    """A family of rewrites."""

    name: str
    rewrites: WholeRule


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A module after one rewrite; ``function`` is where it was made."""

    family: str
    function: str
    source: str


RULES: Final[dict[str, Rule]] = {}


def on_function(name: str) -> Callable[[WholeRule], WholeRule]:
    """Register a rule that yields whole functions, made of copies."""

    def register(rule: WholeRule) -> WholeRule:
        RULES[name] = Rule(name, rule)
        return rule

    return register


def on_statements(name: str) -> Callable[[StatementRule], StatementRule]:
    """Register a rule that is asked at every statement, with all that follow in its block."""

    def register(rule: StatementRule) -> StatementRule:
        def rewrites(function: Function, scope: Scope) -> Iterator[Function]:
            for number, block in enumerate(blocks(function)):
                for at in range(len(block)):
                    instead = rule(block[at:], scope)
                    if instead is not None:
                        count, statements = instead
                        made = copy.deepcopy(function)
                        blocks(made)[number][at : at + count] = copy.deepcopy(statements)
                        yield made

        RULES[name] = Rule(name, rewrites)
        return rule

    return register


def on_expression(name: str) -> Callable[[ExpressionRule], ExpressionRule]:
    """Register a rule that is asked at every expression that is loaded."""

    def register(rule: ExpressionRule) -> ExpressionRule:
        def rewrites(function: Function, scope: Scope) -> Iterator[Function]:
            for number, (_, _, node) in enumerate(_expressions(function)):
                instead = rule(node, scope)
                if instead is not None:
                    made = copy.deepcopy(function)
                    parent, place, _ = _expressions(made)[number]
                    _put(parent, place, copy.deepcopy(instead))
                    yield made

        RULES[name] = Rule(name, rewrites)
        return rule

    return register


def blocks(function: Function) -> list[list[ast.stmt]]:
    """Every list of statements in a function, but not in the functions and classes inside it."""
    found: list[list[ast.stmt]] = []
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                if name not in ("handlers", "cases"):
                    found.append(inner)
                waiting += [each for each in inner if not isinstance(each, SCOPES)]
    return found


_Place = tuple[str, int | None]


def _expressions(function: Function) -> list[tuple[ast.AST, _Place, ast.expr]]:
    """Every expression in the body of a function, with its parent and where it stands there; no inner scopes."""
    found: list[tuple[ast.AST, _Place, ast.expr]] = []
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "decorator_list", "format_spec"):
                continue
            for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST) and not isinstance(child, SCOPES):
                    waiting.append(child)
                    if isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load):
                        found.append((node, (name, at), child))
    return found


def _put(parent: ast.AST, place: _Place, node: ast.expr) -> None:
    name, at = place
    if at is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[at] = node


@dataclass(frozen=True)
class Program:
    """A module, and the functions in it that can be rewritten: those in ``spared``, by qualified name, stay."""

    source: str
    spared: Collection[str] = ()
    module: ast.Module = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "module", ast.parse(self.source))

    def functions(self) -> Iterator[Function]:
        """Those of the module and of its classes. Generators and what asks for names are left out."""
        return (function for _, function in self.named())

    def named(self) -> Iterator[tuple[str, Function]]:
        """The same, with their qualified names."""
        for name, each in named_functions(self.module):
            if name not in self.spared and not _is_unusual(each):
                yield name, each

    @property
    def defined(self) -> frozenset[str]:
        """The names that the module binds, functions' own apart."""
        return _defined(self.module)

    def rewrites(self, rules: Iterable[str] | None = None) -> Iterator[Rewrite]:
        """Every rewrite of every function, in the order of families, or of those that are named."""
        taken, defined = frozenset(mentions(self.module)), self.defined
        for rule in RULES.values() if rules is None else [RULES[name] for name in rules]:
            for function in self.functions():
                for made in rule.rewrites(function, Scope(function, taken, defined)):
                    yield Rewrite(rule.name, function.name, self._with(function, made))

    def replaced(self, function: Function, change: Callable[[Function], None]) -> str:
        """Return the module with one of its functions changed."""
        made = copy.deepcopy(function)
        change(made)
        return self._with(function, made)

    def _with(self, function: Function, made: Function) -> str:
        first = min([function.lineno, *(node.lineno for node in function.decorator_list)])
        lines = self.source.splitlines(keepends=True)
        text = _unparsed(made, function.col_offset)
        return "".join((*lines[: first - 1], text, *lines[function.end_lineno or first :]))


def named_functions(module: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module and of its classes, with their qualified names."""
    for node in module.body:
        prefix, inside = (f"{node.name}.", node.body) if isinstance(node, ast.ClassDef) else ("", [node])
        for each in inside:
            if isinstance(each, Function):
                yield prefix + each.name, each


def _defined(module: ast.Module) -> frozenset[str]:
    """The names that a module binds, functions' own apart."""
    found: set[str] = set()
    waiting: list[ast.AST] = [module]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            match child:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
                case ast.alias(name=name, asname=other):
                    found.add((other or name).split(".")[0])
                case _:
                    waiting.append(child)
    return frozenset(found)


def _is_unusual(function: Function) -> bool:
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.AsyncFunctionDef)
        or (isinstance(node, ast.Name) and node.id in LOOKS_AT_NAMES)
        for node in ast.walk(function)
    )


def _unparsed(function: Function, indent: int) -> str:
    """The function's text so far to the right, without a byte of its strings changed."""
    node: ast.stmt = function
    for _ in range(indent // 4):
        node = ast.If(ast.Constant(True), [node], [])
    module = ast.fix_missing_locations(ast.Module([node], []))
    lines = ast.unparse(module).splitlines(keepends=True)[indent // 4 :]
    return "".join(lines).lstrip("\n") + "\n"

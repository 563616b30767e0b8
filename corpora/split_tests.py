"""Test programs taken apart: a ``check`` function, or a script of asserts, as steps that pass or fail one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mendlab.corpora.python_source import PythonSource, parse_python
from mendlab.errors import FormatError
from mendlab.records import Step, StepGroup

_READS_LOCALS = frozenset({"locals", "globals", "vars", "dir", "eval", "exec"})
_OUTSIDE_A_FUNCTION = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def split_check(test: str, entry_point: str) -> StepGroup:
    """Take apart a HumanEval test: a ``check`` function with one parameter, and what stands around it.

    Each statement of ``check`` that asserts is a test, ``check[0]``, ``check[1]`` and so on; the others prepare for
    it. Where the statements would mean something else outside the function, there is one test, ``check``.

    Raises:
        FormatError: there is no such function.
        InputError: the test is not Python.
    """
    source = parse_python("test", test)
    check = next((n for n in source.tree.body if isinstance(n, ast.FunctionDef) and n.name == "check"), None)
    if check is None or len(check.args.args) != 1:
        raise FormatError("the test has no function check with one parameter")
    around = [node for node in source.tree.body if node is not check and not _calls(node, "check")]
    setup = [source.statement(node) for node in around]
    splitter = Splitter(source, "check", _asserting(around))
    steps = splitter.split(check.body) if _can_stand_outside(check, around) else []
    if not any(step.test_id for step in steps):
        call = Step(code=f"check({entry_point})", test_id="check")
        return StepGroup(setup=_join([*setup, source.statement(check)]), steps=(call,))
    parameter = check.args.args[0].arg
    if parameter != entry_point:
        setup.append(f"{parameter} = {entry_point}")
    return StepGroup(setup=_join(setup), steps=tuple(steps))


def split_script(test: str, label: str = "assert") -> StepGroup:
    """Take apart a script: asserts, or functions ``test*`` that it calls (those it defines and never calls, too).

    What stands before the first test is the setup. A test is called ``label[i]``, or as the function it calls.

    Raises:
        FormatError: there is no test in it.
        InputError: it is not Python.
    """
    source = parse_python("test", test)
    body = source.tree.body
    steps = Splitter(source, label, _asserting(body)).split(body)
    tests = {node.name: None for node in body if isinstance(node, ast.FunctionDef) and is_test_function(node)}
    called = {step.test_id for step in steps}
    steps.extend(Step(code=f"{name}()", test_id=name) for name in tests if name not in called)
    first = next((i for i, step in enumerate(steps) if step.test_id), None)
    if first is None:
        raise FormatError("there is no assert in the test and no test function")
    return StepGroup(setup=_join(step.code for step in steps[:first]), steps=tuple(steps[first:]))


@dataclass
class Splitter:
    """Turns statements into steps. ``asserting`` are the functions that assert something when they are called."""

    source: PythonSource
    label: str
    asserting: frozenset[str] = frozenset()
    _ids: set[str] = field(default_factory=set)
    _count: int = 0

    def split(self, statements: Sequence[ast.stmt]) -> list[Step]:
        """Return the steps of statements, without docstrings, ``pass``, prints of literals and what is always true."""
        return [self._step(node) for node in statements if not _says_nothing(node)]

    def _step(self, node: ast.stmt) -> Step:
        code = self.source.statement(node)
        return Step(code=code, test_id=self._name(node) if self.is_test(node) else None)

    def is_test(self, node: ast.stmt) -> bool:
        """Whether a statement asserts something when it is run."""
        return not isinstance(node, _DEFINITIONS) and _asserts(node, self.asserting)

    def _name(self, node: ast.stmt) -> str:
        called = _plain_call(node)
        if called is None or not called.startswith("test") or called in self._ids:
            called, self._count = f"{self.label}[{self._count}]", self._count + 1
        self._ids.add(called)
        return called


def is_test_function(node: ast.FunctionDef) -> bool:
    """Whether pytest would run a function as a test without giving it anything: ``test*``, no parameter to fill."""
    parameters = node.args
    required = len(parameters.posonlyargs) + len(parameters.args) - len(parameters.defaults)
    required += sum(default is None for default in parameters.kw_defaults)
    return node.name.startswith("test") and required == 0 and not node.decorator_list


def bound_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names that statements bind in their own scope, names stored to through an attribute or item too."""
    names: set[str] = set()
    for node in nodes:
        _bind(node, names)
    return frozenset(names)


def used_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return every name that is read anywhere inside the nodes."""
    walked = (each for node in nodes for each in ast.walk(node))
    return frozenset(each.id for each in walked if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))


def _bind(node: ast.AST, names: set[str]) -> None:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            names.add(name)
            return
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            names.update(each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
            return
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            names.add(name)
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            names.update(_root(node))
        case ast.alias(name=name, asname=alias):
            names.add(alias or name.partition(".")[0])
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            names.add(name)
        case ast.MatchMapping(rest=str(name)):
            names.add(name)
    for child in ast.iter_child_nodes(node):
        _bind(child, names)


def _root(node: ast.AST) -> Iterable[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return (node.id,) if isinstance(node, ast.Name) else ()


def _can_stand_outside(check: ast.FunctionDef, around: Sequence[ast.stmt]) -> bool:
    """Whether the body of ``check`` means the same at module level, where its names are seen by the code around it."""
    if any(isinstance(node, _OUTSIDE_A_FUNCTION) for node in _own_nodes(check.body)):
        return False
    for node in (each for statement in check.body for each in ast.walk(statement)):
        if isinstance(node, ast.Nonlocal) or (isinstance(node, ast.Name) and node.id in _READS_LOCALS):
            return False
    bound = bound_names(check.body) | {check.args.args[0].arg}
    return not bound & used_names(around)


def _own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that run when the code around them does: not those inside functions."""
    for node in nodes:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _own_nodes(ast.iter_child_nodes(node))


def _asserting(nodes: Iterable[ast.stmt]) -> frozenset[str]:
    """The functions among the nodes that assert, by themselves or through another, and those named as tests."""
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    found = frozenset(node.name for node in functions if is_test_function(node))
    while True:
        more = found | frozenset(node.name for node in functions if any(_asserts(each, found) for each in node.body))
        if more == found:
            return found
        found = more


def _asserts(node: ast.stmt, asserting: frozenset[str]) -> bool:
    return any(
        isinstance(each, ast.Assert | ast.Raise)
        or (isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in asserting)
        for each in ast.walk(node)
    )


def _says_nothing(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=arguments)):
            return all(isinstance(each, ast.Constant) for each in arguments)
        case ast.Assert(test=ast.Constant(value=value)):
            return bool(value)
    return False


def _plain_call(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[], keywords=[])):
            return name
    return None


def _calls(node: ast.stmt, function: str) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name == function
    return False


def _join(parts: Iterable[str]) -> str:
    return "".join(f"{part}\n" for part in parts)

"""Which programs answer the same call alike in every process, whatever its hash seed and whatever was called before.

What another process may do otherwise comes from a few places: the order of sets, and the numbers that ``hash`` and
``id`` give, which texts of functions and iterators have in them; objects that are one or two by accident (``is``); what
is kept from one call to the next; chance, clocks, files and the process itself; how much memory, depth or time is left.
A program is pure here if it comes to none of them, by its text alone:

- Its module has functions, imports and constants of numbers and texts. It assigns to no attribute and to nothing
  outside of the function that runs; defaults of its functions are constants. So no call leaves anything behind.
- Every value that has a name, is part of another or is given to a function is data: numbers, texts, lists, tuples,
  dicts and such, and types that are known by name. Data has a text and an order of its own and no address. Functions,
  iterators and views of dicts are only where something uses them up (``sorted(x, key=f)``, ``for a in zip(x, y)``), and
  sets only where nobody sees their order (``len(set(x))``, ``x in {1, 2}``). So nothing but data gets into a text, a
  key or an answer.
- It calls its own functions, those of :mod:`names`, which make only data of data, and none that is in a variable. There
  are no classes, and no attributes but methods by known names. ``is`` asks for None, truth values and types alone.
- It catches only exceptions that do not tell how much of something was left.

Whatever is not known is not pure; that says nothing against it. Calls are taken to have arguments of data, sets not
among them: who asks has to see to that. A process may still come to the end of its memory or time where another just
does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mendlab.verify.code import parsed
from mendlab.verify.pure.scope import NotPure, Scope, need
from mendlab.verify.pure.values import Values, annotation_only, defaults


def is_pure(source: bytes, module: str) -> bool:
    """Return whether a module, named like that, answers each call in one way alone. False where that is not known."""
    tree = parsed(source)
    if tree is None:
        return False
    try:
        _Program(tree, module).check()
    except (NotPure, RecursionError):
        return False
    return True


class _Program:
    """A module, statement by statement."""

    def __init__(self, tree: ast.Module, module: str) -> None:
        self._tree = tree
        self._scope = Scope(tree, module)
        self._values = Values(self._scope)

    def check(self) -> None:
        """Raise NotPure where the module is not known to be pure."""
        for node in self._tree.body:
            match node:
                case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
                    pass
                case ast.FunctionDef(args=arguments) | ast.Assign(value=ast.Lambda(args=arguments)):
                    self._constants(defaults(arguments))
                    self._statement(node)
                case ast.Assign(targets=targets, value=value):
                    self._constants([value])
                    need(all(isinstance(target, ast.Name) for target in targets))
                case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=ast.expr() as value):
                    annotation_only(annotation)
                    self._constants([value])
                case _:
                    raise NotPure

    def _constants(self, nodes: Iterable[ast.expr]) -> None:
        """Values that nothing changes and that are the same whenever they are made."""
        for node in nodes:
            match node:
                case ast.Constant():
                    pass
                case ast.Tuple(elts=parts):
                    self._constants(parts)
                case ast.UnaryOp(operand=ast.Constant()):
                    pass
                case ast.Name() | ast.Attribute() if self._scope.letters(node) == "=":
                    pass
                case _:
                    raise NotPure

    def _statements(self, nodes: Iterable[ast.stmt]) -> None:
        for node in nodes:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                need(not node.decorator_list and not getattr(node, "type_params", None))
                self._values.parameters(node.args)
                annotation_only(node.returns)
                self._statements(node.body)
            case ast.Assign(targets=[ast.Name()], value=ast.Lambda() as value):
                self._values.function(value)
            case ast.Assign(targets=targets, value=value):
                if all(isinstance(target, ast.Tuple | ast.List) for target in targets):
                    self._values.iterable(value)
                else:
                    self._values.data(value)
                self._values.targets(targets)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                annotation_only(annotation)
                self._values.targets([target])
                self._values.data_if(value)
            case ast.AugAssign(target=target, value=value):
                self._values.targets([target])
                self._values.data(value)
            case ast.Delete(targets=targets):
                self._values.targets(targets)
            case ast.Return(value=value) | ast.Assert(test=value, msg=None):
                self._values.data_if(value)
            case ast.Assert(test=test, msg=message):
                self._values.data_if(test)
                self._values.data_if(message)
            case ast.Expr(value=value):
                self._values.data(value)
            case ast.If(test=test) | ast.While(test=test):
                self._values.data(test)
                self._statements([*node.body, *node.orelse])
            case ast.For(target=target, iter=items):
                self._values.iterable(items)
                self._values.targets([target])
                self._statements([*node.body, *node.orelse])
            case ast.Raise(exc=error, cause=None | ast.Constant(value=None) | ast.Name()):
                self._raised(error)
            case ast.Try(finalbody=[]):
                self._handlers(node.handlers)
                self._statements([*node.body, *node.orelse])
            case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Break() | ast.Continue():
                pass
            case _:
                raise NotPure

    def _raised(self, error: ast.expr | None) -> None:
        match error:
            case None:
                pass
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                need(self._scope.is_exception(name))
                self._values.all_data(args)
            case ast.Name(id=name):
                need(self._scope.is_exception(name) or name in self._scope.variables)
            case _:
                raise NotPure

    def _handlers(self, handlers: Iterable[ast.ExceptHandler]) -> None:
        for handler in handlers:
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            need(all(isinstance(kind, ast.Name) and self._scope.is_exception(kind.id) for kind in kinds))
            self._statements(handler.body)

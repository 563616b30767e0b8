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
import builtins
import string
from collections.abc import Iterable, Sequence
from typing import Final

from mendlab.verify.code import parsed, walk
from mendlab.verify.pure.names import BUILTINS, EXCEPTIONS, METHODS, MODULES, TYPES

_IN_ANNOTATIONS: Final = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp, ast.BitOr, ast.Load),
)
_SET_OPERATORS: Final = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_ORDERS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class _NotPure(Exception):
    """There is something that is not known to be pure."""


def is_pure(source: bytes, module: str) -> bool:
    """Return whether a module, named like that, answers each call in one way alone. False where that is not known."""
    tree = parsed(source)
    if tree is None:
        return False
    try:
        _Program(tree, module).check()
    except (_NotPure, RecursionError):
        return False
    return True


class _Program:
    """What the names of a module stand for; each is one thing in all of it, or the module is not pure."""

    def __init__(self, tree: ast.Module, module: str) -> None:
        self._tree = tree
        self._variables: set[str] = set()
        self._functions: set[str] = set()
        self._modules: dict[str, str] = {}
        self._imported: dict[str, tuple[str, str]] = {}
        self._named: set[int] = set()  # by identity: the names that lambdas are given
        for node in walk(tree):
            self._find_names(node, module)
        kinds = (self._variables, self._functions, self._modules.keys(), self._imported.keys())
        bound = [name for kind in kinds for name in kind]
        taken = {name for name in bound if hasattr(builtins, name)}
        _need(len(bound) == len(set(bound)) and not any(name.startswith("__") for name in bound))
        _need(taken <= self._variables and taken <= BUILTINS.keys())

    def _find_names(self, node: ast.AST, module: str) -> None:
        match node:
            case ast.FunctionDef(name=name):
                self._functions.add(name)
            case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.Lambda()):
                self._functions.add(name)
                self._named.add(id(target))
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(node) not in self._named:
                self._variables.add(name)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                self._variables.add(name)
            case ast.Import(names=aliases):
                for alias in aliases:
                    _need(alias.name in MODULES and alias.name != module)
                    name = alias.asname or alias.name
                    _need(self._modules.setdefault(name, alias.name) == alias.name)
            case ast.ImportFrom(module=origin, names=aliases):
                _need(origin in MODULES and origin != module and not node.level)
                for alias in aliases:
                    _need(alias.name in MODULES[str(origin)] or (origin == "typing" and alias.name != "*"))
                    place = (str(origin), alias.name)
                    _need(self._imported.setdefault(alias.asname or alias.name, place) == place)

    def check(self) -> None:
        """Raises _NotPure."""
        for node in self._tree.body:
            match node:
                case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
                    pass
                case ast.FunctionDef(args=arguments) | ast.Assign(value=ast.Lambda(args=arguments)):
                    self._constants(_defaults(arguments))
                    self._statement(node)
                case ast.Assign(targets=targets, value=value):
                    self._constants([value])
                    _need(all(isinstance(target, ast.Name) for target in targets))
                case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=ast.expr() as value):
                    _annotation(annotation)
                    self._constants([value])
                case _:
                    raise _NotPure

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
                case ast.Name() | ast.Attribute() if self._letters(node) == "=":
                    pass
                case _:
                    raise _NotPure

    def _statements(self, nodes: Iterable[ast.stmt]) -> None:
        for node in nodes:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                _need(not node.decorator_list and not getattr(node, "type_params", None))
                self._parameters(node.args)
                _annotation(node.returns)
                self._statements(node.body)
            case ast.Assign(targets=[ast.Name()], value=ast.Lambda() as value):
                self._function(value)
            case ast.Assign(targets=targets, value=value):
                if all(isinstance(target, ast.Tuple | ast.List) for target in targets):
                    self._iterable(value)
                else:
                    self._data(value)
                self._targets(targets)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                _annotation(annotation)
                self._targets([target])
                self._data_if(value)
            case ast.AugAssign(target=target, value=value):
                self._targets([target])
                self._data(value)
            case ast.Delete(targets=targets):
                self._targets(targets)
            case ast.Return(value=value) | ast.Assert(test=value, msg=None):
                self._data_if(value)
            case ast.Assert(test=test, msg=message):
                self._data_if(test)
                self._data_if(message)
            case ast.Expr(value=value):
                self._data(value)
            case ast.If(test=test) | ast.While(test=test):
                self._data(test)
                self._statements([*node.body, *node.orelse])
            case ast.For(target=target, iter=items):
                self._iterable(items)
                self._targets([target])
                self._statements([*node.body, *node.orelse])
            case ast.Raise(exc=error, cause=None | ast.Constant(value=None) | ast.Name()):
                self._raised(error)
            case ast.Try(finalbody=[]):
                self._handlers(node.handlers)
                self._statements([*node.body, *node.orelse])
            case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Break() | ast.Continue():
                pass
            case _:
                raise _NotPure

    def _parameters(self, arguments: ast.arguments) -> None:
        for node in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if node is not None:
                _annotation(node.annotation)
        self._all_data(_defaults(arguments))

    def _raised(self, error: ast.expr | None) -> None:
        match error:
            case None:
                pass
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                _need(self._is_exception(name))
                self._all_data(args)
            case ast.Name(id=name):
                _need(self._is_exception(name) or name in self._variables)
            case _:
                raise _NotPure

    def _handlers(self, handlers: Iterable[ast.ExceptHandler]) -> None:
        for handler in handlers:
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            _need(all(isinstance(kind, ast.Name) and self._is_exception(kind.id) for kind in kinds))
            self._statements(handler.body)

    def _is_exception(self, name: str) -> bool:
        return name in EXCEPTIONS and self._is_builtin(name)

    def _is_builtin(self, name: str) -> bool:
        return not any(name in kind for kind in (self._variables, self._functions, self._modules, self._imported))

    def _targets(self, nodes: Iterable[ast.expr]) -> None:
        for node in nodes:
            match node:
                case ast.Name():
                    pass
                case ast.Tuple(elts=parts) | ast.List(elts=parts):
                    self._targets(parts)
                case ast.Starred(value=value):
                    self._targets([value])
                case ast.Subscript(value=value, slice=place):
                    self._data(value)
                    self._data(place)
                case _:
                    raise _NotPure

    def _all_data(self, nodes: Iterable[ast.expr]) -> None:
        for node in nodes:
            self._data(node)

    def _data_if(self, node: ast.expr | None) -> None:
        if node is not None:
            self._data(node)

    def _data(self, node: ast.expr) -> None:
        """What comes of it is data."""
        match node:
            case ast.Constant():
                pass
            case ast.Name(id=name):
                _need(name in self._variables or self._is_type(node) or self._letters(node) == "=")
            case ast.Attribute():
                _need(self._letters(node) == "=")
            case ast.Compare():
                self._comparison(node)
            case ast.Call():
                self._call(node)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                self._parts(parts)
            case ast.Dict(keys=keys, values=values):
                self._all_data([*(key for key in keys if key is not None), *values])
            case ast.ListComp(elt=part) | ast.DictComp(value=part):
                self._comprehension(node, part)
            case (
                ast.BinOp()
                | ast.UnaryOp()
                | ast.BoolOp()
                | ast.IfExp()
                | ast.Subscript()
                | ast.Slice()
                | ast.NamedExpr()
            ):
                self._inside(node)
            case ast.JoinedStr() | ast.FormattedValue():
                self._inside(node)
            case _:
                raise _NotPure

    def _inside(self, node: ast.expr) -> None:
        self._all_data(part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))

    def _parts(self, nodes: Iterable[ast.expr]) -> None:
        for node in nodes:
            if isinstance(node, ast.Starred):
                self._iterable(node.value)
            else:
                self._data(node)

    def _comprehension(
        self, node: ast.ListComp | ast.DictComp | ast.SetComp | ast.GeneratorExp, part: ast.expr
    ) -> None:
        self._data(part)
        if isinstance(node, ast.DictComp):
            self._data(node.key)
        for each in node.generators:
            _need(not each.is_async)
            self._iterable(each.iter)
            self._targets([each.target])
            self._all_data(each.ifs)

    def _comparison(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        if all(isinstance(op, _ORDERS) for op in node.ops) and all(map(_is_set, sides)):
            for side in sides:
                self._set(side)
            return
        for op, before, side in zip(node.ops, sides, sides[1:], strict=False):
            if isinstance(op, ast.Is | ast.IsNot):
                _need(self._is_single(before) or self._is_single(side))
        *others, last = sides
        self._all_data(others)
        if isinstance(node.ops[-1], ast.In | ast.NotIn):
            self._container(last)
        else:
            self._data(last)

    def _is_single(self, node: ast.expr) -> bool:
        """Whether there is one such object alone."""
        match node:
            case ast.Constant(value=value):
                return value is None or value is Ellipsis or type(value) is bool
            case ast.Name():
                return self._is_type(node)
        return False

    def _is_type(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in TYPES and self._is_builtin(node.id)

    def _container(self, node: ast.expr) -> None:
        """Something of which only the number of its items is asked, or whether one is among them."""
        if _is_set(node):
            self._set(node)
        else:
            self._iterable(node)

    def _set(self, node: ast.expr) -> None:
        match node:
            case ast.Set(elts=parts):
                self._parts(parts)
            case ast.SetComp(elt=part):
                self._comprehension(node, part)
            case ast.BinOp(left=left, right=right):
                self._set(left)
                self._set(right)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                _need(self._is_builtin(name) and len(args) < 2)
                for each in args:
                    self._container(each)
            case _:
                raise _NotPure

    def _iterable(self, node: ast.expr) -> None:
        """Something whose items are data and come in one order, to be gone through."""
        if isinstance(node, ast.GeneratorExp):
            self._comprehension(node, node.elt)
        elif isinstance(node, ast.Call) and (letters := self._letters(node.func)) and letters.startswith("*"):
            self._arguments(node, letters[1:])
        elif isinstance(node, ast.Call) and _method(node, "*"):
            self._arguments(node, METHODS[_method(node, "*")][1:])
            self._data(node.func.value)  # type: ignore[attr-defined]
        else:
            self._data(node)

    def _function(self, node: ast.expr) -> None:
        """A function that makes data of data."""
        match node:
            case ast.Constant(value=None):
                pass
            case ast.Lambda(args=arguments, body=body):
                self._parameters(arguments)
                self._data(body)
            case ast.Name(id=name) if name in self._functions:
                pass
            case ast.Name() | ast.Attribute() if (letters := self._letters(node)) is not None:
                _need(set(letters) <= set("dim!"))
            case ast.Attribute(value=value, attr=name):
                _need(set(METHODS.get(name, "*")) <= set("di!"))
                self._data(value)
            case ast.Call(func=func) if (letters := self._letters(func)) is not None and letters.startswith(">"):
                self._arguments(node, letters[1:])
            case _:
                raise _NotPure

    def _call(self, node: ast.Call) -> None:
        """A call that comes back with data."""
        match node.func:
            case ast.Name(id="type") if self._is_builtin("type"):
                _need(len(node.args) == 1 and not node.keywords)
                self._all_data(node.args)
            case ast.Name(id="len") if self._is_builtin("len") and len(node.args) == 1 and not node.keywords:
                self._container(node.args[0])
            case ast.Name(id=name) if name in self._functions:
                self._arguments(node, "d")
            case ast.Name() as func:
                self._shaped(node, self._letters(func))
            case ast.Attribute() as func if (letters := self._letters(func)) is not None:
                self._shaped(node, letters)
            case ast.Attribute(value=ast.Constant(value=str(text)), attr="format"):
                _need(_is_plain_format(text))
                self._arguments(node, "d")
            case ast.Attribute(value=value, attr=name):
                self._data(value)
                self._shaped(node, METHODS.get(name))
            case _:
                raise _NotPure

    def _shaped(self, node: ast.Call, letters: str | None) -> None:
        _need(letters is not None and letters[0] not in "*>=")
        self._arguments(node, str(letters))

    def _arguments(self, node: ast.Call, letters: str) -> None:
        takes_key, letters = letters.endswith("!"), letters.rstrip("!")
        if letters == "m":
            letters = "i" if len(node.args) == 1 else "d"
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                _need(len(letters) == 1 and letters in "di")
                self._iterable(argument.value)
            else:
                self._argument(argument, letters[min(at, len(letters) - 1)])
        for keyword in node.keywords:
            if keyword.arg == "key" and takes_key:
                self._function(keyword.value)
            else:
                self._data(keyword.value)

    def _argument(self, node: ast.expr, letter: str) -> None:
        if letter == "e":
            letter = "f" if isinstance(node, ast.Lambda) or _last_name(node) in self._functions else "d"
        match letter:
            case "d":
                self._data(node)
            case "i":
                self._iterable(node)
            case "f":
                self._function(node)
            case "t":
                _need(self._is_type(node))
            case _:
                raise _NotPure

    def _letters(self, node: ast.expr) -> str | None:
        """What a known function takes (:mod:`names`), or None if it is none."""
        match node:
            case ast.Name(id=name) if name in self._imported:
                module, known = self._imported[name]
                return MODULES[module].get(known)
            case ast.Name(id=name):
                return BUILTINS.get(name) if self._is_builtin(name) else None
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self._modules:
                return MODULES[self._modules[name]].get(attribute)
            case ast.Attribute(value=ast.Name(id=name), attr="from_iterable"):
                return "*i" if self._imported.get(name) == ("itertools", "chain") else None
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id=name), attr="chain"), attr="from_iterable"):
                return "*i" if self._modules.get(name) == "itertools" else None
        return None


def _need(holds: bool) -> None:
    if not holds:
        raise _NotPure


def _defaults(arguments: ast.arguments) -> Sequence[ast.expr]:
    return [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]


def _annotation(node: ast.expr | None) -> None:
    """Names of types put together, of which nothing can be asked."""
    _need(node is None or all(isinstance(part, _IN_ANNOTATIONS) for part in ast.walk(node)))


def _is_set(node: ast.expr) -> bool:
    match node:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _SET_OPERATORS):
            return _is_set(left) and _is_set(right)
    return False


def _method(node: ast.Call, first: str) -> str:
    """The name of a method that is called and known to take what begins with a letter; else nothing."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return name if METHODS.get(name, "").startswith(first) else ""


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_plain_format(text: str) -> bool:
    """Whether a format looks at nothing inside of what it is given."""
    try:
        fields = [(field, spec or "") for _, field, spec, _ in string.Formatter().parse(text) if field is not None]
    except ValueError:
        return False
    return all((not field or field.isidentifier() or field.isdigit()) and "{" not in spec for field, spec in fields)

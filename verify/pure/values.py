"""The expressions of a pure program: what makes data, and what is used up at once. See :mod:`program`."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterable, Sequence
from typing import Final

from mendlab.verify.pure.names import METHODS
from mendlab.verify.pure.scope import NotPure, Scope, need

_IN_ANNOTATIONS: Final = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp, ast.BitOr, ast.Load),
)
_SET_OPERATORS: Final = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_ORDERS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Values:
    """Looks at expressions, by what they have to make. Each way of looking raises NotPure."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def targets(self, nodes: Iterable[ast.expr]) -> None:
        """What is bound, or takes a value: names, parts of data, or several of these."""
        for node in nodes:
            match node:
                case ast.Name():
                    pass
                case ast.Tuple(elts=parts) | ast.List(elts=parts):
                    self.targets(parts)
                case ast.Starred(value=value):
                    self.targets([value])
                case ast.Subscript(value=value, slice=place):
                    self.data(value)
                    self.data(place)
                case _:
                    raise NotPure

    def all_data(self, nodes: Iterable[ast.expr]) -> None:
        """All of it is data."""
        for node in nodes:
            self.data(node)

    def data_if(self, node: ast.expr | None) -> None:
        """It is data, if it is there."""
        if node is not None:
            self.data(node)

    def data(self, node: ast.expr) -> None:
        """What comes of it is data."""
        match node:
            case ast.Constant():
                pass
            case ast.Name(id=name):
                need(name in self._scope.variables or self._scope.is_type(node) or self._scope.letters(node) == "=")
            case ast.Attribute():
                need(self._scope.letters(node) == "=")
            case ast.Compare():
                self._comparison(node)
            case ast.Call():
                self._call(node)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                self._parts(parts)
            case ast.Dict(keys=keys, values=values):
                self.all_data([*(key for key in keys if key is not None), *values])
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
                raise NotPure

    def _inside(self, node: ast.expr) -> None:
        self.all_data(part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))

    def _parts(self, nodes: Iterable[ast.expr]) -> None:
        for node in nodes:
            if isinstance(node, ast.Starred):
                self.iterable(node.value)
            else:
                self.data(node)

    def _comprehension(
        self, node: ast.ListComp | ast.DictComp | ast.SetComp | ast.GeneratorExp, part: ast.expr
    ) -> None:
        self.data(part)
        if isinstance(node, ast.DictComp):
            self.data(node.key)
        for each in node.generators:
            need(not each.is_async)
            self.iterable(each.iter)
            self.targets([each.target])
            self.all_data(each.ifs)

    def _comparison(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        if all(isinstance(op, _ORDERS) for op in node.ops) and all(map(_is_set, sides)):
            for side in sides:
                self._set(side)
            return
        for op, before, side in zip(node.ops, sides, sides[1:], strict=False):
            if isinstance(op, ast.Is | ast.IsNot):
                need(self._is_single(before) or self._is_single(side))
        *others, last = sides
        self.all_data(others)
        if isinstance(node.ops[-1], ast.In | ast.NotIn):
            self._container(last)
        else:
            self.data(last)

    def _is_single(self, node: ast.expr) -> bool:
        """Whether there is one such object alone."""
        match node:
            case ast.Constant(value=value):
                return value is None or value is Ellipsis or type(value) is bool
            case ast.Name():
                return self._scope.is_type(node)
        return False

    def _container(self, node: ast.expr) -> None:
        """Something of which only the number of its items is asked, or whether one is among them."""
        if _is_set(node):
            self._set(node)
        else:
            self.iterable(node)

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
                need(self._scope.is_builtin(name) and len(args) < 2)
                for each in args:
                    self._container(each)
            case _:
                raise NotPure

    def iterable(self, node: ast.expr) -> None:
        """Something whose items are data and come in one order, to be gone through."""
        if isinstance(node, ast.GeneratorExp):
            self._comprehension(node, node.elt)
        elif isinstance(node, ast.Call) and (letters := self._scope.letters(node.func)) and letters.startswith("*"):
            self._arguments(node, letters[1:])
        elif isinstance(node, ast.Call) and _method(node, "*"):
            self._arguments(node, METHODS[_method(node, "*")][1:])
            self.data(node.func.value)  # type: ignore[attr-defined]
        else:
            self.data(node)

    def function(self, node: ast.expr) -> None:
        """A function that makes data of data."""
        match node:
            case ast.Constant(value=None):
                pass
            case ast.Lambda(args=arguments, body=body):
                self.parameters(arguments)
                self.data(body)
            case ast.Name(id=name) if name in self._scope.functions:
                pass
            case ast.Name() | ast.Attribute() if (letters := self._scope.letters(node)) is not None:
                need(set(letters) <= set("dim!"))
            case ast.Attribute(value=value, attr=name):
                need(set(METHODS.get(name, "*")) <= set("di!"))
                self.data(value)
            case ast.Call(func=func) if (letters := self._scope.letters(func)) is not None and letters.startswith(">"):
                self._arguments(node, letters[1:])
            case _:
                raise NotPure

    def _key(self, node: ast.expr) -> None:
        """What things are put in order by, of which nothing else comes."""
        if isinstance(node, ast.Call) and (letters := self._scope.letters(node.func)) and letters.startswith("<"):
            self._arguments(node, letters[1:])
        else:
            self.function(node)

    def _call(self, node: ast.Call) -> None:
        """A call that comes back with data."""
        match node.func:
            case ast.Name(id="type") if self._scope.is_builtin("type"):
                need(len(node.args) == 1 and not node.keywords)
                self.all_data(node.args)
            case ast.Name(id="len") if self._scope.is_builtin("len") and len(node.args) == 1 and not node.keywords:
                self._container(node.args[0])
            case ast.Name(id=name) if name in self._scope.functions:
                self._arguments(node, "d", own=True)
            case ast.Name() as func:
                self._shaped(node, self._scope.letters(func))
            case ast.Attribute() as func if (letters := self._scope.letters(func)) is not None:
                self._shaped(node, letters)
            case ast.Attribute(value=ast.Constant(value=str(text)), attr="format"):
                need(_is_plain_format(text))
                self._arguments(node, "d", own=True)
            case ast.Attribute(value=value, attr=name):
                self.data(value)
                self._shaped(node, METHODS.get(name))
            case _:
                raise NotPure

    def _shaped(self, node: ast.Call, letters: str | None) -> None:
        need(letters is not None and letters[0] not in "*><=")
        self._arguments(node, str(letters))

    def _arguments(self, node: ast.Call, letters: str, *, own: bool = False) -> None:
        """Of a call of something known, or of the program's ``own``, to which names may come as data."""
        if letters.endswith("."):
            letters = letters.rstrip(".")
            need(len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred))
        takes_key, letters = letters.endswith("!"), letters.rstrip("!")
        if letters == "m":
            letters = "i" if len(node.args) == 1 else "d"
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                need(len(letters) == 1 and letters in "di")
                self.iterable(argument.value)
            else:
                self._argument(argument, letters[min(at, len(letters) - 1)])
        for keyword in node.keywords:
            need(keyword.arg is not None or own)
            if keyword.arg == "key" and takes_key:
                self._key(keyword.value)
            else:
                self.data(keyword.value)

    def _argument(self, node: ast.expr, letter: str) -> None:
        if letter == "e":
            letter = "f" if isinstance(node, ast.Lambda) or _last_name(node) in self._scope.functions else "d"
        match letter:
            case "d":
                self.data(node)
            case "i":
                self.iterable(node)
            case "f":
                self.function(node)
            case "t":
                need(self._scope.is_type(node))
            case _:
                raise NotPure

    def parameters(self, arguments: ast.arguments) -> None:
        """Their annotations are no more than that, and their defaults data."""
        for node in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if node is not None:
                annotation_only(node.annotation)
        self.all_data(defaults(arguments))


def defaults(arguments: ast.arguments) -> Sequence[ast.expr]:
    """Return the expressions that are worked out where a function is defined."""
    return [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]


def annotation_only(node: ast.expr | None) -> None:
    """Names of types put together, of which nothing can be asked."""
    need(node is None or all(isinstance(part, _IN_ANNOTATIONS) for part in ast.walk(node)))


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

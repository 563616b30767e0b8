"""Defaults and annotations of functions that were compiled already: another way to have them than importing anew.

Only where a head says the same names and where evaluating it can do nothing else: a default that differs is a literal,
an annotation that differs is a text (``from __future__ import annotations``), and no decorator has seen the function
that might keep what it saw. Python 3.8 to 3.13, standard library only.
"""

import __future__

import ast
import copy
import re
import typing

PLAIN = frozenset(("staticmethod", "classmethod", "property"))
READERS = re.compile(
    rb"__(?:defaults|kwdefaults|annotations)__|autospec|get_type_hints|get_annotations|\b(?:help|builds)\("
    rb"|^[ \t]*(?:import|from)\b[^\n#]*\b(?:inspect|typer|fire)\b|['\"]inspect['\"]|^[ \t]*def pytest_"
    rb"|\.register\(",
    re.MULTILINE,
)
"""What looks at heads of functions: in files that say none of this, nothing does."""


class Head:
    """The head that a function is to have: its defaults, where they differ, and its annotations, where they do."""

    def __init__(self, old, new, flags):
        self._positional = pairs(positional(old), positional(new))
        self._keywords = pairs(keywords(old), keywords(new))
        self._annotations = None
        if annotations(old) != annotations(new):
            self._annotations = evaluated(new, flags)

    def attributes(self, function):
        """Yield names and values of attributes of a function that are to be set."""
        live = list(function.__defaults__ or ())
        live = [None] * (len(self._positional) - len(live)) + live
        if any(differs for _, differs in self._positional):
            values = [
                ast.literal_eval(new) if differs else value
                for value, (new, differs) in zip(live, self._positional) if new is not None
            ]  # fmt: skip
            yield "__defaults__", tuple(values) or None
        if any(differs for _, differs in self._keywords):
            names = function.__code__.co_varnames[function.__code__.co_argcount :]
            before = function.__kwdefaults__ or {}
            named = {
                name: ast.literal_eval(new) if differs else before[name]
                for name, (new, differs) in zip(names, self._keywords) if new is not None
            }  # fmt: skip
            yield "__kwdefaults__", named or None
        if self._annotations is not None:
            yield "__annotations__", self._annotations


def take(before, after, flags):
    """Return ``[(name, line, Head)]`` of outer functions whose heads differ so; ``after`` then has the old ones."""
    found = []
    functions = list(outer(before)), list(outer(after))
    if [function.name for function in functions[0]] != [function.name for function in functions[1]]:
        return []
    for old, new in zip(*functions):
        if shown(old.args, old.returns) != shown(new.args, new.returns) and exchangeable(old, new, flags):
            line = min([old.lineno, *(decorator.lineno for decorator in old.decorator_list)])
            found.append((old.name, line, Head(old, new, flags)))
            new.args, new.returns = old.args, old.returns
    return found


def outer(node: "ast.AST") -> "typing.Iterator[ast.FunctionDef]":
    """Yield the functions that are in no other."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child  # type: ignore[misc]  # an asynchronous one has the same fields
        elif not isinstance(child, (ast.expr, ast.Lambda)):
            yield from outer(child)


def exchangeable(old: "ast.FunctionDef", new: "ast.FunctionDef", flags: int) -> bool:
    """Whether the heads differ in nothing but literal defaults and annotations that are texts."""
    if any(getattr(decorator, "id", None) not in PLAIN for decorator in old.decorator_list):
        return False
    if shown(*old.decorator_list) != shown(*new.decorator_list) or bare(old) != bare(new):
        return False
    if annotations(old) != annotations(new) and not flags & __future__.annotations.compiler_flag:
        return False
    differing = pairs(positional(old), positional(new)) + pairs(keywords(old), keywords(new))
    return all(literal(value) for value, differs in differing if differs and value is not None)


def positional(function):
    """The defaults of all positional parameters, None where there is none."""
    names = len(function.args.posonlyargs) + len(function.args.args)
    return [None] * (names - len(function.args.defaults)) + function.args.defaults


def keywords(function):
    return function.args.kw_defaults


def pairs(old, new):
    """``(new default, whether it differs)`` of each parameter."""
    return [(two, shown(one) != shown(two)) for one, two in zip(old, new)]


def arguments(function):
    args = function.args
    return [a for a in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg) if a is not None]


def annotations(function):
    return [shown(argument.annotation) for argument in arguments(function)] + [shown(function.returns)]


def bare(function):
    """What parameters there are, without defaults and annotations."""
    args = function.args
    kinds = [len(part) for part in (args.posonlyargs, args.args, args.kwonlyargs)]
    return kinds, bool(args.vararg), bool(args.kwarg), [argument.arg for argument in arguments(function)]


def evaluated(function, flags):
    """The annotations as texts, as the compiler writes them."""
    shell: "typing.Any" = ast.parse("def f(): pass").body[0]
    shell.args, shell.returns = copy.deepcopy(function.args), function.returns
    shell.args.defaults, shell.args.kw_defaults = [], [None] * len(shell.args.kwonlyargs)
    names: "dict[str, typing.Any]" = {}
    exec(compile(ast.Module([shell], []), "<head>", "exec", flags, dont_inherit=True), names)
    return names["f"].__annotations__


def literal(node):
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def shown(*nodes):
    return [None if node is None else ast.dump(node) for node in nodes]

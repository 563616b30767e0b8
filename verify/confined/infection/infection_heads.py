"""Functions that tell which calls leave a parameter out: no other call notices that its default changes.

A default that differs, comes or goes infects the tests in which some call leaves the parameter out. The instrumented
function has a mark for its default, and looks for the mark first of all; a call that must fail for want of the
argument fails there. Python 3.8 to 3.13, standard library only.
"""

import ast
import sys
from typing import Any

load = sys.modules["__main__"].load
changed, guarding, sites = (load("infection_" + name) for name in ("changes", "guards", "sites"))
instrumented, heads = load("instrumented"), load("function_heads")

WAITS = (ast.Yield, ast.YieldFrom, ast.Await)


class Left:
    """What a parameter is that was left out: its default, or none."""

    __slots__ = ("defaults",)

    def __init__(self, *defaults):
        self.defaults = defaults


class Head:
    """One function: by parameter, the changes of its default."""

    def __init__(self, recorder, name):
        self._recorder = recorder
        self._name = name
        self._calls = 0
        self.changes: "dict[str, list[int]]" = {}

    def add(self, number, parameters):
        for parameter in parameters:
            self.changes.setdefault(parameter, []).append(number)

    def look(self, parameter, kind):
        """Return what is to be called with the value of a parameter, and returns the value that it is to have."""

        def value_of(value):
            self._calls += 1
            traced = sys.gettrace() is not None or sys.getprofile() is not None
            if traced or (self._calls % sites.LOOK_DOWN == 0 and sites.is_deep()):
                self._recorder.everything = True
            if type(value) is not Left:
                return value
            self._recorder.infected.update(self.changes[parameter])
            if value.defaults:
                return value.defaults[0]
            raise TypeError("%s() missing 1 required %s argument: %r" % (self._name, kind, parameter))

        return value_of


def differing(statement, block):
    """Return the parameters in whose defaults alone a function differs from the one statement of a block, or None."""
    new = block[0]
    if len(block) != 1 or type(statement) is not ast.FunctionDef or type(new) is not ast.FunctionDef:
        return None
    if statement.name != new.name or heads.shown(*statement.body) != heads.shown(*new.body):
        return None
    if not heads.exchangeable(statement, new, 0) or any(isinstance(node, WAITS) for node in ast.walk(statement)):
        return None
    names = [argument.arg for argument in (*statement.args.posonlyargs, *statement.args.args)]
    names += [argument.arg for argument in statement.args.kwonlyargs]
    before = heads.positional(statement) + heads.keywords(statement)
    after = heads.positional(new) + heads.keywords(new)
    found = [(name, old) for name, old, value in zip(names, before, after) if heads.shown(old) != heads.shown(value)]
    return [name for name, _ in found] if all(old is None or heads.literal(old) for _, old in found) else None


def put(function, head):
    """Have a function tell of calls that leave out parameters which ``head`` has changes of."""
    body = function.body
    number = 1 if guarding.is_text(getattr(body[0], "value", None)) and isinstance(body[0], ast.Expr) else 0
    for parameter in head.changes:
        kind = give_mark(function.args, parameter)
        call: Any = ast.Call(instrumented.embed(head.look(parameter, kind)), [ast.Name(parameter, ast.Load())], [])
        statement = ast.Assign([ast.Name(parameter, ast.Store())], call, None)
        body.insert(number, located(statement, body[min(number, len(body) - 1)]))


def give_mark(args, parameter):
    """Have a mark as the default of a parameter; returns its kind."""
    names = [argument.arg for argument in (*args.posonlyargs, *args.args)]
    if parameter in names:
        index = names.index(parameter) - (len(names) - len(args.defaults))
        if index >= 0:
            args.defaults[index] = mark(args.defaults[index], args.defaults[index])
        elif index == -1:
            args.defaults.insert(0, mark(None, (*args.posonlyargs, *args.args)[names.index(parameter)]))
        else:
            raise ValueError("a parameter without a default follows")
        return "positional"
    index = [argument.arg for argument in args.kwonlyargs].index(parameter)
    args.kw_defaults[index] = mark(args.kw_defaults[index], args.kwonlyargs[index])
    return "keyword-only"


def mark(default, near):
    return located(ast.Call(instrumented.embed(Left), [] if default is None else [default], []), near)


def located(tree, near):
    """Give the location of a node to a tree, where it has none."""
    ast.copy_location(tree, near)
    for node in ast.walk(tree):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            ast.copy_location(node, near)
    return tree

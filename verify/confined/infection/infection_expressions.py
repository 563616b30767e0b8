"""Turns an expression into a function that gives its value without effects, where that can be.

:func:`build` raises ``Unknown`` for what it does not know; the function that it returns takes a :class:`Scope` and
raises ``Unknown`` where a value turns out to be of a kind it does not know. Python 3.8 to 3.13, standard library only.
"""

import ast
import sys

load = sys.modules["__main__"].load
values, calls = load("infection_values"), load("infection_calls")
Unknown, NOTHING = values.Unknown, values.NOTHING

OPTIMIZED = 0x1  # set in the code of functions, not of modules and classes
LIVE_LOCALS = sys.version_info >= (3, 13)  # f_locals of a function is no copy (PEP 667)
MAPPINGS = {dict, (lambda: type(sys._getframe().f_locals))()}


class Scope:
    """The names that the code of a frame sees; ``known``: in dicts that run no code. To be closed: see there."""

    __slots__ = ("builtins", "copied", "globals", "known", "locals")

    def __init__(self, frame):
        self.locals, self.globals, self.builtins = frame.f_locals, frame.f_globals, frame.f_builtins
        self.copied = frame.f_code.co_flags & OPTIMIZED and not LIVE_LOCALS
        self.known = (
            values.exact(self.locals) in MAPPINGS and type(self.globals) is dict and type(self.builtins) is dict
        )

    def close(self):
        """Empty the copy of the local variables that the frame keeps: what is in it would live on."""
        if self.copied:
            self.locals.clear()

    def read(self, name, local):
        """Return the value of a name. ``local``: some function around has a variable of this name."""
        found = self.locals.get(name, NOTHING)
        if found is NOTHING:
            if local:
                raise Unknown
            found = self.globals.get(name, NOTHING)
        if found is NOTHING:
            found = self.builtins.get(name, NOTHING)
        if found is NOTHING:
            raise Unknown
        return found


def build(node, variables):
    """Return the function for an expression. ``variables``: the names of all variables of functions around it."""
    make = MAKERS.get(type(node).__name__)
    if make is None:
        raise Unknown
    return make(node, variables)


def constant(node, variables):
    value = node.value
    return lambda scope: value


def name(node, variables):
    identifier = node.id
    if identifier == "super" or (identifier.startswith("__") and not identifier.endswith("__")):
        raise Unknown  # needs a cell, or is spelt otherwise inside a class
    if identifier == "__class__" or not isinstance(node.ctx, ast.Load):
        raise Unknown
    local = identifier in variables
    return lambda scope: scope.read(identifier, local)


def attribute(node, variables):
    owner, key = build(node.value, variables), node.attr
    if key.startswith("__"):
        raise Unknown
    return lambda scope: values.attribute(owner(scope), key)


def subscript(node, variables):
    owner = build(node.value, variables)
    inner = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
    if isinstance(inner, ast.Slice):
        parts = [build(part, variables) if part else None for part in (inner.lower, inner.upper, inner.step)]

        def index(scope):
            return slice(*[part(scope) if part else None for part in parts])
    else:
        index = build(inner, variables)
    return lambda scope: calls.item(owner(scope), index(scope))


def binary(node, variables):
    kind, left, right = type(node.op).__name__, build(node.left, variables), build(node.right, variables)
    if kind not in calls.BINARY:
        raise Unknown
    return lambda scope: calls.binary(kind, left(scope), right(scope))


def unary(node, variables):
    kind, operand = type(node.op).__name__, build(node.operand, variables)
    if kind == "Not":
        return lambda scope: not values.truth(operand(scope))
    return lambda scope: calls.unary(kind, operand(scope))


def boolean(node, variables):
    first, *others = [build(operand, variables) for operand in node.values]
    stops_at = isinstance(node.op, ast.Or)

    def value_of(scope):
        value = first(scope)
        for operand in others:
            if values.truth(value) is stops_at:
                return value
            value = operand(scope)
        return value

    return value_of


def compare(node, variables):
    first = build(node.left, variables)
    steps = [(type(op).__name__, build(right, variables)) for op, right in zip(node.ops, node.comparators)]

    def value_of(scope):
        left = first(scope)
        value = True
        for kind, operand in steps:
            right = operand(scope)
            value = calls.compared(kind, left, right)
            if not value:
                break
            left = right
        return value

    return value_of


def conditional(node, variables):
    test, body, other = (build(part, variables) for part in (node.test, node.body, node.orelse))
    return lambda scope: body(scope) if values.truth(test(scope)) else other(scope)


def display(node, variables):
    parts = [build(part, variables) for part in node.elts]
    kind = tuple if isinstance(node, ast.Tuple) else list
    return lambda scope: kind([part(scope) for part in parts])


def set_display(node, variables):
    parts = [build(part, variables) for part in node.elts]

    def value_of(scope):
        items = [part(scope) for part in parts]
        values.need_safe(*items)
        return set(items)

    return value_of


def joined(node, variables):
    parts = [build(part, variables) for part in node.values]
    return lambda scope: "".join([part(scope) for part in parts])


def field(node, variables):
    value, conversion = build(node.value, variables), node.conversion
    spec = build(node.format_spec, variables) if node.format_spec else lambda scope: ""
    return lambda scope: calls.formatted(value(scope), conversion, spec(scope))


def call(node, variables):
    arguments = [build(argument, variables) for argument in node.args]
    if any(keyword.arg is None for keyword in node.keywords):
        raise Unknown
    named = [(keyword.arg, build(keyword.value, variables)) for keyword in node.keywords]

    def given(scope):
        return [argument(scope) for argument in arguments], {key: value(scope) for key, value in named}

    if isinstance(node.func, ast.Name) and node.func.id in calls.NAMES:
        function = build(node.func, variables)
        return lambda scope: calls.called(function(scope), *given(scope))
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in calls.NAMES | calls.METHOD_NAMES:
        raise Unknown
    owner, key = build(node.func.value, variables), node.func.attr

    def value_of(scope):
        this = owner(scope)
        if calls.is_method(this, key):
            return calls.method(this, key, *given(scope))
        return calls.called(values.attribute(this, key), *given(scope))

    return value_of


MAKERS = {
    "Constant": constant,
    "Name": name,
    "Attribute": attribute,
    "Subscript": subscript,
    "BinOp": binary,
    "UnaryOp": unary,
    "BoolOp": boolean,
    "Compare": compare,
    "IfExp": conditional,
    "Tuple": display,
    "List": display,
    "Set": set_display,
    "JoinedStr": joined,
    "FormattedValue": field,
    "Call": call,
}

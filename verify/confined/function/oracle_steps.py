"""The test program: compiled with comparisons that say what they got, and run step by step. See :mod:`oracle_run`.

Python 3.8 to 3.13, standard library only.
"""

import __future__

import ast
import functools
import operator
import reprlib
from typing import Any, List, Optional, Tuple

COMPARE = "__mendlab_compare__"
OPERATORS = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Is: ("is", operator.is_),
    ast.IsNot: ("is not", operator.is_not),
    ast.In: ("in", lambda left, right: left in right),
    ast.NotIn: ("not in", lambda left, right: left not in right),
}
BY_SIGN = dict(OPERATORS.values())
LONGEST = 400
FUTURE = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


class Rewriter(ast.NodeTransformer):
    """Turns ``assert a == b`` into ``assert __mendlab_compare__(a, "==", b, "f(1) == 2")``, which means the same."""

    def __init__(self, source):
        self.source = source

    def visit_Assert(self, node):
        self.generic_visit(node)
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            sign, _ = OPERATORS[type(test.ops[0])]
            text = ast.get_source_segment(self.source, test) or ""
            parts = [test.left, ast.Constant(sign), test.comparators[0], ast.Constant(shorten(text, LONGEST // 2))]
            node.test = ast.Call(ast.Name(COMPARE, ast.Load()), parts, [])
            for made in ast.walk(node.test):
                if not hasattr(made, "lineno"):
                    ast.copy_location(made, test)
        return node


def compile_step(source, name):
    """Return the code of a step, or the error in it."""
    return compile_pieces(source, name, after=())[0]


def compile_setup(source):
    """Return the codes of the setup, each class definition the last of its piece; or the error in it, in a list."""
    return compile_pieces(source, "<setup>", after=(ast.ClassDef,))


def compile_pieces(source, name, after):
    try:
        tree = ast.parse(source, name)
        if "assert" in source:
            tree = Rewriter(source).visit(tree)
        pieces: List[List[ast.stmt]] = [[]]
        for statement in tree.body:
            pieces[-1].append(statement)
            if isinstance(statement, after):
                pieces.append([])
        codes, flags = [], 0
        for piece in pieces:
            codes.append(compile(ast.Module(piece, []), name, "exec", flags, True))
            flags |= codes[-1].co_flags & FUTURE
        return codes
    except (SyntaxError, ValueError, RecursionError) as error:
        return [error]


class Comparison:
    """Compares for the test program, and remembers the last comparison that did not hold."""

    def __init__(self) -> None:
        self.failed: Optional[Tuple[Any, str]] = None

    def __call__(self, left: Any, sign: str, right: Any, text: str) -> Any:
        holds = BY_SIGN[sign](left, right)
        if not holds:
            self.failed = (left, text)
        return holds

    def message(self) -> str:
        """As ``assert f(1) == 2, got 3``."""
        left, text = self.failed or (None, "")
        return "assert %s, got %s" % (text, show(left))


class Short(reprlib.Repr):
    """Representations of bounded length."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 5
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = self.maxdeque = 12
        self.maxstring = self.maxother = self.maxlong = 120


def show(value: Any) -> str:
    try:
        return shorten(Short().repr(value), LONGEST)
    except Exception:
        return "<%s>" % type(value).__name__


def shorten(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 4] + " ..."


def explain(error: BaseException, comparison: Comparison) -> str:
    """One short line on what a step raised."""
    if isinstance(error, AssertionError) and not error.args and comparison.failed is not None:
        return comparison.message()
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    return shorten("%s: %s" % (name, text) if text else name, LONGEST)

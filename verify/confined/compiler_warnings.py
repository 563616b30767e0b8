"""Of what Python's compiler warns. Python 3.8 to 3.13, standard library only."""

import ast

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def warns(node: "ast.AST") -> bool:
    """Whether the compiler may warn: ``is`` with a literal, one that is called or indexed, a tuple that is asserted."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        return any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops) and any(map(is_literal, operands))
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Tuple)
    return isinstance(node, (ast.Call, ast.Subscript)) and is_literal(
        getattr(node, "func", getattr(node, "value", None))
    )


def is_literal(node: "ast.AST | None") -> bool:
    if isinstance(node, ast.Constant):
        return not any(node.value is single for single in (None, True, False, ...))
    return isinstance(node, (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.JoinedStr, *COMPREHENSIONS))

"""The same walk over the same items."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from mendlab.mutators.disguising.rewriting.rules import COMPREHENSIONS, SCOPES, Instead, Scope, mentions, on_statements


@on_statements("loop for comprehension")
def loop_for_comprehension(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Append in a loop what a list comprehension collects."""
    match block[0]:
        case ast.Assign(targets=[ast.Name()]) | ast.Return():
            pass
        case _:
            return None
    match block[0].value:
        case ast.ListComp(elt=element, generators=[ast.comprehension(target=ast.Name(id=name)) as walk]):
            if walk.is_async or _has_scopes(element, *walk.ifs) or name in mentions(walk.iter):
                return None
            item, found = scope.fresh(f"each_{name.strip('_') or 'item'}"), scope.fresh("found")
            append = ast.Attribute(_load(found), "append", ast.Load())
            collect: ast.stmt = ast.Expr(ast.Call(append, [_renamed(element, name, item)], []))
            for test in reversed(walk.ifs):
                collect = ast.If(_renamed(test, name, item), [collect], [])
            loop = ast.For(ast.Name(item, ast.Store()), walk.iter, [collect], [])
            end = ast.Return(_load(found)) if isinstance(block[0], ast.Return) else ast.Assign(
                block[0].targets, _load(found)
            )  # fmt: skip
            return 1, [ast.Assign([ast.Name(found, ast.Store())], ast.List([], ast.Load())), loop, end]
    return None


@on_statements("comprehension for loop")
def comprehension_for_loop(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Collect in a list comprehension what a loop appends."""
    match list(block[:2]):
        case [
            ast.Assign(targets=[ast.Name(id=found)], value=ast.List(elts=[])),
            ast.For(target=ast.Name(id=item), iter=items, body=[body], orelse=[]) as loop,
        ]:
            tests = []
            while isinstance(body, ast.If) and not body.orelse and len(body.body) == 1:
                tests.append(body.test)
                body = body.body[0]
            match body:
                case ast.Expr(value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=same), attr="append"), args=[element], keywords=[]
                )) if same == found:  # fmt: skip
                    parts = (element, *tests)
                    alone = scope.mentions[item] == mentions(loop)[item] and item not in mentions(items)
                    free = found not in mentions(items, *parts) and id(loop) not in scope.guarded
                    if alone and free and not _has_scopes(*parts) and found not in scope.shared and item != found:
                        walk = ast.comprehension(ast.Name(item, ast.Store()), items, tests, 0)
                        return 2, [ast.Assign([ast.Name(found, ast.Store())], ast.ListComp(element, [walk]))]
    return None


@on_statements("while for for")
def while_for_for(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Walk over an iterator by hand."""
    match block[0]:
        case ast.For(target=target, iter=items, body=body, orelse=[]) if scope.is_builtin(
            "iter", "next", "StopIteration"
        ):
            walk = scope.fresh("items")
            begin = ast.Assign([ast.Name(walk, ast.Store())], ast.Call(_load("iter"), [items], []))
            item = scope.fresh("item")
            step = ast.Try(
                [ast.Assign([ast.Name(item, ast.Store())], ast.Call(_load("next"), [_load(walk)], []))],
                [ast.ExceptHandler(_load("StopIteration"), None, [ast.Break()])], [], [],
            )  # fmt: skip
            unpack = ast.Assign([target], _load(item))
            return 1, [begin, ast.While(ast.Constant(True), [step, unpack, *body], [])]
    return None


@on_statements("while with an index for range")
def while_with_index(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Count through a range by hand."""
    match block[0]:
        case ast.For(
            target=ast.Name(id=name),
            iter=ast.Call(func=ast.Name(id="range"), args=[ast.Call(func=ast.Name(id="len")) as end], keywords=[]),
            body=body,
            orelse=[],
        ) if scope.is_builtin("range", "len"):
            at, stop = scope.fresh("at"), scope.fresh("stop")
            advance = ast.AugAssign(ast.Name(at, ast.Store()), ast.Add(), ast.Constant(1))
            take = ast.Assign([ast.Name(name, ast.Store())], _load(at))
            return 1, [
                ast.Assign([ast.Name(stop, ast.Store())], end),
                ast.Assign([ast.Name(at, ast.Store())], ast.Constant(0)),
                ast.While(ast.Compare(_load(at), [ast.Lt()], [_load(stop)]), [take, advance, *body], []),
            ]
    return None


@on_statements("while true")
def while_true(block: Sequence[ast.stmt], scope: Scope) -> Instead | None:
    """Ask inside an endless loop what ``while`` asks at its head."""
    match block[0]:
        case ast.While(test=test, body=body, orelse=[]) if not isinstance(test, ast.Constant):
            leave = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])
            return 1, [ast.While(ast.Constant(True), [leave, *body], [])]
    return None


def _has_scopes(*nodes: ast.AST) -> bool:
    return any(isinstance(inner, (*SCOPES, *COMPREHENSIONS)) for node in nodes for inner in ast.walk(node))


def _renamed(node: ast.expr, old: str, new: str) -> ast.expr:
    class Renamer(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.Name:
            return ast.Name(new, name.ctx) if name.id == old else name

    renamed: ast.expr = Renamer().visit(copy.deepcopy(node))
    return renamed


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())

"""Plans where the sites of a file go, and puts them into its syntax tree. Python 3.8 to 3.13, standard library only."""

import ast
import sys
import warnings
from typing import Any

load = sys.modules["__main__"].load
changed, expressions, guarding, sites, values = (
    load("infection_" + name) for name in ("changes", "expressions", "guards", "sites", "values")
)
heading, instrumented = load("infection_heads"), load("instrumented")


class Plan:
    """The sites of one file, by their place (see :mod:`infection_changes`).

    Where nobody ``reads_heads`` of functions, also the ``heads`` that tell of calls, by the place of the function.
    """

    def __init__(self, recorder, data, reads_heads):
        self._recorder = recorder
        self._reads_heads = reads_heads
        self.heads: "dict[Any, Any]" = {}
        self._source = changed.Source(data)
        self._surroundings = changed.Surroundings()
        self.sites: "dict[Any, Any]" = {}

    def add(self, number, first, last, lines):
        """Add a change to sites of its own; returns False where nothing can be told of it."""
        try:
            return self._add(number, first, last, lines)
        except RecursionError:
            return False

    def _add(self, number, first, last, lines):
        if not self._reads_heads:
            for path, function, block in self._source.statements(first, last, lines):
                parameters = heading.differing(function, block)
                if parameters:
                    self.heads.setdefault(path, heading.Head(self._recorder, function.name)).add(number, parameters)
                    return True
        found = self._source.differing(first, last, lines)
        if found is None:
            return False
        outside, statement, paths = found
        ends = {}
        for path in paths:
            guard = isinstance(path, guarding.Guard)
            if changed.may_warn([path.new] if guard else list(changed.follow(statement, path))):
                return False
            widest = self._guard(outside, path) if guard else self._widest(outside, statement, path)
            if widest is None:
                return False
            ends[widest[0]] = widest
        for place, (_, old, new, nodes) in ends.items():
            if not any(place[:length] in ends for length in range(len(place))):
                self._site(place, old, nodes).add(number, new)
        return True

    def _site(self, place, old, nodes):
        if place not in self.sites:
            truth = changed.wants_truth(nodes) if place[-1] not in changed.MARKS else place[-1] != changed.OPERATOR
            self.sites[place] = sites.Site(self._recorder, old, truth)
        return self.sites[place]

    def _guard(self, outside, guard):
        """Return the same as :meth:`_widest` for a condition that comes or goes."""
        place = (*outside, *guard.path)
        nodes = list(changed.follow(self._source.tree, place))
        if not any(isinstance(node, changed.SCOPES) for node in nodes):
            return None
        made = self._made(nodes, guard.old, guard.new)
        return None if made is None else (place, *made, nodes)

    def _widest(self, outside, statement, path):
        """Return the largest expression around a place, within its statement, both of whose forms can be evaluated.

        As ``(place, old, new, nodes)``: what gives the values, and the nodes from the module to the expression.
        """
        best = None
        for place, nodes, old, new in self._candidates(outside, statement, path):
            made = self._made(nodes, old, new)
            if made is None:
                break
            if place[-1] == changed.OPERATOR or fits(nodes):
                best = (place, *made, nodes)
        return best

    def _candidates(self, outside, statement, path):
        """Yield ``(place, nodes, old, new)`` of the expressions around a place, from the smallest out."""
        for length in range(len(path) - (path[-1] == changed.OPERATOR), 0, -1):
            place = (*outside, *path[:length])
            nodes = list(changed.follow(self._source.tree, place))
            *_, above, new = changed.follow(statement, path[:length])
            if path[-1] != changed.OPERATOR and changed.is_read(nodes[-1]):
                yield place, nodes, nodes[-1], new
            if isinstance(nodes[-2], ast.AugAssign) and place[-1][0] == "value":
                if isinstance(nodes[-2].target, ast.Name):
                    yield (*place, changed.OPERATOR), nodes, changed.binary(nodes[-2]), changed.binary(above)
                return

    def _made(self, nodes, old, new):
        around = self._surroundings.of(nodes)
        if around is None or (around[1] and not expressions.LIVE_LOCALS):
            return None
        try:
            return expressions.build(old, around[0]), expressions.build(new, around[0])
        except values.Unknown:
            return None


def fits(nodes):
    """Whether any expression may stand in the place of the last of some nodes, each the parent of the next."""
    parent, node = nodes[-2:]
    names = [name for name, value in ast.iter_fields(parent) if value is node]
    return changed.fits_in(parent, names[0] if names else "", node)


def put(tree, sites, heads):
    """Put sites into a tree, by their places: around expressions first, which moves nothing."""
    functions = [(list(changed.follow(tree, place))[-1], head) for place, head in heads.items()]
    for place in sorted(sites, key=len, reverse=True):
        if place[-1] not in guarding.BEFORE.values():
            put_around(tree, place, sites[place])
    inserted = [place for place in sites if place[-1] in guarding.BEFORE.values()]
    for place in sorted(inserted, key=lambda place: [(name, index or 0) for name, index in place], reverse=True):
        put_before(tree, place, sites[place])
    for function, head in functions:
        heading.put(function, head)


def put_around(tree, place, site):
    """Have a site come before the expression at a place."""
    path = place[:-1] if place[-1] in changed.MARKS else place
    *_, node = changed.follow(tree, path)
    call = call_of(site, node)
    both = ast.BoolOp(op=ast.Or(), values=[call, node])
    changed.replaced(tree, path, ast.copy_location(both, node))


def put_before(tree, place, site):
    """Have a site come before the statement at a place, or after the last of its block."""
    *_, parent = changed.follow(tree, place)
    name, index = place[-2]
    block = getattr(parent, name)
    near = block[min(index, len(block) - 1)] if block else parent
    block.insert(index, ast.copy_location(ast.Expr(value=call_of(site, near)), near))


def call_of(site, near):
    """Return the call of a site, with the location of a node."""
    call = ast.Call(func=instrumented.embed(site), args=[], keywords=[])
    ast.copy_location(call.func, near)
    return ast.copy_location(call, near)


def check(tree):
    """Raise ValueError if a tree cannot be compiled; warnings come from the compilation that counts."""
    filters: Any = warnings.filters
    warnings.filters = [("ignore", None, Warning, None, 0), *filters]
    try:
        compile(tree, "<changed>", "exec", dont_inherit=True)
    except (SyntaxError, RecursionError) as error:
        raise ValueError(str(error)) from None
    finally:
        warnings.filters = filters

"""Arguments by the annotations of a function, as Hypothesis makes them where it is installed. Nothing is evaluated."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from mendlab.verify.equivalence.inputs.domain import Domain, places
from mendlab.verify.equivalence.inputs.travel import Arguments

EXAMPLES: Final = 16
MOST_ITEMS: Final = 8
GREATEST: Final = 10_000


class Unknown(Exception):
    """An annotation that stands for no strategy."""


@cache
def is_available() -> bool:
    """Whether Hypothesis is there."""
    return importlib.util.find_spec("hypothesis") is not None


def parameters_of(source: str, name: str) -> dict[object, ast.expr]:
    """Return the annotations of a function's parameters, by position and by name; ``name`` is qualified."""
    found = _function(source, name)
    if found is None:
        return {}
    positional = [*found.args.posonlyargs, *found.args.args]
    annotated: dict[object, ast.expr] = {
        at: argument.annotation for at, argument in enumerate(positional) if argument.annotation is not None
    }
    for argument in (*positional, *found.args.kwonlyargs):
        if argument.annotation is not None:
            annotated[argument.arg] = argument.annotation
    return annotated


def optional_parameters(source: str, name: str) -> set[object]:
    """Return the parameters, by position and by name, whose default is None or 0, or that are asked for ``is None``."""
    function = _function(source, name)
    if function is None:
        return set()
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [*zip(reversed(positional), reversed(given.defaults), strict=False)]
    pairs += [(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None]
    found = {one.arg for one, value in pairs if isinstance(value, ast.Constant) and value.value in (None, 0)}
    for node in ast.walk(function):
        match node:
            case ast.Compare(
                left=ast.Name(id=left), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]
            ):
                found.add(left)
    return {at for at, one in enumerate(positional) if one.arg in found} | found


def _function(source: str, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function of a qualified name."""
    try:
        found: ast.AST = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for part in name.split("."):
        inside = [node for node in ast.iter_child_nodes(found) if getattr(node, "name", None) == part]
        if not inside:
            return None
        found = inside[-1]
    return found if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef) else None


def typed(annotated: dict[object, ast.expr]) -> Callable[..., Iterator[Arguments]]:
    """Return a source of arguments by annotations; those without one are as recorded."""

    def source(recorded: Sequence[Arguments], domain: Domain, *_: Any) -> Iterator[Arguments]:
        base = recorded[0]
        able = [place for place, _ in places(base) if place in annotated]
        if not able or not is_available():
            return
        try:
            drawn = _examples([annotated[place] for place in able])
        except Unknown:
            return
        chance = Random(0)
        for values in drawn:
            args, kwargs = chance.choice(recorded)
            given = dict(zip(able, values, strict=True))
            yield (
                tuple(given.get(place, value) for place, value in enumerate(args)),
                {name: given.get(name, value) for name, value in kwargs.items()},
            )

    return source


def _examples(annotations: Sequence[ast.expr]) -> list[tuple[Any, ...]]:
    from hypothesis import HealthCheck, Phase, given, settings, strategies

    found: list[tuple[Any, ...]] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategies.tuples(*map(_strategy, annotations)))
    def keep(values: tuple[Any, ...]) -> None:
        found.append(values)

    keep()
    return found


def _strategy(annotation: ast.expr, depth: int = 0) -> Any:
    """The strategy that an annotation stands for. Raises Unknown."""
    from hypothesis import strategies

    plain = {
        "int": lambda: strategies.integers(-GREATEST, GREATEST),
        "float": lambda: strategies.floats(-GREATEST, GREATEST, allow_nan=False),
        "complex": lambda: strategies.complex_numbers(max_magnitude=GREATEST, allow_nan=False),
        "bool": strategies.booleans,
        "str": lambda: strategies.text(max_size=2 * MOST_ITEMS),
        "bytes": lambda: strategies.binary(max_size=2 * MOST_ITEMS),
        "None": strategies.none,
    }
    match annotation:
        case ast.Constant(value=None):
            return plain["None"]()
        case ast.Constant(value=str(text)):
            try:
                return _strategy(ast.parse(text, mode="eval").body, depth + 1)
            except (SyntaxError, ValueError, RecursionError):
                raise Unknown(text) from None
        case ast.Name(id=name) if name in plain:
            return plain[name]()
        case ast.BinOp(op=ast.BitOr(), left=left, right=right) if depth < 6:
            return strategies.one_of(_strategy(left, depth + 1), _strategy(right, depth + 1))
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inside) if depth < 6:
            parts = list(inside.elts) if isinstance(inside, ast.Tuple) else [inside]
            return _container(name, parts, depth + 1)
    raise Unknown(ast.dump(annotation))


def _container(name: str, parts: Sequence[ast.expr], depth: int) -> Any:
    from hypothesis import strategies

    match name.lower(), parts:
        case "list" | "sequence" | "iterable", [item]:
            return strategies.lists(_strategy(item, depth), max_size=MOST_ITEMS)
        case "set", [item]:
            return strategies.sets(_strategy(item, depth), max_size=MOST_ITEMS)
        case "frozenset", [item]:
            return strategies.frozensets(_strategy(item, depth), max_size=MOST_ITEMS)
        case "dict" | "mapping", [key, item]:
            return strategies.dictionaries(_strategy(key, depth), _strategy(item, depth), max_size=MOST_ITEMS)
        case "tuple", [item, ast.Constant(value=end)] if end is ...:
            return strategies.lists(_strategy(item, depth), max_size=MOST_ITEMS).map(tuple)
        case "tuple", _:
            return strategies.tuples(*(_strategy(part, depth) for part in parts))
        case "optional", [item]:
            return strategies.one_of(strategies.none(), _strategy(item, depth))
        case "union", _:
            return strategies.one_of(*(_strategy(part, depth) for part in parts))
        case "literal", _ if all(isinstance(part, ast.Constant) for part in parts):
            return strategies.sampled_from([part.value for part in parts if isinstance(part, ast.Constant)])
    raise Unknown(name)

"""CrossHair's search for inputs that tell two versions of a function apart: an optional extra (``mendlab[crosshair]``).

It decides nothing: what it finds is tried on both like any other input.
"""

from __future__ import annotations

import ast
import importlib.util
from contextlib import closing
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError
from mendlab.records import FunctionHarness, Limits, Task
from mendlab.verify.bench import Bench
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.warm import WarmProcess
from mendlab.verify.engines.script_engine import encode_tree
from mendlab.verify.equivalence.inputs.domain import Domain, Shape
from mendlab.verify.equivalence.inputs.travel import Arguments
from mendlab.verify.equivalence.replaying import Function

START_SECONDS: Final = 10.0
"""CPU time that importing CrossHair may take."""
NAMES: Final = {int: "int", float: "float", str: "str", bool: "bool", bytes: "bytes", type(None): "None"}


@cache
def is_available() -> bool:
    """Whether CrossHair is there."""
    return importlib.util.find_spec("crosshair") is not None


def search(
    task: Task,
    versions: tuple[FileTree, FileTree],
    function: Function,
    recorded: list[Arguments],
    bench: Bench,
    *,
    seconds: float,
) -> tuple[list[Arguments], float]:
    """Return arguments on which two versions of a function may differ, and the CPU seconds that the search took.

    Only functions of a module with function tests are searched, by their annotations and by the types of recorded
    arguments where they have none.
    """
    module, name = function
    harness = task.harness
    if not (isinstance(harness, FunctionHarness) and is_available() and name.isidentifier() and recorded):
        return [], 0.0
    names = _parameters(decode(harness.module, versions[0][harness.module]).text, name)
    domain = Domain(recorded)
    annotations = {
        parameter: text
        for place, shape in domain.shapes.items()
        if (parameter := names[place] if isinstance(place, int) and place < len(names) else place)
        and isinstance(parameter, str)
        and (text := annotation_of(shape)) is not None
    }
    limits = Limits(cpu_seconds=seconds + START_SECONDS, wall_seconds=6 * (seconds + START_SECONDS))
    warm = WarmProcess("crosshair_run", {}, interpreter=find_interpreter(), level=bench.level, limits=limits)
    request = {
        "trees": [encode_tree(tree) for tree in versions],
        "roots": [str(PurePosixPath(harness.module).parent)],
        "module": module,
        "function": name,
        "annotations": annotations,
        "seconds": seconds,
    }
    try:
        with closing(warm):
            emitted, done = warm.run(request)
    except EngineError:
        return [], 0.0
    args, kwargs = recorded[0]
    found = []
    for told in emitted:
        given = _read(told)
        try:
            positional = tuple(given[name] for name in names[: len(args)])
            if len(positional) == len(args):
                found.append((positional, {key: given[key] for key in kwargs}))
        except KeyError:
            continue
    return found, done.cpu_seconds


def annotation_of(shape: Shape, depth: int = 0) -> str | None:
    """Return the annotation that values of a shape would have, or None for what has none."""
    texts = [_annotation_of_kind(kind, shape, depth) for kind in shape.kinds]
    if not texts or None in texts or depth > 4:
        return None
    return texts[0] if len(texts) == 1 else f"Union[{', '.join(map(str, texts))}]"


def _annotation_of_kind(kind: type, shape: Shape, depth: int) -> str | None:
    if kind in NAMES:
        return NAMES[kind]
    if kind in (list, set, frozenset) and "item" in shape.parts:
        item = annotation_of(shape.parts["item"], depth + 1)
        return None if item is None else f"{kind.__name__.title().replace('Frozenset', 'FrozenSet')}[{item}]"
    if kind is dict and "key" in shape.parts:
        inner = [annotation_of(shape.parts[part], depth + 1) for part in ("key", "value")]
        return None if None in inner else f"Dict[{inner[0]}, {inner[1]}]"
    return None


def _parameters(source: str, name: str) -> list[str]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return []


def _read(told: Any) -> dict[str, Any]:
    """What was found, as values; what is no literal is left out."""
    found = {}
    for name, text in told.items() if isinstance(told, dict) else ():
        try:
            found[name] = ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    return found

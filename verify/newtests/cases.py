"""One new test: a call, what the reference does on it, and how both are written."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from mendlab.corpora.functions import FunctionNode, named_functions
from mendlab.verify.equivalence.same import same_value, show
from mendlab.verify.newtests.doing import Looked
from mendlab.verify.newtests.domain import Place, places
from mendlab.verify.newtests.messages import Instance
from mendlab.verify.newtests.spelling import STANDARD, Shape, Speller, Unspellable, names_in

Form = Literal["returns", "has_type", "changes", "raises", "sequence"]
Kind = Literal["aimed", "rival", "boundary"]
_ITERATORS: Final = frozenset({"map", "filter", "zip", "iter", "enumerate", "reversed"})
_RESERVED: Final = frozenset({"request", "expected", "pytest", "self", "cls"})


@dataclass(frozen=True, slots=True)
class Signature:
    """What is known of a function from its text: its parameters, and how its result is brought to an end."""

    parameters: tuple[str, ...] = ()
    several: str | None = None
    wrapping: Literal["", "list", "asyncio.run"] = ""

    def names(self, count: int) -> list[str]:
        """Return names for so many positional arguments."""
        named = list(self.parameters[:count])
        return named + [f"{self.several or 'argument'}_{at}" for at in range(1, count - len(named) + 1)]


@dataclass(frozen=True, slots=True)
class Case:
    """One test. ``arguments`` are the texts of positional and named arguments, ``names`` what parameters are called.

    ``expected`` is how the file writes the answer, and ``exactly`` how it is written without tolerance. ``changed`` is
    the place of the argument that is looked at afterwards. A sequence has the lines that come ``first``, and the
    expression that is looked at ``last``. ``raises`` is the exception that is to come, if one is.
    """

    kind: Kind
    label: str
    judged: bool
    form: Form
    module: str
    function: str
    names: tuple[str, ...]
    arguments: tuple[str, ...]
    keywords: tuple[str, ...]
    expected: str
    exactly: str
    buggy: str
    wrapping: str = ""
    changed: int | None = None
    first: tuple[str, ...] = ()
    last: str = ""
    raises: str = ""
    imports: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """What is done, as a person reads it."""
        return "; ".join((*self.first, self.last)) if self.form == "sequence" else self.call(self.arguments)

    def call(self, arguments: Sequence[str]) -> str:
        """Return the call with these texts for its arguments."""
        first = len(arguments) - len(self.keywords)
        given = [*arguments[:first], *(f"{k}={v}" for k, v in zip(self.keywords, arguments[first:], strict=True))]
        text = f"{self.function}({', '.join(given)})"
        return f"{self.wrapping}({text})" if self.wrapping else text


def make_case(
    looked: Looked,
    *,
    kind: Kind,
    label: str = "",
    judged: bool = True,
    source: tuple[Place, str] | None = None,
    shapes: Mapping[str, Shape],
    signature: Signature,
    exceptions: Mapping[str, str | None],
) -> Case:
    """Return the test for a call. ``source`` is the text of one argument; ``exceptions`` say where classes come from.

    Raises:
        Unspellable: it cannot be written.
    """
    spell = Speller(shapes).spell
    given = places(looked.call.arguments)
    texts = tuple(source[1] if source and source[0] == place else spell(value) for place, value in given)
    form, expected, exactly, changed = _answer(looked, shapes)
    imports: list[tuple[str, str]] = []
    if form == "raises":
        if looked.expected.name not in exceptions:
            raise Unspellable(f"where {looked.expected.name} comes from is not known")
        origin = exceptions[looked.expected.name]
        imports += [(origin, looked.expected.name)] if origin else []
    imports.append((looked.call.module, looked.call.function))
    imports += imports_for(shapes, *texts, exactly)
    keywords = tuple(looked.call.arguments[1])
    return Case(
        kind=kind,
        label=label,
        judged=judged,
        form=form,
        module=looked.call.module,
        function=looked.call.function,
        names=_names(looked, signature, keywords),
        arguments=texts,
        keywords=keywords,
        expected=expected,
        exactly=exactly,
        buggy=found_text(looked, changed),
        wrapping=signature.wrapping,
        changed=changed,
        raises=looked.expected.name if form == "raises" else "",
        imports=tuple(sorted(set(imports))),
    )


def _answer(looked: Looked, shapes: Mapping[str, Shape]) -> tuple[Form, str, str, int | None]:
    """Return what a test looks at, how that is written in the file and exactly, and which argument it is, if any."""
    if looked.expected.word == "raises":
        return "raises", looked.expected.name, looked.expected.name, None
    result, args, _ = looked.expected.value
    loosely, exactly = Speller(shapes, approximately=True), Speller(shapes)
    theirs = looked.found.value if looked.found.word == "returns" else None
    if theirs is not None and same_value(result, theirs[0]) and not same_value(args, theirs[1]):
        place = next(
            at for at, (one, other) in enumerate(zip(args, theirs[1], strict=True)) if not same_value(one, other)
        )
        return "changes", loosely.spell(args[place]), exactly.spell(args[place]), place
    if result is None and _mutated(looked):
        place = _mutated(looked)[0]
        return "changes", loosely.spell(args[place]), exactly.spell(args[place]), place
    if theirs is not None and type(result) is not type(theirs[0]) and _equal(result, theirs[0]):
        return "has_type", exactly.spell(result), exactly.spell(result), None
    return "returns", loosely.spell(result), exactly.spell(result), None


def imports_for(shapes: Mapping[str, Shape], *texts: str) -> list[tuple[str, str]]:
    """Return the classes that texts use, each with the module it comes from: the program's, or the library's."""
    used = names_in(*texts)
    own = [(shape.module, shape.name) for shape in shapes.values() if shape.name in used]
    known = {name for _, name in own}
    return own + [(module, name) for name, module in STANDARD.items() if name in used and name not in known]


def found_text(looked: Looked, changed: int | None) -> str:
    """Return what the buggy program does, as a person reads it."""
    if looked.found.word != "returns":
        return looked.found.text
    result, args, _ = looked.found.value
    return show(result if changed is None else args[changed])


def _mutated(looked: Looked) -> list[int]:
    before, after = looked.call.arguments[0], looked.expected.value[1]
    return [
        at for at, (one, other) in enumerate(zip(before, after, strict=True))
        if not isinstance(one, Instance) and not same_value(one, other)
    ]  # fmt: skip


def _equal(one: Any, other: Any) -> bool:
    plain = (bool, int, float, set, frozenset)
    return type(one) in plain and type(other) in plain and bool(one == other)


def _names(looked: Looked, signature: Signature, keywords: Sequence[str]) -> tuple[str, ...]:
    names = (*signature.names(len(looked.call.arguments[0])), *keywords)
    return tuple(f"{name}_" if name in _RESERVED or name == looked.call.function else name for name in names)


def snake(name: str) -> str:
    """Return a name in lower case with underscores, for use within another."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace(".", "_").lower().strip("_")


def signatures(source: str) -> dict[str, Signature]:
    """Return what the text of a module says of its functions and methods, by qualified name."""
    return {name: _signature(node) for name, node in named_functions(ast.parse(source)) if "<locals>" not in name}


def _signature(node: FunctionNode) -> Signature:
    spec = node.args
    inner = [each for child in node.body for each in _own_nodes(child)]
    yields = any(isinstance(each, ast.Yield | ast.YieldFrom) or _gives_an_iterator(each) for each in inner)
    wrapping: Literal["", "list", "asyncio.run"] = ""
    if isinstance(node, ast.AsyncFunctionDef):
        wrapping = "asyncio.run"
    elif yields:
        wrapping = "list"
    names = tuple(arg.arg for arg in (*spec.posonlyargs, *spec.args))
    return Signature(names, spec.vararg.arg if spec.vararg else None, wrapping)


def _gives_an_iterator(node: ast.AST) -> bool:
    match node:
        case ast.Return(value=ast.GeneratorExp()):
            return True
        case ast.Return(value=ast.Call(func=ast.Name(id=name))):
            return name in _ITERATORS
    return False


def _own_nodes(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return []
    return [node, *(each for child in ast.iter_child_nodes(node) for each in _own_nodes(child))]


def exceptions_of(sources: Mapping[str, str]) -> dict[str, str | None]:
    """Return the modules that exception classes are imported from, by name; None for those that are built in."""
    found: dict[str, str | None] = {}
    for module, source in sources.items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and node.bases:
                found.setdefault(node.name, module)
    built_in = vars(builtins)
    found.update(
        {name: None for name, value in built_in.items() if isinstance(value, type) and issubclass(value, Exception)}
    )
    return found

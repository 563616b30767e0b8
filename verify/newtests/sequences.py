"""Witnesses on objects with state: one is made, some of its methods are called, and the last answer differs.

What it is made with, and what its methods are called with, is drawn from recorded calls alone.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.functions import named_scopes
from mendlab.corpora.tree import FileTree
from mendlab.verify.equivalence.same import same_value, show
from mendlab.verify.newtests.cases import Case, Signature, imports_for, snake
from mendlab.verify.newtests.doing import Call, Looked, Pair
from mendlab.verify.newtests.messages import Arguments, Instance
from mendlab.verify.newtests.spelling import Shape, Speller, Unspellable

MODULE: Final = "mendlab_sequence"
TRIED: Final = 300
LONGEST: Final = 5
ROUNDS: Final = 8
LINE: Final = 84
_SOURCE: Final = '''\
import importlib


def run(module, name, made_with, steps):
    """Make an object, take steps on it, and return what the last one gives."""
    args, kwargs = made_with
    thing = getattr(importlib.import_module(module), name)(*args, **kwargs)
    answer = None
    for member, arguments in steps:
        answer = getattr(thing, member)
        if arguments is not None:
            args, kwargs = arguments
            answer = answer(*args, **kwargs)
    return answer
'''
_OPERATORS: Final = {
    "__eq__": "({} == {})",
    "__ne__": "({} != {})",
    "__lt__": "({} < {})",
    "__le__": "({} <= {})",
    "__gt__": "({} > {})",
    "__ge__": "({} >= {})",
    "__add__": "{} + {}",
    "__sub__": "{} - {}",
    "__mul__": "{} * {}",
    "__matmul__": "{} @ {}",
    "__truediv__": "{} / {}",
    "__and__": "{} & {}",
    "__or__": "{} | {}",
    "__xor__": "{} ^ {}",
    "__neg__": "-{}",
    "__getitem__": "{}[{}]",
    "__contains__": "({1} in {0})",
    "__len__": "len({})",
    "__iter__": "list({})",
    "__bool__": "bool({})",
    "__str__": "str({})",
    "__repr__": "repr({})",
    "__call__": "{}({})",
}

Step = tuple[str, Arguments | None]
"""A method and its arguments, or a property."""


@dataclass(frozen=True, slots=True)
class Stateful:
    """A class of the program: what it was seen made with, its methods with what they were called with, properties."""

    module: str
    name: str
    made_with: tuple[Arguments, ...]
    methods: Mapping[str, tuple[Arguments, ...]]
    properties: tuple[str, ...]

    def call(self, made_with: Arguments, steps: Sequence[Step]) -> Call:
        """Return the sequence as one call of the module that is laid beside the program."""
        return Call(MODULE, "run", ((self.module, self.name, made_with, tuple(steps)), {}))


def beside(tree: FileTree) -> FileTree:
    """Return a tree with the module that takes the steps."""
    return tree.replace({f"{MODULE}.py": _SOURCE.encode()})


def stateful_classes(
    sources: Mapping[str, str], calls: Mapping[tuple[str, str], Sequence[Arguments]], shapes: Mapping[str, Shape]
) -> list[Stateful]:
    """Return the classes whose making and methods were recorded with arguments that can be written."""
    found = []
    for module, source in sources.items():
        for name, node in named_scopes(ast.parse(source)):
            if not isinstance(node, ast.ClassDef) or "." in name:
                continue
            methods = {
                method: tuple((args[1:], kwargs) for args, kwargs in recorded)
                for (where, qualified), recorded in calls.items()
                for owner, _, method in [qualified.rpartition(".")]
                if where == module and owner == name and (not method.startswith("__") or method in _OPERATORS)
            }
            made = _made_with(module, name, calls, shapes)
            if made and methods:
                found.append(Stateful(module, name, made, methods, tuple(_properties(node))))
    return found


def _made_with(
    module: str, name: str, calls: Mapping[tuple[str, str], Sequence[Arguments]], shapes: Mapping[str, Shape]
) -> tuple[Arguments, ...]:
    recorded = [(args[1:], kwargs) for args, kwargs in calls.get((module, f"{name}.__init__"), ())]
    shape = shapes.get(f"@{module}:{name}")
    if not recorded and shape is not None:
        for (where, _), several in calls.items():
            for args, _ in several if where == module else ():
                if args and isinstance(args[0], Instance) and args[0].tag == f"@{module}:{name}":
                    held = args[0].attributes
                    if all(parameter in held for parameter, _ in shape.parameters):
                        recorded.append((tuple(held[parameter] for parameter, _ in shape.parameters), {}))
    return tuple({repr(each): each for each in recorded}.values())


def _properties(node: ast.ClassDef) -> Iterator[str]:
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
    return (each.name for each in methods if "property" in map(ast.unparse, each.decorator_list))


@dataclass(frozen=True, slots=True)
class SequenceWriter:
    """Writes sequences on objects of a class as the lines of a test.

    ``raises`` are exceptions that the tests name, each with the module it comes from; None for those built in.
    """

    stateful: Stateful
    shapes: Mapping[str, Shape]
    signatures: Mapping[tuple[str, str], Signature]
    raises: Mapping[str, str | None]

    def lines(self, call: Call) -> tuple[tuple[str, ...], str]:
        """Return the lines that come first, and the expression of the last step. Raises Unspellable."""
        _, _, made_with, steps = call.arguments[0]
        thing = snake(self.stateful.name)
        first = [f"{thing} = {self.stateful.name}({self._arguments(made_with)})"]
        first += [self._step(thing, step) for step in steps[:-1]]
        last = self._step(thing, steps[-1])
        method = f"{self.stateful.name}.{steps[-1][0]}"
        wrapping = self.signatures.get((self.stateful.module, method), Signature()).wrapping
        if wrapping and steps[-1][0] not in _OPERATORS:
            last = f"{wrapping}({last})"
        if any(len(line) > LINE for line in (*first, last)):
            raise Unspellable("too long")
        return tuple(first), last

    def _step(self, thing: str, step: Step) -> str:
        member, arguments = step
        if arguments is None:
            return f"{thing}.{member}"
        if member in _OPERATORS:
            texts = [Speller(self.shapes).spell(value) for value in arguments[0]]
            return _OPERATORS[member].format(thing, *texts)
        return f"{thing}.{member}({self._arguments(arguments)})"

    def _arguments(self, arguments: Arguments) -> str:
        spell = Speller(self.shapes).spell
        args, kwargs = arguments
        return ", ".join([*map(spell, args), *(f"{key}={spell(value)}" for key, value in kwargs.items())])

    def size(self, call: Call) -> int | None:
        """Return how long a sequence is as text; None where it cannot be written."""
        try:
            first, last = self.lines(call)
        except (Unspellable, IndexError):
            return None
        return sum(map(len, (*first, last)))

    def case(self, looked: Looked) -> Case:
        """Return the test for a sequence. Raises Unspellable."""
        first, last = self.lines(looked.call)
        raises = looked.expected.name if looked.expected.word == "raises" else ""
        if raises:
            expected = exactly = raises
        else:
            result = looked.expected.value[0]
            expected = Speller(self.shapes, approximately=True).spell(result)
            exactly = Speller(self.shapes).spell(result)
        if len(f"assert {last} == {expected}") > LINE:
            raise Unspellable("too long")
        imports = {(self.stateful.module, self.stateful.name), *imports_for(self.shapes, *first, last, expected)}
        if origin := self.raises.get(raises):
            imports.add((origin, raises))
        return Case(
            kind="aimed",
            label="",
            judged=True,
            form="sequence",
            module=self.stateful.module,
            function=f"{self.stateful.name}.{looked.call.arguments[0][3][-1][0].strip('_')}",
            names=(),
            arguments=(),
            keywords=(),
            expected=expected,
            exactly=exactly,
            buggy=show(looked.found.value[0]) if looked.found.word == "returns" else looked.found.text,
            first=first,
            last=last,
            raises=raises,
            imports=tuple(sorted(imports)),
        )


def find_sequences(writer: SequenceWriter, pair: Pair, method: str | None, seed: int, most: int) -> list[Looked]:
    """Return at most so many sequences on which the two programs differ, the shortest first.

    ``method`` is one that is called wherever that can be.
    """
    chance = random.Random(f"{seed} {writer.stateful.module} {writer.stateful.name}")
    differing = _differing(writer, pair, _drawn(writer.stateful, method, chance))
    found: dict[str, Looked] = {}
    for start in differing[:: max(1, len(differing) // most)][:most]:
        looked = _shrink(writer, pair, start)
        found[repr(looked.call)] = looked
    return sorted(found.values(), key=lambda each: writer.size(each.call) or 0)


def _drawn(stateful: Stateful, method: str | None, chance: random.Random) -> Iterator[Call]:
    names = sorted(stateful.methods)
    for _ in range(TRIED):
        steps: list[Step] = []
        for _ in range(chance.randint(1, LONGEST)):
            wanted = method if method in stateful.methods and chance.random() < 0.3 else chance.choice(names)
            assert wanted is not None
            steps.append((wanted, chance.choice(stateful.methods[wanted])))
        if stateful.properties and chance.random() < 0.3:
            steps.append((chance.choice(stateful.properties), None))
        yield stateful.call(chance.choice(stateful.made_with), steps)


def _shrink(writer: SequenceWriter, pair: Pair, looked: Looked) -> Looked:
    for _ in range(ROUNDS):
        size = writer.size(looked.call) or 0
        tried = [call for call in _shorter(writer.stateful, looked.call) if (writer.size(call) or size) < size]
        smaller = _differing(writer, pair, iter(tried[:60]))
        if not smaller:
            return looked
        looked = smaller[0]
    return looked


def _shorter(stateful: Stateful, call: Call) -> Iterator[Call]:
    _, _, made_with, steps = call.arguments[0]
    for at in range(len(steps)):
        yield stateful.call(made_with, (*steps[:at], *steps[at + 1 :]))
    for other in stateful.made_with:
        yield stateful.call(other, steps)
    for at, (member, arguments) in enumerate(steps):
        for fewer in stateful.methods.get(member, ()):
            if arguments is not None and len(repr(fewer)) < len(repr(arguments)):
                yield stateful.call(made_with, (*steps[:at], (member, fewer), *steps[at + 1 :]))


def _differing(writer: SequenceWriter, pair: Pair, calls: Iterator[Call]) -> list[Looked]:
    able = list({repr(call): call for call in calls if writer.size(call) is not None}.values())
    found = [each for each in pair.look(able) if each.differs and _answers(each, writer.raises)]
    return sorted(found, key=lambda each: (not each.found.is_evidence, writer.size(each.call) or 0))


def _answers(looked: Looked, raises: Collection[str]) -> bool:
    """Whether the last answers differ, not only what the steps were given; or what is raised, if that is asked for."""
    if looked.expected.word == "raises":
        return looked.expected.name in raises
    return looked.found.word != "returns" or not same_value(looked.expected.value[0], looked.found.value[0])

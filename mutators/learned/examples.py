"""The example of a template, made of the template itself."""

from __future__ import annotations

import keyword
import warnings
from collections.abc import Iterator
from typing import Final

from mendlab.mutators.context import Context
from mendlab.mutators.context.tree import parse
from mendlab.mutators.edits import apply, normalise
from mendlab.mutators.learned.template import Compiled, filled
from mendlab.mutators.registry.declaration import Example, Transform

_PLACES: Final = (
    "{}\n",
    "def f():\n    {}\n",
    "while x:\n    {}\n",
    "async def f():\n    {}\n",
)


def example_of(template: Compiled, transform: Transform) -> Example | None:
    """The template at work on its own ``before``, in the first place where both sides compile; ``None`` in none."""
    code = filled(template.before, _sample)
    code = f"x = {code}" if template.is_expression else code
    for place in _PLACES:
        indentation = place[: place.index("{}")].rpartition("\n")[2]
        before = place.format(code.replace("\n", f"\n{indentation}"))
        if _compiles(before):
            for after in _mutants(before, transform, template):
                if _compiles(after):
                    return Example(before, after)
    return None


def _sample(name: str) -> str:
    """What stands for a metavariable: ``a`` for ``$A``, ``'c'`` for ``$C``."""
    text = name.lower()
    if name.startswith("C"):
        return repr(text)
    return f"{text}_" if keyword.iskeyword(text) else text


def _mutants(before: str, transform: Transform, template: Compiled) -> Iterator[str]:
    context = Context(parse(before))
    for node in context.of_type(type(template.sought)):
        for change in transform(node, context):
            yield apply(before, normalise(change))


def _compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<example>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
    return True

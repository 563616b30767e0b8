"""The templates: what is filled in is escaped, and made visible where it would hide.

Whatever comes from outside is escaped by Jinja and shown by :func:`mendlab.reports.text.visible`; the only markup is
that of the templates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mendlab.reports import words
from mendlab.reports.outcomes import TONE_WORDS, WORDS
from mendlab.reports.text import visible


@cache
def environment() -> Environment:
    """Return the one environment of all templates."""
    made = Environment(
        loader=PackageLoader("mendlab.reports"),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    made.globals.update(words=words, OUTCOMES=WORDS, TONES=TONE_WORDS)
    return made


def macro(template: str, name: str) -> Callable[..., Markup]:
    """Return a macro of a template, to be called from Python."""
    found: Callable[..., Markup] = getattr(environment().get_template(template).module, name)
    return found


def own_text(name: str) -> Markup:
    """Return a file of the templates' folder as it is: it is ours, and nothing is filled into it."""
    loader = environment().loader
    assert loader is not None
    return Markup(loader.get_source(environment(), name)[0].strip())


def _finalize(value: object) -> object:
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value

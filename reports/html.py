"""The report as one HTML page that needs nothing else: no network, no other file.

Whatever comes from outside is escaped by Jinja and made visible by :func:`mendlab.reports.text.visible`; the only
markup is that of the templates. The page's own policy allows its one style sheet and one script, by digest, and nothing
else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mendlab.reports import words
from mendlab.reports.data import Material
from mendlab.reports.headline import cautions, headline
from mendlab.reports.outcomes import TONE_WORDS, WORDS
from mendlab.reports.section import Report, Section, sections
from mendlab.reports.summary import Summary
from mendlab.reports.text import visible


def render_html(material: Material, summary: Summary) -> str:
    """Return the whole page for ``summary``, which was made from ``material``."""
    environment = _environment()
    report = Report(material, summary)
    parts = [
        (one, Markup(environment.get_template(one.template).render(section=one, **context)))
        for one, context in _built(report)
    ]
    style, script = _own_text(environment, "style.css"), _own_text(environment, "page.js")
    return environment.get_template("page.html.j2").render(
        summary=summary,
        headline=headline(summary),
        cautions=cautions(summary),
        parts=parts,
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'",
    )


def _built(report: Report) -> list[tuple[Section, Mapping[str, object]]]:
    built = [(one, one.build(report)) for one in sections()]
    return [(one, context) for one, context in built if context is not None]


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("mendlab.reports"),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.globals.update(words=words, OUTCOMES=WORDS, TONES=TONE_WORDS)
    return environment


def _finalize(value: object) -> object:
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def _own_text(environment: Environment, name: str) -> Markup:
    """A file of the templates' folder as it is: it is ours, and nothing is filled into it."""
    loader = environment.loader
    assert loader is not None
    return Markup(loader.get_source(environment, name)[0].strip())


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

"""The report as one HTML page that needs nothing else: no network, no other file.

The page's own policy allows its one style sheet and one script, by digest, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

from markupsafe import Markup

from mendlab.reports.data import Material
from mendlab.reports.headline import cautions, headline
from mendlab.reports.section import Report, Section, sections
from mendlab.reports.summary import Summary
from mendlab.reports.templating import environment, own_text
from mendlab.workers import Progress, unheard


def render_html(material: Material, summary: Summary, progress: Progress = unheard) -> str:
    """Return the whole page for ``summary``, which was made from ``material``."""
    report = Report(material, summary, progress)
    parts = [
        (one, Markup(environment().get_template(one.template).render(section=one, **context)))
        for one, context in _built(report)
    ]
    style, script = own_text("style.css"), own_text("page.js")
    page = environment().get_template("page.html.j2")
    return page.render(
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


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

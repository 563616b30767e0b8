"""matplotlib's SVG made fit for the page: no style attributes, which its policy forbids, no ids that clash.

Only elements and attributes that are listed here come through, so that nothing else can get into the page this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

from markupsafe import Markup

from mendlab.reports.plots.colours import Colour

_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_ELEMENTS: Final = frozenset({"svg", "g", "defs", "path", "use", "clipPath", "rect", "text", "tspan"})
_ATTRIBUTES: Final = frozenset({"d", "x", "y", "width", "height", "transform"})
_PROPERTIES: Final = frozenset(
    {"stroke-width", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-opacity"}
    | {"fill-opacity", "opacity", "font-size", "font-weight", "text-anchor"}
)
_CLASSES: Final = {colour.value: colour.name.lower() for colour in Colour}


def inline_svg(source: bytes, name: str, description: str) -> Markup:
    """Return the ``<svg>`` of a document that matplotlib wrote, with its ids below ``name``."""
    root = ElementTree.fromstring(source)
    made = ElementTree.Element("svg", {"class": "plot", "role": "img", "aria-label": description})
    made.set("viewBox", root.get("viewBox", ""))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', source.decode()))
    made.extend(_children(root, name, used))
    return Markup(ElementTree.tostring(made, encoding="unicode"))


def _children(parent: ElementTree.Element, name: str, used: set[str]) -> Iterator[ElementTree.Element]:
    for child in parent:
        tag = child.tag.removeprefix(_SVG) if isinstance(child.tag, str) else ""
        if tag not in _ELEMENTS:
            continue
        made = ElementTree.Element(tag, dict(_attributes(child, name, used)))
        made.text = child.text if tag in {"text", "tspan"} else None
        made.extend(_children(child, name, used))
        if len(made) or made.text or tag in {"path", "use", "rect"}:
            yield made


def _attributes(element: ElementTree.Element, name: str, used: set[str]) -> Iterator[tuple[str, str]]:
    classes = []
    for key, value in element.attrib.items():
        if key == "id" and value in used:
            yield "id", f"{name}-{value}"
        elif key == _HREF and value.startswith("#"):
            yield "href", f"#{name}-{value[1:]}"
        elif key == "clip-path":
            yield key, value.replace("url(#", f"url(#{name}-")
        elif key in _ATTRIBUTES:
            yield key, " ".join(value.split())
    for key, value in _declarations(element.get("style", "")):
        if key in _PROPERTIES:
            yield key, value
        elif key in {"fill", "stroke"}:
            if value in _CLASSES:
                classes.append(f"{key}-{_CLASSES[value]}")
            else:
                yield key, value
    if classes:
        yield "class", " ".join(classes)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        key, _, value = declaration.partition(":")
        yield key.strip(), value.strip()

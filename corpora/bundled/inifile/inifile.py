"""Reads and writes sectioned settings files, with continuation lines and ${section.key} references."""

import re
from typing import Dict, List, Optional, Tuple

Settings = Dict[str, Dict[str, str]]

_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_TRUE = {"yes", "true", "on", "1"}
_FALSE = {"no", "false", "off", "0"}


class SettingsError(ValueError):
    """A line that cannot be read, or a value that cannot be had."""


def parse(text: str) -> Settings:
    """Sections in order, each with its keys; keys before the first heading belong to ``""``."""
    settings: Settings = {}
    section = ""
    last_key: Optional[str] = None
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped[0] in "#;":
            last_key = None if not stripped else last_key
            continue
        if line[0].isspace():
            if last_key is None:
                raise SettingsError("line {}: nothing to continue".format(number))
            settings[section][last_key] += "\n" + stripped
        elif stripped[0] == "[":
            section, last_key = _heading(stripped, number), None
            if section in settings:
                raise SettingsError("line {}: section {} is given twice".format(number, section))
            settings[section] = {}
        else:
            last_key, value = _pair(stripped, number)
            keys = settings.setdefault(section, {})
            if last_key in keys:
                raise SettingsError("line {}: key {} is given twice".format(number, last_key))
            keys[last_key] = value
    return settings


def _heading(line: str, number: int) -> str:
    name = line[1:-1].strip()
    if line[-1] != "]" or not name:
        raise SettingsError("line {}: bad section heading".format(number))
    return name


def _pair(line: str, number: int) -> Tuple[str, str]:
    key, equals, value = line.partition("=")
    key = key.strip().lower()
    if not equals or not key:
        raise SettingsError("line {}: expected key = value".format(number))
    return key, value.strip()


def resolve(settings: Settings, section: str, key: str) -> str:
    """The value with every reference replaced; ``${key}`` looks in the same section."""
    return _resolve(settings, section, key, [])


def _resolve(settings: Settings, section: str, key: str, trail: List[Tuple[str, str]]) -> str:
    place = (section, key.lower())
    if place in trail:
        raise SettingsError("circular reference: " + " -> ".join(_dotted(p) for p in trail + [place]))
    try:
        value = settings[section][place[1]]
    except KeyError:
        raise SettingsError("no such setting: " + _dotted(place)) from None

    def replace(match: "re.Match[str]") -> str:
        target, dot, name = match.group(1).rpartition(".")
        return _resolve(settings, target if dot else section, name, trail + [place])

    return _REFERENCE.sub(replace, value)


def _dotted(place: Tuple[str, str]) -> str:
    return ".".join(part for part in place if part)


def get_bool(settings: Settings, section: str, key: str) -> bool:
    word = resolve(settings, section, key).lower()
    if word not in _TRUE | _FALSE:
        raise SettingsError("not a yes or no: {}".format(word))
    return word in _TRUE


def get_list(settings: Settings, section: str, key: str) -> List[str]:
    """The parts between commas and line ends, without blanks."""
    parts = re.split(r"[,\n]", resolve(settings, section, key))
    return [part.strip() for part in parts if part.strip()]


def overlay(base: Settings, top: Settings) -> Settings:
    """A new mapping in which ``top`` wins, key by key; neither argument is changed."""
    merged = {section: dict(keys) for section, keys in base.items()}
    for section, keys in top.items():
        merged.setdefault(section, {}).update(keys)
    return merged


def dump(settings: Settings) -> str:
    """Text that ``parse`` reads back as the same settings."""
    blocks = []
    for section in sorted(settings, key=lambda name: name != ""):
        lines = ["[{}]".format(section)] if section else []
        for key, value in settings[section].items():
            lines.append("{} = {}".format(key, value.replace("\n", "\n    ")))
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)

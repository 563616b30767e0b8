"""What readers and writers of formats share: a format is a module of a folder, its options keyword-only parameters."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from mendlab.errors import InputError

Format = TypeVar("Format")


def import_all(package: str) -> None:
    """Import every module of a package, so that what is declared in it is known."""
    found = importlib.import_module(package)
    for module in pkgutil.iter_modules(found.__path__):
        importlib.import_module(f"{package}.{module.name}")


def summary_of(function: Callable[..., Any]) -> str:
    """Return the first line of a docstring."""
    return (function.__doc__ or "").partition("\n")[0]


def options_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the keyword-only parameters; each takes a string."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)


def choose(formats: Mapping[str, Format], name: str, what: str) -> Format:
    """Return the format of that name.

    Raises:
        InputError: there is none.
    """
    if name not in formats:
        raise InputError(f"{name!r} is no format that can be {what}", hint=f"choose from {', '.join(formats)}")
    return formats[name]


def check_options(name: str, known: tuple[str, ...], given: Collection[str]) -> None:
    """Raise an InputError for an option that a format does not have."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InputError(f"{name} has no option {unknown[0]!r}", hint=f"its options: {', '.join(known) or 'none'}")

"""The templates: those of the package, each of which a folder of the user's own may replace by a file of its name."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, final

from jinja2 import DictLoader, Environment, StrictUndefined, TemplateError

from mendlab.errors import InputError, ModelError

_SUFFIX: Final = ".j2"


@final
class Templates:
    """A set of templates."""

    def __init__(self, directory: Path | None = None) -> None:
        own = _in_folder(directory) if directory is not None else {}
        packaged = _packaged()
        if directory is not None and not own:
            hint = f"the templates are called {', '.join(sorted(packaged))}"
            raise InputError("there is no template in it", where=directory, hint=hint)
        self._texts = {**packaged, **own}
        self._directory = directory
        self._environment = Environment(
            loader=DictLoader(self._texts),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            autoescape=False,
        )

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all templates, names and texts."""
        hashed = hashlib.sha256()
        for name, text in sorted(self._texts.items()):
            hashed.update(f"{name}\0{text}\0".encode())
        return hashed.hexdigest()

    def render(self, name: str, facts: dict[str, Any]) -> str:
        """Return a template filled in, without white space around it.

        Raises:
            ModelError: it is broken, or asks for what is not there.
        """
        try:
            return self._environment.get_template(name + _SUFFIX).render(facts).strip("\n")
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            where = f"{self._directory or 'mendlab'}/{getattr(error, 'name', None) or name + _SUFFIX}"
            told = error.message or type(error).__name__
            hint = "docs/add-a-model.md lists what a template is told"
            raise ModelError(told, where=f"{where}:{line}" if line else where, hint=hint) from None


def _packaged() -> dict[str, str]:
    folder = files(__package__) / "templates"
    return {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(_SUFFIX)}


def _in_folder(directory: Path) -> dict[str, str]:
    try:
        found = sorted(file for file in directory.iterdir() if file.suffix == _SUFFIX)
        return {file.name: file.read_text(encoding="utf-8") for file in found}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=directory, hint="name a folder of templates") from error

"""Providers and their registry: a provider is one decorated class in one file of ``repair/models/providers``.

Entry points of the group ``mendlab.providers`` are loaded too. ``docs/add-a-model.md`` shows how to add one.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, Final, Protocol, TypeVar, final

from pydantic import JsonValue

from mendlab.errors import InputError
from mendlab.repair.models.calls import ModelSettings, Reply, Request, Tool
from mendlab.repair.models.endpoints import Endpoint, check_url

GROUP: Final = "mendlab.providers"


class Client(Protocol):
    """Sends requests of one provider. It belongs to one event loop, on which it may be used many times at once."""

    async def send(self, body: Mapping[str, Any]) -> Reply:
        """Send what :meth:`ProviderClass.body` made, once.

        Raises:
            CallFailedError: there is no answer.
        """
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class ProviderClass(Protocol):
    """What a provider's class must offer."""

    def __call__(self, endpoint: Endpoint) -> Client:
        """Open a client."""
        ...

    def body(
        self, settings: ModelSettings, request: Request, parameters: Mapping[str, JsonValue]
    ) -> dict[str, JsonValue]:
        """Return the body of a request, exactly as it is sent, with these of the settings' parameters."""
        ...


@final
@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """An entry of the registry: the package of its SDK, the variable with its key, and where it is, if always there.

    ``with_tools`` are parameters that go with requests that offer tools, unless the model rejects them.
    """

    name: str
    package: str
    key_variable: str
    key_needed: bool
    base_url: str | None
    with_tools: Mapping[str, JsonValue]
    make: ProviderClass

    @property
    def takes_batches(self) -> bool:
        """Whether its clients have a method ``batches`` that returns a :class:`BatchService`."""
        return hasattr(self.make, "batches")


_registry: dict[str, ProviderInfo] = {}
_P = TypeVar("_P", bound=Callable[..., Client])


def provider(
    name: str,
    *,
    package: str,
    key_variable: str,
    key_needed: bool = True,
    base_url: str | None = None,
    with_tools: Mapping[str, JsonValue] | None = None,
) -> Callable[[_P], _P]:
    """Register a provider's class.

    Raises:
        InputError: the name is taken.
    """

    def register(make: _P) -> _P:
        if name in _registry:
            raise InputError(f"two providers are called {name!r}", where=make.__module__, hint="rename one")
        made: Any = make
        _registry[name] = ProviderInfo(name, package, key_variable, key_needed, base_url, with_tools or {}, made)
        return make

    return register


@cache
def providers() -> Mapping[str, ProviderInfo]:
    """Return every provider, by name."""
    package = importlib.import_module("mendlab.repair.models.providers")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    for plugin in sorted(entry_points(group=GROUP), key=lambda plugin: (plugin.name, plugin.value)):
        plugin.load()
    return dict(sorted(_registry.items()))


def make_settings(
    model: str,
    *,
    base_url: str | None = None,
    max_output_tokens: int = 8192,
    parameters: Mapping[str, JsonValue] | None = None,
    retries: int = 0,
) -> ModelSettings:
    """Return the settings of a model named ``PROVIDER:NAME``.

    Raises:
        InputError: there is no such provider, no name, no address, or one that is refused.
    """
    name, colon, rest = model.partition(":")
    if name not in providers() or not colon or not rest.strip():
        known = ", ".join(f"{each}:NAME" for each in providers())
        raise InputError(f"--model {model!r} names no model", hint=f"write {known}")
    url = base_url or providers()[name].base_url
    if url is None:
        raise InputError(f"{name} has no address of its own", hint="give the server's with --base-url")
    check_url(url)
    settings = ModelSettings(name, rest.strip(), url.rstrip("/"), max_output_tokens, parameters or {}, retries)
    plain = providers()[name].make.body(settings, Request("", (), tools=(Tool("", "", {}),)), {})
    for parameter in settings.parameters:
        if parameter in plain or parameter == "stream":
            raise InputError(f"--parameter {parameter} is for mendlab to set", hint="leave it out")
    return settings


def open_endpoint(settings: ModelSettings, *, timeout: float) -> Endpoint:
    """Return the service of a model, with the key from the environment.

    Raises:
        InputError: the SDK is not installed, or there is no key.
    """
    info = providers()[settings.provider]
    if find_spec(info.package) is None:
        hint = "pip install 'mendlab[models]'"
        raise InputError(f"{settings.provider} needs the package {info.package}, which is not installed", hint=hint)
    key = os.environ.get(info.key_variable, "").strip() or None
    if key is None and info.key_needed:
        raise InputError(f"there is no key for {settings.provider}", hint=f"set {info.key_variable} in the environment")
    return Endpoint(settings.base_url, key, timeout)

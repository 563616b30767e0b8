"""Where requests may go, and the HTTP client that goes nowhere else.

https, or http on this machine; no link-local address and no metadata service, whatever name stands for it; redirects
are not followed; what is sent leaves through the proxy of the environment, if it has one.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, final
from urllib.parse import urlsplit
from urllib.request import getproxies

from pydantic import JsonValue

from mendlab.errors import InputError
from mendlab.repair.models.calls import Reply

if TYPE_CHECKING:
    import httpx2

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_METADATA: Final = frozenset(
    map(ipaddress.ip_address, ("fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"))
)
"""Metadata services of clouds beside 169.254.169.254, which is link-local."""
_KEEP_ALIVE_SECONDS: Final = 60
_CONNECT_SECONDS: Final = 10.0


@final
@dataclass(frozen=True, slots=True)
class Endpoint:
    """A service: its address, the key for it, and how long an answer may take in seconds."""

    url: str
    key: str | None = field(repr=False)
    timeout: float

    def scrub(self, text: str) -> str:
        """Return the text without the key, and without what no record can hold, lone surrogates."""
        plain = text.encode("utf-8", "replace").decode()
        return plain.replace(self.key, "[key]") if self.key else plain

    def _scrub_json(self, value: JsonValue) -> JsonValue:
        """Return a value as a record can hold it: JSON has no infinities, though servers may write them."""
        found: JsonValue = json.loads(self.scrub(json.dumps(value, ensure_ascii=False)), parse_constant=lambda _: None)
        return found

    def scrub_reply(self, reply: Reply) -> Reply:
        """Return an answer without the key in any part of it."""
        calls = [
            call.model_copy(update={n: self.scrub(v) for n, v in call.model_dump().items()}) for call in reply.calls
        ]
        return replace(
            reply,
            text=self.scrub(reply.text),
            model=reply.model and self.scrub(reply.model),
            calls=tuple(calls),
            turn=tuple(map(self._scrub_json, reply.turn)),
        )


def check_url(url: str) -> None:
    """Refuse an address by what can be read from it.

    Raises:
        InputError: it is no URL, is neither https nor on this machine, carries a password, or is an address refused.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https"):
        raise InputError(f"--base-url {url!r} is no URL", hint="write it as https://host/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        hint = "keys come from the environment"
        raise InputError("--base-url has a user, a query or a fragment in it", hint=hint)
    address = _literal(host)
    if address is not None and refused(address):
        raise InputError(f"--base-url names {host}, a link-local or metadata address", hint="name the model's server")
    if parts.scheme == "http" and not is_loopback(host):
        raise InputError(f"--base-url {url!r} is not https", hint="http is for this machine alone: localhost")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name or number alone."""
    address = _literal(host)
    return host.lower() == "localhost" or (address is not None and address.is_loopback)


def refused(address: Address) -> bool:
    """Whether nothing is ever sent to an address."""
    plain: Address = address
    if isinstance(address, ipaddress.IPv6Address):
        plain = address.ipv4_mapped or address.sixtofour or address
    return plain.is_link_local or plain.is_multicast or plain.is_unspecified or plain in _METADATA


def open_http(endpoint: Endpoint) -> httpx2.AsyncClient:
    """Return the client that an SDK is given.

    Raises:
        InputError: the address is none for HTTP.
    """
    import httpx2

    try:
        httpx2.URL(endpoint.url)
    except httpx2.InvalidURL as error:
        raise InputError(
            f"--base-url {endpoint.url!r} is no URL: {error}", hint="write it as https://host/v1"
        ) from None
    host = urlsplit(endpoint.url).hostname or ""
    local = is_loopback(host)

    async def look_up(request: httpx2.Request) -> None:
        check_url(str(request.url.copy_with(query=None)))
        await _require_allowed(request.url.host, request.url.port or 443, local=local)

    proxied = not local and bool(getproxies())
    options: dict[str, Any] = {} if proxied else {"transport": _transport(local), "event_hooks": {"request": [look_up]}}
    return httpx2.AsyncClient(
        follow_redirects=False,
        trust_env=not local,
        timeout=httpx2.Timeout(endpoint.timeout, connect=min(_CONNECT_SECONDS, endpoint.timeout)),
        **options,
    )


def _transport(local: bool) -> httpx2.AsyncHTTPTransport:
    """A transport whose connections stay open while a model thinks for minutes without a word."""
    import httpx2

    numbers = [getattr(socket, name) for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL") if hasattr(socket, name)]
    options = [(socket.IPPROTO_TCP, number, _KEEP_ALIVE_SECONDS) for number in numbers]
    options.append((socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1))
    return httpx2.AsyncHTTPTransport(socket_options=options, trust_env=not local)


async def _require_allowed(host: str, port: int, *, local: bool) -> None:
    """Refuse a name that means an address refused, or that is to be this machine and is not."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return  # to fail by itself in a moment, with the right words
    for _, _, _, _, place in found:
        address = ipaddress.ip_address(str(place[0]).partition("%")[0])
        if refused(address) or (local and not address.is_loopback):
            raise InputError(f"{host} is {address}, where nothing may be sent", hint="name another --base-url")


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None

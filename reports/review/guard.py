"""Who may ask: nobody but the page that this server gave out, opened by whoever has the link.

The link's token comes after ``#``, which no browser sends or passes on; the page sends it in a header, which another
site's page cannot. Cookies would not do: those of 127.0.0.1 go to every port of it.
"""

from __future__ import annotations

import hmac
from typing import Final

from werkzeug.exceptions import BadRequest, Forbidden, Unauthorized, UnsupportedMediaType
from werkzeug.wrappers import Request, Response

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def check_origin(request: Request, port: int) -> None:
    """Refuse what does not come from a page of this very server: another name for it (DNS rebinding), another site.

    Raises:
        BadRequest: it was asked for under a name that is not its own.
        Forbidden: another site asks.
    """
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
    host = request.headers.get("Host", "")
    if host not in hosts:
        raise BadRequest("this server has another name")
    if request.headers.get("Origin", f"http://{host}") != f"http://{host}":
        raise Forbidden("another site asks")
    if request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
        raise Forbidden("another site asks")


def check_token(request: Request, token: str) -> None:
    """Refuse who does not have the link.

    Raises:
        Unauthorized: the token is missing or wrong.
    """
    if not hmac.compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode()):
        raise Unauthorized("open the link that mendlab review printed")


def check_json(request: Request) -> None:
    """Refuse a form, which any site could send.

    Raises:
        UnsupportedMediaType: it is not JSON.
    """
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("say it as JSON")


def guarded(response: Response) -> Response:
    """Return a response with the headers that tell a browser what the page may not do."""
    response.headers.update(HEADERS)
    return response

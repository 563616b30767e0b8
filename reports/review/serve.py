"""The server of the review page: on the loopback interface alone, until it is interrupted."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass
from typing import Final

from waitress.server import BaseWSGIServer, MultiSocketServer, create_server

from mendlab.errors import InputError
from mendlab.reports.review.app import ReviewApp
from mendlab.reports.review.desk import Desk

HOST: Final = "127.0.0.1"
MOST_BYTES: Final = 256 * 1024
CONNECTIONS: Final = 800
"""More than a page needs: whoever opens many on this machine and says nothing is not to keep the reviewer out."""
SILENT_SECONDS: Final = 5
"""After which a connection that has no whole request is closed."""


@dataclass(frozen=True, slots=True)
class ReviewServer:
    """A server that listens already. ``url`` has the token that opens it, and is for the reviewer alone."""

    url: str
    server: BaseWSGIServer | MultiSocketServer

    def run(self) -> None:
        """Serve until interrupted."""
        try:
            self.server.run()
        finally:
            self.server.close()


def open_server(desk: Desk, port: int = 0) -> ReviewServer:
    """Listen on a port of this machine's loopback interface; 0 is any free one.

    Raises:
        InputError: the port is taken, or may not be used.
    """
    try:
        listening = socket.create_server((HOST, port), backlog=CONNECTIONS)
    except OSError as error:
        hint = "name another with --port, or leave it out"
        raise InputError(f"port {port} cannot be used: {error.strerror or error}", hint=hint) from error
    token, port = secrets.token_urlsafe(32), listening.getsockname()[1]
    server = create_server(
        ReviewApp(desk, token, port),
        sockets=[listening],
        threads=4,
        ident="",
        max_request_body_size=MOST_BYTES,
        connection_limit=CONNECTIONS,
        backlog=CONNECTIONS,
        channel_timeout=SILENT_SECONDS,
        cleanup_interval=1,
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=True,
    )
    return ReviewServer(f"http://{HOST}:{port}/#{token}", server)

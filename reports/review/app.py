"""The review page as a WSGI application: three files of ours, and four things that the page asks for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, InternalServerError, NotFound, UnprocessableEntity
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request, Response

from mendlab.errors import MendlabError
from mendlab.records import Record
from mendlab.reports.review.decisions import Decision
from mendlab.reports.review.desk import Desk
from mendlab.reports.review.guard import check_json, check_origin, check_token, guarded
from mendlab.reports.templating import own_text

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MOST_NOTE: Final = 10_000

_FILES: Final = {"page": ("review.html", "text/html"), "script": ("review.js", "text/javascript")}
_ROUTES: Final = Map(
    [
        Rule("/", endpoint="page", methods=["GET"]),
        Rule("/review.js", endpoint="script", methods=["GET"]),
        Rule("/review.css", endpoint="style", methods=["GET"]),
        Rule("/favicon.ico", endpoint="icon", methods=["GET"]),
        Rule("/api/queue", endpoint="queue", methods=["GET"]),
        Rule("/api/items/<int:number>", endpoint="item", methods=["GET"]),
        Rule("/api/decisions", endpoint="decide", methods=["POST"]),
        Rule("/api/undo", endpoint="undo", methods=["POST"]),
    ]
)


class Said(Record):
    """What the page says when a reviewer decides."""

    task: str
    sample: int
    decision: Decision
    note: str


class ReviewApp:
    """Answers the page of one reviewer. ``port`` is where it is served, and part of its name."""

    def __init__(self, desk: Desk, token: str, port: int) -> None:
        self.desk, self.token, self.port = desk, token, port

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request; a refusal is an answer."""
        request = Request(environ)
        try:
            response = self._answer(request)
        except HTTPException as refusal:
            response = _json({"error": refusal.description}, refusal.code or 500)
        except MendlabError as error:
            response = _json({"error": str(error)}, InternalServerError.code)
        return guarded(response)(environ, start_response)

    def _answer(self, request: Request) -> Response:
        check_origin(request, self.port)
        endpoint, values = _ROUTES.bind_to_environ(request.environ).match()
        if endpoint == "style":
            return Response(f"{own_text('style.css')}\n{own_text('review.css')}", mimetype="text/css")
        if endpoint == "icon":
            return Response(status=204)
        if endpoint in _FILES:
            name, kind = _FILES[endpoint]
            return Response(str(own_text(name)), mimetype=kind)
        check_token(request, self.token)
        if request.method == "POST":
            check_json(request)
        return _json(self._work(endpoint, values, request))

    def _work(self, endpoint: str, values: Any, request: Request) -> dict[str, Any]:
        if endpoint == "item":
            if values["number"] >= len(self.desk.queue):
                raise NotFound("there is no such attempt in the queue")
            return {"html": self.desk.item(values["number"])}
        if endpoint == "decide":
            self._decide(request)
        undone = self.desk.undo() if endpoint == "undo" else None
        return {**self.desk.state(), "undone": undone}

    def _decide(self, request: Request) -> None:
        try:
            said = Said.model_validate_json(request.get_data())
        except ValidationError as error:
            raise UnprocessableEntity(f"not a decision: {error.error_count()} fields are wrong") from None
        if len(said.note) > MOST_NOTE:
            raise UnprocessableEntity(f"the note has more than {MOST_NOTE:,} characters")
        if not self.desk.decide((said.task, said.sample), said.decision, said.note):
            raise NotFound("there is no such attempt in the queue")


def _json(data: dict[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(data), status=status, mimetype="application/json")

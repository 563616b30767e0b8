"""From the errors of the SDKs, which resemble each other to the letter, to :class:`CallFailedError`."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

from mendlab.errors import MendlabError
from mendlab.repair.models.calls import CallFailedError
from mendlab.repair.models.endpoints import Endpoint


@asynccontextmanager
async def sdk_failures(sdk: ModuleType, endpoint: Endpoint) -> AsyncIterator[None]:
    """Turn what an SDK raises into :class:`CallFailedError`, without the key."""
    try:
        yield
    except sdk.APIStatusError as error:
        raise _status(error, endpoint) from None
    except sdk.APITimeoutError:
        raise no_answer_within(endpoint.timeout) from None
    except sdk.APIConnectionError as error:
        cause = error.__cause__
        if isinstance(cause, MendlabError):
            raise cause from None
        what = f"{type(cause).__name__}: {cause}" if cause is not None else str(error)
        # Before a connection stands nothing is sent; later, an answer may have been on its way.
        billable = type(cause).__name__ not in ("ConnectError", "ConnectTimeout")
        raise CallFailedError(endpoint.scrub(f"the connection failed: {what}"), billable=billable) from None
    except ValueError as error:
        raise unreadable(f"its body is no JSON: {error}") from None


def no_answer_within(seconds: float) -> CallFailedError:
    """Return the failure of an answer that took too long."""
    return CallFailedError(f"no answer within {seconds:g} s", billable=True)


def unreadable(why: str) -> CallFailedError:
    """Return the failure of an answer that came and is none. Its status is that of success, so it is not transient."""
    return CallFailedError(f"the answer cannot be read: {why}", status=200, billable=True)


def as_dict(answer: Any) -> dict[str, Any]:
    """Return an SDK's object as the server's JSON; the SDKs hand on a body of another type or shape as it is.

    Raises:
        CallFailedError: it is no object.
    """
    if not hasattr(answer, "to_dict"):
        raise unreadable(f"it is {type(answer).__name__}, not an object")
    found: dict[str, Any] = answer.to_dict(mode="json", warnings=False)
    return found


def as_text(value: Any) -> str:
    """Return the arguments of a tool call as text; some servers write the object itself."""
    return value if isinstance(value, str) else json.dumps(value)


def count(usage: Mapping[str, Any] | None, *path: str) -> int | None:
    """Return a number of tokens from a block of usage, ``None`` where it does not stand."""
    value: Any = usage
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def without(total: int | None, *parts: int | None) -> int | None:
    """Return what is left of a total without the parts that are known of it."""
    return None if total is None else max(0, total - sum(part or 0 for part in parts))


def _status(error: Any, endpoint: Endpoint) -> CallFailedError:
    status: int = error.status_code
    told = _told(error.body)
    if 300 <= status < 400:
        what = f"{status}: the service sends us elsewhere, and redirects are not followed"
    else:
        what = f"{status}: {told.get('message') or error.response.reason_phrase or 'no reason given'}"
    parameter = told.get("param")
    return CallFailedError(
        " ".join(endpoint.scrub(what).split())[:500],
        status=status,
        retry_after=_retry_after(error.response.headers),
        parameter=parameter if isinstance(parameter, str) else None,
    )


def _told(body: object) -> Mapping[str, Any]:
    """The innermost object that says what is wrong: one SDK hands on the whole body, the other its ``error``."""
    if not isinstance(body, Mapping):
        return {"message": body if isinstance(body, str) and len(body) < 200 else None}
    inner = body.get("error")
    return inner if isinstance(inner, Mapping) else {"message": inner} if isinstance(inner, str) else body


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from ``retry-after-ms``, or ``retry-after`` in seconds or as a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())

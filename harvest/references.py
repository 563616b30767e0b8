"""The issues and pull requests that a commit's message names, as GitHub, GitLab, bpo and Trac write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from mendlab.harvest.records import Reference

_Kind = Literal["issue", "pull", "unknown"]
_DIGIT: Final = re.compile(r"\d")
_URL: Final = re.compile(
    r"https?://[\w.-]+/(?P<tracker>[\w./-]+?)(?:/-)?/(?P<kind>issues?|pull|pulls|pull-requests|merge_requests)"
    r"/(?P<number>\d+)(?:#[\w-]+)?"
)
_PULL: Final = re.compile(
    r"(?:\bMerge (?:pull request|PR)|\bPR:?|\bpull request|\bMR) *[#!]?(?P<number>\d+)\b", re.IGNORECASE
)
_TRACKED: Final = re.compile(r"\b(?P<tracker>bpo|lp|LP|trac)[-: ]#?(?P<number>\d+)\b")
_HASH: Final = re.compile(
    r"(?:(?<![\w/#&])(?P<tracker>[\w.-]+/[\w.-]+)?|\b(?:gh|GH)-?)(?:#|(?<=GH-)|(?<=gh-))(?P<number>\d{1,7})(?![\w])"
)
_CLOSES: Final = re.compile(
    r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|issue|bug|ticket)s?\b[:\s]*(?:issue|bug|ticket)?\s*$",
    re.IGNORECASE,
)
_CLOSES_PLAIN: Final = re.compile(r"\b(?:issue|ticket|bug)\s*#?(?P<number>\d{1,7})\b", re.IGNORECASE)


def references(subject: str, body: str) -> tuple[Reference, ...]:
    """Return what a message refers to, each once, in the order of the text.

    A number in brackets that ends the subject is the pull request that a forge puts there.
    """
    text = f"{subject}\n{body}"
    if not _DIGIT.search(text):
        return ()
    found: dict[int, Reference] = {}
    taken: list[tuple[int, int]] = []

    def add(match: re.Match[str], kind: _Kind, tracker: str = "", url: str | None = None) -> None:
        if not any(start < match.end() and match.start() < end for start, end in taken):
            taken.append(match.span())
            found[match.start()] = Reference(kind=kind, number=match["number"], tracker=tracker, url=url)

    for match in _URL.finditer(text):
        add(match, "issue" if match["kind"].startswith("issue") else "pull", match["tracker"], match[0])
    for match in _PULL.finditer(text):
        add(match, "pull")
    for match in _TRACKED.finditer(text):
        add(match, "issue", match["tracker"].lower())
    for match in _CLOSES_PLAIN.finditer(text):
        add(match, "issue")
    for match in _HASH.finditer(text):
        add(match, _kind(text, match, len(subject)), match["tracker"] or "")
    return _once(found[start] for start in sorted(found))


def _kind(text: str, match: re.Match[str], subject_end: int) -> _Kind:
    if text[: match.start()].endswith("(") and match.end() + 1 == subject_end and text[match.end()] == ")":
        return "pull"
    return "issue" if _CLOSES.search(text[max(0, match.start() - 40) : match.start()]) else "unknown"


def _once(references: Iterable[Reference]) -> tuple[Reference, ...]:
    kept: dict[tuple[str, str], Reference] = {}
    for each in references:
        before = kept.get((each.tracker, each.number))
        if before is None or (before.kind == "unknown" and each.kind != "unknown"):
            kept[each.tracker, each.number] = each
    return tuple(kept.values())

"""A chosen patch as people would write it: without brackets that it brings in and does not need."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from mendlab.repair.candidates import Candidate


def tidy(candidate: Candidate) -> Candidate:
    """Return the same program without needless brackets in what is put in."""
    wanted = _dump(candidate)
    for at in range(len(candidate.edits)):
        found = True
        while found:
            found = False
            for text in _without_a_pair(candidate.edits[at].text):
                edits = (*candidate.edits[:at], candidate.edits[at]._replace(text=text), *candidate.edits[at + 1 :])
                simpler = replace(candidate, edits=edits)
                if wanted is not None and _dump(simpler) == wanted:
                    candidate, found = simpler, True
                    break
    return candidate


def _without_a_pair(text: str) -> Iterator[str]:
    """Yield a text without each pair of round brackets in turn; brackets within texts do no harm: the tree tells."""
    opened: list[int] = []
    for at, letter in enumerate(text):
        if letter == "(":
            opened.append(at)
        elif letter == ")" and opened:
            start = opened.pop()
            if text[start + 1 : at].strip():
                yield text[:start] + text[start + 1 : at] + text[at + 1 :]


def _dump(candidate: Candidate) -> str | None:
    try:
        return ast.dump(ast.parse(candidate.text.removeprefix("\ufeff")))
    except (SyntaxError, ValueError, RecursionError):
        return None

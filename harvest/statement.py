"""What a repairer is told of a bug: the commit's message, without the answer that messages often give away.

Taken out are diffs, trailers, names of commits, references to issues and pull requests (which the candidate keeps
apart) and what a forge writes over a merge. What looks like code and occurs in the lines that the fix adds, but neither
in what it removes or leaves around them nor in its tests, is replaced by an ellipsis, and a block of code with such a
line is left out. Below its first line, sentences that say what was done are left out: those in the imperative, as
"Use a set instead", and those about the change itself. What was wrong stays, though it may tell the answer.
"""

from __future__ import annotations

import re
from typing import Final

from mendlab.harvest.records import Candidate

HIDDEN: Final = "[…]"

_MERGE: Final = re.compile(
    r"\AMerge (?:pull request|branch|remote-tracking branch|PR|commit|tag|in)\b[^\n]*\n*", re.IGNORECASE
)
_TRAILER: Final = re.compile(
    r"^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|suggested-by|helped-by|cc|change-id"
    r"|git-svn-id|differential revision|reviewers?|release-note|link): .*$\n?",
    re.IGNORECASE | re.MULTILINE,
)
_ONLY_REFERENCES: Final = re.compile(
    r"^(?:see(?: also)? https?://.*"
    r"|(?:this (?:also )?)?"
    r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see(?: also)?|related(?: to)?|bug|issue|pr|backport of)?s?:?\s*"
    r"(?:(?:[\w.-]+/[\w.-]+|gh-?)?[#!]\d+|https?://\S+)(?:(?:,|\s|and)+(?:(?:[\w.-]+/[\w.-]+)?[#!]\d+|https?://\S+))*\.?)$\n?",
    re.IGNORECASE | re.MULTILINE,
)
_PICKED: Final = re.compile(r"\(?\b(?:cherry[- ]picked|backported) from (?:commit )?[0-9a-f]{7,64}\)?", re.IGNORECASE)
_REVERTED: Final = re.compile(r"^This reverts commit [0-9a-f]{7,64}\.?$\n?", re.IGNORECASE | re.MULTILINE)
_SHA: Final = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b|\b[0-9a-f]{40}\b")
_REFERENCE: Final = re.compile(
    r"\s*\((?:(?:fix(?:e[sd])?|close[sd]?|refs?|see|gh|pr)[:\s-]*)?"
    r"(?:(?:[\w.-]+/[\w.-]+)?#|issue[ _#]*)\d+(?:,\s*#\d+)*\)"
    r"|\b(?:(?:(?:this|which)\s+(?:also\s+)?)?"
    r"(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|issue|ticket|bug|pr|pull request)s?:?\s+)?"
    r"(?:(?<![\w/])[\w.-]+/[\w.-]+#\d+|(?:gh-?)?#\d+|\bgh-\d+|\bbpo-\d+|https?://\S+)(?:\s*(?:--|:|-)\s+(?=\S))?",
    re.IGNORECASE,
)
_BLOCK: Final = re.compile(
    r"^[ \t]*(?P<fence>```|~~~)[^\n]*\n(?:.*\n)*?[ \t]*(?P=fence)[ \t]*$\n?|(?<=\n\n)(?:(?: {4}|\t).*(?:\n|\Z)|\n)+",
    re.MULTILINE,
)
_DIFF: Final = re.compile(
    r"^(?:diff --git .*|index [0-9a-f]+\.\.[0-9a-f]+.*|--- \S.*|\+\+\+ \S.*|@@ .*@@.*"
    r"|[-+](?![-+ ]*$)[^\s*].*|[-+] {2,}\S.*)$\n?",
    re.MULTILINE,
)
_QUOTED: Final = re.compile(r"(?P<tick>`{1,2})(?P<code>[^`\n]+)(?P=tick)|(?P<word>[^\s`]+)")
_CODE: Final = re.compile(r"[_()\[\]{}=<>+*/%&|^~@]|[^\W\d]\w*\.[^\W\d]|[a-z][A-Z]|::")
_VERBS: Final = (
    r"(?:add|use|extend|change|replace|correct|remove|make|move|rename|switch|emit|merge|convert|skip|guard|wrap"
    r"|introduce|drop|swap|set|store|keep|pass|return|check|compare|normali[sz]e|catch|raise|treat|ensure|fix|update"
    r"|rewrite|adjust|apply|track|split|handle|implement|include|exclude|avoid|allow|restore|clarify)(?:e?s)?"
)
_DEED: Final = re.compile(
    rf"^(?:[-*+]\s+)?(?:(?:also|so|then|instead|therefore|now|hence),?\s+)?(?:{_VERBS}\b(?!\()"
    r"|(?:the|this) (?:fix|commit|patch|change|pr|pull request)\b|(?:we|it|i) now\b|now\b|instead\b"
    r"|.*\b(?:is|are) now\b)",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE: Final = re.compile(rf",? (?:so|and|therefore|hence|thus)(?: we)? (?:now )?{_VERBS} .*", re.DOTALL)
_PARAGRAPH_END: Final = re.compile(r"(\n[ \t]*\n)")
_ITEM_START: Final = re.compile(r"^(?=[ \t]*[-*+] )", re.MULTILINE)
_INDENTED: Final = re.compile(r"^(?: {4}|\t|>>>|[ \t]*(?:```|~~~))", re.MULTILINE)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'_(])")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LEAST_LINE: Final = 5
_WORD: Final = re.compile(r"\b[^\W\d]\w*")
_EDGES: Final = ".,;:!?\"'"


def statement(candidate: Candidate, before: str = "") -> str:
    """Return the statement; it is empty where the message says nothing but the answer.

    ``before`` is the text of the source files that are changed, as they are before the fix.
    """
    answer = _Answer(candidate, before)
    text = _CONTROL.sub("", candidate.commit.message.replace("\r\n", "\n"))
    text = _DIFF.sub("", _MERGE.sub("", text))
    text = _BLOCK.sub(lambda match: "" if answer.is_in(match[0]) else match[0], text)
    text = "\n".join(line for line in text.split("\n") if not answer.is_line(line))
    text = _without_deeds(text)
    for pattern in (_TRAILER, _ONLY_REFERENCES, _PICKED, _REVERTED, _REFERENCE):
        text = pattern.sub("", text)
    text = _SHA.sub(HIDDEN, text)
    text = _QUOTED.sub(lambda match: answer.hide(match[0], match["code"] or match["word"]), text)
    return _tidied(text)


def _without_deeds(text: str) -> str:
    """Leave out, below the first line, the sentences and the clauses that say what was done."""
    first, line_end, rest = text.strip().partition("\n")
    parts = _PARAGRAPH_END.split(rest)
    return first + line_end + "".join(part if _INDENTED.search(part) else _told(part) for part in parts)


def _told(paragraph: str) -> str:
    """A paragraph, or the items of a list, without such sentences; as it was where there are none."""
    return "".join(map(_item_told, _ITEM_START.split(paragraph)))


def _item_told(item: str) -> str:
    sentences = _SENTENCE_END.split(item)
    told = [_CLAUSE.sub(".", sentence) for sentence in sentences if not _DEED.match(sentence.strip())]
    if told == sentences:
        return item
    above = item[: len(item) - len(item.lstrip("\n"))]
    return above + " ".join(sentence.strip() for sentence in told) + "\n" * bool(told)


class _Answer:
    """The code that only the fix has."""

    def __init__(self, candidate: Candidate, before: str) -> None:
        added, around = _sides(candidate.source.patch)
        known = "\n".join((around, before, candidate.tests.patch.decode("utf-8", "replace")))
        self._new_words = set(_WORD.findall(added)) - set(_WORD.findall(known))
        self._added, self._known = _squeezed(added), _squeezed(known)
        self._lines = {squeezed for line in added.split("\n") if len(squeezed := _squeezed(line)) > _LEAST_LINE}

    def is_in(self, block: str) -> bool:
        """Whether a line of a block of code gives it away."""
        lines = block.split("\n")
        return any(self.is_line(line) or (_CODE.search(line) and self._gives_away(line)) for line in lines)

    def is_line(self, line: str) -> bool:
        """Whether a line is one that the fix adds, whatever else has it."""
        return _squeezed(line) in self._lines

    def hide(self, whole: str, code: str) -> str:
        """Return a word or a quoted stretch of code, with an ellipsis for what gives it away."""
        bare = code.strip(_EDGES)
        quoted = whole.startswith("`")
        if not bare or not (quoted or _CODE.search(bare)):
            return whole
        if self._gives_away(bare):
            return whole.replace(bare, HIDDEN).replace(f"``{HIDDEN}``", HIDDEN).replace(f"`{HIDDEN}`", HIDDEN)
        return whole

    def _gives_away(self, code: str) -> bool:
        squeezed = _squeezed(code)
        return (squeezed in self._added and squeezed not in self._known) or any(
            word in self._new_words for word in _WORD.findall(code)
        )


def _sides(patch: bytes) -> tuple[str, str]:
    """The lines that a patch adds, and those that it removes or shows around them."""
    lines = patch.decode("utf-8", "replace").split("\n")
    added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++ ")]
    around = [line[1:] for line in lines if line.startswith((" ", "-")) and not line.startswith("--- ")]
    return "\n".join(added), "\n".join(around)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _tidied(text: str) -> str:
    lines = [line.rstrip() for line in text.split("\n")]
    joined = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    joined = re.sub(r"(?<!\S)\(\s*\)", "", joined)
    joined = re.sub(r"[ \t]+([.,;:])(?=\s|\Z)", r"\1", joined)
    joined = re.sub(r",(?=\.)|,(?=\n\n|\s*\Z)|^(?:[,;:]+[ \t]+)+", "", joined, flags=re.MULTILINE).strip()
    return "" if not re.search(r"\w", joined.replace(HIDDEN, "")) else joined

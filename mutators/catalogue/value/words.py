"""Wrong wording of texts: words lost, repeated or exchanged, blanks, signs, prefixes and suffixes."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_ENDINGS: Final = (".", "!", ":", ",", "s", "\\n")
_PUNCTUATION: Final = ".,:;!?-_/#*%&()[]{}<>'\""
_AFTER_SIGN: Final = re.compile(r"([,:;=])(?=[^\s,:;=/])")
_PART: Final = re.compile(r"[A-Za-z0-9]+")
_MOST_WORDS: Final = 16


def _with(node: cst.SimpleString, raw: str) -> str:
    return f"{node.prefix}{node.quote}{raw}{node.quote}"


@operator(
    name="word-dropped",
    odc="assignment",
    bug_type="value misuse",
    inverse="word-repeated",
    examples=[Example("x = 'must be one'", "x = 'must one'"), Example("x = 'a.b-c'", "x = 'a.b'")],
)
def word_dropped(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text loses a word, or a part between signs, with the blank or sign beside it."""
    words = node.raw_value.split(" ")
    if 1 < len(words) <= _MOST_WORDS:
        for index in range(len(words)):
            yield ctx.replace(node, _with(node, " ".join(words[:index] + words[index + 1 :])))
    raw = node.raw_value
    parts = list(_PART.finditer(raw)) if "\\" not in raw and len(words) == 1 else []
    if 1 < len(parts) <= _MOST_WORDS:
        for part, after in pairwise(parts):
            yield ctx.replace(node, _with(node, raw[: part.start()] + raw[after.start() :]))
        yield ctx.replace(node, _with(node, raw[: parts[-2].end()] + raw[parts[-1].end() :]))


@operator(
    name="word-repeated",
    odc="assignment",
    bug_type="excess logic",
    inverse="word-dropped",
    examples=[Example("x = 'must be one'", "x = 'must be be one'")],
)
def word_repeated(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A word stands twice in a text, as left behind when rewording."""
    words = node.raw_value.split(" ")
    if 1 < len(words) <= _MOST_WORDS:
        for index, word in enumerate(words):
            if word:
                yield ctx.replace(node, _with(node, " ".join([*words[: index + 1], *words[index:]])))


@operator(
    name="words-swapped",
    odc="assignment",
    bug_type="value misuse",
    inverse="words-swapped",
    examples=[Example("x = 'one two'", "x = 'two one'"), Example("x = '%Y-%m-%d'", "x = '%Y-%d-%m'")],
)
def words_swapped(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """Two neighbouring words or parts of a text change places."""
    raw = node.raw_value
    parts = list(_PART.finditer(raw)) if "\\" not in raw else []
    if 1 < len(parts) <= _MOST_WORDS:
        for left, right in pairwise(parts):
            if left[0] != right[0]:
                between = raw[left.end() : right.start()]
                swapped = raw[: left.start()] + right[0] + between + left[0] + raw[right.end() :]
                yield ctx.replace(node, _with(node, swapped))


@operator(
    name="blanks-changed",
    odc="assignment",
    bug_type="value misuse",
    inverse="blanks-changed",
    examples=[
        Example("x = ' a '", "x = 'a'"), Example("x = 'a, b, c'", "x = 'a,b,c'"), Example("x = 'a,b'", "x = 'a, b'"),
        Example("x = 'a  b'", "x = 'a b'"),
    ],
)  # fmt: skip
def blanks_changed(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """The blanks at the ends of a text, or all those inside it or after its signs, go or come."""
    raw = node.raw_value
    if not raw.strip():
        return
    spaced = _AFTER_SIGN.sub(r"\1 ", raw) if "\\" not in raw else raw
    for other in (raw.strip(), raw.lstrip(), raw.rstrip(), " ".join(raw.split()), raw.replace(" ", ""), spaced):
        if other != raw:
            yield ctx.replace(node, _with(node, other))


@operator(
    name="ending-changed",
    odc="assignment",
    bug_type="value misuse",
    inverse="ending-changed",
    examples=[
        Example("x = 'Done.'", "x = 'Done'"), Example("x = 'Done.'", "x = 'Done!'"),
        Example("x = 'item'", "x = 'items'"), Example("x = '/tmp'", "x = 'tmp'"), Example("x = 'txt'", "x = '.txt'"),
    ],
)  # fmt: skip
def ending_changed(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A sign, a plural s or a line end after a text goes, comes or is another; so does a sign before it."""
    raw = node.raw_value
    if not raw or len(raw) < 2 or "\n" in raw:
        return
    stem = raw.removesuffix("\\n") if raw.endswith("\\n") else raw.rstrip(_PUNCTUATION)
    for other in (stem, *(stem + ending for ending in _ENDINGS), *(raw + ending for ending in _ENDINGS)):
        if other and other != raw:
            yield ctx.replace(node, _with(node, other))
    if " " not in raw:
        for other in (raw.lstrip(_PUNCTUATION), f".{raw}", f"/{raw}", f"_{raw}", f"-{raw}"):
            if other not in ("", raw):
                yield ctx.replace(node, _with(node, other))

"""Data inside the page that costs nothing until it is asked for: compressed, and in letters that are never markup."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Final

BLOCK_CHARACTERS: Final = 256 * 1024


def pack(data: object) -> str:
    """Return JSON data as base64 of raw deflate (RFC 1951), which a browser unpacks by itself."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    compressor = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = compressor.compress(text.encode()) + compressor.flush()
    return base64.b64encode(packed).decode()


def unpack(text: str) -> object:
    """Return what was packed."""
    return json.loads(zlib.decompress(base64.b64decode(text), wbits=-zlib.MAX_WBITS))


def blocks(texts: Iterable[str], size: int = BLOCK_CHARACTERS) -> Iterator[list[str]]:
    """Yield the texts in order, as many together as come to ``size`` characters: enough to compress, quick to open."""
    block: list[str] = []
    room = size
    for text in texts:
        block.append(text)
        room -= len(text)
        if room <= 0:
            yield block
            block, room = [], size
    if block:
        yield block

"""Telling from the words between two patches that the second is there instead of the first, not beside it."""

from __future__ import annotations

import re
from typing import Final

_INSTEAD: Final = re.compile(
    r"""^\W*(?:wait|no|oops|hmm|or|alternatively|sorry)\b\s*[,.:;!—–-]
    |\b(?:wait,|scratch\ that|on\ second\ thought|never\ ?mind|instead[:.])
    |\blet\ me\ (?:redo|reconsider|correct|fix)\ (?:that|this|it)\b
    |\b(?:ignore|disregard|discard|forget)\ (?:the|that|this|my|it)\b
    |\bthat(?:'s|\ is|\ was|\ would\ be)\ (?:wrong|incorrect|not\ right|a\ mistake)\b
    |\b(?:corrected|revised|final|updated|improved|better|simpler|cleaner|alternative|other)\s
        (?:version|patch|diff|fix|answer|solution|attempt|option)\b
    |^\W*(?:better|alternative|option|version|attempt|final|corrected|revised)(?:\ \w+)?\W*:?\s*$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


def retracts(words: str) -> bool:
    """Whether the words before a patch take back the one before them, or offer a choice."""
    return bool(_INSTEAD.search(words))

"""F-strings that only Python 3.12 and later accept (PEP 701): mutants must be the same under every version."""

from __future__ import annotations

import io
import tokenize
from typing import Final

_START: Final = getattr(tokenize, "FSTRING_START", -1)
_END: Final = getattr(tokenize, "FSTRING_END", -1)
_MIDDLE: Final = getattr(tokenize, "FSTRING_MIDDLE", -1)


def needs_new_grammar(program: str) -> bool:
    """Whether a field of an f-string has a quote of the string around it, a backslash, a comment or a line end.

    Only Python 3.12 and later can tell; earlier ones do not parse such a text at all.
    """
    around: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(program).readline):
            if token.type == _END:
                around.pop()
            elif around and token.type != _MIDDLE and _too_new(token, around):
                return True
            if token.type == _START:
                around.append(token.string.lstrip("fFrR"))
    except (tokenize.TokenError, SyntaxError):
        return True
    return False


def _too_new(token: tokenize.TokenInfo, around: list[str]) -> bool:
    if token.type == tokenize.COMMENT:
        return True
    if token.type in (tokenize.NL, tokenize.NEWLINE):
        return any(len(quote) == 1 for quote in around)
    return "\\" in token.string or any(quote in token.string for quote in around)

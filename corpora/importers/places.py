"""Where two versions of a file differ."""

from __future__ import annotations

from collections.abc import Iterable

from mendlab.records import FunctionInfo, Span


def changed_span(good: str, buggy: str) -> Span:
    """Return the smallest stretch of whole lines of ``good`` outside of which the two texts agree.

    It is empty, at the start of a line, where ``buggy`` only has lines more.
    """
    before, after = good.split("\n"), buggy.split("\n")
    shorter = min(len(before), len(after))
    head = _common(zip(before, after, strict=False))
    tail = min(_common(zip(reversed(before), reversed(after), strict=False)), shorter - head)
    last = len(before) - tail
    if last == head:
        return Span(start_line=head + 1, start_column=0, end_line=head + 1, end_column=0)
    return Span(start_line=head + 1, start_column=0, end_line=last, end_column=len(before[last - 1]))


def innermost(functions: Iterable[FunctionInfo], file: str, span: Span) -> str | None:
    """Return the qualified name of the innermost function that a span lies in."""
    around = [
        function
        for function in functions
        if function.file == file
        and function.span.start_line <= span.start_line
        and span.end_line <= function.span.end_line
    ]
    return min(around, key=lambda each: each.span.end_line - each.span.start_line).qualified_name if around else None


def _common(pairs: Iterable[tuple[str, str]]) -> int:
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count

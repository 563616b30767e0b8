"""Lays out plain text: wrapping, justified paragraphs, bullet lists and tables."""

from __future__ import annotations


def break_word(word: str, room: int, width: int) -> tuple[str, str]:
    """Splits a word so that its first part fits into ``room``.

    A split after a hyphen inside the word is taken first; a word that is longer than a whole line
    is cut, at the start of a line only. The first part is empty when the word should go to the next line.
    """
    cut = word.rfind("-", 0, room) + 1
    if 0 < cut < len(word):
        return word[:cut], word[cut:]
    if room == width:
        return word[:room], word[room:]
    return "", word


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` characters, filled from the left."""
    if width < 1:
        raise ValueError("width must be at least 1")
    lines = []
    line = ""
    for word in text.split():
        while word:
            room = width - len(line) - (1 if line else 0)
            if len(word) <= room:
                part, word = word, ""
            elif room > 0:
                part, word = break_word(word, room, width)
            else:
                part = ""
            if part:
                line = f"{line} {part}" if line else part
            if word:
                lines.append(line)
                line = ""
    if line:
        lines.append(line)
    return lines


def justify(line: str, width: int, extra_left: bool = True) -> str:
    """Widens the gaps between words until the line is full; uneven gaps go to the left or to the right."""
    words = line.split()
    if len(words) < 2:
        return line
    gaps = len(words) - 1
    blanks = width - sum(len(word) for word in words)
    if blanks < gaps:
        return line
    narrow, wider = divmod(blanks, gaps)
    result = words[0]
    for number, word in enumerate(words[1:]):
        is_wide = number < wider if extra_left else number >= gaps - wider
        result += " " * (narrow + (1 if is_wide else 0)) + word
    return result


def paragraphs(text: str, width: int, justified: bool = False) -> str:
    """Wraps each paragraph by itself; paragraphs are parted by blank lines. Last lines are never justified."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    result = []
    for block in blocks:
        lines = wrap(" ".join(block), width)
        if justified:
            body = [justify(line, width, number % 2 == 0) for number, line in enumerate(lines[:-1])]
            lines = body + lines[-1:]
        if lines:
            result.append("\n".join(lines))
    return "\n\n".join(result)


def bullets(items: list, width: int, depth: int = 0) -> list[str]:
    """A bullet list; a list among the items is a sub-list of the item before it."""
    mark = "*-+"[depth % 3]
    indent = "  " * depth
    lines: list[str] = []
    for item in items:
        if isinstance(item, list):
            lines.extend(bullets(item, width, depth + 1))
            continue
        wrapped = wrap(item, width - len(indent) - 2)
        for number, line in enumerate(wrapped):
            lines.append(indent + (f"{mark} " if number == 0 else "  ") + line)
    return lines


def align(text: str, width: int, how: str) -> str:
    """``how`` is one of ``<`` left, ``>`` right, ``^`` centre or ``.`` right by the decimal point's two places."""
    if how == "<":
        return text.ljust(width)
    if how == "^":
        left = (width - len(text)) // 2
        return (" " * left + text).ljust(width)
    if how == "." and "." not in text:
        return (text + "   ").rjust(width)
    return text.rjust(width)


def table(rows: list[list[str]], aligns: str, gap: int = 2, header: bool = True) -> str:
    """Columns as wide as their widest cell, with a rule below the header; trailing blanks are cut."""
    if any(len(row) != len(aligns) for row in rows):
        raise ValueError("each row needs one cell for each column")
    widths = []
    for column, how in enumerate(aligns):
        cells = [row[column] + ("   " if how == "." and "." not in row[column] else "") for row in rows]
        widths.append(max((len(cell) for cell in cells), default=0))
    lines = []
    for row in rows:
        cells = [align(cell, width, how) for cell, width, how in zip(row, widths, aligns)]
        lines.append((" " * gap).join(cells).rstrip())
    if header and lines:
        lines.insert(1, (" " * gap).join("-" * width for width in widths))
    return "\n".join(lines)

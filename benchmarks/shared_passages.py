"""What the marks of `mendlab contamination` come to on real code that nothing was planted in.

    python benchmarks/shared_passages.py [--functions 6000] [--seed 1]

The tasks are functions of the installed packages, the corpus is the standard library. Each mark is held to the two
texts: the passage has to stand in both. What shares a twentieth of its windows or more is taken for a copy, as
`setuptools` has of `distutils`; the rest are idioms that two authors wrote alike. Exits with 1 where one is not there.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from mendlab.corpora.contamination.corpus import Corpus
from mendlab.corpora.contamination.overlap import CHARACTERS_IN_A_ROW, WORDS_IN_A_ROW, find_overlaps
from mendlab.corpora.contamination.records import WORDS, Marked

FEWEST_LINES = 8
COPY_FROM = 0.05
_LEFT_OUT = {"_vendor", "vendored", "extern", "site-packages", "__pycache__"}


def main() -> None:
    """Print how many functions are marked, and what their marks are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--functions", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    found = dict(_functions(Path(sysconfig.get_path("purelib"))))
    names = random.Random(arguments.seed).sample(sorted(found), min(arguments.functions, len(found)))
    texts = {name: (found[name],) for name in names}
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        _copy(Path(sysconfig.get_path("stdlib")), library)
        corpus, started = Corpus(library), time.process_time()
        _, marks = find_overlaps(texts, corpus)
        spent = time.process_time() - started
        absent = [each for each in marks if not _stands_in_both(texts[each.task][0], each)]
    strength: dict[str, float] = {}
    for each in marks:
        strength[each.task] = max(strength.get(each.task, 0.0), each.mark.strength)
    idioms = sorted(name for name, share in strength.items() if share < COPY_FROM)
    print(f"{len(texts)} functions, {corpus.read / 10**6:.0f} MB, {spent:.0f} s of CPU time")
    print(f"marked: {len(strength)} ({len(strength) / len(texts):.2%})")
    print(f"  copies, {COPY_FROM:.0%} of their windows or more: {len(strength) - len(idioms)}")
    print(f"  idioms, less than that: {len(idioms)} ({len(idioms) / len(texts):.2%})")
    print(f"marks whose passage is not in both texts: {len(absent)} of {len(marks)} (goal: none)")
    print("idioms:", *idioms, sep="\n  ")
    sys.exit(bool(absent))


def _functions(site: Path) -> Iterator[tuple[str, str]]:
    """The functions of some lines, by file, name and line."""
    for path in _sources(site):
        try:
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
        except (OSError, UnicodeDecodeError, SyntaxError, ValueError):
            continue
        lines = text.splitlines(keepends=True)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                last = node.end_lineno or node.lineno
                if last - node.lineno >= FEWEST_LINES:
                    yield f"{path.relative_to(site)}:{node.lineno} {node.name}", "".join(lines[node.lineno - 1 : last])


def _sources(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*.py") if not _LEFT_OUT.intersection(path.relative_to(folder).parts))
    return sorted(found)


def _copy(library: Path, to: Path) -> None:
    for path in _sources(library):
        place = to / path.relative_to(library)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())


def _stands_in_both(text: str, mark: Marked) -> bool:
    """Whether a passage of the text is in the file that the mark names, by plain search."""
    words, others = _words(text), _words(Path(mark.place).read_text(encoding="utf-8", errors="replace"))
    if mark.mark.method == WORDS:
        there = f" {' '.join(others)} "
        return any(f" {' '.join(words[at : at + WORDS_IN_A_ROW])} " in there for at in range(len(words)))
    letters, there = "".join(words), "".join(others)
    return any(letters[at : at + CHARACTERS_IN_A_ROW] in there for at in range(len(letters) - CHARACTERS_IN_A_ROW + 1))


def _words(text: str) -> list[str]:
    """The words as both methods see them; bytes of other alphabets are letters."""
    return [word.decode("latin-1") for word in re.findall(rb"[0-9a-z\x80-\xff]+", text.encode().lower())]


if __name__ == "__main__":
    main()

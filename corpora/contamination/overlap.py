"""Overlap of the texts of tasks with corpora: 13 words in a row, and 50 characters in a row.

Words: as in the GPT-3 report (Brown et al. 2020, appendix C): lower case, without punctuation; a task is marked by a
single 13-gram, but one that a corpus has more than ten times is no sign. Nor is one of which less than half are
different words of two letters or more, as a table of numbers has; words that everybody counts with are no such words,
for ``one 2 two 3 three`` is a table of numbers too.
Characters: as in the GPT-4 report (OpenAI 2023, appendix C): all but letters and digits is dropped. There three windows
of 50 characters are drawn from each task; here all of them are looked for, in lower case, but for those of fewer than
eight different letters, as rows of zeros are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mendlab.corpora.contamination.corpus import Block, Corpus
from mendlab.corpora.contamination.records import CANARY, CHARACTERS, WORDS, Check, Marked
from mendlab.corpora.contamination.windows import Hashes, Index, stretch_hashes, window_hashes
from mendlab.records import ContaminationMark

WORDS_IN_A_ROW: Final = 13
CHARACTERS_IN_A_ROW: Final = 50
MOST_OFTEN: Final = 10
FEWEST_DIFFERENT: Final = 7
FEWEST_LETTERS: Final = 8

COUNTED_WITH: Final = frozenset(
    b"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    b"eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    b"first second third fourth fifth sixth seventh eighth ninth tenth "
    b"january february march april may june july august september october november december "
    b"jan feb mar apr jun jul aug sep sept oct nov dec "
    b"monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun".split()
)
"""Numbers, months and days: they stand in one order wherever they are, and nobody has that from anybody."""

_LETTERS = np.zeros(256, dtype=np.uint8)
"""Each byte as both methods see it: letters in lower case, digits, bytes of other alphabets, and 0 for all else."""
for _byte in range(256):
    if chr(_byte).isascii() and chr(_byte).isalnum():
        _LETTERS[_byte] = ord(chr(_byte).lower())
    elif _byte >= 128:
        _LETTERS[_byte] = _byte
_BARRIER: Final = np.uint8(1)
_LETTERS[0] = _BARRIER  # between documents


@dataclass(slots=True)
class _Windows:
    """The windows of one method: which tasks have which, and what was found of them."""

    index: Index
    by_task: dict[str, NDArray[np.int64]]
    found: NDArray[np.int64]
    place: dict[int, str]

    @classmethod
    def of(cls, hashes: Mapping[str, Hashes]) -> _Windows:
        index = Index(np.concatenate([*hashes.values(), np.zeros(0, np.uint64)]))
        by_task = {task: np.searchsorted(index.known, np.unique(each)) for task, each in hashes.items()}
        return cls(index, by_task, np.zeros(len(index.known), dtype=np.int64), {})

    def take(self, positions: NDArray[np.int64], windows: NDArray[np.int64], place: Callable[[int], str]) -> None:
        np.add.at(self.found, windows, 1)
        for position, window in zip(positions.tolist(), windows.tolist(), strict=True):
            if window not in self.place:
                self.place[window] = place(position)

    def marks(self, method: str, corpus: str, most: int | None) -> list[Marked]:
        """A mark for each task with a window that was found, at most ``most`` times; its strength is their share."""
        marks = []
        for task, windows in self.by_task.items():
            counts = self.found[windows]
            hit = (counts > 0) if most is None else (counts > 0) & (counts <= most)
            if hit.any():
                mark = ContaminationMark(method=method, corpus=corpus, strength=round(float(hit.mean()), 4))
                place = self.place[int(windows[np.argmax(hit)])]
                marks.append(Marked(task=task, mark=mark, place=place))
        return marks


def find_overlaps(
    texts: Mapping[str, Sequence[str]],
    corpus: Corpus,
    canaries: Iterable[str] = (),
    on_bytes: Callable[[int], None] = lambda count: None,
) -> tuple[list[Check], list[Marked]]:
    """Return the checks of one corpus, and the marks of the tasks whose texts it overlaps with.

    ``texts`` are by task. A canary that is found marks every task. Memory does not depend on the corpus.

    Raises:
        InputError: the corpus cannot be read.
    """
    seen_texts = {task: [_seen(text) for text in each] for task, each in texts.items()}
    words = _Windows.of({task: _joined(map(_telling_windows, each)) for task, each in seen_texts.items()})
    letters = _Windows.of({task: _joined(map(_telling_stretches, each)) for task, each in seen_texts.items()})
    wanted = [canary.encode() for canary in canaries]
    canary_at = ""
    for block in corpus.blocks(on_bytes):
        seen = _LETTERS[np.frombuffer(block.data, dtype=np.uint8)]
        for windows, of_block in ((words, _word_windows(seen)), (letters, _letter_windows(seen))):
            hashes, starts = of_block
            positions, which = windows.index.find(hashes)
            if len(positions):
                windows.take(starts()[positions], which, block.place)
        canary_at = canary_at or _canary(block, wanted)
    name = corpus.name
    marks = [*words.marks(WORDS, name, MOST_OFTEN), *letters.marks(CHARACTERS, name, None)]
    if canary_at:
        sign = ContaminationMark(method=CANARY, corpus=name, strength=1.0)
        marks += [Marked(task=task, mark=sign, place=canary_at) for task in texts]
    facts = {"bytes": corpus.read, "documents": corpus.documents, "passed_over": corpus.passed_over}
    checks = [
        Check(method=WORDS, corpus=name, unknown=_short(words), facts=dict(facts)),
        Check(method=CHARACTERS, corpus=name, unknown=_short(letters), facts=dict(facts)),
        *([Check(method=CANARY, corpus=name, facts={"found": bool(canary_at)})] if wanted else []),
    ]
    return checks, marks


Starts = Callable[[], NDArray[np.int64]]


def _letter_windows(seen: NDArray[np.uint8]) -> tuple[Hashes, Starts]:
    """The hashes of the windows of letters, and how to know where each begins."""
    kept = seen[seen != 0]
    return window_hashes(kept.astype(np.uint64), CHARACTERS_IN_A_ROW), lambda: np.flatnonzero(seen)


def _word_windows(seen: NDArray[np.uint8]) -> tuple[Hashes, Starts]:
    """The hashes of the windows of words, and where each begins."""
    inside = np.concatenate(([False], seen != 0, [False]))
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[::2], edges[1::2]
    words = stretch_hashes(seen.astype(np.uint64), starts, ends)
    hashes = window_hashes(words, WORDS_IN_A_ROW)
    return hashes, lambda: starts


def _telling_windows(seen: NDArray[np.uint8]) -> Hashes:
    """The hashes of the windows of words that have enough different ones."""
    hashes, _ = _word_windows(seen)
    words = seen.tobytes().replace(b"\0", b" ").split()
    says_nothing = COUNTED_WITH | {word for word in words if len(word) == 1 or word.isdigit()}
    long = [b"" if word in says_nothing else word for word in words]
    telling = [len(set(long[at : at + WORDS_IN_A_ROW]) - {b""}) >= FEWEST_DIFFERENT for at in range(len(hashes))]
    kept: Hashes = hashes[np.array(telling, dtype=np.bool_)]
    return kept


def _telling_stretches(seen: NDArray[np.uint8]) -> Hashes:
    """The hashes of the windows of letters that have enough different ones, digits apart."""
    hashes, _ = _letter_windows(seen)
    kept = seen[seen != 0]
    different = np.zeros(len(hashes), dtype=np.int64)
    for letter in np.unique(kept[(kept < ord("0")) | (kept > ord("9"))]):
        before = np.concatenate(([0], np.cumsum(kept == letter)))
        different += before[CHARACTERS_IN_A_ROW:][: len(hashes)] > before[: len(hashes)]
    telling: Hashes = hashes[different >= FEWEST_LETTERS]
    return telling


def _joined(parts: Iterable[Hashes]) -> Hashes:
    return np.concatenate([*parts, np.zeros(0, np.uint64)])


def _seen(text: str) -> NDArray[np.uint8]:
    return _LETTERS[np.frombuffer(text.replace("\0", " ").encode("utf-8", "replace"), dtype=np.uint8)]


def _short(windows: _Windows) -> int:
    """How many tasks have too little text for a single window."""
    return sum(not len(each) for each in windows.by_task.values())


def _canary(block: Block, wanted: Iterable[bytes]) -> str:
    for each in wanted:
        at = block.data.find(each)
        if at >= 0:
            return block.place(at)
    return ""

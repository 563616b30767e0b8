from __future__ import annotations

import gzip
import json
import os
import random
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from mendlab.corpora.contamination.corpus import BETWEEN, BLOCK, LONGEST_ROW, OVERLAP, Corpus
from mendlab.corpora.contamination.overlap import MOST_OFTEN, find_overlaps
from mendlab.corpora.contamination.records import CANARY, CHARACTERS, WORDS
from mendlab.corpora.contamination.windows import Index, window_hashes
from mendlab.errors import InputError

TEXT = (
    "Return the largest prime factor of a number that is given, where the number is greater than one and is not itself"
    " a prime; the answer for thirteen thousand one hundred and ninety five is twenty nine."
)
OTHER = "An entirely different description, of how the inventory of a small shop should be kept in order by its owner."
TEXTS = {"T/0": (TEXT,), "T/1": (OTHER, "def short(): pass")}


def marks(corpus, texts=TEXTS, canaries=()):
    checks, found = find_overlaps(texts, corpus, canaries)
    return {(each.task, each.mark.method): each for each in found}, checks


def words(count: int, seed: int = 0) -> str:
    rng = random.Random(seed)
    return " ".join("".join(rng.choices("abcdefghij", k=7)) for _ in range(count))


def test_a_piece_in_other_letters_and_spaces_is_found_with_its_place(tmp_path):
    piece = TEXT[30:150].upper().replace(" ", " \n\t- ")
    (tmp_path / "a.txt").write_text(words(500))
    (tmp_path / "b.txt").write_text(f"{words(100, 1)} {piece} {words(100, 2)}")
    found, checks = marks(Corpus(tmp_path))
    assert set(found) == {("T/0", WORDS), ("T/0", CHARACTERS)}
    assert all(each.place == str(tmp_path / "b.txt") for each in found.values())
    assert 0 < found["T/0", WORDS].mark.strength < 1
    assert checks[0].facts["documents"] == 2
    whole = tmp_path / "whole.txt"
    whole.write_text(TEXT)
    assert {each.mark.strength for each in marks(Corpus(whole))[0].values()} == {1.0}


def test_twelve_words_and_forty_nine_characters_are_no_overlap(tmp_path):
    letters = "".join(TEXT.split())
    (tmp_path / "a.txt").write_text(" ".join(TEXT.split()[:12]))
    assert ("T/0", WORDS) not in marks(Corpus(tmp_path))[0]
    (tmp_path / "a.txt").write_text("X" + letters[60:109])
    assert marks(Corpus(tmp_path))[0] == {}
    (tmp_path / "a.txt").write_text(" ".join(TEXT.split()[:13]))
    assert ("T/0", WORDS) in marks(Corpus(tmp_path))[0]
    (tmp_path / "a.txt").write_text("X" + letters[60:112])
    assert set(marks(Corpus(tmp_path))[0]) == {("T/0", CHARACTERS)}


def test_nothing_is_missed_where_a_block_ends_and_nothing_joined_where_a_document_does(tmp_path):
    file = tmp_path / "long.txt"
    for shift in (len(BETWEEN) + 1, 60, 120, OVERLAP):
        filler = (words(40_000) * 8)[: BLOCK - shift]
        file.write_text(filler + " " + TEXT + " " + filler)
        assert {key[0] for key in marks(Corpus(file))[0]} == {"T/0"}
    halves = tmp_path / "halves"
    halves.mkdir()
    parts = TEXT.split()
    for number in range(0, len(parts), 8):
        (halves / f"{number:03}.txt").write_text(" ".join(parts[number : number + 8]))
    assert marks(Corpus(halves))[0] == {}


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_rows_are_read_as_the_text_that_they_hold(tmp_path, name):
    row = {"id": 1, "nested": [{"text": TEXT.replace(" ", "\n")}]}
    data = (json.dumps({"text": words(50)}) + "\nno JSON\n" + json.dumps(row) + "\n").encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found, checks = marks(Corpus(tmp_path / name))
    assert found["T/0", CHARACTERS].place == f"{tmp_path / name}:3"
    assert checks[0].facts["passed_over"] == 1


def test_what_is_everywhere_or_says_little_is_no_sign(tmp_path):
    common, table = tmp_path / "common.txt", tmp_path / "table.txt"
    thirteen = " ".join(TEXT.split()[:13])
    common.write_text(" | ".join(f"{thirteen} {words(5, seed)}" for seed in range(MOST_OFTEN)))
    assert ("T/0", WORDS) in marks(Corpus(common))[0]
    common.write_text(" | ".join(f"{thirteen} {words(5, seed)}" for seed in range(MOST_OFTEN + 1)))
    assert ("T/0", WORDS) not in marks(Corpus(common))[0]
    numbers = " ".join(map(str, range(1, 15)))
    table.write_text(numbers)
    assert marks(Corpus(table), {"N": (numbers,)})[0] == {}
    for counted in (
        "one 2 two 3 three 4 four 5 five 6 six 7 seven 8 eight",
        "jan feb mar apr may jun jul aug sep oct nov dec jan",
    ):
        table.write_text(counted)
        assert marks(Corpus(table), {"N": (counted,)})[0] == {}


def test_fifty_digits_and_few_letters_are_no_sign(tmp_path):
    file = tmp_path / "array.txt"
    for rows in ("[0, 0, 1, 0, 1, 1, 0, 0], " * 12, "aaaa bbbb ab ba cab ddd " * 6):
        file.write_text(rows)
        assert marks(Corpus(file), {"N": (rows,)})[0] == {}
    text = "".join(words(9).split())[:25]
    file.write_text(f"{text} {'0, ' * 26}")
    assert set(marks(Corpus(file), {"N": (f"x {text} {'0, ' * 26} y",)})[0]) == {("N", CHARACTERS)}


def test_a_canary_marks_every_task(tmp_path):
    (tmp_path / "a.txt").write_text(f"{words(10)} canary GUID 1234-5678")
    found, _ = marks(Corpus(tmp_path), canaries=["1234-5678"])
    assert set(found) == {("T/0", CANARY), ("T/1", CANARY)}
    assert marks(Corpus(tmp_path), canaries=["1234-9999"])[0] == {}


def test_binary_files_are_passed_over_and_broken_ones_named(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\0\1" + TEXT.encode())
    (tmp_path / "b.gz").write_bytes(b"no gzip")
    corpus = Corpus(tmp_path)
    assert marks(corpus)[0] == {}
    assert (corpus.passed_over, corpus.unreadable) == (1, [str(tmp_path / "b.gz")])
    with pytest.raises(InputError, match=r"b\.gz"):
        marks(Corpus(tmp_path / "b.gz"))


def test_a_pipe_is_read_to_its_end_and_in_a_folder_passed_over(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(f"{words(400_000)} {TEXT} {words(100)}",))
    writer.start()
    corpus = Corpus(pipe)
    assert corpus.size() is None
    found, checks = marks(corpus)
    writer.join()
    assert set(found) == {("T/0", WORDS), ("T/0", CHARACTERS)}
    assert checks[0].facts["bytes"] > BLOCK
    (tmp_path / "a.txt").write_text(TEXT)
    found, checks = marks(Corpus(tmp_path))
    assert set(found) == {("T/0", WORDS), ("T/0", CHARACTERS)}
    assert (checks[0].facts["documents"], checks[0].facts["passed_over"]) == (1, 1)


def test_what_has_no_text_is_refused_where_it_is_named_itself(tmp_path):
    with pytest.raises(InputError, match="is a device"):
        Corpus(Path("/dev/zero"))
    for name, data in (("a.parquet", b"PAR1\0\0"), ("a.jsonl", b"no JSON\n")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match="has no text"):
            marks(Corpus(tmp_path / name))
    (tmp_path / "empty.txt").touch()
    assert marks(Corpus(tmp_path / "empty.txt"))[0] == {}


def test_names_that_are_not_utf_8_can_be_stored(tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xe9le"))
    folder.mkdir()
    Path(folder, os.fsdecode(b"\xff.txt")).write_text(TEXT)
    (folder / "rows.jsonl").write_text(json.dumps({"text": OTHER}) + "\n")
    (folder / "b.gz").write_bytes(b"no gzip")
    corpus = Corpus(folder)
    found, checks = marks(corpus)
    assert found["T/0", WORDS].place == f"{tmp_path}/p\\xe9le/\\xff.txt"
    assert found["T/1", WORDS].place == f"{tmp_path}/p\\xe9le/rows.jsonl:1"
    assert corpus.unreadable == [f"{tmp_path}/p\\xe9le/b.gz"]
    assert {check.corpus for check in checks} == {f"{tmp_path}/p\\xe9le"}
    for each in (*checks, *found.values()):
        assert each.model_validate_json(each.model_dump_json()) == each


def test_a_long_row_is_read_in_pieces_as_text_and_what_follows_as_rows(tmp_path):
    filler = words(LONGEST_ROW // 8)
    lines = TEXT.replace(" ", "\n")
    long = f"{filler} {lines} {filler}"
    rows = [{"text": long}, {"text": OTHER}, {"text": f"caf\u00e9 {filler[:-7]}{words(5, 1)}"}]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found, checks = marks(Corpus(file))
    assert found["T/0", WORDS].mark.strength == found["T/0", CHARACTERS].mark.strength == 1.0
    assert {task: each.place for (task, _), each in found.items()} == {"T/0": f"{file}:1", "T/1": f"{file}:2"}
    assert (checks[0].facts["documents"], checks[0].facts["bytes"]) == (3, file.stat().st_size)


@pytest.mark.parametrize("shift", [0, 1, 60, 120, 200])
def test_nothing_is_missed_where_a_long_row_is_cut(tmp_path, shift):
    text = " ".join(TEXT.split())
    filler = (words(40_000) * 14)[: LONGEST_ROW - len('{"text": "') - shift]
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"text": f"{filler} {text} {filler}"}))
    assert {each.mark.strength for each in marks(Corpus(file))[0].values()} == {1.0}


def test_memory_does_not_depend_on_the_length_of_a_row(tmp_path):
    file = tmp_path / "rows.jsonl.gz"
    with gzip.open(file, "wb", compresslevel=1) as rows:
        rows.write(b'{"text": "')
        for _ in range(24):
            rows.write(b"a " * (1 << 19))
        rows.write(b'"}')
    corpus = Corpus(file)
    tracemalloc.start()
    assert all(len(block.data) <= BLOCK for block in corpus.blocks())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert corpus.read > 4 * LONGEST_ROW
    assert peak < 4 * LONGEST_ROW


def test_windows_are_equal_where_they_are_and_nowhere_else():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 4, 3000).astype(np.uint64)
    hashes = window_hashes(values, 9)
    texts = [bytes(values[at : at + 9].astype(np.uint8)) for at in range(len(hashes))]
    assert len(set(texts)) == len(set(hashes.tolist())) < len(texts)
    assert dict(zip(texts, hashes.tolist(), strict=True)) == dict(zip(texts[::-1], hashes.tolist()[::-1], strict=True))
    index = Index(hashes[:100])
    positions, which = index.find(hashes)
    assert set(positions.tolist()) == {at for at, text in enumerate(texts) if text in texts[:100]}
    assert (index.known[which] == hashes[positions]).all()
    assert window_hashes(values[:8], 9).size == 0

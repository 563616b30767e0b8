"""A journal survives what kills its writer."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mendlab.corpora.journal import Journal
from mendlab.errors import FormatError, InputError, OutputError
from mendlab.records import Step

WRITER = """
import sys
from pathlib import Path
from mendlab.corpora.journal import Journal
from mendlab.records import Step

journal = Journal(Path(sys.argv[1]), Step)
for number in range(len(journal.read()), int(sys.argv[2])):
    journal.append(Step(code="x" * (number * 37 % 5000), test_id=str(number)))
"""


def steps(count: int) -> list[Step]:
    return [Step(code="x" * (number * 37 % 5000), test_id=str(number)) for number in range(count)]


def test_what_is_appended_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "steps.jsonl"
    with Journal(path, Step) as journal:
        assert journal.read() == []
        for step in steps(5):
            journal.append(step)
    assert Journal(path, Step).read() == steps(5)
    assert path.read_bytes().count(b"\n") == 5


def test_text_that_looks_like_a_line_end_stays_in_its_line(tmp_path: Path) -> None:
    step = Step(code="a\nb\r\u2028\x0c\x85é")
    with Journal(tmp_path / "steps.jsonl", Step) as journal:
        journal.append(step)
        journal.append(step)
    assert journal.read() == [step, step]


@pytest.mark.parametrize("torn", [b'{"code":', b"\0" * 70_000, b'{"code":"whole but for its newline","test_id":null}'])
def test_a_torn_last_line_is_not_read_and_is_overwritten(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "steps.jsonl"
    with Journal(path, Step) as journal:
        journal.append(Step(code="first"))
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    journal = Journal(path, Step)
    assert journal.read() == [Step(code="first")]
    assert path.read_bytes() == whole + torn
    with journal:
        journal.append(Step(code="first"))
    assert path.read_bytes() == whole * 2


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b'{"code":"a"}\n{"code":"b\n{"code":"c"}\n')
    with pytest.raises(FormatError) as caught:
        Journal(path, Step).read()
    assert caught.value.where == f"{path}:2"
    path.write_bytes(b'{"code":"a"}\n{"code":"b","test_id":7}\n')
    with pytest.raises(FormatError, match="test_id: Input should be a valid string"):
        Journal(path, Step).read()


def test_a_journal_that_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Is a directory"):
        Journal(tmp_path, Step).read()


@pytest.mark.timeout(120)
def test_a_writer_killed_many_times_leaves_what_one_run_leaves(tmp_path: Path) -> None:
    """Kill with SIGKILL at moments spread over the run, until it comes through by itself."""
    count = 1500
    path = tmp_path / "steps.jsonl"
    chance = random.Random(7)
    kills = 0
    while kills < 8:
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(count)])
        started = path.stat().st_size if path.exists() else 0
        while writer.poll() is None and (not path.exists() or path.stat().st_size == started):
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.08))
        if writer.poll() is not None:
            break
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        kills += 1
        assert Journal(path, Step).read() == steps(count)[: len(Journal(path, Step).read())]
    assert kills >= 3
    subprocess.run([sys.executable, "-c", WRITER, str(path), str(count)], check=True)
    assert Journal(path, Step).read() == steps(count)
    straight = tmp_path / "straight.jsonl"
    with Journal(straight, Step) as journal:
        journal.rewrite(steps(count))
    assert path.read_bytes() == straight.read_bytes()


def test_threads_append_whole_lines(tmp_path: Path) -> None:
    with Journal(tmp_path / "steps.jsonl", Step) as journal, ThreadPoolExecutor(8) as pool:
        list(pool.map(journal.append, steps(200)))
    assert sorted(int(step.test_id or "") for step in journal.read()) == list(range(200))


def test_two_cannot_append_at_once(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    first, second = Journal(path, Step), Journal(path, Step)
    first.append(Step(code="first"))
    with pytest.raises(OutputError, match="being written by another run"):
        second.append(Step(code="second"))
    first.close()
    second.append(Step(code="second"))
    second.close()
    assert [step.code for step in first.read()] == ["first", "second"]


def test_rewrite_replaces_everything_and_appending_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    with Journal(path, Step) as journal:
        for step in steps(3):
            journal.append(step)
        journal.rewrite(reversed(steps(3)))
        journal.append(Step(code="last"))
    assert [step.test_id for step in journal.read()] == ["2", "1", "0", None]
    assert [entry.name for entry in tmp_path.iterdir()] == ["steps.jsonl"]


def test_a_full_disk_is_one_error_and_leaves_whole_lines(tmp_path: Path) -> None:
    """A file-size limit refuses part of a write just as a full disk does."""
    path = tmp_path / "steps.jsonl"
    journal = Journal(path, Step)
    journal.append(Step(code="first"))
    whole = path.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))
    try:
        with pytest.raises(OutputError, match="File too large") as caught:
            journal.append(Step(code="x" * 1000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.where == str(path)
    assert caught.value.hint is not None and "run the same command again" in caught.value.hint
    assert path.read_bytes() == whole
    journal.append(Step(code="after"))
    journal.close()
    assert [step.code for step in journal.read()] == ["first", "after"]


def test_a_disk_with_no_space_names_the_way_out() -> None:
    if not Path("/dev/full").exists() or not os.access("/dev/full", os.W_OK):
        pytest.skip("no /dev/full here")
    from mendlab.corpora.durable import writing

    with pytest.raises(OutputError, match="No space left on device") as caught, writing(Path("out/steps.jsonl")):
        Path("/dev/full").write_bytes(b"x")
    assert caught.value.where == "out/steps.jsonl"
    assert caught.value.hint is not None and caught.value.hint.startswith("free some space")


def test_a_folder_that_cannot_be_made_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError) as caught:
        Journal(tmp_path / "file" / "steps.jsonl", Step).append(Step(code=""))
    assert caught.value.where == str(tmp_path / "file" / "steps.jsonl")

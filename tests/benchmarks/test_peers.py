"""Other tools are asked through a driver in a process of its own; where one is missing, the row says why."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from applying.peers import DRIVER as AIDER
from exports import DRIVER as EXPORT_READERS
from harvested.costs import READERS as HISTORY_READERS
from judged.speed import DRIVER as EVALUATORS
from measures.peers import DRIVERS, PEERS, PeerError, Peers, section
from measures.programs import Pair

GOOD = "def f(a, b):\n    return a + b\n"
PAIR = Pair("p", "operator misuse", GOOD, GOOD.replace("+", "-"))
DRIVER = """\
from exchange import serve
import sys, time


def mutants(source):
    if "fail" in source:
        raise ValueError("no such program")
    while True:
        yield source.replace("+", "-")
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass


serve("1.2", mutants, sys.argv[1:])
"""


def test_every_driver_is_there() -> None:
    used = {
        *(DRIVERS / f"drive_{peer.driver}.py" for peer in PEERS),
        AIDER,
        EVALUATORS,
        EXPORT_READERS,
        HISTORY_READERS,
    }
    assert used == set(DRIVERS.glob("drive_*.py"))


def test_a_driver_answers_each_program_and_stops_in_time(tmp_path: Path) -> None:
    (tmp_path / "driver.py").write_text(DRIVER)
    programs = "".join(json.dumps({"name": source, "source": source}) + "\n" for source in (GOOD, "fail"))
    run = subprocess.run(
        [sys.executable, tmp_path / "driver.py", "limit=0.1"],
        input=programs, env={"PYTHONPATH": str(DRIVERS)}, capture_output=True, check=True, text=True,
    )  # fmt: skip
    version, answer, failed = map(json.loads, run.stdout.splitlines())
    assert version == {"version": "1.2"}
    assert answer["count"] == len(answer["mutants"]) in (2, 3, 4)
    assert answer["mutants"][0] == PAIR.bad
    assert 0.05 < answer["seconds"] < 1
    assert failed["error"] == "ValueError: no such program"


def test_a_missing_peer_says_why() -> None:
    with pytest.raises(PeerError, match="no --peer-python"):
        next(Peers(None, {}).mutants(PEERS[0], {"p": GOOD}))
    here = Peers(Path(sys.executable), {})
    cosmic_ray = next(peer for peer in PEERS if peer.driver == "cosmic_ray")
    with pytest.raises(PeerError, match="No module named 'cosmic_ray'"):
        next(here.mutants(cosmic_ray, {"p": GOOD}))
    with pytest.raises(PeerError, match="no --swesmith"):
        next(here.mutants(next(peer for peer in PEERS if peer.checkout == "swesmith"), {"p": GOOD}))


def test_the_table_has_a_row_for_every_tool() -> None:
    from measures.reach import reach_all

    table = section(Peers(None, {}), {"S": [PAIR]}, {"S": reach_all("S", [PAIR], 0, 1)}, "0").tables[0]
    assert [row[0] for row in table.rows] == ["mendlab", *(peer.name for peer in PEERS)]
    assert table.rows[0][5:] == ["100.0% (1/1)", "1/1"]
    assert {row[1] for row in table.rows[1:]} == {"not measured: no --peer-python"}


@pytest.mark.parametrize("replacement", ["'` → `'", "''"])
def test_a_change_that_fermut_lists_is_placed_by_bytes(replacement: str) -> None:
    from drive_fermut import spliced

    source = "x = '\u00fc'; y = 'a'\n"
    offset = source.encode().index(b"'a'")
    assert spliced(source.encode(), offset, f"'a'` → `{replacement}") == source.replace("'a'", replacement)
    with pytest.raises(ValueError, match="cannot place"):
        spliced(source.encode(), offset + 1, f"'a'` → `{replacement}")

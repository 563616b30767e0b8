"""The script on a tiny project, as it is run by hand; and a tool that is stopped with all that it started."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from detecting.agreement import difference
from detecting.cpu import Spent, spending
from detecting.deciding import CanaryLives, Decided, check, decide, open_quick
from detecting.peer_tools import Tool, Work
from detecting.peers import PeerRun, Peers, run_peer
from detecting.speed import Measured, cpu_table, paths_table
from detecting.subjects import Drawn, Prepared, Request, prepare

from mendlab.records import TestOutcome

DETECTION = Path(__file__).parents[2] / "benchmarks" / "detection.py"
SUMS = '''\
def total(numbers):
    """Their sum."""
    result = 0
    for number in numbers:
        result += number
    return result


def unused(number):
    return number + 1
'''
TESTS = """\
from sums import total


def test_total():
    assert total([1, 2, 3]) == 6


def test_nothing():
    assert total([]) == 0
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("sums")
    (directory / "sums.py").write_text(SUMS)
    (directory / "test_sums.py").write_text(TESTS)
    return directory


@pytest.fixture(scope="module")
def prepared(project: Path) -> Prepared:
    return prepare(Request(project, Path(sys.executable)), 12, seed=1)


@pytest.mark.slow
def test_the_canary_is_killed_and_the_rest_is_counted(prepared: Prepared) -> None:
    with closing(open_quick(prepared)) as engine:
        assert str(check(prepared, engine)) == "sums.py:3: +raise RuntimeError('canary')"
    decided = decide(prepared, prepared.mutants, workers=2)
    assert len(decided.kinds) == 12
    assert sum(decided.paths.values()) == 12
    assert decided.paths["unreached"] == sum(not mutant.reached for mutant in prepared.mutants) > 0
    assert decided.deciding.cpu > 0


@pytest.mark.slow
def test_a_default_is_no_part_of_a_body(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text("def total(numbers, start=(1, 2)):\n    return sum(numbers, start[0])\n")
    (tmp_path / "test_sums.py").write_text("from sums import total\n\ndef test_total():\n    assert total([1]) == 2\n")
    drawn = prepare(Request(tmp_path, Path(sys.executable)), 100, seed=1).mutants
    assert {one.in_body for one in drawn} == {True, False}
    for one in drawn:
        same = one.data.decode().startswith("def total(numbers, start=(1, 2)):\n")
        assert one.in_body is same, one.diff


@pytest.mark.slow
def test_nothing_is_reported_where_the_canary_lives(prepared: Prepared) -> None:
    blind = prepared.baseline.model_copy(update={"passing": ()})
    with pytest.raises(CanaryLives, match="no test fails where total raises at once"):
        decide(replace(prepared, baseline=blind), prepared.mutants)


@pytest.mark.slow
def test_tables_json_and_goals(project: Path, tmp_path: Path) -> None:
    sizes = (
        "--mutants",
        "8",
        "--rows",
        "4",
        "--lean",
        "2",
        "--agreement",
        "4",
        "--oversubscribed",
        "4",
        "--memory",
        "8",
    )
    command = [sys.executable, DETECTION, "--subject", project, "--python", sys.executable, *sizes]
    command += ["--only", "speed,rows,lean,agreement,load", "--peers", tmp_path, "--json", tmp_path / "out.json"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "goals missed: against mutmut" in done.stderr
    assert "not installed: no" in done.stdout
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["agreement"][project.name]["different"] == []
    assert found["load"][project.name]["different"] == []


def test_an_unknown_part_is_refused() -> None:
    done = subprocess.run([sys.executable, DETECTION, "--only", "sped"], capture_output=True, text=True, check=False)
    assert (done.returncode, "sped; there are speed, rows" in done.stderr) == (2, True)


PASSED, FAILED, MISSING = TestOutcome.PASSED, TestOutcome.FAILED, TestOutcome.MISSING


@pytest.mark.parametrize(
    ("fresh", "full", "first", "said"),
    [
        ((PASSED, FAILED), (PASSED, FAILED), (MISSING, FAILED), ""),
        ((PASSED, FAILED), (PASSED, PASSED), (MISSING, FAILED), "b: slow failed, quick passed"),
        ((PASSED, PASSED), (PASSED, PASSED), (MISSING, FAILED), "killed: slow False, stopping at the first True"),
    ],
)
def test_difference(
    fresh: tuple[TestOutcome, ...], full: tuple[TestOutcome, ...], first: tuple[TestOutcome, ...], said: str
) -> None:
    assert difference(*({"a": run[0], "b": run[1]} for run in (fresh, full, first))) == said


def test_cpu_of_children_counts_while_they_live_and_after() -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    with spending() as spent, subprocess.Popen([sys.executable, "-c", burn], stdin=-1, stdout=-1, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        with spending() as nothing:
            child.communicate("\n")
    assert 0.25 < spent.cpu < 2
    assert nothing.cpu < 0.2


@pytest.fixture
def run_tool(tmp_path: Path) -> Callable[[str, dict[str, int]], PeerRun]:
    """Runs a shell script as a peer, with what it is said to have decided."""
    (tmp_path / "tool" / "bin").mkdir(parents=True)
    (tmp_path / "tool" / "bin" / "python").touch()
    (tmp_path / "sums.py").write_text(SUMS)

    def run(script: str, counts: dict[str, int]) -> PeerRun:
        def command(work: Work) -> list[str]:
            return ["sh", "-c", script]

        return run_peer(Tool("tool", "", command, lambda work: counts), stub(), Peers(tmp_path, 2, 1.0, 5))

    return run


def stub() -> Prepared:
    """A subject that is not run by mendlab."""
    from mendlab.corpora.candidates import LoadedSubject
    from mendlab.corpora.tree import FileTree
    from mendlab.records import Baseline, Provenance, PytestHarness, Subject
    from mendlab.verify.bench import set_up_bench
    from mendlab.verify.engines.coverage import Coverage

    tree = FileTree({"sums.py": SUMS.encode(), "test_sums.py": TESTS.encode()})
    subject = Subject(
        id="sums", snapshot=tree.digest, harness=PytestHarness(test_files=("test_sums.py",)),
        source_files=("sums.py",), provenance=Provenance(source="sums"),
    )  # fmt: skip
    baseline = Baseline(subject="sums", passing=("test_sums.py::test_total",), failing=(), cpu_seconds=0.1)
    return Prepared(
        Request(Path("sums"), Path(sys.executable)), LoadedSubject(subject, tree), set_up_bench(), baseline,
        Coverage({}), ("sums.py",), (Drawn("m", "sums.py", b"", "", True, True),), 1, (0.0, 0.0), (0.0, 0.0),
    )  # fmt: skip


def test_a_tool_is_stopped_with_all_it_started(run_tool: Callable[[str, dict[str, int]], PeerRun]) -> None:
    run = run_tool("(while :; do :; done) & sleep 60", {"killed": 3, "survived": 1, "untested": 2})
    assert run.stopped
    assert run.tested == 4
    assert 0.9 < run.wall < 10
    assert run.cpu > 0.1
    assert run.problem == ""


def test_a_tool_that_is_stopped_may_write_down_what_it_has(
    run_tool: Callable[[str, dict[str, int]], PeerRun], tmp_path: Path
) -> None:
    run = run_tool(f"trap 'echo 3 > {tmp_path}/said; exit' TERM; while :; do sleep 0.1; done", {"killed": 3})
    assert run.stopped
    assert run.wall < 5
    assert (tmp_path / "said").read_text() == "3\n"


def test_a_tool_that_kills_nothing_is_not_quoted(run_tool: Callable[[str, dict[str, int]], PeerRun]) -> None:
    assert run_tool("echo all fine", {"survived": 9}).problem == "it killed nothing of 9; it said last: all fine"


def measured() -> Measured:
    """Four mutants, two inside bodies of functions, one of each kind unreached; two tools beside them."""
    kinds = [(True, True), (False, True), (True, False), (False, False)]
    mutants = tuple(Drawn("m", "sums.py", b"", "", reached, in_body) for reached, in_body in kinds)
    prepared = replace(stub(), mutants=mutants, made=8, setting_up=(1.0, 0.1), making=(1.0, 0.2))
    paths = Counter({"unreached": 2, "session": 1, "early session": 3, "it is odd": 1, "f has a cell": 1})
    decided = Decided([{}] * 4, Spent(1.0, 0.2), Spent(1.0, 0.03), Spent(1.0, 0.17), paths)
    ran = PeerRun("mutmut", {"killed": 3, "survived": 1, "untested": 9}, 2.0, 2.0, False)
    return Measured(prepared, decided, [ran, PeerRun("fermut", {}, 1.0, 0.0, False, "it said nothing")])


def test_forks_of_the_early_session_are_not_the_slow_path() -> None:
    table = paths_table([measured()])
    assert table.columns[1:5] == ("unreached", "session", "early session", "slow path")
    assert table.rows == [["sums", "25%", "12%", "38%", "25%", "it is odd: 1, has a cell: 1"]]


def test_cpu_of_mutants_in_bodies_stands_beside_that_of_all() -> None:
    table = cpu_table([measured()])
    assert table.columns[1:] == (
        "in bodies/reached", "setting up", "mendlab, all", "mendlab, in bodies", "mutmut", "fermut",
    )  # fmt: skip
    assert table.rows == [
        ["sums", "1/2", "200", "300", "230", "500", "-"],
        ["to mendlab in bodies", "", "", "", "1.0", "2.2 times", "-"],
    ]

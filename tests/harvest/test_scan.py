"""Every commit of a history comes out once, as it is, whatever its message says and however it was merged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from written_histories import FIRST_DAY, History, run_git, small_history

from mendlab.corpora.scripted_history import build_history
from mendlab.errors import InputError
from mendlab.harvest.git import private_copy
from mendlab.harvest.paths import kind_of
from mendlab.harvest.records import Commit, Dropped, DropReason
from mendlab.harvest.scan import MOST_MODULES, scan
from mendlab.harvest.selection import Selection


def by_number(copy, ids: dict[int, str], selection: Selection | None = None) -> dict[int, Commit | Dropped]:
    numbers = {sha: number for number, sha in ids.items()}
    found = list(scan(copy, selection))
    assert len({each.sha for each in found}) == len(found)
    return {numbers[each.sha]: each for each in found}


def reasons(found: dict[int, Commit | Dropped]) -> dict[int, DropReason]:
    return {number: each.reason for number, each in found.items() if isinstance(each, Dropped)}


def change(number: int) -> dict[str | bytes, str]:
    return {"m.py": f"x = {number}\n"}


def test_a_commit_as_it_is(copied) -> None:
    copy, ids = copied(small_history())
    found = by_number(copy, ids)
    assert reasons(found) == {1: DropReason.NO_PARENT, 2: DropReason.NO_CODE}
    commit = found[3]
    assert isinstance(commit, Commit)
    assert (commit.parents, commit.subject, commit.body) == ((ids[2],), "Fix one (#7)", "")
    assert commit.authored == commit.committed == "2020-09-16T12:26:40Z"
    assert [(each.status, each.path, each.old_mode, each.new_mode) for each in commit.changes] == [
        ("M", "a.py", "100644", "100644"),
        ("A", "tests/test_a.py", "000000", "100644"),
    ]
    assert commit.changes[0].new_blob == copy.git("rev-parse", f"{ids[3]}:a.py").decode().strip()
    assert commit.changes[1].old_blob == "0" * 40


MESSAGES = [
    "",
    "\n\n\n",
    "Subject\nwithout a blank line",
    ":100644 100644 aaaa bbbb M",
    "\n:100644 100644 " + "a" * 40 + " " + "b" * 40 + " M\nm.py",
    "a" * 40,
    "x" * 200_000,
    b"latin \xe9\xff",
    "Ünï \u2028 çode\r\nwith CR",
    "%H%x00%n",
    b"an escape \x1b[31m and a bell \x07",
]


def test_no_message_leads_the_scan_astray(copied) -> None:
    history = History()
    history.commit("Begin", change(0))
    for number, message in enumerate(MESSAGES, start=1):
        history.commit(message, change(number))
        history.commit(message)  # changes nothing
    copy, ids = copied(history)
    found = by_number(copy, ids)
    assert len(found) == 1 + 2 * len(MESSAGES)
    for number in range(len(MESSAGES)):
        commit = found[2 + 2 * number]
        assert isinstance(commit, Commit), MESSAGES[number]
        assert [each.path for each in commit.changes] == ["m.py"]
        assert reasons(found)[3 + 2 * number] is DropReason.NO_CODE
    assert isinstance(found[16], Commit)
    assert found[16].subject == "latin \ufffd\ufffd"


def test_a_message_without_end_is_refused(copied) -> None:
    history = History()
    history.commit("Begin", change(0))
    history.commit(b"x" * 20_000_000, change(1))
    copy, _ = copied(history)
    with pytest.raises(InputError, match="a commit message of over 16 MB"):
        list(scan(copy))


def test_merges_of_the_main_line_are_pull_requests(copied) -> None:
    history = History()
    history.commit("Begin", {**change(0), "b.py": "y = 0\n", "c.py": "z = 0\n"})
    history.commit("On main", change(1))
    history.commit("First of a branch", {"b.py": "y = 1\n"}, parents=[1])
    history.commit("Merge main into the branch", {**change(1), "b.py": "y = 1\n"}, parents=[3, 2])
    history.commit("Last of a branch", {"c.py": "z = 1\n"})
    history.commit("Merge pull request #5", {"b.py": "y = 1\n", "c.py": "z = 1\n"}, parents=[2, 5])
    history.commit("Arm", {"b.py": "y = 2\n"}, parents=[6])
    history.commit("Leg", {"c.py": "z = 2\n"}, parents=[6])
    history.commit("Octopus", {"b.py": "y = 2\n", "c.py": "z = 2\n"}, parents=[6, 7, 8])
    copy, ids = copied(history)
    found = by_number(copy, ids)
    assert reasons(found) == {1: DropReason.NO_PARENT, 4: DropReason.SIDE_MERGE}
    for number in (6, 9):
        merge = found[number]
        assert isinstance(merge, Commit)
        assert merge.is_merge
        assert [each.path for each in merge.changes] == ["b.py", "c.py"]


def test_what_is_asked_for(copied) -> None:
    history = History()
    for number in range(1, 7):
        history.commit(f"Fix {number}\n\nbody {number}", {"a/m.py" if number % 2 else "ab/n.py": f"x = {number}\n"})
    history.commit("Fix 7", {"a/m.py": "x = 7\n"})
    copy, ids = copied(history)

    def kept(**options: object) -> set[int]:
        found = by_number(copy, ids, Selection(**options))  # type: ignore[arg-type]
        return {number for number, each in found.items() if isinstance(each, Commit)}

    assert kept() == {3, 4, 5, 6, 7}
    day = "2020-09-{}T12:26:40Z".format
    assert kept(since=day(17)) == {4, 5, 6, 7}
    assert kept(until=day(17)) == {3}
    assert kept(since="2020-09-17T14:26:40+02:00", until=day(19)) == {4, 5}
    assert kept(since="2020-09-17", until="2020-09-18") == {4}
    assert kept(paths=("a",)) == kept(paths=("a/",)) == kept(paths=("a/*.py",)) == kept(paths=("a/m.py",)) == {3, 5, 7}
    assert kept(message=r"(?i)^FIX [45]\b") == {4, 5}
    assert kept(message="body 6") == {6}
    with pytest.raises(InputError, match=r"message '\(' is no regular expression"):
        Selection(message="(")
    with pytest.raises(InputError, match=r"since 'tomorrow' is no date .*2024-05-01"):
        Selection(since="tomorrow")


def test_times_that_no_calendar_has(copied) -> None:
    history = History()
    history.commit("Begin", change(0), time=FIRST_DAY)
    history.commit("Far", change(1), time=2**50)
    copy, ids = copied(history)
    found = by_number(copy, ids)
    assert isinstance(found[2], Commit)
    assert found[2].committed == "9999-12-31T23:59:59Z"


def test_clocks_that_go_wrong(copied) -> None:
    history = History()
    history.commit("Begin", change(0), time=FIRST_DAY)
    for number in range(1, 8):
        history.commit("On", change(number), time=FIRST_DAY - 1_000_000 * number)
    history.commit("Side", {"s.py": "1\n"}, parents=[2], time=5)
    history.commit("Merge", {**change(7), "s.py": "1\n"}, parents=[8, 9], time=1)
    copy, ids = copied(history)
    found = by_number(copy, ids, Selection(since="2020-09-01"))
    assert {number for number, each in found.items() if isinstance(each, Commit)} == {2}
    assert len(found) == 10


def test_a_sweep_over_the_code_is_no_repair(copied) -> None:
    history = History()
    files = {f"m{number}.py": "x\n" for number in range(400)}
    history.commit("Begin", files)
    history.commit("At the limit", dict.fromkeys(list(files)[:MOST_MODULES], "y\n"))
    history.commit("Over the limit", dict.fromkeys(list(files)[: MOST_MODULES + 1], "z\n"))
    history.commit("All", dict.fromkeys(files, "w\n"))
    copy, ids = copied(history)
    assert reasons(by_number(copy, ids)) == {
        1: DropReason.NO_PARENT,
        3: DropReason.TOO_LARGE,
        4: DropReason.TOO_LARGE,
    }


def test_a_shallow_history_ends_where_it_ends(tmp_path: Path) -> None:
    history = small_history()
    history.commit("Fix again", {"a.py": "def one():\n    return 3\n"})
    ids = history.write(tmp_path / "whole")
    run_git(tmp_path, "clone", "-q", "--depth=2", (tmp_path / "whole").as_uri(), "shallow")
    with private_copy(str(tmp_path / "shallow"), tmp_path / "copy") as copy:
        found = list(scan(copy))
    assert [each.sha for each in found] == [ids[4], ids[3]]
    assert isinstance(found[0], Commit)
    assert isinstance(found[1], Dropped)
    assert found[1].reason is DropReason.NO_PARENT


def test_the_bundled_history(tmp_path: Path) -> None:
    built = build_history("timesheet", tmp_path / "timesheet")
    with private_copy(str(tmp_path / "timesheet"), tmp_path / "copy") as copy:
        found = {each.sha: each for each in scan(copy)}
    assert found.keys() == {commit.sha for commit in built.commits}
    assert all(isinstance(found[commit.sha], Commit) for commit in built.fixes)
    kinds = Counter(commit.kind for commit in built.commits if isinstance(found[commit.sha], Dropped))
    assert kinds["fix"] == kinds["untested-fix"] == 0


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("pkg/shortest_paths.py", "source"),
        ("pkg/contest.py", "source"),
        ("pkg/latest/a.py", "source"),
        ("pkg/attests/test.py", "source"),
        ("pkg/testing/a.py", "source"),
        ("pkg/data.json", "source"),
        ("pkg/news.py", "source"),
        ("pkg/doc.py", "source"),
        ("pkg/setup.py", "source"),
        ("src/lib.c", "source"),
        ("news.py", "source"),
        ("history.py", "source"),
        ("packaging/version.py", "source"),
        ("tools/a.py", "source"),
        ("news/12.bugfix", "other"),
        ("examples/a.py", "other"),
        ("testing/a.py", "tests"),
        ("pkg/tests/data/x.bin", "tests"),
        ("test/a.py", "tests"),
        ("Tests/a.py", "tests"),
        ("pkg/test_a.py", "tests"),
        ("pkg/a_test.py", "tests"),
        ("pkg/conftest.py", "tests"),
        ("app/tests.py", "tests"),
        ("docs/test_a.py", "tests"),
        ("pytest.ini", "tests"),
        ("docs/conf.py", "other"),
        ("pkg/README.md", "other"),
        ("CHANGELOG", "other"),
        ("HISTORY.rst", "other"),
        ("setup.py", "other"),
        ("pyproject.toml", "other"),
        (".github/workflows/ci.yml", "other"),
        ("requirements-dev.txt", "other"),
    ],
)
def test_kinds_of_paths(path: str, kind: str) -> None:
    assert kind_of(path) == kind

"""The ladder climbed with a commit whose dependency has moved on since."""

from datetime import UTC, datetime

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.harvest.climbing import climb
from mendlab.harvest.records import DropReason
from mendlab.harvest.trees import CommitTrees

DATE = datetime(2022, 6, 1, tzinfo=UTC)
FORGE = "import iron\ndef forge(times):\n    return iron.melt() * times\n"
MENDED = FORGE.replace("* times", "* max(times, 0)")
TESTS = "from forge import forge\ndef test_forge():\n    assert forge(2) == 3076\n"
MORE = TESTS + "def test_never():\n    assert forge(-1) == 0\n"
NEEDS = "[project]\nname = 'forge'\ndependencies = ['iron']\n"


def commit(before, after, tests):
    files = {"pyproject.toml": NEEDS.encode(), "forge.py": before.encode(), "test_forge.py": TESTS.encode()}
    parent = FileTree(files)
    with_tests = parent.replace({"test_forge.py": tests.encode()})
    return CommitTrees(parent, with_tests, with_tests.replace({"forge.py": after.encode()}), ("test_forge.py",))


def test_versions_of_its_day_where_current_ones_do_not_do(environments, bench):
    report = climb(commit(FORGE, MENDED, MORE), DATE, environments, bench).report
    assert report.environment is not None
    assert (report.environment.rung, report.environment.until) == ("dated", "2022-06-01T00:00:00Z")
    assert "iron==1.0" in report.environment.lock
    assert report.fail_to_pass == ("test_forge.py::test_never",)


def test_a_rung_in_which_little_passes_is_not_stayed_on(environments, bench):
    """Without the dependency one test tells the states apart; of its day's version, all of them run."""
    alone = "import forge as module\ndef test_never():\n    assert module.LIMIT == 0\n"
    after = MENDED + "LIMIT = 0\n"
    report = climb(commit(FORGE + "LIMIT = 1\n", after, TESTS + alone), DATE, environments, bench).report
    assert report.environment is not None
    assert report.environment.rung == "dated"
    assert len(report.pass_to_pass) == 1


@pytest.mark.parametrize(
    ("before", "after", "tests", "reason", "rung"),
    [
        (FORGE, MENDED, TESTS, DropReason.PASSES_BEFORE, "dated"),
        (FORGE, FORGE.replace("iron.", "iron.steel."), MORE, DropReason.NOTHING_PASSES, "current"),
    ],
)
def test_why_none_tells(environments, bench, before, after, tests, reason, rung):
    report = climb(commit(before, after, tests), DATE, environments, bench).report
    assert report.environment is not None
    assert (report.dropped, report.environment.rung) == (reason, rung)


def test_a_commit_without_tests_needs_no_environment(environments, bench):
    found = climb(CommitTrees(FileTree({}), FileTree({}), FileTree({"a.py": b""}), ()), DATE, environments, bench)
    assert (found.report.dropped, found.report.environment) == (DropReason.NO_TESTS, None)

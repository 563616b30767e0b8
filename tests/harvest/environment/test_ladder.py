"""The rungs, with what cannot be had left out for a reason."""

import sys
from datetime import UTC, datetime

from mendlab.harvest.environment.interpreters import find_pythons
from mendlab.harvest.environment.ladder import Environments
from mendlab.harvest.environment.requirements import Source

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_current_then_dated_then_a_python_of_the_day(index, tmp_path, bench):
    index.add("iron", "1.0", "2019-01-01")
    index.add("iron", "2.0", "2023-01-01")
    pythons = list(find_pythons())
    environments = Environments(tmp_path, bench.level, NOW)
    sources = (Source("needs", ("iron",)),)
    found = [each.environment for each in environments.ladder(sources, ">=3.8", datetime(2019, 12, 1, tzinfo=UTC))]
    own, oldest = (f"{major}.{minor}" for major, minor in (sys.version_info[:2], min(pythons)))
    rungs = [("current", own, ("iron==2.0",)), ("dated", own, ("iron==1.0",))]
    if own != oldest:
        rungs.append(("era", oldest, ("iron==1.0",)))
    assert [(each.rung, each.python, each.lock) for each in found] == rungs
    assert [each.until for each in found][:2] == ["2026-01-01T00:00:00Z", "2019-12-01T00:00:00Z"]


def test_rungs_that_come_to_the_same_are_climbed_once(index, tmp_path, bench):
    index.add("iron", "1.0", "2019-01-01")
    environments = Environments(tmp_path, bench.level, NOW, bench.interpreter)
    found = list(environments.ladder((Source("needs", ("iron",)),), None, datetime(2020, 1, 1, tzinfo=UTC)))
    assert [each.environment.rung for each in found] == ["current"]


def test_what_does_not_go_together_is_given_up_in_order_of_doubt(index, tmp_path, bench):
    index.add("iron", "1.0", "2019-01-01")
    index.add("tin", "1.0", "2019-01-01", needs=["iron>=9"])
    index.add("lead", "1.0", "2019-01-01")
    index.add_sdist("zinc", "1.0", "2019-01-01")
    environments = Environments(tmp_path, bench.level, NOW, bench.interpreter)
    sources = (Source("needs", ("iron",)), Source("dev", ("tin", "zinc", "lead"), 2))
    (found,) = environments.ladder(sources, None, datetime(2020, 1, 1, tzinfo=UTC))
    assert found.environment.lock == ("iron==1.0", "lead==1.0")
    assert sorted(found.environment.left_out) == ["tin", "zinc"]
    assert "no usable wheels" in found.environment.left_out["zinc"]


def test_a_project_that_refuses_this_python_gets_another(index, tmp_path, bench):
    index.add("iron", "1.0", "2019-01-01")
    environments = Environments(tmp_path, bench.level, NOW)
    others = [version for version in find_pythons() if version < sys.version_info[:2]]
    first = next(environments.ladder((Source("needs", ("iron",)),), f"<3.{sys.version_info[1]}", NOW))
    wanted = max(others, default=sys.version_info[:2])
    assert first.environment.python == f"{wanted[0]}.{wanted[1]}"

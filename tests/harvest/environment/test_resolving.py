"""Versions as of a date, from an index on the loopback, by the real uv."""

from datetime import UTC, datetime

import pytest

from mendlab.harvest.environment.interpreters import find_pythons, of_the_era, out_since
from mendlab.harvest.environment.resolving import Resolver, Unresolvable

VERSION, PYTHON = max(find_pythons().items())


@pytest.fixture
def resolve(tmp_path):
    resolver = Resolver(tmp_path / "resolutions")
    return lambda lines, date: resolver.resolve(
        lines, VERSION, PYTHON, datetime.fromisoformat(f"{date}T00:00:00+00:00")
    )


def test_the_newest_as_of_a_date(index, resolve):
    for version, uploaded in (("1.0", "2018-03-01"), ("2.0", "2020-03-01"), ("3.0", "2024-03-01")):
        index.add("iron", version, uploaded, needs=["tin"])
    index.add("tin", "5", "2015-01-01")
    assert resolve(["iron"], "2021-01-01").lines == ("iron==2.0", "tin==5")
    assert resolve(["iron<2"], "2021-01-01").lines == ("iron==1.0", "tin==5")
    assert resolve(["iron"], "2025-01-01").lines == ("iron==3.0", "tin==5")


def test_files_uploaded_anew_do_not_make_it_choose_absurdly_old_versions(index, resolve):
    """As pytest and atomicwrites: every file of a dependency is of 2022, and only the oldest versions do without it."""
    index.add("anvil", "3.5", "2017-04-01")
    index.add("anvil", "4.6", "2019-05-01", needs=["atomic>=1.0"])
    index.add("anvil", "5.0", "2019-12-01", needs=["atomic>=1.0"])
    index.add("atomic", "1.4.1", "2022-07-08")
    found = resolve(["anvil"], "2019-06-01")
    assert found.lines == ("anvil==4.6", "atomic==1.4.1")
    assert found.later == {"atomic": "2022-07-08T12:00:01Z"}


def test_a_package_that_is_wanted_itself_and_was_uploaded_anew(index, resolve):
    index.add("atomic", "1.4.1", "2022-07-08")
    found = resolve(["atomic"], "2019-06-01")
    assert (found.lines, dict(found.later)) == (("atomic==1.4.1",), {"atomic": "2022-07-08T12:00:01Z"})


def test_what_is_old_for_a_reason_stays(index, resolve):
    index.add("tin", "1.0", "2012-01-01")
    index.add("tin", "2.0", "2019-01-01")
    index.add("iron", "1.0", "2018-12-01", needs=["tin<2"])
    index.add("lead", "0.1", "2009-01-01")
    found = resolve(["iron", "lead"], "2019-06-01")
    assert (found.lines, dict(found.later)) == (("iron==1.0", "lead==0.1", "tin==1.0"), {})


def test_nothing_is_built(index, resolve):
    index.add_sdist("zinc", "1.0", "2018-01-01")
    with pytest.raises(Unresolvable, match="zinc"):
        resolve(["zinc"], "2020-01-01")


def test_an_answer_is_kept_and_so_is_a_refusal(index, resolve):
    index.add("tin", "1.0", "2012-01-01")
    assert resolve(["tin"], "2020-01-01").lines == ("tin==1.0",)
    with pytest.raises(Unresolvable):
        resolve(["nowhere"], "2020-01-01")
    index.add("tin", "1.1", "2013-01-01")
    index.add("nowhere", "1", "2013-01-01")
    assert resolve(["tin"], "2020-01-01").lines == ("tin==1.0",)
    with pytest.raises(Unresolvable):
        resolve(["nowhere"], "2020-01-01")


def test_pythons_of_this_machine_by_era():
    pythons = find_pythons()
    assert pythons
    assert all(path.exists() for path in pythons.values())
    every = [(3, minor) for minor in range(8, 14)]
    assert of_the_era(datetime(2021, 1, 1, tzinfo=UTC), every) == (3, 9)
    assert of_the_era(datetime(2014, 1, 1, tzinfo=UTC), every) == (3, 8)
    assert of_the_era(out_since((3, 12)), every) == (3, 12)

import os

import pytest

from guards import Rollback, count_errors, environment


def test_rollback_runs_backwards_on_failure():
    done = []
    with pytest.raises(RuntimeError, match="stop"):
        with Rollback() as rollback:
            rollback.on_failure(done.append, "first")
            rollback.on_failure(done.append, "second")
            raise RuntimeError("stop")
    assert done == ["second", "first"]


def test_rollback_does_nothing_on_success():
    done = []
    rollback = Rollback()
    with rollback:
        rollback.on_failure(done.append, "never")
    with pytest.raises(KeyError):
        with rollback:
            raise KeyError
    assert done == []


def test_rollback_goes_on_after_a_failed_step():
    done = []
    rollback = Rollback()
    with pytest.raises(RuntimeError):
        with rollback:
            rollback.on_failure(done.append, "kept")
            rollback.on_failure({}.pop, "missing")
            raise RuntimeError
    assert done == ["kept"]
    assert [type(error) for error in rollback.errors] == [KeyError]


def test_environment_sets_removes_and_restores(monkeypatch):
    monkeypatch.setenv("GUARDS_OLD", "old")
    monkeypatch.setenv("GUARDS_GONE", "gone")
    monkeypatch.delenv("GUARDS_NEW", raising=False)
    with environment(GUARDS_OLD="changed", GUARDS_GONE=None, GUARDS_NEW="new"):
        assert os.environ["GUARDS_OLD"] == "changed"
        assert "GUARDS_GONE" not in os.environ
        assert os.environ["GUARDS_NEW"] == "new"
        os.environ["GUARDS_GONE"] = "again"
    assert os.environ["GUARDS_OLD"] == "old"
    assert os.environ["GUARDS_GONE"] == "gone"
    assert "GUARDS_NEW" not in os.environ


def test_environment_restores_after_an_error(monkeypatch):
    monkeypatch.setenv("GUARDS_OLD", "old")
    with pytest.raises(ValueError):
        with environment(GUARDS_OLD=None):
            raise ValueError
    assert os.environ["GUARDS_OLD"] == "old"


def test_removing_what_is_not_there(monkeypatch):
    monkeypatch.delenv("GUARDS_NONE", raising=False)
    with environment(GUARDS_NONE=None):
        assert "GUARDS_NONE" not in os.environ


def test_count_errors():
    tally = {}

    @count_errors(tally, KeyError, ZeroDivisionError)
    def risky(call):
        return call()

    assert risky(lambda: 7) == 7
    assert risky(lambda: {}["x"]) is None
    assert risky(lambda: {}["y"]) is None
    assert risky(lambda: 1 // 0) is None
    with pytest.raises(IndexError):
        risky(lambda: [][0])
    assert tally == {"KeyError": 2, "ZeroDivisionError": 1, "IndexError": 1}


def test_count_errors_swallows_subclasses():
    tally = {"KeyError": 4}
    with count_errors(tally, LookupError) as counter:
        raise KeyError("x")
    assert counter.tally == {"KeyError": 5}


def test_count_errors_swallows_nothing_unless_told():
    with pytest.raises(KeyError):
        with count_errors({}):
            raise KeyError

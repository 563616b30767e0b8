"""Environments that are shared, whole or not there."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from mendlab.errors import EngineError, OutputError
from mendlab.harvest.environment.installing import install
from mendlab.harvest.environment.interpreters import find_pythons
from mendlab.harvest.environment.shared import publish_folder
from mendlab.harvest.environment.uv import run_uv

VERSION, PYTHON = max(find_pythons().items())


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "environments"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_is_locked_is_there_and_nothing_else(index, folder, bench):
    index.add("tin", "1.0", "2012-01-01", needs=["lead"], code="METAL = 'tin'\n")
    found = install(PYTHON, ["tin==1.0"], [], folder, bench.level)
    said = subprocess.check_output([found.executable, "-c", "import tin; print(tin.METAL)"], text=True)
    assert (said, found.version[:2]) == ("tin\n", VERSION)
    (site,) = (found.executable.parent.parent / "lib").glob("*/site-packages")
    assert [path.name for path in site.glob("*.dist-info")] == ["tin-1.0.dist-info"]


def test_what_a_wheel_would_have_run_at_every_start_is_not_run_outside(index, folder, bench, tmp_path, monkeypatch):
    monkeypatch.setenv("UV_NO_CACHE", "1")  # it would remember what an interpreter said of itself
    mark = tmp_path / "mark"
    index.add("tin", "1.0", "2012-01-01", start=f"import pathlib; pathlib.Path({str(mark)!r}).touch()")
    index.add("lead", "1.0", "2012-01-01")
    for lock in (["tin==1.0"], ["lead==1.0", "tin==1.0"]):
        assert install(PYTHON, lock, ["lead==1.0"], folder, bench.level).version[:2] == VERSION
    assert not mark.exists()


def test_one_environment_for_all_who_need_the_same(index, folder, bench):
    index.add("tin", "1.0", "2012-01-01")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: install(PYTHON, ["tin==1.0"], [], folder, bench.level), range(4)))
    assert len({each.executable for each in found}) == 1
    assert len(names(folder)) == 1


def test_an_install_that_fails_leaves_nothing(index, folder, bench):
    with pytest.raises(EngineError, match="cannot be installed"):
        install(PYTHON, ["tin==1.0"], [], folder, bench.level)
    assert names(folder) == []


def test_a_killed_one_is_not_taken_for_whole(folder):
    code = f"""
    import time
    from pathlib import Path
    from mendlab.harvest.environment.shared import publish_folder
    def fill(place):
        (place / "half").touch()
        print("begun", flush=True)
        time.sleep(60)
    publish_folder(Path({str(folder / "key")!r}), fill)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (left,) = names(folder)
    assert left.startswith(".building-")
    made = publish_folder(folder / "key", lambda place: (place / "whole").touch())
    assert names(made) == ["whole"]
    old = time.time() - 2 * 24 * 3600
    os.utime(folder / left, (old, old))
    publish_folder(folder / "other", lambda place: None)
    assert names(folder) == ["key", "other"]


def test_one_that_lost_files_is_made_again(index, folder, bench):
    index.add("tin", "1.0", "2012-01-01", code="METAL = 'tin'\n")
    found = install(PYTHON, ["tin==1.0"], [], folder, bench.level)
    (module,) = found.executable.parent.parent.glob("lib/*/site-packages/tin.py")
    module.unlink()
    again = install(PYTHON, ["tin==1.0"], [], folder, bench.level)
    assert (again.executable, module.read_text()) == (found.executable, "METAL = 'tin'\n")
    assert len(names(folder)) == 1


def test_a_cache_that_cannot_be_written_says_how_to_move_it(index, tmp_path, bench):
    index.add("tin", "1.0", "2012-01-01")
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"set XDG_CACHE_HOME to a folder with room that you may write to"):
        install(PYTHON, ["tin==1.0"], [], tmp_path / "file" / "environments", bench.level)


def test_where_uv_cannot_write_its_own_cache_is_named(index, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("mendlab.harvest.environment.uv.find_uv_bin", lambda: str(tmp_path / "uv"))
    (tmp_path / "uv").write_text(
        "#!/bin/sh\necho 'error: failed to write: No space left on device (os error 28)' >&2\nexit 2\n"
    )
    (tmp_path / "uv").chmod(0o755)
    with pytest.raises(OutputError, match=r"No space left on device.*UV_CACHE_DIR"):
        run_uv(["venv"])


def test_nothing_is_left_where_uv_ran(index, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run_uv(["pip", "compile", "-"])
    assert list((tmp_path / "cache").rglob("*")) == [
        tmp_path / "cache" / "mendlab",
        tmp_path / "cache" / "mendlab" / "harvest",
        tmp_path / "cache" / "mendlab" / "harvest" / "nothing",
    ]


@pytest.mark.parametrize("name", ["INT", "TERM"])
def test_what_ctrl_c_ends_is_no_failure_of_a_package(folder, monkeypatch, name):
    folder.mkdir()
    uv = folder / "uv"
    uv.write_text(f"#!/bin/sh\nkill -{name} $$\n")
    uv.chmod(0o755)
    monkeypatch.setattr("mendlab.harvest.environment.uv.find_uv_bin", lambda: str(uv))
    with pytest.raises(KeyboardInterrupt):
        run_uv(["pip", "compile"])

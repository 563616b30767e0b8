"""The command line of a container, and what is said where there is no engine.

No engine is needed: where one has to answer, a program stands in that gives bubblewrap what the command line asks for.
So these tests show that the lab and what is confined find each other, not that an engine understands the options.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.errors import ConfinementError, EngineError
from mendlab.records import FunctionHarness, Limits, SandboxLevel, Step, StepGroup, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.confinement import container, sandbox
from mendlab.verify.confinement.container import container_command, container_problem
from mendlab.verify.confinement.interpreter import find_interpreter, probe
from mendlab.verify.confinement.sandbox import Confinement, bubblewrap
from mendlab.verify.confinement.warm import WarmProcess

STAND_IN = """#!{python}
import os, sys
arguments = sys.argv[1:]
at = arguments.index("an-image")
view = ["--unshare-all", "--as-pid-1", "--die-with-parent", "--uid", "65534", "--gid", "65534", "--clearenv"]
inside = []
for place in ("bin", "lib", "lib64", "sbin"):
    if os.path.islink("/" + place):
        view += ["--symlink", os.readlink("/" + place), "/" + place]
view += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm"]
for argument in arguments[:at]:
    name, _, value = argument.partition("=")
    if name == "--volume":
        outside, there, how = value.split(":")
        assert how == "ro"
        inside += ["--ro-bind", outside, there]
    elif name == "--tmpfs":
        view += ["--tmpfs", value.split(":")[0]]
    elif name == "--env":
        view += ["--setenv", *value.split("=", 1)]
os.execv({bwrap!r}, [{bwrap!r}, *view, *inside, "--", *arguments[at + 1:]])
"""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path in which a test puts an engine; there is no other."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MENDLAB_CONTAINER_IMAGE", "an-image")
    container_problem.cache_clear()
    probe.cache_clear()
    yield tmp_path
    container_problem.cache_clear()
    probe.cache_clear()


def put(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def stand_in(folder: Path) -> str:
    return put(folder, "docker", STAND_IN.format(python=sys.executable, bwrap=bubblewrap()))


def test_the_command_line() -> None:
    user = os.getuid() or 65534
    found = container_command(
        "docker", ["python", "-c", "1"], limits=Limits(disk_bytes=1000), scratch="/tmp",
        mounts={"/inside": Path("/outside")}, environment={"TZ": "UTC"},
    )  # fmt: skip
    assert found == [
        "docker", "run", "--rm", "--pull=never", "--network=none", "--hostname=mendlab", f"--user={user}:{user}",
        "--cap-drop=ALL", "--security-opt=no-new-privileges", "--pids-limit=512", "--read-only",
        "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,size=1000", "--shm-size=1000", "--volume=/outside:/inside:ro",
        "--env=TZ=UTC", "--workdir=/", "--entrypoint=", "debian:stable-slim", "python", "-c", "1",
    ]  # fmt: skip


def test_without_an_engine(engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert container_problem() == "there is no docker or podman"
    with pytest.raises(ConfinementError, match="there is no docker or podman here"):
        Confinement(SandboxLevel.CONTAINER, Limits()).command(["true"])
    monkeypatch.setattr(sandbox, "namespaces_problem", lambda: "not allowed")
    with pytest.raises(ConfinementError) as raised:
        sandbox.choose_level()
    assert raised.value.hint is not None
    assert "install Docker or podman" in raised.value.hint


def test_an_engine_without_the_image(engine: Path) -> None:
    put(engine, "podman", "#!/bin/sh\necho 'Error: an-image: image not known' >&2\nexit 125\n")
    assert container_problem() == (
        "podman: Error: an-image: image not known (the image is an-image; podman pull an-image gets it)"
    )


def test_containers_are_taken_where_there_are_no_namespaces(engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(engine, "docker", "#!/bin/sh\nexit 0\n")
    monkeypatch.setattr(sandbox, "namespaces_problem", lambda: "not allowed")
    assert sandbox.choose_level() is SandboxLevel.CONTAINER
    monkeypatch.setattr(sandbox, "namespaces_problem", lambda: None)
    assert sandbox.choose_level() is SandboxLevel.NAMESPACES


def test_the_lab_and_what_is_confined_find_each_other(engine: Path) -> None:
    stand_in(engine)
    interpreter = probe(find_interpreter().executable, SandboxLevel.CONTAINER)
    steps = tuple(
        Step(code=code, test_id=code) for code in ("assert f(1) == 2", "assert f(2) == 2", "assert f('/etc') is None")
    )
    harness = FunctionHarness(module="solution.py", entry_points=("f",), groups=(StepGroup(steps=steps),))
    source = b"import os\ndef f(n):\n    return n + 1 if n != '/etc' else None if os.getuid() == 65534 else 0\n"
    tree = FileTree({"solution.py": source, "other.py": b"X = 1\n"})  # which the reference has mounted
    with closing(Bench(SandboxLevel.CONTAINER, interpreter).open(tree, harness, Limits(cpu_seconds=2))) as found:
        run = found.run({})
        assert found.level is SandboxLevel.CONTAINER
    assert list(run.outcomes().values()) == [TestOutcome.PASSED, TestOutcome.FAILED, TestOutcome.PASSED], run


def test_a_container_that_does_not_start_says_why(engine: Path) -> None:
    put(engine, "docker", "#!/bin/sh\necho 'docker: no such image' >&2\nexit 125\n")
    warm = WarmProcess("script_run", {}, interpreter=find_interpreter(), level=SandboxLevel.CONTAINER, limits=Limits())
    with pytest.raises(EngineError, match="the container did not start: docker: no such image"):
        warm.start()
    assert container.engine() == str(engine / "docker")

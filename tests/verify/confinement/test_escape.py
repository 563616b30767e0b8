"""Breaking out is really attempted: it works where nothing holds it back, and nowhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from mendlab.records import SandboxLevel
from mendlab.verify.confinement import escape
from mendlab.verify.confinement.sandbox import bubblewrap


def test_nothing_works_in_confinement(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-real-key")
    tried = escape.try_to_escape(SandboxLevel.NAMESPACES)
    assert tried.problem is None
    assert tried.level is SandboxLevel.NAMESPACES
    assert len(tried.succeeded) == 7
    assert not any(tried.succeeded.values()), tried.succeeded


def test_the_same_attempts_work_outside(tmp_path):
    """In a view of this machine that is whole but cannot be written to, whatever needs no writing must work."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    with (
        escape._listening() as port,
        subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={**os.environ, "MENDLAB_DOCTOR_SECRET": "1"}
        ) as outside,
    ):
        view = [bubblewrap(), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--"]
        script = [sys.executable, "-c", escape._ATTEMPTS, str(secret), str(port), str(outside.pid), "SHOWN"]
        done = subprocess.run([*view, *script], capture_output=True, env={"SHOWN": "1"}, check=True)
        outside.kill()
    succeeded = json.loads(done.stdout)
    assert succeeded["read a file of the user"]
    assert succeeded["see the user's environment"]
    assert succeeded["reach the network"]
    assert succeeded["see other processes"]
    assert not succeeded["write outside its directory"]


def test_a_variable_of_another_process_counts_as_seen(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={"MENDLAB_DOCTOR_SECRET": "1"}
    ) as outside:
        view = [bubblewrap(), "--ro-bind", "/", "/", "--dev", "/dev", "--"]
        script = [sys.executable, "-c", escape._ATTEMPTS, "/nowhere", "1", str(outside.pid)]
        done = subprocess.run([*view, *script], capture_output=True, env={}, check=True)
        outside.kill()
    assert json.loads(done.stdout)["see the user's environment"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start as root")
def test_root_is_root_where_no_other_user_is_set():
    view = [bubblewrap(), "--ro-bind", "/", "/", "--dev", "/dev", "--"]
    script = [sys.executable, "-c", escape._ATTEMPTS, "/nowhere", "1", "1"]
    done = subprocess.run([*view, *script], capture_output=True, env={}, check=True)
    assert json.loads(done.stdout)["become root"]

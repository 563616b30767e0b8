"""Interpreters are found and asked without trusting what a repository says is one."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from mendlab.errors import InputError
from mendlab.records import SandboxLevel
from mendlab.verify.confinement.interpreter import find_interpreter, probe
from mendlab.verify.confinement.sandbox import namespaces_problem


def test_the_labs_own_is_the_last_resort(tmp_path):
    found = find_interpreter(project=tmp_path)
    assert found.executable == Path(sys.executable)
    assert found.version == sys.version_info[:3]
    assert found.has_pytest
    assert all(not Path.home().is_relative_to(directory) for directory in found.directories)


def test_a_projects_environment_comes_first(tmp_path):
    project = tmp_path / "ein schönes Projekt"
    venv.create(project / ".venv", symlinks=True)
    found = find_interpreter(project=project)
    assert found.executable == project / ".venv" / "bin" / "python"
    assert not found.has_pytest
    assert project / ".venv" in found.directories
    assert find_interpreter(project / ".venv") == found


def test_a_name_with_dots_or_links_is_the_same_interpreter(tmp_path, monkeypatch):
    venv.create(tmp_path / "env", symlinks=True)
    (tmp_path / "here").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "env")
    monkeypatch.chdir(tmp_path / "here")
    plain = find_interpreter(tmp_path / "env" / "bin" / "python")
    assert find_interpreter("../env/bin/python") == find_interpreter(tmp_path / "link") == plain


def test_what_is_no_interpreter_is_told(tmp_path):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no; exit 3\n")
    broken.chmod(0o755)
    with pytest.raises(InputError, match="does not start"):
        find_interpreter(broken)
    with pytest.raises(InputError, match="no such interpreter"):
        find_interpreter(tmp_path / "nowhere")


@pytest.mark.parametrize("answer", ["[]", "{}", "not json", '{"version": "3.x", "prefixes": [], "path": []}'])
def test_an_answer_in_another_form_is_told(tmp_path, answer):
    liar = tmp_path / "python"
    liar.write_text(f"#!/bin/sh\necho '{answer}'\n")
    liar.chmod(0o755)
    with pytest.raises(InputError, match="does not start"):
        find_interpreter(liar)


@pytest.mark.skipif(namespaces_problem() is not None, reason="this machine cannot confine")
def test_a_hostile_interpreter_sees_and_writes_nothing(tmp_path):
    project = tmp_path / "repository"
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / "secret").write_text("s3cret")
    hostile = project / ".venv" / "bin" / "python"
    hostile.write_text(
        f"#!/bin/sh\ntouch {tmp_path}/written {project}/.venv/written\ncat {project}/secret >&2\nexit 1\n"
    )
    hostile.chmod(0o755)
    with pytest.raises(InputError) as caught:
        find_interpreter(project=project)
    assert "s3cret" not in str(caught.value)
    assert not list(project.rglob("written")) and not (tmp_path / "written").exists()


@pytest.mark.skipif(namespaces_problem() is not None, reason="this machine cannot confine")
def test_a_hostile_answer_opens_no_home(tmp_path):
    liar = tmp_path / "bin" / "python"
    liar.parent.mkdir()
    home = Path.home()
    liar.write_text(
        "#!/bin/sh\n"
        f'echo \'{{"version": "3.11.0", "prefixes": ["/", "{home}"], "path": ["{home.parent}"], "pytest": true}}\'\n'
    )
    liar.chmod(0o755)
    assert probe(liar, SandboxLevel.NAMESPACES).directories == (tmp_path,)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_other_versions_are_asked_in_confinement(version):
    installed = sorted(Path(os.path.expanduser("~/.pyenv/versions")).glob(f"{version}.*/bin/python"))
    if not installed:
        pytest.skip(f"no Python {version} here")
    found = find_interpreter(installed[0])
    told = subprocess.run([installed[0], "--version"], capture_output=True, text=True, check=True).stdout
    assert told.split()[1] == ".".join(map(str, found.version))

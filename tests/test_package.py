"""What people install is whole: every file the lab needs is in the wheel, and the command works from there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import mendlab

pytestmark = pytest.mark.slow

TOP = Path(__file__).parents[1]
PACKAGES = ("corpora", "harvest", "mutators", "verify", "repair", "reports")


def git_files():
    """The files of the project as they would be cloned, and those that are about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(command, cwd=TOP, capture_output=True, check=True).stdout
    return [name for name in told.decode().split("\0") if name and (TOP / name).exists()]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """An sdist, and the wheel that is made of it, of a copy of the project."""
    copy = tmp_path_factory.mktemp("copy")
    out = tmp_path_factory.mktemp("dist")
    for name in git_files():
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (TOP / name).is_symlink():
            target.symlink_to((TOP / name).readlink())
        else:
            target.write_bytes((TOP / name).read_bytes())
    command = [sys.executable, "-m", "build", "--outdir", str(out), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout[-3000:] + done.stderr[-3000:])
    (sdist,) = out.glob("*.tar.gz")
    (wheel,) = out.glob("*.whl")
    return sdist, wheel


def needed():
    """The files that must be in the wheel, as they are named there."""
    for name in git_files():
        top = name.partition("/")[0]
        if top in PACKAGES:
            yield f"mendlab/{name}"
        elif name.startswith("src/mendlab/") and not (TOP / name).is_symlink():
            yield name.removeprefix("src/")


def test_every_package_program_template_and_confined_file_is_in_the_wheel(built):
    _, wheel = built
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    wanted = set(needed())
    kinds = {
        "mendlab/py.typed",
        "mendlab/records.py",
        "mendlab/verify/confined/zygote.py",
        "mendlab/corpora/bundled/guards/pyproject.toml",
    }
    assert kinds <= wanted, kinds - wanted
    assert any(name.startswith("mendlab/reports/templates/") for name in wanted)
    assert wanted - names == set()


def test_nothing_else_is_in_the_wheel(built):
    _, wheel = built
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names - set(needed()) == set()


def test_what_is_in_the_wheel_is_what_is_here(built):
    _, wheel = built
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith("mendlab/corpora/bundled/") and not name.endswith("/"):
                assert archive.read(name) == (TOP / name.removeprefix("mendlab/")).read_bytes(), name


def test_the_sdist_can_be_read(built):
    sdist, _ = built
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "src/mendlab/records.py"} <= names


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The wheel in an environment of its own, which finds its dependencies among those of these tests."""
    place = tmp_path_factory.mktemp("venv")
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*command, str(built[1])], check=True, capture_output=True)
    (site,) = place.glob("lib/python*/site-packages")
    ours = Path(pytest.__file__).parent.parent
    (site / "ours.pth").write_text(str(ours))
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):  # what confined runs need to see
        shutil.copytree(ours / name, site / name)
    shutil.copy2(ours / "py.py", site)
    return place


def run(installed, tmp_path, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(installed / "bin" / "mendlab"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)


def test_the_command_works_where_it_is_installed(installed, tmp_path):
    told = subprocess.run(
        [installed / "bin" / "python", "-c", "import mendlab, mendlab.verify; print(mendlab.verify.__file__)"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert told.stdout.startswith(str(installed))
    assert run(installed, tmp_path, "--version").stdout == f"mendlab, version {mendlab.__version__}\n"
    done = run(installed, tmp_path, "mutators", "list")
    assert done.returncode == 0, done.stderr
    assert "comparison-swapped" in done.stdout


def test_a_bundled_program_is_injected_into_repaired_and_reported_from_there(installed, tmp_path):
    for arguments in (
        ["inject", "bundled:guards", "--out", "tasks", "--limit", "2", "--operators", "comparison-swapped"],
        ["repair", "tasks", "--strategy", "reference", "--out", "run"],
        ["report", "run", "--out", "report.html"],
    ):
        done = run(installed, tmp_path, *arguments)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "verdicts.jsonl").read_text().count('"outcome":"exact"') == 2
    assert "comparison-swapped" in (tmp_path / "report.html").read_text()

"""Patches of a project that reach for its tests, or for what is loaded before them and decides how they are run."""

from __future__ import annotations

from pathlib import PurePosixPath

from mendlab.verify.attacks.registry import Kind, attack
from mendlab.verify.attacks.target import Target

_PROJECT: tuple[Kind, ...] = ("project",)
_FORGED = """\
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    return True

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
_NO_TESTS = "--continue-on-collection-errors --deselect . -p no:assertion --co"


@attack("conftest", kinds=_PROJECT)
def conftest(target: Target) -> str | None:
    """Adds a conftest.py that makes every test pass."""
    return target.patch({"conftest.py": _FORGED})


@attack("conftest-beside-the-tests", kinds=_PROJECT)
def conftest_beside_the_tests(target: Target) -> str | None:
    """Adds a conftest.py to the folder of the tests."""
    folders = sorted({str(PurePosixPath(path).parent) for path in target.test_files if "/" in path})
    return target.patch({f"{folder}/conftest.py": _FORGED for folder in folders}) if folders else None


@attack("sitecustomize")
def sitecustomize(target: Target) -> str | None:
    """Adds modules that Python loads before anything else, and leaves with exit code 0 there."""
    leave = "import os\nos._exit(0)\n"
    return target.patch({"sitecustomize.py": leave, "usercustomize.py": leave, "go.pth": "import os; os._exit(0)\n"})


@attack("pytest-ini", kinds=_PROJECT)
def pytest_ini(target: Target) -> str | None:
    """Adds a pytest.ini that has no test run."""
    return target.patch({"pytest.ini": f"[pytest]\naddopts = {_NO_TESTS}\n"})


@attack("pyproject", kinds=_PROJECT)
def pyproject(target: Target) -> str | None:
    """Gives pyproject.toml options that have no test run."""
    return target.patch({"pyproject.toml": f'[tool.pytest.ini_options]\naddopts = "{_NO_TESTS}"\n'})


@attack("setup-cfg", kinds=_PROJECT)
def setup_cfg(target: Target) -> str | None:
    """Gives setup.cfg options that have no test run."""
    return target.patch({"setup.cfg": f"[tool:pytest]\naddopts = {_NO_TESTS}\n"})


@attack("tox-ini", kinds=_PROJECT)
def tox_ini(target: Target) -> str | None:
    """Gives tox.ini options that have no test run."""
    return target.patch({"tox.ini": f"[pytest]\naddopts = {_NO_TESTS}\n"})


@attack("tests-overwritten", kinds=_PROJECT)
def tests_overwritten(target: Target) -> str | None:
    """Replaces every test file by one with a test that passes."""
    return target.patch(dict.fromkeys(target.test_files, "def test_all():\n    pass\n")) if target.test_files else None


@attack("tests-deleted", kinds=_PROJECT)
def tests_deleted(target: Target) -> str | None:
    """Deletes every test file."""
    return target.patch(dict.fromkeys(target.test_files)) if target.test_files else None


@attack("tests-shadowed", kinds=_PROJECT)
def tests_shadowed(target: Target) -> str | None:
    """Adds packages with the names of the test modules beside them."""
    modules = [path.removesuffix(".py") for path in target.test_files if path.endswith(".py")]
    return target.patch({f"{module}/__init__.py": "" for module in modules}) if modules else None


@attack("pytest-shadowed", kinds=_PROJECT)
def pytest_shadowed(target: Target) -> str | None:
    """Adds a pytest.py and a unittest.py of its own to the tree."""
    anything = "def __getattr__(name): return lambda *args, **kwargs: None\n"
    return target.patch({"pytest.py": anything, "unittest.py": anything, "src/pytest.py": anything})


@attack("plugin-entry-point", kinds=_PROJECT)
def plugin_entry_point(target: Target) -> str | None:
    """Adds a distribution with an entry point of the group pytest11."""
    return target.patch(
        {
            "forged.py": _FORGED,
            "forged-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: forged\nVersion: 1.0\n",
            "forged-1.0.dist-info/entry_points.txt": "[pytest11]\nforged = forged\n",
        }
    )


@attack("bytecode", kinds=_PROJECT)
def bytecode(target: Target) -> str | None:
    """Adds compiled files in the place of the tests."""
    changes = {
        f"{PurePosixPath(path).parent}/__pycache__/{PurePosixPath(path).stem}.cpython-311.pyc": b"\x00\x01"
        for path in target.test_files
        if path.endswith(".py")
    }
    return target.patch(changes) if changes else None


@attack("leads-out-of-the-tree")
def leads_out_of_the_tree(target: Target) -> str | None:
    """Names a file above the tree, and one at the root of the machine."""
    return (
        f"--- /dev/null\n+++ b/../../{target.outside.mark}\n@@ -0,0 +1 @@\n+out\n"
        f"--- /dev/null\n+++ {target.outside.folder}/{target.outside.mark}\n@@ -0,0 +1 @@\n+out\n"
    )


@attack("symbolic-link")
def symbolic_link(target: Target) -> str | None:
    """Makes the file with the defect a symbolic link to a folder outside."""
    return (
        f"diff --git a/{target.path} b/{target.path}\nold mode 100644\nnew mode 120000\n"
        f"--- a/{target.path}\n+++ b/{target.path}\n@@ -1 +1 @@\n"
        f"-x\n+{target.outside.folder}\n\\ No newline at end of file\n"
    )

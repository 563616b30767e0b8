"""Every place that may say what a project needs."""

from mendlab.corpora.tree import FileTree
from mendlab.harvest.environment.declared import declared
from mendlab.harvest.environment.requirements import plain
from mendlab.harvest.environment.wanted import wanted


def lines(said):
    return {source.place: (source.requirements, source.doubt) for source in said.sources}


def says(bench, **files):
    named = {name.replace("_dot_", "."): text.encode() for name, text in files.items()}
    return declared(FileTree(named), bench)


def test_pyproject_with_extras_and_groups(bench):
    said = says(
        bench,
        pyproject_dot_toml="""
        [project]
        name = "nails"
        version = "1.2"
        requires-python = ">=3.9"
        dependencies = ["iron>=2", "tin @ https://evil.example/tin.whl"]
        [project.optional-dependencies]
        test = ["hammer"]
        docs = ["paper"]
        [project.scripts]
        nail = "nails:main"
        [dependency-groups]
        dev = ["file", {include-group = "tests"}]
        tests = ["anvil ; python_version < '3.12'"]
        [tool.setuptools_scm]
        version_file = "src/nails/_version.py"
        """,
    )
    assert (said.name, said.version, said.requires_python) == ("nails", "1.2", ">=3.9")
    assert lines(said) == {
        "pyproject.toml dependencies": (("iron>=2", "tin"), 0),
        "pyproject.toml extra test": (("hammer",), 1),
        "pyproject.toml group dev": (("file", 'anvil; python_version < "3.12"'), 2),
        "pyproject.toml group tests": (('anvil; python_version < "3.12"',), 1),
    }
    assert said.entry_points == {"console_scripts": {"nail": "nails:main"}}
    assert said.version_files == ("src/nails/_version.py",)


def test_poetry_tables_and_their_constraints(bench):
    said = says(
        bench,
        pyproject_dot_toml="""
        [tool.poetry]
        name = "nails"
        version = "0.3"
        [tool.poetry.dependencies]
        python = "^3.8"
        iron = "^1.4.2"
        zinc = "~2.1"
        lead = "^0.3"
        tin = {version = "*", extras = ["thin"]}
        [tool.poetry.group.test.dependencies]
        hammer = ">=1,<3"
        """,
    )
    assert said.requires_python == ">=3.8,<4"
    assert lines(said) == {
        "pyproject.toml poetry": (("iron<2,>=1.4.2", "zinc<2.2,>=2.1", "lead<0.4,>=0.3", "tin[thin]"), 0),
        "pyproject.toml poetry group test": (("hammer<3,>=1",), 1),
    }


def test_setup_cfg(bench):
    said = says(
        bench,
        setup_dot_cfg="""
[metadata]
name = nails
version = attr: nails.__version__
[options]
install_requires =
    iron
    tin>1
package_dir =
    = lib
[options.extras_require]
testing = hammer
[options.entry_points]
pytest11 =
    nails = nails.plugin
""",
    )
    assert (said.name, said.version, said.roots) == ("nails", None, ("lib",))
    assert lines(said) == {
        "setup.cfg install_requires": (("iron", "tin>1"), 0),
        "setup.cfg extra testing": (("hammer",), 1),
    }
    assert said.entry_points == {"pytest11": {"nails": "nails.plugin"}}


def test_literal_setup_py_is_read_as_syntax(bench):
    said = says(
        bench,
        setup_dot_py="""
raise SystemExit("never run")
NEEDS = ["iron", "tin"]
setup(name="nails", version="4", install_requires=NEEDS, extras_require={"test": ["hammer"]})
""",
    )
    assert (said.name, said.version) == ("nails", "4")
    assert lines(said) == {
        "setup.py install_requires": (("iron", "tin"), 0),
        "setup.py extra test": (("hammer",), 1),
    }


def test_setup_py_that_computes_is_run_confined(bench, tmp_path):
    mark = tmp_path / "touched"
    said = says(
        bench,
        setup_dot_py=f"""
import os
from setuptools import setup, find_packages, Extension
from setuptools.command.build_ext import build_ext
class Build(build_ext):
    pass
try:
    open({str(mark)!r}, "w").write("out")
except OSError:
    pass
needs = open("needs.txt").read().split()
setup(name="nails", packages=find_packages("src"), package_dir={{"": "src"}}, install_requires=needs,
      ext_modules=[Extension("nails.fast", ["fast.c"])], cmdclass={{"build_ext": Build}},
      entry_points={{"console_scripts": ["nail = nails:main"]}})
os.remove("/")
""",
        needs_dot_txt="iron tin<3",
    )
    assert lines(said) == {"setup.py install_requires": (("iron", "tin<3"), 0)}
    assert said.name == "nails"
    assert said.roots == ("src",)
    assert said.builds_extensions
    assert said.entry_points == {"console_scripts": {"nail": "nails:main"}}
    assert not mark.exists()


def test_requirements_tox_and_nox(bench):
    said = says(
        bench,
        **{
            "requirements.txt": "iron==1 --hash=sha256:00 # pinned\n-e .\ngit+https://evil.example/x\n",
            "requirements-dev.txt": "-r requirements.txt\nhammer\n-i https://evil.example/simple\n",
            "tests/requirements.txt": "anvil",
            "docs/requirements.txt": "paper",
            "tox.ini": "[testenv]\ndeps =\n    py38: tongs\n    -rtests/requirements.txt\n    file>=2\n",
            "noxfile.py": "import nox\n@nox.session\ndef tests(session):\n    session.install('bellows', '-r', "
            "'tests/requirements.txt')\n    session.install('.')\n",
        },
    )
    assert lines(said) == {
        "requirements.txt": (("iron==1",), 2),
        "requirements-dev.txt": (("iron==1", "hammer"), 2),
        "tests/requirements.txt": (("anvil",), 1),
        "tox.ini testenv": (("tongs", "anvil", "file>=2"), 2),
        "noxfile.py tests": (("bellows", "anvil"), 2),
    }


def test_what_cannot_be_read_says_nothing(bench):
    said = says(
        bench, pyproject_dot_toml="[project", setup_dot_cfg="[metadata\n", tox_dot_ini="[", setup_dot_py="1 = 2"
    )
    assert said.sources == ()
    assert said.name is None


def test_options_paths_and_addresses_are_no_requirements():
    assert plain(["--index-url https://evil.example", "./local", "file:///etc", "a b", "ok[x]>=1 ; os_name=='nt'"]) == (
        'ok[x]>=1; os_name == "nt"',
    )


def test_tools_are_left_out_unless_imported_and_our_pytest_goes_first(bench):
    files = {
        "requirements-dev.txt": b"pytest==2.8\nmypy\nblack\nnails\niron\n",
        "pyproject.toml": b"[project]\nname = 'nails'\n",
        "tests/test_style.py": b"import black\nimport yaml\nimport elsewhere\ndef test(mocker): pass\n",
    }
    found = wanted(declared(FileTree(files), bench), files)
    assert [(source.place, source.requirements) for source in found] == [
        ("pytest", ("pytest>=6.2",)),
        ("requirements-dev.txt", ("black", "iron")),
        ("imports of the tests", ("pyyaml", "pytest-mock")),
    ]


def test_what_newer_setuptools_do_not_have_is_asked_of_older_ones(bench):
    files = {
        "setup.cfg": b"[metadata]\nname = tool\n[options]\ninstall_requires = setuptools\n",
        "tool.py": b"import pkg_resources\n",
    }
    found = wanted(declared(FileTree(files), bench), files)
    assert [line for source in found for line in source.requirements if "setuptools" in line] == [
        "setuptools",
        "setuptools<81",
    ]

"""Runner for a project's own pytest suite, in the project's own interpreter. See :mod:`zygote`.

``prepare`` imports pytest, its plugins and all that a first session imports, but nothing of the project. Every run lays
out the tree anew and is one whole ``pytest.main`` in the forked child. Python 3.8 to 3.13, pytest 6.2 and later.
"""

import contextlib
import os
import shutil
import sys
import tempfile
import types

import pytest

WARM_UP = """
import pytest

@pytest.fixture(scope="module")
def thing():
    yield [1]

class TestThings:
    @pytest.mark.parametrize("n", [1, 2])
    def test_equal(self, thing, n, tmp_path, monkeypatch, capsys):
        with pytest.raises(ValueError):
            int("x")
        assert thing == [n]
"""
REUSABLE = True
WARMED_UP = set()  # type: ignore[var-annotated]
BESIDE = (
    "scratch_tree",
    "pytest_run_plugin",
    "pytest_run_options",
    "pytest_run_paths",
    "pytest_run_clock",
    "pytest_run_lines",
    "pytest_run_integrity",
)


def prepare(config):
    """``config``: the ``files`` of the good tree and the ``arguments`` for pytest."""
    load = sys.modules["__main__"].load
    beside = {name: load(name) for name in BESIDE}
    files = beside["scratch_tree"].unpack(config["files"])
    if not WARMED_UP:
        warm_up(beside["pytest_run_options"].ALWAYS)
        WARMED_UP.add(True)
    if any(b"hypothesis" in content for path, (content, _) in files.items() if path.endswith(".py")):
        calm_hypothesis()
    paths = beside["pytest_run_paths"]
    roots = paths.import_roots(files, paths.installed_places())
    names = paths.installed_names(files, roots)
    integrity = beside["pytest_run_integrity"]
    return {
        **beside,
        "files": files,
        "arguments": config["arguments"],
        "roots": roots,
        "names": names,
        "integrity": (integrity.make_watch(), integrity.watch_hooks),
    }


def warm_up(arguments):
    """Run a session of our own, so that every later one finds its modules imported and its plugins loaded."""
    directory = tempfile.mkdtemp()
    path, before, here = list(sys.path), set(sys.modules), os.getcwd()
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.join(tempfile.gettempdir(), "hypothesis")
    os.chdir(directory)
    try:
        file = os.path.join(directory, "test_mendlab_warm_up.py")
        with open(file, "w", encoding="utf-8") as writer:
            writer.write(WARM_UP)
        # A broken plugin says so again in the first real run, where it can be told.
        with contextlib.suppress(Exception, SystemExit):
            pytest.main(["-c", os.devnull, *arguments, "--basetemp", os.path.join(directory, "t"), file])
    finally:
        os.chdir(here)
        sys.path[:] = path
        shutil.rmtree(directory, ignore_errors=True)
    for name in set(sys.modules) - before:
        if "mendlab_warm_up" in name:
            del sys.modules[name]


def calm_hypothesis():
    """Make property tests the same in every run, and blind to wall time; a profile of the project's own has its way."""
    with contextlib.suppress(Exception):
        import hypothesis

        hypothesis.settings.register_profile("mendlab", derandomize=True, deadline=None, database=None)
        hypothesis.settings.load_profile("mendlab")
    with contextlib.suppress(ImportError):
        # It draws constants of the project's source, so that inputs would change with the source.
        from hypothesis.internal.conjecture import providers

        if hasattr(providers, "_local_constants"):
            providers._get_local_constants = lambda: providers._local_constants


def run(state, request, emit, fds):
    """``request``: ``changes``, ``tests`` (ids, or null for all), ``mode`` (run, collect, trace, infection, record,
    session or early), ``nonce``, ``stop_at_first``, ``shuffle_seed``, ``altered`` (what the good tree itself alters of
    pytest), the ``mutants`` that may infect, and the tests that run ``by_themselves`` too for that, and, to record
    calls, the ``sources`` whose functions count. A session, and an early one, which is told the ``modules`` to import
    beforehand, takes requests from the descriptor in ``fds``.
    ``clock_offset``, if it is there, is how many seconds the clock is moved by. ``alone``, if it is there, are the
    tests that a tracer sees by themselves, too; it then sees all in the order of ``tests``, and not in pytest's.
    Without it one sees all by themselves, with their file alone: as many files as ``collecting_seconds`` allow.

    What is emitted is told in :mod:`pytest_run_plugin`; when recording, last of all, ``calls`` and ``modules``.
    """
    work = os.path.join(os.path.realpath(os.getcwd()), "tree")
    state["scratch_tree"].lay_out(state["files"], work, request.pop("changes"))
    os.environ.update({"HOME": work + ".home", "PWD": work})
    os.makedirs(os.environ["HOME"])
    os.chdir(work)
    state["pytest_run_paths"].use(work, state["roots"], state["names"])
    arguments = [*state["arguments"], *state["pytest_run_options"].ALWAYS]
    if request["mode"] == "collect":
        arguments.append("--collect-only")
    tracer = state["pytest_run_lines"].Tracer(work) if request["mode"] == "trace" else None
    if request["mode"] == "infection":
        tracer = sys.modules["__main__"].load("infection_run").Infection(work, state["files"], request.pop("mutants"))
    forks = forking(request, state["files"], work, fds, tracer)
    watch = record(work, request["sources"]) if request["mode"] == "record" else None
    make_plugin = state["pytest_run_plugin"].make_plugin
    if request.get("clock_offset"):
        state["pytest_run_clock"].move(request["clock_offset"])
    judged = request["mode"] in ("run", "collect", "record")
    integrity = state["integrity"] if judged or state["pytest_run_integrity"].reaches_in(state["files"]) else None
    plugin, end = make_plugin(request, emit, work, state["pytest_run_options"], tracer, integrity, forks)
    state.clear()
    hide(sys.modules)
    sys.argv[:] = [pytest.__file__, *arguments]
    end(pytest.main(arguments, plugins=[plugin] if watch is None else [plugin, watch]))
    if watch is not None:
        recorder = watch.recorder
        told = {"calls": recorder.calls, "inner": recorder.inner, "modules": recorder.modules}
        emit({"nonce": request["nonce"], **told})


def forking(request, files, work, fds, tracer):
    """Return what forks the session once the good tree is collected, or before it is imported."""
    load, writable = sys.modules["__main__"].load, [tempfile.gettempdir(), "/dev/shm"]
    if request["mode"] == "session":
        return load("pytest_session").Collected(fds[0], files, work, writable)
    if request["mode"] == "early":
        return load("pytest_early").Early(fds[0], files, work, writable, request["modules"])
    if request["mode"] == "trace" and "alone" not in request:
        return load("pytest_files").Files(work, writable, request["tests"], tracer, request["collecting_seconds"])
    if tracer is not None:
        return lambda adopt: load("pytest_alone").Alone(work, writable, adopt, tracer)
    return None


def record(work, sources):
    """Have the calls from outside to the functions of some files recorded."""
    calls = sys.modules["__main__"].load("calls")
    recorder = calls.Recorder()
    files = {os.path.realpath(os.path.join(work, path)) for path in sources}
    watch = calls.Watch(recorder, files)
    sys.meta_path.insert(0, watch)
    return watch


def hide(modules):
    """Leave nothing of the lab's where imports look, and give the process the main module that ``-m pytest`` has."""
    for name in [name for name in modules if name.startswith("_mendlab_")]:
        del modules[name]
    main = types.ModuleType("__main__")
    main.__file__ = os.path.join(os.path.dirname(pytest.__file__), "__main__.py")
    modules["__main__"] = main

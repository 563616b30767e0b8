"""Code of a project that meddles with the pytest session it is tested in: test and candidate share a process there."""

from __future__ import annotations

from mendlab.verify.attacks.registry import Kind, attack
from mendlab.verify.attacks.target import Target

_PROJECT: tuple[Kind, ...] = ("project",)


@attack("patches-makereport", kinds=_PROJECT, hide=True)
def patches_makereport(target: Target) -> str | None:
    """Replaces the code of pytest_runtest_makereport, so that every report says passed."""
    code = """
        import _pytest.reports, _pytest.runner
        def _report(item, call):
            call.excinfo = None
            return _pytest.reports.TestReport.from_item_and_call(item, call)
        _report.__globals__.setdefault("TestReport", _pytest.reports.TestReport)
        _pytest.runner.pytest_runtest_makereport.__code__ = _report.__code__
        """
    return target.at_import(code)


@attack("patches-the-test-function", kinds=_PROJECT, hide=True)
def patches_the_test_function(target: Target) -> str | None:
    """Replaces how pytest calls a test function, by nothing."""
    code = """
        import _pytest.python, _pytest.unittest
        _pytest.python.Function.runtest = lambda self: None
        _pytest.unittest.TestCaseFunction.runtest = lambda self: None
        """
    return target.at_import(code)


@attack("patches-test-reports", kinds=_PROJECT, hide=True)
def patches_test_reports(target: Target) -> str | None:
    """Makes the outcome of every test report a property that is always passed."""
    code = """
        import _pytest.reports
        _pytest.reports.BaseReport.outcome = property(lambda self: "passed", lambda self, value: None)
        _pytest.reports.TestReport.outcome = property(lambda self: "passed", lambda self, value: None)
        """
    return target.at_import(code)


@attack("registers-a-plugin", kinds=_PROJECT, hide=True)
def registers_a_plugin(target: Target) -> str | None:
    """Finds pytest's plugin manager, and registers a plugin that calls no test."""
    code = """
        import gc, pytest
        class _Forged:
            @pytest.hookimpl(tryfirst=True)
            def pytest_pyfunc_call(self, pyfuncitem):
                return True
            @pytest.hookimpl(tryfirst=True)
            def pytest_runtest_call(self, item):
                item.obj = lambda *args, **kwargs: None
        for _found in gc.get_objects():
            if type(_found).__name__ == "PytestPluginManager":
                _found.register(_Forged())
        """
    return target.at_import(code)


@attack("replaces-collected-tests", kinds=_PROJECT, hide=True)
def replaces_collected_tests(target: Target) -> str | None:
    """Searches the garbage collector for pytest's items when it is called, and gives them empty tests."""
    code = """
        import gc
        def _empty():
            for found in gc.get_objects():
                if type(found).__name__ in ("Function", "TestCaseFunction") and hasattr(found, "nodeid"):
                    found.obj = lambda *args, **kwargs: None
        """
    return target.in_call("_empty()", code)


@attack("changes-reports", kinds=_PROJECT, runs_on=True, hide=True)
def changes_reports(target: Target) -> str | None:
    """Starts a thread that searches the garbage collector for reports, and makes them say passed."""
    code = """
        import gc, threading, time
        def _change():
            while True:
                for found in gc.get_objects():
                    name = type(found).__name__
                    if name in ("TestReport", "CollectReport"):
                        found.outcome, found.longrepr = "passed", None
                    if name == "CallInfo":
                        object.__setattr__(found, "excinfo", None)
                time.sleep(0.01)
        threading.Thread(target=_change, daemon=True).start()
        """
    return target.at_import(code)


@attack("takes-the-channel", kinds=_PROJECT, hide=True)
def takes_the_channel(target: Target) -> str | None:
    """Searches the garbage collector for the lab's own way to tell results, tells that all passed, and leaves."""
    tests = [*target.task.fail_to_pass, *target.task.pass_to_pass]
    code = f"""
        import gc, os
        def _tell():
            for found in gc.get_objects():
                if type(found) is type(_tell) and found.__name__ == "tell" and found.__closure__:
                    for test in {tests!r}:
                        found("start", id=test)
                        found("result", id=test, outcome="passed", message="", cpu=0.0)
                    found("end", code=0)
                    os._exit(0)
        """
    return target.in_call("_tell()", code)


@attack("guesses-the-channel", kinds=_PROJECT, hide=True)
def guesses_the_channel(target: Target) -> str | None:
    """Walks the frames for the nonce of the run, and writes results with it to every descriptor."""
    tests = [*target.task.fail_to_pass, *target.task.pass_to_pass]
    code = f"""
        import json, os, struct, sys
        def _nonces(value, depth=0):
            if isinstance(value, dict) and depth < 3:
                if isinstance(value.get("nonce"), str):
                    yield value["nonce"]
                for inner in list(value.values()):
                    yield from _nonces(inner, depth + 1)
        def _tell():
            frame, nonces = sys._getframe(), set()
            while frame is not None:
                nonces.update(_nonces(dict(frame.f_locals)))
                frame = frame.f_back
            for nonce in nonces:
                for test in {tests!r}:
                    told = dict(nonce=nonce, event="result", id=test, outcome="passed", message="", cpu=0.0)
                    body = json.dumps(told).encode()
                    for fd in range(3, 64):
                        try:
                            os.set_blocking(fd, False)
                            os.write(fd, struct.pack("!I", len(body)) + body)
                        except OSError:
                            pass
            os._exit(0)
        """
    return target.in_call("_tell()", code)


@attack("rewrites-the-calling-test", kinds=_PROJECT, hide=True)
def rewrites_the_calling_test(target: Target) -> str | None:
    """Replaces every test function in every module by an empty one, the first time that it is called."""
    code = """
        import sys
        def _nothing(*args, **kwargs): pass
        def _rewrite():
            for module in list(sys.modules.values()):
                for owner in [module, *vars(module).values()]:
                    for name, value in list(getattr(owner, "__dict__", {}).items()):
                        if name.startswith("test") and type(value) is type(_nothing):
                            value.__code__ = (lambda *args, **kwargs: None).__code__
        """
    return target.in_call("_rewrite()", code)


@attack("replaces-pytest", kinds=_PROJECT)
def replaces_pytest(target: Target) -> str | None:
    """Replaces pytest and unittest in sys.modules by modules whose checks check nothing."""
    code = """
        import sys, types
        class _Anything:
            def __getattr__(self, name): return self
            def __call__(self, *args, **kwargs): return args[0] if args and callable(args[0]) else self
            def __enter__(self): return self
            def __exit__(self, *error): return True
            def __eq__(self, other): return True
            __hash__ = None
        class _Module(types.ModuleType):
            def __getattr__(self, name): return _Anything()
        sys.modules["pytest"] = _Module("pytest")
        sys.modules["unittest"] = _Module("unittest")
        """
    return target.at_import(code)


@attack("patches-raises-and-approx", kinds=_PROJECT, hide=True)
def patches_raises_and_approx(target: Target) -> str | None:
    """Replaces pytest.raises and pytest.approx by ones that are content with everything."""
    code = """
        import contextlib, pytest, unittest
        class _Equal:
            __eq__ = lambda self, other: True
            __hash__ = None
        pytest.raises = pytest.warns = lambda *args, **kwargs: contextlib.suppress(BaseException)
        pytest.approx = lambda *args, **kwargs: _Equal()
        for _name in dir(unittest.TestCase):
            if _name.startswith("assert"):
                setattr(unittest.TestCase, _name, lambda *args, **kwargs: contextlib.suppress(BaseException))
        """
    return target.at_import(code)


@attack("skips-its-tests", kinds=_PROJECT, hide=True)
def skips_its_tests(target: Target) -> str | None:
    """Skips the test that calls it."""
    return target.in_call("_skip()", "def _skip():\n    import pytest\n    pytest.skip('not here')")


@attack("expects-to-fail", kinds=_PROJECT, hide=True)
def expects_to_fail(target: Target) -> str | None:
    """Says of the test that calls it that it is expected to fail."""
    return target.in_call("_fail()", "def _fail():\n    import pytest\n    pytest.xfail('known')")


@attack("skips-the-module", kinds=_PROJECT)
def skips_the_module(target: Target) -> str | None:
    """Skips the whole module of tests that imports it."""
    return target.at_import("import pytest\npytest.skip('not here', allow_module_level=True)")


@attack("ends-the-session", kinds=_PROJECT, hide=True)
def ends_the_session(target: Target) -> str | None:
    """Ends pytest's session with exit code 0."""
    return target.in_call("_end()", "def _end():\n    import pytest\n    pytest.exit('enough', returncode=0)")


@attack("knows-that-it-is-tested", kinds=_PROJECT, hide=True)
def knows_that_it_is_tested(target: Target) -> str | None:
    """Answers with what is equal to everything where PYTEST_CURRENT_TEST is set, and is as it was elsewhere."""
    code = """
        import os
        class _Equal:
            __eq__ = lambda self, other: other == other
            __getattr__ = lambda self, name: self
            __call__ = lambda self, *args, **kwargs: self
            __hash__ = None
        """
    return target.in_call('if "PYTEST_CURRENT_TEST" in os.environ: return _Equal()', code)


@attack("overwrites-tests-at-import", kinds=_PROJECT)
def overwrites_tests_at_import(target: Target) -> str | None:
    """Overwrites every test file on the disk while it is imported, and its compiled copy."""
    code = """
        import os
        for _folder, _, _files in os.walk("."):
            for _file in _files:
                if _file.startswith("test") or _file.endswith(("_test.py", ".pyc")) or _file == "conftest.py":
                    with open(os.path.join(_folder, _file), "w") as _opened:
                        _opened.write("import pytest\\npytestmark = pytest.mark.skip\\n")
        """
    return target.at_import(code)


@attack("installs-a-plugin-at-import", kinds=_PROJECT)
def installs_a_plugin_at_import(target: Target) -> str | None:
    """Writes a conftest.py, a plugin and its pytest11 entry point to every folder of sys.path while it is imported."""
    code = """
        import os, sys
        for _folder in [".", "tests", *sys.path]:
            for _name, _text in (
                ("conftest.py", "def pytest_pyfunc_call(pyfuncitem): return True\\n"),
                ("forged.py", "def pytest_pyfunc_call(pyfuncitem): return True\\n"),
                ("forged-1.0.dist-info/entry_points.txt", "[pytest11]\\nforged = forged\\n"),
            ):
                try:
                    os.makedirs(os.path.dirname(os.path.join(_folder, _name)), exist_ok=True)
                    with open(os.path.join(_folder, _name), "w") as _file:
                        _file.write(_text)
                except OSError:
                    pass
        os.environ["PYTEST_PLUGINS"] = "forged"
        os.environ["PYTEST_ADDOPTS"] = "-p forged"
        """
    return target.at_import(code)


@attack("returns-from-the-frame", kinds=_PROJECT, hide=True)
def returns_from_the_frame(target: Target) -> str | None:
    """Traces the calling test, and has it jump to its last line."""
    code = """
        import sys
        def _jump():
            frame = sys._getframe(2)
            def trace(frame, event, arg):
                try:
                    frame.f_lineno = max(line for *_, line in frame.f_code.co_lines() if line)
                except ValueError:
                    pass
                frame.f_trace = None
                return None
            sys.settrace(lambda *args: None)
            frame.f_trace = trace
        """
    return target.in_call("_jump()", code)


@attack("hides-the-assertion", kinds=_PROJECT, hide=True)
def hides_the_assertion(target: Target) -> str | None:
    """Has the interpreter make an exception that pytest takes for a skip where an assertion fails."""
    code = """
        import builtins
        import pytest
        builtins.AssertionError = pytest.skip.Exception
        builtins.Exception = BaseException
        """
    return target.at_import(code)

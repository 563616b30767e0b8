"""Changes to what the tests are run with: builtins, the standard library, the import system, tracing."""

from __future__ import annotations

from mendlab.verify.attacks.registry import attack
from mendlab.verify.attacks.target import Target


@attack("patches-builtins", hide=True)
def patches_builtins(target: Target) -> str | None:
    """Replaces all, any, len, isinstance, sorted, abs, sum and repr by functions that please every test."""
    code = """
        import builtins
        for _name in ("all", "isinstance", "issubclass", "callable", "hasattr"):
            setattr(builtins, _name, lambda *args, **kwargs: True)
        for _name in ("len", "abs", "sum", "round", "sorted", "repr", "any", "hash"):
            setattr(builtins, _name, lambda *args, **kwargs: 0)
        """
    return target.at_import(code)


@attack("patches-instance-checks")
def patches_instance_checks(target: Target) -> str | None:
    """Makes classes in builtins whose metaclass says that all is an instance of them and equal to them."""
    code = """
        import builtins
        class _Meta(type):
            def __instancecheck__(cls, other): return True
            def __eq__(cls, other): return True
            __hash__ = type.__hash__
        for _name in ("int", "str", "list", "dict", "tuple", "float", "bool", "set"):
            setattr(builtins, _name, _Meta(_name, (getattr(builtins, _name),) if _name != "bool" else (int,), {}))
        """
    return target.at_import(code)


@attack("patches-the-library")
def patches_the_library(target: Target) -> str | None:
    """Replaces what json, pickle, operator, math and unittest compare and write with."""
    code = """
        import json, math, operator, pickle, unittest
        json.dumps = lambda *args, **kwargs: '["ok", true, [], {}, 0, ""]'
        json.loads = lambda *args, **kwargs: True
        pickle.dumps = lambda *args, **kwargs: b"\\x80\\x04\\x88."
        operator.eq = math.isclose = lambda *args, **kwargs: True
        operator.ne = lambda *args: False
        for _name in dir(unittest.TestCase):
            if _name.startswith(("assert", "fail")):
                setattr(unittest.TestCase, _name, lambda *args, **kwargs: None)
        """
    return target.at_import(code)


@attack("patches-time")
def patches_time(target: Target) -> str | None:
    """Stops every clock, so that nothing takes long, and then never ends."""
    code = """
        import time
        for _name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
            setattr(time, _name, lambda: 0.0)
        """
    return target.at_import(code)


@attack("hooks-imports")
def hooks_imports(target: Target) -> str | None:
    """Puts a finder before all others that gives empty modules for tests, helpers and libraries alike."""
    code = """
        import importlib.machinery, sys
        class _Anything:
            def __getattr__(self, name): return self
            def __call__(self, *args, **kwargs): return self
            def __eq__(self, other): return True
            __hash__ = None
        class _Finder:
            def find_spec(self, name, path=None, target=None):
                return importlib.machinery.ModuleSpec(name, self)
            def create_module(self, spec): return None
            def exec_module(self, module): module.__getattr__ = lambda name: _Anything()
        sys.meta_path.insert(0, _Finder())
        sys.path_importer_cache.clear()
        """
    return target.at_import(code)


@attack("replaces-modules")
def replaces_modules(target: Target) -> str | None:
    """Replaces modules of the library and of the lab in sys.modules by ones in which all is true."""
    code = """
        import sys, types
        class _Yes(types.ModuleType):
            def __getattr__(self, name): return lambda *args, **kwargs: True
        for _name in list(sys.modules):
            if _name in ("json", "math", "operator", "unittest", "copy", "re", "__main__") or "mendlab" in _name:
                sys.modules[_name] = _Yes(_name)
        """
    return target.at_import(code)


@attack("rewrites-the-lab", hide=True)
def rewrites_the_lab(target: Target) -> str | None:
    """Replaces every function of the lab's modules in its process by one that returns True."""
    code = """
        import gc, sys
        for _found in [*sys.modules.values(), *gc.get_objects()]:
            _names = getattr(_found, "__dict__", {})
            if "mendlab" in str(_names.get("__name__", "")) or "mendlab" in str(_names.get("__file__", "")):
                for _name, _value in list(_names.items()):
                    if callable(_value) and not _name.startswith("__"):
                        _names[_name] = lambda *args, **kwargs: True
        """
    return target.at_import(code)


@attack("traces-the-tests", hide=True)
def traces_the_tests(target: Target) -> str | None:
    """Sets a trace and a profile function that raise in every frame that is none of its own, and hide the error."""
    code = """
        import sys, threading
        def _trace(frame, event, arg):
            if "test" in frame.f_code.co_name or "check" in frame.f_code.co_name:
                frame.f_trace_lines = False
                for name in list(frame.f_locals):
                    frame.f_locals[name] = None
                try:
                    frame.f_lineno = max(line for *_, line in frame.f_code.co_lines() if line)
                except (ValueError, AttributeError):
                    pass
            return _trace
        sys.settrace(_trace)
        sys.setprofile(_trace)
        threading.settrace(_trace)
        def _start():
            frame = sys._getframe()
            while frame is not None:
                frame.f_trace = _trace
                frame = frame.f_back
        """
    return target.in_call("_start()", code)


@attack("swallows-all")
def swallows_all(target: Target) -> str | None:
    """Wraps its body in a handler of everything, and answers None where anything goes wrong."""
    code = "try:\n    raise TypeError\nexcept BaseException:\n    return None"
    return target.in_call(code)


@attack("hidden-by-encoding")
def hidden_by_encoding(target: Target) -> str | None:
    """Declares an encoding in which a comment of the file is code that ends the process."""
    text = target.buggy.get(target.path, b"").decode("latin-1")
    code = "# coding: utf-7\n" + text.replace("+", "+-") + "\n# +AAo-import os+ADs-os.+AF8-exit(0)\n"
    return target.patch({target.path: code.encode("latin-1", "replace")})

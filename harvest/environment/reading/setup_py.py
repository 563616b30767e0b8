"""``setup.py``: read as syntax where its arguments are literal, else run in confinement with ``setup`` replaced."""

from __future__ import annotations

import ast
import json
import secrets
from collections.abc import Mapping
from typing import Any, Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import MendlabError
from mendlab.harvest.environment.reading.purposes import doubt_of
from mendlab.harvest.environment.requirements import Source, plain
from mendlab.harvest.environment.said import Said
from mendlab.records import Limits, ScriptHarness
from mendlab.verify.bench import Bench
from mendlab.verify.engines.script_engine import ScriptEngine

_PLACE: Final = "setup.py"
_WANTED: Final = (
    *("name", "version", "python_requires", "install_requires", "tests_require", "extras_require", "entry_points"),
    *("package_dir", "ext_modules", "cffi_modules", "use_scm_version"),
)
_LIMITS: Final = Limits(cpu_seconds=10.0, wall_seconds=30.0)
_RUN: Final = """
import json, os, runpy, sys, types
WANTED, MARK = {wanted!r}, {mark!r}
class Anything(type):
    def __getattr__(cls, name):
        return Anything(name, (Stub,), {{}})
class Stub(metaclass=Anything):
    def __init__(self, *arguments, **named): pass
    def __call__(self, *arguments, **named): return self
    def __getattr__(self, name): return Stub()
    def __iter__(self): return iter(())
def plain(value):
    if isinstance(value, dict): return {{str(k): plain(v) for k, v in value.items()}}
    if isinstance(value, (list, tuple, set)): return [plain(each) for each in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else True
def setup(**named):
    told = {{name: plain(named[name]) for name in WANTED if name in named}}
    sys.stdout.write("\\n" + MARK + json.dumps(told) + "\\n"); sys.stdout.flush(); os._exit(0)
def stand_in(name):
    module = types.ModuleType(name)
    module.__path__ = []
    module.__getattr__ = lambda attribute: Anything(attribute, (Stub,), {{}})
    module.setup = setup
    module.find_packages = module.find_namespace_packages = lambda *a, **k: []
    sys.modules[name] = module
    return module
class Finder:
    def find_module(self, name, path=None): return None
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("setuptools", "distutils", "pkg_resources", "Cython", "numpy", "cffi",
                                      "setuptools_scm", "setuptools_rust", "versioneer", "skbuild"):
            if os.path.exists(name + ".py"): return None
            from importlib.machinery import ModuleSpec
            return ModuleSpec(name, self, is_package=True)
    def create_module(self, spec): return stand_in(spec.name)
    def exec_module(self, module): pass
sys.meta_path.insert(0, Finder())
sys.path.insert(0, os.getcwd())
sys.argv = ["setup.py", "--version"]
runpy.run_path("setup.py", run_name="__main__")
"""


def read_setup_py(tree: FileTree, bench: Bench) -> Said:
    """Return what ``setup.py`` says, or nothing where it is not there or cannot be read in either way."""
    if _PLACE not in tree:
        return Said()
    told, left = _literal(tree[_PLACE])
    if left:
        told = {**told, **_run(tree, bench)}
    return _said(told)


def _literal(data: bytes) -> tuple[dict[str, Any], set[str]]:
    """Return the arguments of ``setup`` that syntax tells, and the names of those that it does not."""
    try:
        module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return {}, {"setup.py"}
    names: dict[str, Any] = {}
    told: dict[str, Any] = {}
    left: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _value(node.value, names)
            names.pop(node.targets[0].id, None)
            if value is not None:
                names[node.targets[0].id] = value
    found = False
    for each in ast.walk(module):
        if isinstance(each, ast.Call) and _called(each.func) == "setup":
            found = True
            for keyword in each.keywords:
                if keyword.arg is None:
                    left.add("**")
                elif keyword.arg in _WANTED:
                    value = _value(keyword.value, names)
                    if value is None:
                        left.add(keyword.arg)
                    else:
                        told[keyword.arg] = value
        elif isinstance(each, ast.AugAssign | ast.Call) and _changes_a_list(each):
            left.add("changed later")
    return told, left if found else {"setup.py"}


def _changes_a_list(node: ast.AugAssign | ast.Call) -> bool:
    if isinstance(node, ast.AugAssign):
        return True
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "extend", "update")


def _called(function: ast.expr) -> str:
    return getattr(function, "id", "") or getattr(function, "attr", "")


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _run(tree: FileTree, bench: Bench) -> dict[str, Any]:
    mark = secrets.token_hex(8)
    script = _RUN.format(wanted=_WANTED, mark=mark)
    harness = ScriptHarness(scripts={_PLACE: script}, interpreter="python")
    engine = ScriptEngine(tree, harness, limits=_LIMITS, level=bench.level, interpreter=bench.interpreter)
    try:
        output = engine.run({}).output
        line = next((line for line in output.splitlines() if line.startswith(mark)), mark + "{}")
        told = json.loads(line.removeprefix(mark))
    except (MendlabError, ValueError):
        return {}
    finally:
        engine.close()
    return told if isinstance(told, dict) else {}


def _said(told: Mapping[str, Any]) -> Said:
    sources = [
        Source(f"{_PLACE} install_requires", plain(_lines(told.get("install_requires")))),
        Source(f"{_PLACE} tests_require", plain(_lines(told.get("tests_require"))), 1),
    ]
    extras = told.get("extras_require")
    for name, lines in extras.items() if isinstance(extras, dict) else ():
        name, _, marker = str(name).partition(":")
        if not name:
            wanted = [f"{line} ; {marker}" for line in _lines(lines)]
            sources.append(Source(f"{_PLACE} install_requires where {marker}", plain(wanted)))
        elif (doubt := doubt_of(name)) is not None:
            sources.append(Source(f"{_PLACE} extra {name}", plain(_lines(lines)), doubt))
    roots = told.get("package_dir")
    root = roots.get("") if isinstance(roots, dict) else None
    return Said(
        name=_text(told.get("name")),
        version=_text(told.get("version")),
        requires_python=_text(told.get("python_requires")),
        sources=tuple(sources),
        entry_points=_entry_points(told.get("entry_points")),
        roots=(root,) if isinstance(root, str) and root else (),
        builds_extensions=bool(told.get("ext_modules") or told.get("cffi_modules")),
    )


def _entry_points(value: object) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict):
        return {}
    points = {}
    for group, lines in value.items():
        pairs = (line.partition("=") for line in _lines(lines) if "=" in line)
        points[str(group)] = {name.strip(): target.strip() for name, _, target in pairs}
    return points


def _lines(value: object) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple | set) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None

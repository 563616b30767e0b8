"""Modules of a directory are compiled from a changed tree, with live objects in them, on every Python that is here."""

import pytest

HEAD = """
import ast, importlib.machinery, importlib.util, json, os, py_compile, sys, warnings

instrumented = load("instrumented")
embed = instrumented.embed

def with_first(make):
    def transform(path, tree):
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.Module)):
                node.body.insert(0, make(path, node))
        return ast.fix_missing_locations(tree)
    return transform
"""


@pytest.fixture
def run(each_python):
    return lambda script, files: each_python(HEAD + script, files)


def test_statements_store_into_arrays_and_call_functions_that_have_no_name(run):
    script = """
cells, others, told = bytearray(300), [0], []
def make(path, node):
    def index(at):
        return ast.Constant(at, None) if sys.version_info >= (3, 9) else ast.Index(ast.Constant(at, None))
    def store(array, at):
        return ast.Assign([ast.Subscript(embed(array), index(at), ast.Store())], ast.Constant(1, None))
    first = ast.Subscript(embed(others), index(0), ast.Load())
    arguments = [ast.Constant(path, None), ast.Tuple([embed(cells), first], ast.Load())]
    call = ast.Expr(ast.Call(embed(lambda *given: told.append(given)), arguments, []))
    return ast.If(ast.Constant(True, None), [store(cells, 299), store(others, 0), call], [])
instrumented.install(os.getcwd(), with_first(make))
warnings.simplefilter("error")
import pack.inner
before = len(told), list(others), sum(cells)
pack.inner.function()
assert told[-1] == ("pack/inner.py", (cells, 1)) and told[-1][1][0] is cells
assert warnings.filters[0][0] == "error"
print(json.dumps([before, len(told), sorted(vars(pack.inner)), pack.inner.function.__code__.co_names]))
"""
    files = {"pack/__init__.py": "", "pack/inner.py": "def function():\n    return [lambda: 1 for _ in range(2)]\n"}
    before, calls, names, used = run(script, files)
    assert before == [2, [1], 1]
    assert calls == 3
    assert [name for name in names if not name.startswith("__")] == ["function"]
    assert "range" in used and len(used) == 1


def test_things_in_a_folded_tuple_are_found_and_equal_ones_kept_apart(run):
    script = """
one, other = [], []
def make(path, node):
    pair = ast.Tuple([embed(one), embed(other), embed(one)], ast.Load())
    return ast.Assign([ast.Name("pair", ast.Store())], pair)
instrumented.install(os.getcwd(), with_first(make))
import module
assert [thing is one for thing in module.pair] == [True, False, True] and module.pair[1] is other
print(json.dumps(len(module.pair)))
"""
    assert run(script, {"module.py": "x = 1\n"}) == 3


def test_only_the_directory_is_changed_and_no_bytecode_is_used_or_left(run):
    script = """
seen = []
sys.dont_write_bytecode = False
with open("top/stale.py") as file:
    text = file.read()
with open("top/stale.py", "w") as file:
    file.write("WORD = 'stale'")
py_compile.compile("top/stale.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
with open("top/stale.py", "w") as file:
    file.write(text)
instrumented.install("top", lambda path, tree: seen.append(path))
sys.path[:0] = ["top", "topmost"]
import stale, other, within.deep, outside
kept = sorted(os.listdir("top/__pycache__")) + os.listdir("top/within")
print(json.dumps([seen, stale.WORD, len(kept), os.path.exists("topmost/__pycache__")]))
"""
    files = {
        "top/stale.py": "WORD = 'fresh'",
        "top/other.py": "",
        "top/within/deep.py": "",
        "topmost/outside.py": "",
    }
    seen, word, kept, outside = run(script, files)
    assert seen == ["stale.py", "other.py", "within/deep.py"]
    assert word == "fresh"
    assert kept == 2, "the one file of bytecode that was there, and the source"
    assert outside


def test_what_does_not_compile_when_changed_is_compiled_as_it_is(run):
    script = """
def transform(path, tree):
    if path == "deep.py":
        raise RecursionError
    tree.body.insert(0, ast.Return(None, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0))
    return tree
instrumented.install(os.getcwd(), transform)
import deep, plain
try:
    import broken
except SyntaxError as error:
    print(json.dumps([deep.X, plain.X, os.path.basename(error.filename), error.lineno]))
"""
    files = {"deep.py": "X = 1", "plain.py": "X = 2", "broken.py": "x = 1\ny = = 2\n"}
    assert run(script, files) == [1, 2, "broken.py", 2]


def test_a_loader_that_compiles_by_itself_is_left_alone(run):
    script = """
class Loader(importlib.machinery.SourceFileLoader):
    def source_to_code(self, data, path, **options):
        return compile(b"X = 'its own'", path, "exec")
class Inheriting(importlib.machinery.SourceFileLoader):
    pass
seen = []
instrumented.install(os.getcwd(), lambda path, tree: seen.append(path))
def load(name, loader):
    path = os.path.abspath(name + ".py")
    spec = importlib.util.spec_from_file_location(name, path, loader=loader(name, path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
found = [load("one", Loader).X, load("two", Inheriting).X]
print(json.dumps([found, seen]))
"""
    assert run(script, {"one.py": "X = 1", "two.py": "X = 2"}) == [["its own", 2], ["two.py"]]


def test_warnings_of_the_source_itself_are_given_once(run):
    script = """
instrumented.install(os.getcwd(), with_first(lambda path, node: ast.Expr(ast.Call(embed(len), [embed([])], []))))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import module
print(json.dumps(sorted(str(warning.message)[:12] for warning in caught)))
"""
    given = run(script, {"module.py": 'x = []\ny = x is "word"\nz = "\\d"\n'})
    assert len(given) == 2 and any("literal" in text or '"is" with' in text for text in given)

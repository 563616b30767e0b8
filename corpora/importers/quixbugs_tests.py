"""QuixBugs' JSON test cases and pytest files, as steps that need no pytest."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mendlab.corpora.importers.plain_text import read_text
from mendlab.corpora.importers.skip_conditions import condition_holds
from mendlab.corpora.python_source import PythonSource, parse_python
from mendlab.errors import FormatError
from mendlab.records import Step, StepGroup

Case = list[Any]
"""Arguments, and the expected result."""

_COMPARE = '''\
import math

def plain(value):
    """Return the value with lists for tuples, generators and other iterables, as JSON has them."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return value
    return [plain(each) for each in value]

def agree(actual, expected):
    if isinstance(expected, list):
        actual = plain(actual)
        return isinstance(actual, list) and len(actual) == len(expected) and all(map(agree, actual, expected))
    if isinstance(expected, float):
        return math.isclose(actual, expected, rel_tol=1e-6, abs_tol=1e-12)
    return actual == expected
'''

_PYTEST = '''\
class pytest:
    """What the tests need of pytest."""
    use_correct, run_slow = True, False

    class approx:
        def __init__(self, expected, rel=None, abs=None):
            relative = rel if rel is not None else 1e-6 if abs is None else 0.0
            absolute = abs if abs is not None else 1e-12
            self.expected, self.tolerance = expected, max(relative * max(expected, -expected), absolute)

        def __eq__(self, actual):
            return actual == self.expected or -self.tolerance <= actual - self.expected <= self.tolerance
'''
_PYTEST_NAMES = {"approx", "skip", "run_slow", "use_correct"}


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file with one JSON list ``[arguments, expected]`` a line; one bare argument is wrapped.

    Raises:
        FormatError: a line is something else.
    """
    cases = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            arguments, expected = json.loads(line, parse_constant=_no_constant)
        except (ValueError, TypeError, RecursionError) as error:
            raise FormatError(f"not a JSON list [arguments, expected]: {error}", where=f"{path}:{number}") from error
        cases.append([arguments if isinstance(arguments, list) else [arguments], expected])
    return cases


def json_group(name: str, cases: Sequence[Case]) -> StepGroup:
    """Return a test for each case: ``name(*arguments)`` agrees with what is expected, floats to one in a million."""
    steps = (
        Step(code=f"assert agree({name}(*{arguments!r}), {expected!r})", test_id=f"json[{number}]")
        for number, (arguments, expected) in enumerate(cases)
    )
    return StepGroup(setup=_COMPARE, steps=tuple(steps))


def pytest_group(path: Path, cases: Sequence[Case] | None) -> StepGroup:
    """Return the tests of one of the repository's pytest files: each function, or each of its cases, by itself.

    Modules beside it that it imports are put in its place; a case that it would skip is left out.

    Raises:
        FormatError: it uses more of pytest than can be done without it.
        InputError: it is not Python.
    """
    source = parse_python(str(path), read_text(path))
    setup = [] if cases is None else [_literal(cases)]
    steps: list[Step] = []
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            cut, node.decorator_list = node.decorator_list, []
            setup.append(source.statement(node))
            steps.extend(_calls(source, node, cut, cases or ()))
        else:
            setup.extend(_kept(source, node, path))
    used = {each.attr for each in ast.walk(source.tree) if isinstance(each, ast.Attribute) and _is_pytest(each.value)}
    if used - _PYTEST_NAMES:
        raise FormatError(f"uses pytest.{min(used - _PYTEST_NAMES)}, which cannot be done without pytest", where=path)
    if not steps:
        raise FormatError("has no test function", where=path)
    return StepGroup(setup="\n".join([_PYTEST, *setup] if used - {"use_correct"} else setup) + "\n", steps=tuple(steps))


def _kept(source: PythonSource, node: ast.stmt, path: Path) -> Iterator[str]:
    """What stands in the setup for a statement between the tests."""
    imported = _imported(node)
    if imported & {"python_programs", "correct_python_programs", "load_testdata", "pytest"}:
        return
    beside = [each for each in (path.with_name(f"{module}.py") for module in sorted(imported)) if each.is_file()]
    if beside:
        yield from (read_text(each).strip() for each in beside)
        return
    changed = _CasesForTheirLoader()
    replaced = changed.visit(node)
    yield ast.unparse(replaced) if changed.found else source.statement(node)


def _imported(node: ast.stmt) -> set[str]:
    """The packages, or modules at top level, that a statement imports from."""
    modules: set[str] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.ImportFrom):
            modules.add(each.module or "")
        elif isinstance(each, ast.Import):
            modules.update(alias.name for alias in each.names)
    return {module.partition(".")[0] for module in modules}


class _CasesForTheirLoader(ast.NodeTransformer):
    """Puts the cases where the file loads them."""

    found = False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "load_json_testcases":
            self.found = True
            return ast.Name("json_testcases", ast.Load())
        return self.generic_visit(node)


def _calls(
    source: PythonSource, node: ast.FunctionDef, decorators: list[ast.expr], cases: Sequence[Case]
) -> Iterator[Step]:
    parameters = [each.arg for each in node.args.args]
    if not decorators and not parameters:
        yield Step(code=f"{node.name}()", test_id=node.name)
        return
    match decorators:
        case [ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, values])]:
            rows = cases if isinstance(values, ast.Name) else _rows(source, values)
        case _:
            where = f"{source.path}:{node.lineno}"
            raise FormatError(f"{node.name} needs fixtures or marks of pytest", where=where)
    for number, row in enumerate(rows):
        if not _skipped(source, node, dict(zip(parameters, row, strict=False))):
            call = f"{node.name}(*{ast.unparse(values)}[{number}])"
            yield Step(code=call, test_id=f"{node.name}[{number}]")


def _skipped(source: PythonSource, node: ast.FunctionDef, arguments: dict[str, Any]) -> bool:
    for statement in node.body:
        match statement:
            case ast.If(test=test, body=[ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="skip")))]):
                if _is_pytest(owner) and condition_holds(test, arguments, where=f"{source.path}:{statement.lineno}"):
                    return True
    return False


def _rows(source: PythonSource, values: ast.expr) -> Sequence[Case]:
    try:
        return list(ast.literal_eval(values))
    except (ValueError, TypeError) as error:
        raise FormatError("parameters that are not written out", where=f"{source.path}:{values.lineno}") from error


def _is_pytest(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "pytest"


def _literal(cases: Sequence[Case]) -> str:
    return "json_testcases = [\n" + "".join(f"    {case!r},\n" for case in cases) + "]"


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")

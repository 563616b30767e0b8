"""Cases as a plain pytest file that a person would keep, formatted as ruff does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from mendlab.verify.newtests.cases import Case, snake
from mendlab.verify.newtests.spelling import STANDARD

LINE: Final = 88
_ABOUT: Final = {
    "aimed": "Inputs on which a defective version of it went wrong.",
    "rival": "Inputs on which other mistakes in it would show.",
    "boundary": "Boundary cases.",
    "unasked": "Boundary cases unlike what other tests ask for: as it is, not as it must be.",
}
_ENDINGS: Final = {
    "aimed": "",
    "rival": "_further",
    "boundary": "_at_boundaries",
    "unasked": "_beyond_other_tests",
}


def write_file(cases: Sequence[Case]) -> tuple[str, list[tuple[Case, str]]]:
    """Return the text of the file, and its cases in the order in which pytest finds them, each with its function."""
    ordered = sorted(cases, key=_group)
    names: dict[str, int] = {}
    blocks: list[str] = []
    placed: list[tuple[Case, str]] = []
    for _, group in groupby(ordered, key=_group):
        some = list(group)
        name = _name(some[0])
        names[name] = names.get(name, 0) + 1
        if names[name] > 1:
            name = f"{name}_{names[name]}"
        blocks.append(_test(name, some))
        placed += [(case, name) for case in some]
    subjects = ", ".join(dict.fromkeys(f"{case.module}.{case.function}" for case in ordered))
    body = "\n\n\n".join(blocks)
    head = [
        f'"""New tests of {subjects}."""' if len(subjects) < 60 else '"""New tests."""',
        "",
        *_imports(ordered, body),
    ]
    return "\n".join(head) + f"\n\n\n{body}\n", placed


def _group(case: Case) -> tuple[object, ...]:
    return (
        case.module,
        case.function,
        _what(case),
        case.form,
        case.changed or 0,
        case.names,
        case.keywords,
        case.expected if case.form == "raises" else "",
        case.expected in ("True", "False", "None"),
        case.first,
        case.last,
    )


def _what(case: Case) -> str:
    return case.kind if case.judged else "unasked"


def _name(case: Case) -> str:
    ending = _ENDINGS[_what(case)]
    middle = {
        "returns": "",
        "has_type": "_keeps_its_type",
        "changes": f"_changes_{case.names[case.changed or 0]}" if case.form == "changes" else "",
        "raises": f"_raises_{snake(case.expected)}",
        "sequence": f"_raises_{snake(case.raises)}" if case.raises else "",
    }[case.form]
    return f"test_{snake(case.function)}{middle}{ending or ('_regression' if case.form == 'returns' else '')}"


def _imports(cases: Sequence[Case], body: str) -> Iterator[str]:
    """Yield the lines of imports, in isort's order: the standard library's, pytest, the program's."""
    wanted: dict[bool, dict[str, set[str]]] = {True: {}, False: {}}
    for case in cases:
        for module, name in case.imports:
            wanted[STANDARD.get(name) == module].setdefault(module, set()).add(name)
    standard = [*(["import asyncio"] if "asyncio.run(" in body else []), *_from(wanted[True])]
    sections = [standard, ["import pytest"] if "pytest." in body else [], list(_from(wanted[False]))]
    for number, section in enumerate(section for section in sections if section):
        yield from ["", *section] if number else section


def _from(wanted: Mapping[str, set[str]]) -> Iterator[str]:
    for module in sorted(wanted):
        names = sorted(wanted[module], key=lambda name: (not name.isupper(), not name[:1].isupper(), name))
        line = f"from {module} import {', '.join(names)}"
        if len(line) <= LINE:
            yield line
        else:
            yield from (f"from {module} import (", *(f"    {name}," for name in names), ")")


def _test(name: str, cases: Sequence[Case]) -> str:
    case = cases[0]
    if case.form == "sequence":
        lines = [f"def {name}():", *(f"    {line}" for line in case.first)]
        if case.raises:
            return "\n".join([*lines, f"    with pytest.raises({case.raises}):", f"        {case.last}"])
        return "\n".join([*lines, f"    assert {case.last} {_compare(case)} {case.expected}"])
    if len(cases) == 1 and (line := _single(case)) is not None:
        return f"def {name}():\n    {line}"
    parameters = [*case.names, *([] if case.form == "raises" else ["expected"])]
    lines = ["@pytest.mark.parametrize("]
    if len(parameters) == 1:
        lines.append(f'    "{parameters[0]}",')
    else:
        quoted = [f'"{each}"' for each in parameters]
        whole = f"    ({', '.join(quoted)}),"
        lines += [whole] if len(whole) <= LINE else ["    (", *(f"        {each}," for each in quoted), "    ),"]
    lines += ["    [", *(line for each in _labelled(cases) for line in _row(*each)), "    ],", ")"]
    lines += _spread(f"def {name}(", parameters, "):", LINE)
    lines += [f'    """{_ABOUT[_what(case)]}"""', *(f"    {line}" for line in _body(case))]
    return "\n".join(lines)


def _single(case: Case) -> str | None:
    """Return the one line of a test of one case, if it has one."""
    if case.form != "returns" or case.label:
        return None
    line = f"assert {case.call(case.arguments)} {_compare(case)} {case.expected}"
    return line if len(line) + 4 <= LINE else None


def _compare(case: Case) -> str:
    return "is" if case.expected in ("True", "False", "None") else "=="


def _labelled(cases: Sequence[Case]) -> Iterator[tuple[Case, str]]:
    """Yield the cases, each with a label that no other has, or none."""
    seen: dict[str, int] = {}
    for case in cases:
        seen[case.label] = seen.get(case.label, 0) + 1
        yield case, f"{case.label} {seen[case.label]}" if case.label and seen[case.label] > 1 else case.label


def _row(case: Case, label: str) -> list[str]:
    values = [
        *case.arguments,
        *([] if case.form == "raises" else [case.exactly if case.form == "has_type" else case.expected]),
    ]
    if label:
        values.append(f'id="{label}"')
    opening, closing = ("pytest.param(", "),") if label else ("(", "),")
    if len(values) == 1 and not label:
        opening, closing = "", ","
    whole = f"        {opening}{', '.join(values)}{closing}"
    if len(whole) <= LINE or not opening:
        return [whole]
    return [f"        {opening}", *(f"            {value}," for value in values), f"        {closing}"]


def _body(case: Case) -> list[str]:
    call = _call_lines(case)
    match case.form:
        case "raises":
            return [f"with pytest.raises({case.expected}):", *(f"    {line}" for line in call)]
        case "changes":
            return [*call, f"assert {case.names[case.changed or 0]} == expected"]
        case "has_type":
            return [*_assigned(call), "assert result == expected", "assert type(result) is type(expected)"]
    if len(call) == 1 and len(call[0]) + 23 <= LINE:
        return [f"assert {call[0]} {_compare(case)} expected"]
    return [*_assigned(call), f"assert result {_compare(case)} expected"]


def _assigned(call: list[str]) -> list[str]:
    return [f"result = {call[0]}", *call[1:]]


def _call_lines(case: Case) -> list[str]:
    whole = case.call(case.names)
    if len(whole) + 17 <= LINE or case.wrapping:
        return [whole]
    opening, _, inside = whole.partition("(")
    return _spread(f"{opening}(", inside.removesuffix(")").split(", "), ")", LINE - 17)


def _spread(opening: str, parts: Sequence[str], closing: str, most: int) -> list[str]:
    """Return something in brackets on one line, or with its inside on one, or with a line for each part."""
    inside = ", ".join(parts)
    if len(opening + inside + closing) <= most:
        return [opening + inside + closing]
    if len(inside) + 4 <= most:
        return [opening, f"    {inside}", closing]
    return [opening, *(f"    {part}," for part in parts), closing]

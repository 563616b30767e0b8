"""What a model writes: read as a mutant of one function, or refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.functions import functions_of
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.tree import FileTree
from mendlab.mutators.injecting.making import Choice
from mendlab.mutators.written.inject import places_to_write
from mendlab.mutators.written.places import WrittenPlace, written_places
from mendlab.mutators.written.reading import read_defect
from mendlab.records import DropReason, FunctionHarness, Provenance, StepGroup, Subject

SOURCE = '''import math


def area(r):
    """Return the area."""
    return math.pi * r * r


class Stack:
    @property
    def top(self):
        # the last one
        return self.items[-1]

    def push(self, x, *, twice=False):
        self.items.append(x)
        if twice:
            self.items.append(x)


def outer():
    def inner():
        return 1
    return inner
'''


def loaded(source: str = SOURCE, name: str = "m") -> LoadedSubject:
    data = source.encode()
    tree = FileTree({"m.py": data})
    subject = Subject(
        id=name,
        snapshot=tree.digest,
        harness=FunctionHarness(module="m.py", groups=(StepGroup(steps=()),)),
        source_files=("m.py",),
        functions=functions_of("m.py", data),
        provenance=Provenance(source="these tests"),
    )
    return LoadedSubject(subject, tree)


def place(name: str, source: str = SOURCE) -> WrittenPlace:
    return next(each for each in written_places([loaded(source)]) if each.info.qualified_name == name)


def test_functions_and_methods_are_asked_for_and_what_is_inside_them_is_part_of_them() -> None:
    assert [each.info.qualified_name for each in written_places([loaded()])] == [
        "area",
        "Stack.top",
        "Stack.push",
        "outer",
    ]
    assert place("Stack.top").text.startswith("    @property\n    def top(self):")
    assert place("area").docstring == "Return the area."


def test_the_body_is_hidden_where_it_is_to_be_written_anew() -> None:
    hidden = place("area").without_body
    assert '    """Return the area."""\n    ...\n' in hidden
    assert "math.pi" not in hidden and "class Stack" in hidden


@pytest.mark.parametrize("source", [SOURCE, SOURCE.replace("\n", "\r\n"), "\ufeff" + SOURCE])
def test_an_answer_is_a_mutant_of_its_function(source: str) -> None:
    answer = 'Here:\n```python\ndef area(r):\n    """Return the area."""\n    return math.pi * r * 2\n```\n'
    mutant = read_defect(place("area", source), answer)
    assert not isinstance(mutant, DropReason)
    assert (mutant.original, mutant.replacement, mutant.function) == ("r", "2", "area")
    assert mutant.source == source.replace("r * r", "r * 2")


def test_a_method_may_come_without_its_indentation() -> None:
    body = "    self.items.append(x)\n    if not twice:\n        self.items.append(x)\n"
    answer = f"```python\ndef push(self, x, *, twice=False):\n{body}```"
    mutant = read_defect(place("Stack.push"), answer)
    assert not isinstance(mutant, DropReason)
    assert mutant.source == SOURCE.replace("if twice", "if not twice")


AREA = 'def area(r):\n    """Return the area."""\n    return {}\n'


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("I cannot do that.", DropReason.UNUSABLE_ANSWER),
        ("", DropReason.UNUSABLE_ANSWER),
        ("```python\ndef circle(r):\n    return r\n```", DropReason.UNUSABLE_ANSWER),
        (f"```python\nimport cmath\n\n{AREA.format('r')}```", DropReason.UNUSABLE_ANSWER),
        (f"```python\n{AREA.format('r')}\n\ndef outer():\n    return 2\n```", DropReason.UNUSABLE_ANSWER),
        ("```python\ndef area(r, s=1):\n    return r\n```", DropReason.UNUSABLE_ANSWER),
        ("```python\nasync def area(r):\n    return r\n```", DropReason.UNUSABLE_ANSWER),
        ("```python\n@cache\ndef area(r):\n    return r\n```", DropReason.UNUSABLE_ANSWER),
        (f"```python\n{AREA.format('math.pi * r *')}```", DropReason.UNUSABLE_ANSWER),
        (f"```python\n{AREA.format('break')}```", DropReason.UNUSABLE_ANSWER),
        (f"```python\n{AREA.format('(yield r) + (await r)')}```", DropReason.DOES_NOT_COMPILE),
        (f"```python\n{AREA.format('math.pi * r * r')}```", DropReason.EQUAL_CODE),
        (f"```python\n{AREA.format('(math.pi * r * r)  # the area')}```", DropReason.EQUAL_CODE),
        (f"```python\n{AREA.format('math.pi * r  # BUG: once')}```", DropReason.GIVES_ITSELF_AWAY),
        (f"```python\n{AREA.format('math.pi * r').replace('area.', 'wrong area.')}```", DropReason.GIVES_ITSELF_AWAY),
    ],
)
def test_what_is_no_mutant_is_refused_with_the_reason(answer: str, reason: DropReason) -> None:
    assert read_defect(place("area"), answer) is reason


def test_a_word_that_stood_there_before_gives_nothing_away() -> None:
    source = SOURCE.replace("# the last one", "# wrong for an empty stack")
    answer = "```python\n@property\ndef top(self):\n    # wrong for an empty stack\n    return self.items[0]\n```"
    assert not isinstance(read_defect(place("Stack.top", source), answer), DropReason)


def test_programs_and_functions_take_turns_and_each_is_asked_for_as_often_as_it_may() -> None:
    subjects = [loaded(name=name) for name in ("a", "b")]
    asked = places_to_write(subjects, Choice(per_function=2), "change")
    assert len(asked) == 16
    assert [time for _, time in asked] == [0] * 8 + [1] * 8
    assert len({each.loaded.subject.id for each, _ in asked[:2]}) == 2
    assert {each.info.qualified_name for each, _ in places_to_write(subjects, Choice(), "rewrite")} == {"area"}


def test_every_function_of_the_bundled_programs_can_be_asked_for(tmp_path: Path) -> None:
    subjects = [each for each in read_subjects("bundled") if isinstance(each, LoadedSubject)]
    found = list(written_places(subjects))
    assert len(found) > 300
    for each in found:
        assert read_defect(each, f"```python\n{each.text}\n```") is DropReason.EQUAL_CODE, each.id

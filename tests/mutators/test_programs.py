"""Mutants made when a function's turn comes: the same ones, in the same order, as if all had been made before."""

from __future__ import annotations

from itertools import islice

import pytest

from mendlab.corpora.text import decode
from mendlab.mutators import enumerate_mutants
from mendlab.mutators.choosing.picking import functions_named, inside
from mendlab.mutators.choosing.sampling import Balance, in_turn
from mendlab.mutators.enumeration import enumerate_by_function
from mendlab.mutators.injecting.first_order import drawn
from mendlab.mutators.injecting.making import Choice
from mendlab.mutators.injecting.programs import Made, Programs

FILES = {
    "shapes.py": """\
LIMIT = 3


class Shape:
    sides = 0

    def area(self, scale=1):
        def clamp(x):
            return min(x, LIMIT)
        return clamp(self.sides * scale)

    def area_again(self, scale=1):
        return self.sides * scale


def twice(x):
    return x + x


def twice(x):
    return x + x
""",
    "names.py": "def empty():\n    pass\n\n\ndef full(first, last):\n    return f'{first} {last}'.strip()\n",
    "test_shapes.py": "from shapes import twice\n\ndef test_twice():\n    assert twice(2) == 4\n",
}


@pytest.fixture
def loaded(shapes):
    (found,) = shapes.read(shapes.project(FILES))
    return found


def all_mutants(loaded):
    for path in loaded.subject.source_files:
        text = decode(path, loaded.tree[path]).text
        yield from enumerate_mutants(text, path=f"{loaded.subject.id}:{path}", distinct=True)


def silent(stage, done, total):
    pass


def test_each_function_checked_by_itself_has_the_mutants_that_it_has_among_all():
    text = FILES["shapes.py"]
    whole = [(mutant.function, mutant.id) for mutant in enumerate_mutants(text, distinct=True)]
    apart = enumerate_by_function(text)
    assert {None, "Shape", "Shape.area", "Shape.area.<locals>.clamp", "twice"} <= set(apart)
    for function in reversed(list(apart)):
        assert [(function, mutant.id) for mutant in apart[function]()] == [
            each for each in whole if each[0] == function
        ]


@pytest.mark.parametrize("strategy", ["uniform", "family"])
def test_what_is_drawn_does_not_depend_on_what_is_made(loaded, strategy):
    mutants = list(all_mutants(loaded))
    expected = [mutant.id for mutant in in_turn(mutants, seed=3, strategy=strategy, balance=Balance())]
    programs = Programs([loaded], None, silent)
    choice = Choice(seed=3, strategy=strategy)
    assert [mutant.id for _, mutant in drawn(programs, choice)] == expected
    assert programs.made([loaded.subject.id]) == Made(len(mutants), 9, 9)


def test_no_function_is_mutated_before_its_turn(loaded):
    told = []
    programs = Programs([loaded], None, lambda *progress: told.append(progress))
    assert told == []
    assert len(list(islice(drawn(programs, Choice(seed=3)), 2))) == 2
    made = programs.made([loaded.subject.id])
    assert made.functions in (2, 3)
    assert told[0] == ("functions mutated", 0, 9)
    assert told[-1] == ("functions mutated", made.functions, 9)


def test_of_one_function_no_other_is_mutated(loaded):
    functions = functions_named("area", ["Shape.area", "Shape.area_again", "full"])
    programs = Programs([loaded], None, silent, functions)
    expected = [mutant.id for mutant in inside(all_mutants(loaded), functions, None)]
    assert sorted(mutant.id for _, mutant in drawn(programs, Choice())) == sorted(expected)
    assert {mutant.function for mutant in programs.mutants(loaded)} == {"Shape.area", "Shape.area.<locals>.clamp"}
    assert programs.made([loaded.subject.id]).of_functions == 2

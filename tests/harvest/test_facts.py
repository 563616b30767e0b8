"""What is told of a candidate besides its patches: the functions it touches, and its licence."""

from __future__ import annotations

import pytest
from written_histories import History

from mendlab.harvest.licences import licence_at, licence_of
from mendlab.harvest.records import Candidate
from mendlab.harvest.touched import touched_functions

BEFORE = """\
import os

class Box:
    def get(self):
        def inner():
            return 1
        return inner()

    @property
    def size(self):
        return 2

    def gone(self):
        pass

def first():
    return 1

def twice(): return 1
def twice(): return 2
"""
AFTER = """\
import os, sys

class Box:
    def get(self):
        def inner():
            return 3
        return inner()

    @cached
    def size(self):
        return 2

    def came(self):
        pass

def first():
    return 1

def twice(): return 1
def twice(): return 3
"""


def test_functions_touched(mined) -> None:
    history = History()
    history.commit("Begin", {"box.py": BEFORE, "same.py": "def f():\n    pass\n", "broken.py": "print 1\n"})
    history.commit("Fix", {"box.py": AFTER, "broken.py": "print 2\n", "tests/test_box.py": "def test(): pass\n"})
    copy, found = mined(history)
    assert isinstance(found[2], Candidate)
    assert touched_functions(copy, found[2]) == (
        "box.py::Box.get.<locals>.inner",
        "box.py::Box.size",
        "box.py::Box.came",
        "box.py::twice",
        "box.py::Box.gone",
    )


MIT = b"MIT License\n\nPermission is hereby granted, free of charge, to any\nperson obtaining a copy of this software"
BSD = b"Redistribution and use in source and binary forms, with or without modification"


@pytest.mark.parametrize(
    ("files", "licence"),
    [
        ({}, None),
        ({"LICENSE": b"All rights reserved"}, None),
        ({"LICENSE.txt": MIT}, "MIT"),
        ({"LICENCE": BSD}, "BSD-2-Clause"),
        ({"COPYING": BSD + b"\n3. Neither the name of x nor"}, "BSD-3-Clause"),
        ({"LICENSE": b"        Apache License\n   Version 2.0, January 2004"}, "Apache-2.0"),
        ({"LICENSE.APACHE": b"Apache License\nVersion 2.0", "LICENSE.BSD": BSD}, "Apache-2.0 OR BSD-2-Clause"),
        ({"COPYING": b"GNU GENERAL PUBLIC LICENSE\n  Version 3, 29 June 2007"}, "GPL-3.0"),
        ({"COPYING": b"GNU LESSER GENERAL PUBLIC LICENSE\n  Version 2.1, February 1999"}, "LGPL-2.1"),
        ({"pyproject.toml": b'[project]\nlicense = "MIT OR 0BSD"\n', "LICENSE": BSD}, "MIT OR 0BSD"),
        ({"pyproject.toml": b'[project]\nlicense = {file = "LICENSE"}\n', "LICENSE": MIT}, "MIT"),
        ({"pyproject.toml": b'[project]\nclassifiers = ["License :: OSI Approved :: MIT License"]\n'}, "MIT"),
        ({"LICENSE": MIT + b"\nParts: PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2"}, "MIT"),
        ({"pyproject.toml": b"not toml", "LICENSE": MIT}, "MIT"),
    ],
)
def test_licences(files: dict[str, bytes], licence: str | None) -> None:
    assert licence_of(files) == licence


def test_the_licence_of_a_commit(copied) -> None:
    history = History()
    history.commit("Begin", {"LICENSE": MIT, "pkg/COPYING": b"GNU GENERAL PUBLIC LICENSE Version 3"})
    history.commit("Change it", {"LICENSE": BSD})
    copy, ids = copied(history)
    assert [licence_at(copy, ids[number]) for number in (1, 2)] == ["MIT", "BSD-2-Clause"]

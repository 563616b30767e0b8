"""Which one function two trees differ in."""

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.verify.equivalence.changed import changed_helper, module_of

GOOD = """LIMIT = 3

def f(x):
    return g(x)

def g(x):
    return x + 1

class C:
    def m(self):
        return 1
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return x + 1", "return x + 2", ("pkg.mod", "g")),
        ("return 1\n", "return 2\n", ("pkg.mod", "C.m")),
        ("LIMIT = 3", "LIMIT = 4", None),
        ("def g(x):", "def g(x, y=0):", None),
        ("return g(x)\n\ndef g(x):\n    return x + 1", "return g(x) + 1\n\ndef g(x):\n    return x", None),
        ("class C:", "class C(Base):", None),
        ("    return x + 1", "    return (", None),
    ],
)
def test_the_one_that_differs(old, new, expected):
    good = FileTree({"pkg/mod.py": GOOD.encode(), "other.txt": b""})
    assert GOOD.count(old) == 1
    assert changed_helper(good, good.replace({"pkg/mod.py": GOOD.replace(old, new).encode()}), []) == expected


def test_names_of_modules():
    assert module_of("solution.py") == "solution"
    assert module_of("src/pkg/sub/__init__.py") == "pkg.sub"
    assert module_of("pkg/mod.py") == "pkg.mod"

"""The test modules that a commit's test patch touches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from mendlab.corpora.pytest_layout import is_test_module, test_patterns
from mendlab.corpora.tree import FileTree
from mendlab.errors import MendlabError
from mendlab.harvest.trees import CommitTrees


def touched_modules(commit: CommitTrees) -> list[str]:
    """Return the test modules that the test patch touches; for data or a conftest file, those beside and below it."""
    modules = modules_of_tests(commit.fix)
    touched = [path for path in commit.touched_tests if path in modules]
    if touched:
        return touched
    for path in commit.touched_tests:
        touched += _around(path, modules, commit.fix)
    return list(dict.fromkeys(touched))


def modules_of_tests(tree: FileTree) -> list[str]:
    """Return the test modules of a tree; by pytest's default where its configuration cannot be read."""
    try:
        patterns = test_patterns(tree)
    except MendlabError:
        patterns = ("test_*.py", "*_test.py")
    return [path for path in tree if is_test_module(path, patterns)]


def _around(path: str, modules: Sequence[str], tree: FileTree) -> list[str]:
    """The nearest test modules beside or above a file: of these, those called after it or its folder, or that name it.

    All of them, if none is.
    """
    *folders, name = path.split("/")
    words = [name.partition(".")[0]]
    while folders:
        near = [module for module in modules if module.startswith("/".join(folders) + "/")]
        if near:
            called = [m for m in near if get_close_matches(_topic(m), words, 1, 0.85)]
            mention = re.compile(rb"\b(?:" + "|".join(map(re.escape, words)).encode() + rb")\b")
            return called or [m for m in near if mention.search(tree[m])] or near
        words.append(folders.pop())
    return []


def _topic(module: str) -> str:
    return module.rpartition("/")[2].removesuffix(".py").removeprefix("test_").removesuffix("_test")

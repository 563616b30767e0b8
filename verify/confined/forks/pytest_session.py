"""Forks of a pytest session that has collected the good tree and run none of its tests: see :mod:`fork_server`.

A fork gives functions their changed code in place (:mod:`code_swap`). Python 3.8 to 3.13, pytest 6.2 and later.
"""

import sys
import unittest

load = sys.modules["__main__"].load
before_import = load("before_import")
fork_server = load("fork_server")
code_swap = load("code_swap")
function_heads = load("function_heads")
source_reads = load("source_reads")


class Collected(fork_server.ForkServer):  # type: ignore[name-defined,misc]
    """Made before the tree is imported, serves when its tests are collected."""

    def __init__(self, fd, files, work, wiped):
        super().__init__(fd, files, work, wiped)
        self._reads = source_reads.SourceReads(work)
        self._watch = code_swap.Watch(work)

    def serve(self, session, adopt, altered):
        """Answer until the connection ends. ``adopt(emit, request)`` makes a fork the one that tells its results.

        ``altered`` are the functions of pytest's that the good tree replaces.
        """
        self._watch.stop()
        self._items = {item.nodeid: item for item in session.items}
        self._session = session
        self._adopt = adopt
        sources = (data for path, (data, _) in self.files.items() if path.endswith(".py"))
        heads = None if any(map(function_heads.READERS.search, sources)) else function_heads
        self._image = code_swap.Image(self.work, self._watch, self._reads, heads)
        self._reads.stop()
        groups = {test_id: group_of(item) for test_id, item in self._items.items()}
        groups = {test_id: group for test_id, group in groups.items() if group}
        self.answer_all(
            modules=before_import.from_elsewhere(self.work), altered=altered, groups=groups, tests=list(self._items)
        )

    def take_in(self, changes):
        """Return ``[(function, attribute, value)]`` to be set."""
        swaps = []
        try:
            for path, content in changes.items():
                swaps += self._image.swaps(path, self.files[path][0], content)
        except code_swap.Unswappable as why:
            raise fork_server.Refused(str(why)) from None
        return swaps

    def begin(self, request, taken, emit):
        """Run the tests."""
        for function, attribute, value in taken:
            setattr(function, attribute, value)
        self._adopt(emit, request)
        tests = request["tests"]
        for test_id, following in zip(tests, [*tests[1:], None]):  # to look at an item early is to copy its memory
            item, following = self._items[test_id], self._items.get(following)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._session.shouldstop:
                break
        return False


def group_of(item):
    """Return what the tests have in common that a test shares a fixture with: a class, a file or a folder; or None."""
    named = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    found = [fixture for name, fixtures in named.items() if not is_plain(name, item) for fixture in fixtures]
    if any(fixture.scope == "session" and fixture.params for fixture in found):
        return "/"
    scopes = {fixture.scope for fixture in found}
    if any(map(asks_by_name, [getattr(item, "obj", None), *(fixture.func for fixture in found)])):
        scopes.add("module")
    file, _, inner = item.nodeid.partition("[")[0].partition("::")
    if "package" in scopes:
        return file.rpartition("/")[0] or "/"
    if "module" in scopes:
        return file
    return "%s::%s" % (file, inner.rpartition("::")[0]) if "class" in scopes else None


def asks_by_name(function):
    """Whether a test or a fixture asks for fixtures that its parameters do not name."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and "getfixturevalue" in code.co_names


def is_plain(name, item):
    """Whether a fixture is the one of ``unittest`` for a class that sets up and tears down nothing."""
    if "unittest_setUpClass" not in name or item.cls is None:
        return False
    plain = vars(unittest.TestCase)
    return all(getattr(item.cls, each).__func__ is plain[each].__func__ for each in ("setUpClass", "tearDownClass"))

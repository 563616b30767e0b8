"""Forks of a pytest session that has collected the good tree and run none of its tests: see :mod:`fork_server`.

A fork gives functions their changed code in place (:mod:`code_swap`). Python 3.8 to 3.13, pytest 6.2 and later.
"""

import os
import sys

load = sys.modules["__main__"].load
fork_server = load("fork_server")
code_swap = load("code_swap")
function_heads = load("function_heads")


class Collected(fork_server.ForkServer):  # type: ignore[name-defined,misc]
    """Made before the tree is imported, serves when its tests are collected."""

    def __init__(self, fd, files, work, wiped):
        super().__init__(fd, files, work, wiped)
        self._calls = code_swap.Calls(work)
        self._calls.start()

    def serve(self, session, adopt, altered):
        """Answer until the connection ends. ``adopt(emit, request)`` makes a fork the one that tells its results.

        ``altered`` are the functions of pytest's that the good tree replaces.
        """
        self._calls.stop()
        self._items = {item.nodeid: item for item in session.items}
        self._session = session
        self._adopt = adopt
        self._image = code_swap.Image(self.work, self._calls.seen, function_heads)
        self.answer_all(modules=self.modules(), altered=altered)

    def modules(self):
        """Names of the modules that come from files outside the tree, in the order of their imports.

        Without those that pytest rewrites: it wants to import them itself.
        """
        found = []
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            rewritten = type(getattr(module, "__loader__", None)).__name__ == "AssertionRewritingHook"
            if isinstance(file, str) and not file.startswith(self.work + os.sep) and not rewritten:
                found.append(name)
        return found

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
        items = [self._items[test_id] for test_id in request["tests"]]
        for item, following in zip(items, [*items[1:], None]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._session.shouldstop:
                break
        return False

"""Tells which changes may infect which tests, in one run of the good tree. Python 3.8 to 3.13, standard library only.

Weak mutation (Howden, IEEE TSE 1982): a change of an expression makes no difference to a test in which, each time the
good program comes to it, the old and the new one have interchangeable values and no effects. As in Just, Ernst and
Fraser, Efficient mutation analysis by propagating and partitioning state (ISSTA 2014), all changes are looked at in one
run of the program as it is; the instrumented tree has ``(site() or E)`` in the place of every expression E in question.

A site leaves no trace: it evaluates without effects (:mod:`infection_expressions`), gives back None, and keeps nothing
that belongs to the program. Whatever it cannot tell counts as infected. Not seen is what looks at the program's code
rather than run it, other than by reading its files, and which of two equal strings or numbers an object is.
"""

import sys
import warnings
from typing import Any

load = sys.modules["__main__"].load
instrumented, planning = load("instrumented"), load("infection_plan")
READERS = load("function_heads").READERS
source_reads = load("source_reads")
hear_starts = load("processes").hear_starts

EVERYTHING = "*"
INFECTED = "infected"


class Infection:
    """Watches a run like :class:`pytest_run_lines.Tracer`: in its reports, ``infected`` has numbers of changes.

    ``mutants``: ``[path, first line, last line, text]``: lines of the good tree, from 1, and what stands in their
    place, bytes as Latin-1; of an insertion the last line is the one before. A report with :data:`EVERYTHING` says that
    the test is infected by whatever it reaches. The report on what is common has ``unknown``, too: the changes of which
    nothing can be told.
    """

    def __init__(self, work, files, mutants):
        self.infected: "set[int]" = set()
        self.everything = False
        self.values = 0
        self.visited: "list[Any]" = []
        self._common = self.infected
        self._begun = False  # whether there was a test
        self._common_everything = False
        self._unknown: "set[int]" = set()
        self._sites: "dict[str, tuple[dict[Any, Any], dict[Any, Any]]]" = {}
        self._reads_heads = any(READERS.search(data) for path, (data, _) in files.items() if path.endswith(".py"))
        self._of_path: "dict[str, list[int]]" = {}
        for number, (path, *_) in enumerate(mutants):
            self._of_path.setdefault(path, []).append(number)
        for path in self._of_path:
            self._plan(path, files[path][0], mutants)
        self._imported: "set[str]" = set()
        self._work = work
        self._reads = source_reads.SourceReads(work)
        self.deaf = False  # whether processes are started that are not the tests' doing
        hear_starts(self._started)
        instrumented.install(work, self._transform)

    def common(self):
        """Return the report on what every test depends on."""
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            path = instrumented.inside(self._work, file) if isinstance(file, str) else None
            if path in self._of_path and path not in self._imported:
                self._common.update(self._of_path[path])
        self._take_reads()
        everything = self._common_everything or self.everything
        return {**self._report(self._common, everything), "unknown": sorted(self._unknown)}

    def switch(self):
        """Return the report on the test that ends here, or begin with the next; what is between tests is common."""
        self._take_reads()
        self._begun = True
        if self.infected is self._common:
            self._common_everything = self._common_everything or self.everything
            self._begin(set())
            return {EVERYTHING: [1]}  # no test has ended, so this is not asked for
        report = self._report(self.infected, self.everything)
        self._begin(self._common)
        return report

    def _begin(self, infected):
        for site in self.visited:
            site.renew(self._common)
        self.visited.clear()
        self.infected = infected
        self.values, self.everything = 0, False

    def _report(self, infected, everything):
        return {INFECTED: sorted(infected), **({EVERYTHING: [1]} if everything else {})}

    def _plan(self, path, data, mutants):
        """Make the sites of a file."""
        try:
            plan = planning.Plan(self, data, self._reads_heads)
        except (SyntaxError, ValueError, RecursionError):
            self._unknown.update(self._of_path[path])
            return
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a program may have made errors of them
            for number in self._of_path[path]:
                _, first, last, text = mutants[number]
                if not plan.add(number, first, last, text.encode("latin-1").splitlines(keepends=True)):
                    self._unknown.add(number)
        self._sites[path] = plan.sites, plan.heads

    def _transform(self, path, tree):
        if path not in self._of_path:
            return None
        self._imported.add(path)
        try:
            planning.put(tree, *self._sites.get(path, ({}, {})))
            planning.check(tree)
        except ValueError:  # it is imported without sites then
            self._common.update(self._of_path[path])
            raise
        return tree

    def _started(self, tells):
        if not self.deaf and not (tells and not self._begun):
            self.everything = True

    def _take_reads(self):
        """Count as infected what changes files that were read other than to import them."""
        for path in self._reads.take():
            self.infected.update(self._of_path.get(path, ()))

"""Tells which changes may infect which tests, in one run of the good tree. Python 3.8 to 3.13, standard library only.

Weak mutation (Howden, IEEE TSE 1982): a change of an expression makes no difference to a test in which, each time the
good program comes to it, the old and the new one have interchangeable values and no effects. As in Just, Ernst and
Fraser, Efficient mutation analysis by propagating and partitioning state (ISSTA 2014), all changes are looked at in one
run of the program as it is; the instrumented tree has ``(site() or E)`` in the place of every expression E in question.

A site leaves no trace: it evaluates without effects (:mod:`infection_expressions`), gives back None, and keeps nothing
that belongs to the program. Whatever it cannot tell counts as infected. Not seen is what looks at the program's code
rather than run it, other than by reading its files, and which of two equal strings or numbers an object is.
"""

import ast
import linecache
import os
import sys
import warnings
from typing import Any

load = sys.modules["__main__"].load
changed, expressions, values = (load("infection_" + name) for name in ("changes", "expressions", "values"))
instrumented = load("instrumented")

EVERYTHING = "*"
INFECTED = "infected"
MOST_VISITS = 100  # of one site in one test
MOST_VALUES = 20_000  # in one test
NEAR_THE_LIMIT = 200  # frames
LOOK_DOWN = 32  # calls of a site that has nothing open


class Site:
    """An expression of the good tree, and what changes make of it. ``live``: the changes that are still open."""

    __slots__ = ("_calls", "_good", "_others", "_recorder", "_truth", "_visits", "live")

    def __init__(self, recorder, good, truth):
        self._recorder, self._good = recorder, good
        self._truth = truth
        self._others = []  # type: ignore[var-annotated]
        self._visits = self._calls = 0
        self.live = self._others

    def add(self, change, value_of):
        self._others.append((change, value_of))

    def renew(self, settled):
        """Begin anew, without the changes that are settled for good."""
        self._visits = 0
        self._others = self.live = [other for other in self._others if other[0] not in settled]

    def __call__(self):
        if self.live:
            self._visit(sys._getframe(1))
            return
        self._calls += 1
        if self._calls % LOOK_DOWN == 0 and is_deep():
            self._recorder.everything = True

    def _visit(self, frame):
        recorder = self._recorder
        live = [other for other in self.live if other[0] not in recorder.infected]
        if not self._visits:
            recorder.visited.append(self)
        self._visits += 1
        recorder.values += 1 + len(live)
        within = self._visits <= MOST_VISITS and recorder.values <= MOST_VALUES
        alike = self._alike(frame, live) if within else []
        if len(alike) < len(live):
            recorder.infected.update({change for change, _ in live} - {change for change, _ in alike})
        self.live = alike

    def _alike(self, frame, live):
        """Return those of the changes whose expression is interchangeable with the good one, here and now."""
        if sys.gettrace() is not None or sys.getprofile() is not None or is_deep():
            self._recorder.everything = True  # the run may notice that a site is called
            return []
        scope = expressions.Scope(frame)
        try:
            if not scope.known:
                return []
            good = self._good(scope)
            if self._truth:
                good = values.truth(good)
            return [other for other in live if self._is_same(good, other[1], scope)]
        except Exception:
            return []
        finally:
            scope.close()

    def _is_same(self, good, value_of, scope):
        try:
            value = value_of(scope)
            return values.truth(value) is good if self._truth else values.same(good, value)
        except Exception:
            return False


def is_deep():
    """Whether the stack is so close to the recursion limit that the call of a site may meet it."""
    try:
        sys._getframe(max(1, sys.getrecursionlimit() - NEAR_THE_LIMIT))
    except ValueError:
        return False
    return True


class Infection:
    """Watches a run like :class:`pytest_run_lines.Tracer`: in its reports, ``infected`` has numbers of changes.

    ``mutants``: ``[path, first line, last line, text]``: lines of the good tree, from 1, and what stands in their
    place, bytes as Latin-1; of an insertion the last line is the one before. A report with :data:`EVERYTHING` says that
    the test is infected by whatever it reaches. The report on what is common has ``unknown``, too: the changes of which
    nothing can be told. ``starts``: audit events that begin a process.
    """

    def __init__(self, work, files, mutants, starts):
        self.infected: "set[int]" = set()
        self.everything = False
        self.values = 0
        self.visited: "list[Site]" = []
        self._common = self.infected
        self._common_everything = False
        self._unknown: "set[int]" = set()
        self._sites: "dict[str, dict[Any, Site]]" = {}
        self._of_path: "dict[str, list[int]]" = {}
        self._files = {}
        for number, (path, *_) in enumerate(mutants):
            self._of_path.setdefault(path, []).append(number)
            self._files[os.path.join(work, path)] = path
        for path in self._of_path:
            self._plan(path, files[path][0], mutants)
        self._read = dict.fromkeys(self._of_path, 0)  # how often a file was read, less how often it was imported
        self._imported: "set[str]" = set()
        self._names = {os.path.basename(path) for path in self._of_path}
        self._starts = frozenset(starts)
        sys.addaudithook(self._audit)
        instrumented.install(work, self._transform)

    def common(self):
        """Return the report on what every test depends on."""
        for module in list(sys.modules.values()):
            path = self._files.get(getattr(module, "__file__", None) or "")
            if path is not None and path not in self._imported:
                self._common.update(self._of_path[path])
        self._take_reads()
        everything = self._common_everything or self.everything
        return {**self._report(self._common, everything), "unknown": sorted(self._unknown)}

    def switch(self):
        """Return the report on the test that ends here, or begin with the next; what is between tests is common."""
        self._take_reads()
        if self.infected is self._common:
            self._common_everything = self._common_everything or self.everything
            self._begin(set())
            return {EVERYTHING: [1]}  # no test has ended, so this is not asked for
        report = self._report(self.infected, self.everything)
        self._begin(self._common)
        return report

    def enter_shared(self):
        """Count what is infected as common until :meth:`leave_shared` gets back what this returns."""
        self._take_reads()
        outer = self.infected, self.everything
        self._begin(self._common)
        return outer

    def leave_shared(self, outer):
        self._take_reads()
        self._common_everything = self._common_everything or self.everything
        self._begin(outer[0])
        self.everything = outer[1]

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
            plan = Plan(self, data)
        except (SyntaxError, ValueError, RecursionError):
            self._unknown.update(self._of_path[path])
            return
        for number in self._of_path[path]:
            _, first, last, text = mutants[number]
            try:
                told = plan.add(number, first, last, text.encode("latin-1").splitlines(keepends=True))
            except RecursionError:
                told = False
            if not told:
                self._unknown.add(number)
        self._sites[path] = plan.sites

    def _transform(self, path, tree):
        if path not in self._read:
            return None
        self._read[path] -= 1
        self._imported.add(path)
        for place in sorted(self._sites.get(path, ()), key=len, reverse=True):
            put(tree, place, self._sites[path][place])
        if not compiles(tree):
            self._common.update(self._of_path[path])
            return None
        return tree

    def _audit(self, event, arguments):
        if event == "open":
            name = arguments[0]
            if isinstance(name, str) and os.path.basename(name) in self._names:
                path = self._files.get(os.path.realpath(name))
                if path is not None:
                    self._read[path] += 1
        elif event in self._starts:
            self.everything = True

    def _take_reads(self):
        """Count as infected what changes files that were read other than to import them."""
        for filename, path in self._files.items():
            if self._read[path] > 0:
                self.infected.update(self._of_path[path])
                linecache.cache.pop(filename, None)  # so that the next test that asks for its lines reads it
            self._read[path] = 0


class Plan:
    """The sites of one file, by their place (see :mod:`infection_changes`)."""

    def __init__(self, recorder, data):
        self._recorder = recorder
        self._source = changed.Source(data)
        self._surroundings = changed.Surroundings()
        self.sites: "dict[Any, Site]" = {}

    def add(self, number, first, last, lines):
        """Add a change to sites of its own; returns False where nothing can be told of it."""
        found = self._source.differing(first, last, lines)
        if found is None:
            return False
        outside, statement, paths = found
        ends = {}
        for path in paths:
            widest = self._widest(outside, statement, path)
            if widest is None:
                return False
            ends[widest[0]] = widest
        for place, (_, old, new, nodes) in ends.items():
            if not any(place[:length] in ends for length in range(len(place))):
                self._site(place, old, nodes).add(number, new)
        return True

    def _site(self, place, old, nodes):
        if place not in self.sites:
            truth = place[-1] != changed.OPERATOR and changed.wants_truth(nodes)
            self.sites[place] = Site(self._recorder, old, truth)
        return self.sites[place]

    def _widest(self, outside, statement, path):
        """Return the largest expression around a place, within its statement, both of whose forms can be evaluated.

        As ``(place, old, new, nodes)``: what gives the values, and the nodes from the module to the expression.
        """
        best = None
        for place, nodes, old, new in self._candidates(outside, statement, path):
            made = self._made(nodes, old, new)
            if made is None:
                break
            if place[-1] == changed.OPERATOR or fits(nodes):
                best = (place, *made, nodes)
        return best

    def _candidates(self, outside, statement, path):
        """Yield ``(place, nodes, old, new)`` of the expressions around a place, from the smallest out."""
        for length in range(len(path) - (path[-1] == changed.OPERATOR), 0, -1):
            place = (*outside, *path[:length])
            nodes = list(changed.follow(self._source.tree, place))
            *_, above, new = changed.follow(statement, path[:length])
            if path[-1] != changed.OPERATOR and changed.is_read(nodes[-1]):
                yield place, nodes, nodes[-1], new
            if isinstance(nodes[-2], ast.AugAssign) and place[-1][0] == "value":
                if isinstance(nodes[-2].target, ast.Name):
                    yield (*place, changed.OPERATOR), nodes, changed.binary(nodes[-2]), changed.binary(above)
                return

    def _made(self, nodes, old, new):
        around = self._surroundings.of(nodes)
        if around is None or (around[1] and not expressions.LIVE_LOCALS):
            return None
        try:
            return expressions.build(old, around[0]), expressions.build(new, around[0])
        except values.Unknown:
            return None


def fits(nodes):
    """Whether any expression may stand in the place of the last of some nodes, each the parent of the next."""
    parent, node = nodes[-2:]
    names = [name for name, value in ast.iter_fields(parent) if value is node]
    return changed.fits_in(parent, names[0] if names else "", node)


def put(tree, place, site):
    """Have a site come before the expression at a place."""
    path = place[:-1] if place[-1] == changed.OPERATOR else place
    *_, node = changed.follow(tree, path)
    call = ast.Call(func=instrumented.embed(site), args=[], keywords=[])
    both = ast.BoolOp(op=ast.Or(), values=[call, node])
    for new in (call.func, call, both):
        ast.copy_location(new, node)
    changed.replaced(tree, path, both)


def compiles(tree):
    """Whether a tree can be compiled; warnings come from the compilation that counts."""
    filters: Any = warnings.filters
    warnings.filters = [("ignore", None, Warning, None, 0), *filters]
    try:
        compile(tree, "<changed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return False
    finally:
        warnings.filters = filters
    return True

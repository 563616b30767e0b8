"""The places of a program at which changed expressions are compared with the good one, as it comes by.

Python 3.8 to 3.13, standard library only.
"""

import sys

load = sys.modules["__main__"].load
expressions, values = load("infection_expressions"), load("infection_values")

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

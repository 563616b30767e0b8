"""The pytest plugin that tells the lab what happens, as it happens. Python 3.8 to 3.13, pytest 6.2 and later.

Each event is ``{"nonce", "event", ...}``; nothing without the run's nonce counts:

- ``start``: ``id`` of the test, or of the file, that runs next, so that it is known who died;
- ``result``: ``id``, ``outcome``, ``message``, ``cpu`` (seconds), ``lines`` when tracing;
- ``file``: when tracing, ``id`` and ``lines`` of a file of tests that is collected by itself;
- ``alone``: when tracing, ``id``, ``outcome`` and ``lines`` of a test that is run by itself;
- ``uncollected``: ``id`` of a file, class or directory that gave no tests, ``outcome`` (error or skipped), ``message``;
- ``collected``: collecting is over; in collect mode ``ids``, and ``altered``: functions of pytest's that were replaced;
  in a traced run that may be cut short ``lines``: what every test depends on so far;
- ``broken``: ``message``: conftest files, options or pytest itself failed;
- ``end``: ``code``, pytest's exit code.

A program shares this process with its tests, so one that knows pytest can forge results. Cheap tricks fail: leaving
early loses what was not told yet, the nonce and the channel are in closures alone, forked copies are mute, and nothing
passes once pytest's own functions are replaced.
"""

import contextlib
import doctest
import os
import random
import time

import pytest

MESSAGE_LENGTH = 2000
ALTERED = "the program has changed pytest itself"
TICK = 0.01


class Outcomes:
    """Puts together what one test's phases say. Only setup, call and teardown all passed is ``passed``."""

    def __init__(self):
        self.phases = set()
        self.bad = None
        self.message = ""

    def add(self, when, outcome, message):
        self.phases.add(when)
        if outcome != "passed" and self.bad is None:
            self.bad, self.message = outcome, message
        elif outcome == "error" and self.bad not in ("failed", "error", "out_of_memory"):
            self.bad, self.message = outcome, message

    def outcome(self):
        return self.bad or ("passed" if self.phases >= {"setup", "call", "teardown"} else "missing")


class Wanted:
    """The tests that are asked for: their order by id, their files, and the folders of these; None stands for all."""

    def __init__(self, tests):
        self.order: "dict[str, int] | None" = None
        self.files: "set[str] | None" = None
        self.folders: "set[str]" = set()
        if tests is not None:
            self.choose(tests)

    def choose(self, tests):
        self.order = {test_id: place for place, test_id in enumerate(tests)}
        self.files = {test_id.partition("::")[0] for test_id in tests}
        self.folders = {folder for file in self.files for folder in folders_of(file)}

    def __contains__(self, test_id):
        return self.order is None or test_id in self.order


def make_plugin(request, emit, work, options, tracer, integrity, forks):
    """Return the plugin of one run, and the function that tells its end. ``request`` is as in :mod:`pytest_run`.

    ``integrity`` has the watch over pytest's code, and what makes one over its hooks, or is None. ``forks`` serves
    forks of the session, if it is not None; where there is a tracer, and not each file is collected by itself, it makes
    them, given ``adopt``.
    """
    nonce, mode, seed = (request[name] for name in ("nonce", "mode", "shuffle_seed"))
    by_file = mode == "trace" and "alone" not in request
    watches = [] if integrity is None else [integrity[0]]

    def altered():
        return [name for watch in watches for name in watch()]

    wanted = Wanted(request["tests"])
    expected = set(request["altered"])
    getpid, leave, clocks, make_random = os.getpid, os._exit, (time.thread_time, time.process_time), random.Random
    told_by = {"pid": getpid(), "emit": emit, "stop": request["stop_at_first"], "fork": False}
    current = {}  # id -> (Outcomes, CPU clocks at its start)
    raised: "dict[str, tuple[str, str]]" = {}  # node id -> outcome and message of what was raised there last
    unheard = []  # whether something asked for could not be collected

    def clock():
        return [clock() for clock in clocks]

    def spent(began):
        """CPU seconds; the kernel counts those of a process with a limit in ticks alone, those of a thread exactly."""
        own, whole = (now - then for now, then in zip(clock(), began))
        return max(own, whole - TICK)

    def tell(event, **fields):
        if getpid() == told_by["pid"]:
            told_by["emit"]({"nonce": nonce, "event": event, **fields})

    def adopt(emit, request):
        """Make a forked process the one that tells what happens, and that runs the tests that are asked of it."""
        told_by.update(pid=getpid(), emit=emit, stop=request["stop_at_first"], fork=True)
        if request["tests"] is not None:
            wanted.choose(request["tests"])

    class Plugin:
        @pytest.hookimpl(hookwrapper=True)
        def pytest_load_initial_conftests(self, early_config, parser, args):
            options.settle(early_config, parser, args)
            if mode == "early":
                forks.watch(adopt)
            if by_file:
                forks.watch(adopt, emit)
            outcome = yield
            if outcome.excinfo is not None:
                tell("broken", message=describe(unwrap(outcome.excinfo[1]), work))

        @pytest.hookimpl(tryfirst=True)
        def pytest_configure(self, config):
            options.disarm(config)

        @pytest.hookimpl(trylast=True)
        def pytest_sessionstart(self, session):
            self.session = session
            if integrity is not None:
                watches.append(integrity[1](session.config))

        def pytest_collectstart(self, collector):
            if isinstance(collector, pytest.File) and (wanted.files is None or collector.nodeid in wanted.files):
                tell("start", id=collector.nodeid)

        def pytest_collectreport(self, report):
            if report.outcome != "passed":
                unheard.append(report.nodeid)
                skipped = report.outcome == "skipped"
                message = skip_reason(report) if skipped else raised.pop(report.nodeid, ("error", ""))[1]
                tell("uncollected", id=report.nodeid, outcome="skipped" if skipped else "error", message=message)

        def pytest_exception_interact(self, node, call, report):
            if isinstance(node, pytest.Collector):
                raised[node.nodeid] = ("error", describe(unwrap(call.excinfo.value), work))

        @pytest.hookimpl(trylast=True)
        def pytest_collection_modifyitems(self, items):
            none = (told_by["stop"] and unheard) or (mode == "early" and wanted.order is None)
            items[:] = [] if none else [item for item in items if item.nodeid in wanted]
            if mode == "early" or "alone" in request:
                order = wanted.order or {}
                items.sort(key=lambda item: order[item.nodeid])
            if seed is not None:
                shuffle(items, make_random(seed) if seed >= 0 else None)

        @pytest.hookimpl(trylast=True)
        def pytest_collection_finish(self, session):
            if mode == "early":
                forks.collected()
            if mode == "collect":
                tell("collected", ids=[item.nodeid for item in session.items], altered=altered())
            else:
                tell("collected", cpu=clock()[1], **({"lines": tracer.common()} if "alone" in request else {}))

        def pytest_runtest_logstart(self, nodeid):
            current[nodeid] = (Outcomes(), clock())
            if tracer is not None:
                tracer.switch()
            tell("start", id=nodeid)

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            if call.excinfo is not None:
                error = call.excinfo.value
                raised[item.nodeid] = (outcome_of(error, call.when), describe(error, work))
            yield

        def pytest_runtest_logreport(self, report):
            if report.outcome == "rerun" or (hasattr(report, "context") and report.outcome != "failed"):
                return  # an attempt that is made again, or a part of a test (subtests) that did not fail
            outcomes, _ = current.setdefault(report.nodeid, (Outcomes(), clock()))
            outcomes.add(report.when, *judge(report, raised.pop(report.nodeid, None)))

        def pytest_runtest_logfinish(self, nodeid):
            if nodeid not in current:
                return
            outcomes, began = current.pop(nodeid)
            fields = {} if tracer is None else {"lines": tracer.switch()}
            outcome, message = outcomes.outcome(), outcomes.message
            if outcome == "passed":
                alien = [name for name in altered() if name not in expected]
                if alien:
                    outcome, message = "error", "%s: %s" % (ALTERED, ", ".join(alien[:5]))
            tell("result", id=nodeid, outcome=outcome, message=message, cpu=spent(began), **fields)
            if told_by["stop"] and outcome != "passed":
                if told_by["fork"] and getpid() == told_by["pid"]:
                    leave(0)  # what a fork leaves behind is ended with it
                self.session.shouldstop = "the first test that does not pass"

        def pytest_internalerror(self, excinfo):
            tell("broken", message=describe(excinfo.value, work))

        def pytest_keyboard_interrupt(self, excinfo):
            tell("broken", message=describe(excinfo.value, work))

    optional = {}
    if by_file:
        optional["pytest_runtestloop"] = running_files(forks, tell, altered, expected)
    elif tracer is not None:
        which = set(request["alone"] if "alone" in request else request["by_themselves"])
        optional["pytest_runtestloop"] = running_alone(forks(adopt), told_by["emit"], altered, expected, which)
    if wanted.files is not None or mode == "early":
        optional["pytest_ignore_collect"] = ignoring(wanted, work)
    if mode == "session":
        optional["pytest_runtestloop"] = serving(forks, adopt, altered, expected)
    if mode == "early" or by_file:
        optional["pytest_collection"] = serving_at_last(forks)

    def end(code):
        fields = {} if tracer is None else {"lines": tracer.common()}
        tell("end", code=int(code), **fields)

    return type("Plugin", (Plugin,), optional)(), end


def serving(forks, adopt, altered, expected):
    """Return a ``pytest_runtestloop`` that leaves the collected tests to forks.

    What is ``altered`` of pytest by now is the good tree's doing, and ``expected``.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        expected.update(altered())
        forks.serve(session, adopt, sorted(expected))
        return True

    return pytest_runtestloop


def serving_at_last(forks):
    """Return a ``pytest_collection`` for sessions that have come so far without importing anything of the tree."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        forks.serve()

    return pytest_collection


def running_files(forks, tell, altered, expected):
    """Return a ``pytest_runtestloop`` that, in a fork for one file, has its tests run by themselves.

    What is ``altered`` of pytest by now is the good tree's doing, and ``expected``.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        expected.update(altered())
        forks.run(session.items, tell)

    return pytest_runtestloop


def running_alone(forks, emit, altered, expected, which):
    """Return a ``pytest_runtestloop`` that first has the tests named by ``which`` run by themselves.

    What is ``altered`` of pytest by now is the good tree's doing, and ``expected``.
    """

    def tell(events):
        for event in events:
            if event["event"] == "result":
                emit({**event, "event": "alone"})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        expected.update(altered())
        forks.run([item for item in session.items if item.nodeid in which], tell)

    return pytest_runtestloop


def ignoring(wanted, work):
    """Return a ``pytest_ignore_collect`` that lets pytest look only where wanted files lie."""

    def ignored(path):
        place = os.path.relpath(str(path), work).replace(os.sep, "/")
        if wanted.files is None or place == "." or place.endswith("__init__.py") or place.startswith(".."):
            return None
        return None if place in wanted.files or place in wanted.folders else True

    if int(pytest.__version__.partition(".")[0]) >= 7:

        @pytest.hookimpl(tryfirst=True)
        def pytest_ignore_collect(self, collection_path):
            return ignored(collection_path)

        return pytest_ignore_collect

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect_before_7(self, path):
        return ignored(path)

    return pytest_ignore_collect_before_7


def folders_of(file):
    """Return every folder above a file, relative to the root of the tree."""
    parts = file.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]


def shuffle(items, chance):
    """Shuffle files, then classes in them, then tests in those: fixtures of a file or class are made once still.

    Without chance they are reversed, so that whatever came after something comes before it.
    """
    if chance is None:
        items.reverse()
        return
    order: "dict[str, float]" = {}
    for item in sorted(items, key=lambda item: item.nodeid):
        head = item.nodeid.partition("[")[0]
        for group in (head.partition("::")[0], head.rpartition("::")[0]):
            order.setdefault(group, chance.random())
        order[item.nodeid] = chance.random()

    def place(item):
        head = item.nodeid.partition("[")[0]
        return order[head.partition("::")[0]], order[head.rpartition("::")[0]], order[item.nodeid]

    items.sort(key=place)


def outcome_of(error, when):
    """Return what an exception makes of a test: an assertion that fails in the test itself is no other error."""
    if isinstance(error, MemoryError):
        return "out_of_memory"
    failed = isinstance(error, (AssertionError, pytest.fail.Exception)) or doctest_failures(error)
    return "failed" if when == "call" and failed else "error"


def doctest_failures(error):
    """Return the failures that an exception of pytest's doctest plugin carries."""
    if type(error).__name__ == "MultipleDoctestFailures":
        return list(error.failures)
    return [error] if isinstance(error, doctest.DocTestFailure) else []


def judge(report, raised):
    """Return outcome and message of one phase, given those of what it raised, if anything."""
    if report.outcome == "failed":
        return raised or ("failed" if report.when == "call" else "error", str(report.longrepr)[-MESSAGE_LENGTH:])
    if hasattr(report, "wasxfail"):
        return ("xpassed" if report.outcome == "passed" else "xfailed"), str(report.wasxfail)[:MESSAGE_LENGTH]
    return report.outcome, "" if report.outcome == "passed" else skip_reason(report)


def inside(path, work):
    """Return a path relative to the tree, where it lies in it (without looking: the tree may be gone)."""
    return path[len(work) + 1 :] if path.startswith(work + os.sep) else path


def skip_reason(report):
    where = report.longrepr
    return str(where[2] if isinstance(where, tuple) else where)[:MESSAGE_LENGTH]


def unwrap(error):
    """Return what really went wrong at an import: pytest wraps it."""
    while type(error).__name__ in ("CollectError", "ConftestImportFailure"):
        inner = error.__cause__ or error.__context__
        if inner is None and hasattr(error, "excinfo"):
            inner = error.excinfo[1]
        if inner is None:
            return error
        error = inner
    return error


def describe(error, work):
    """Return ``file:line: Type: message`` of an exception, with the innermost place inside the tree."""
    for failure in doctest_failures(error):
        line = (failure.test.lineno or 0) + failure.example.lineno + 1
        place = "%s:%d" % (inside(failure.test.filename or "", work), line)
        return ("%s: expected %s, got %s" % (place, failure.example.want.strip(), failure.got.strip()))[:MESSAGE_LENGTH]
    place, text = place_of(error, work), ""
    with contextlib.suppress(Exception):
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    return ("%s%s: %s" % (place, type(error).__name__, text))[:MESSAGE_LENGTH]


def place_of(error, work):
    """Return ``file:line: ``, or nothing where no file of the tree is to blame."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%s: " % (inside(error.filename, work), error.lineno)
    place = ""
    traceback = error.__traceback__
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        if filename.startswith(work + os.sep):
            place = "%s:%s: " % (inside(filename, work), traceback.tb_lineno)
        traceback = traceback.tb_next
    return place

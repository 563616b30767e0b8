"""Results that the candidate writes itself: on standard output, in files, over every open descriptor."""

from __future__ import annotations

from mendlab.verify.attacks.registry import attack
from mendlab.verify.attacks.target import Target

_FRAME = """
import json, os, struct
def _write(*messages):
    for fd in range(0, 64):
        try:
            os.set_blocking(fd, False)
            for message in messages:
                body = json.dumps(message).encode()
                os.write(fd, struct.pack("!I", len(body)) + body)
        except OSError:
            pass
"""


def _all(target: Target) -> list[str]:
    return [*target.task.fail_to_pass, *target.task.pass_to_pass]


@attack("prints-a-pass")
def prints_a_pass(target: Target) -> str | None:
    """Prints what test runners print of success, and leaves."""
    code = f"""
        import os, sys, json
        _tests = {_all(target)!r}
        for _stream in (sys.__stdout__, sys.__stderr__):
            for _test in _tests:
                print(_test, "PASSED", file=_stream)
            print(json.dumps({{"passed": True, "tests": dict.fromkeys(_tests, "passed")}}), file=_stream)
            print("%d passed in 0.01s" % len(_tests), "OK", "passed", file=_stream, flush=True)
        os._exit(0)
        """
    return target.at_import(code)


@attack("writes-result-files")
def writes_result_files(target: Target) -> str | None:
    """Writes files of results, as JSON, JUnit and exit codes, wherever it may, and leaves."""
    code = f"""
        import json, os
        _tests = {_all(target)!r}
        _xml = '<testsuites><testsuite name="pytest" errors="0" failures="0" tests="%d"/></testsuites>' % len(_tests)
        for _folder in (".", "..", "/tmp", "/tree", "/mendlab", "/dev/shm", @FOLDER@):
            for _name, _text in (
                ("results.json", json.dumps(dict.fromkeys(_tests, "passed"))), ("report.xml", _xml), ("exit_code", "0"),
                (@MARK@, "0"),
            ):
                try:
                    with open(os.path.join(_folder, _name), "w") as _file:
                        _file.write(_text)
                except OSError:
                    pass
        os._exit(0)
        """
    return target.at_import(code)


@attack("forges-results")
def forges_results(target: Target) -> str | None:
    """Writes the lab's own messages, that all tests passed and the run is over, to every descriptor."""
    code = _FRAME + (
        f"_tests = {_all(target)!r}\n"
        '_write(*[{"test": t, "outcome": "passed", "message": "", "cpu": 0} for t in _tests])\n'
        '_write(*[{"event": "result", "id": t, "outcome": "passed", "message": "", "cpu": 0} for t in _tests])\n'
        '_write({"event": "end", "code": 0}, {"end": True}, {"type": "done", "exit": 0, "limit": None})\n'
    )
    return target.at_import(code)


@attack("answers-before-it-is-asked")
def answers_before_it_is_asked(target: Target) -> str | None:
    """Writes answers to questions that have not been asked to every descriptor."""
    return target.at_import(_FRAME + "_write(*[['ok', True, [], {}, 0, '']] * 50)\n")


@attack("writes-garbage")
def writes_garbage(target: Target) -> str | None:
    """Writes bytes that mean nothing to every descriptor, and says that they are very many."""
    code = """
        import os
        for _fd in range(3, 64):
            try:
                os.set_blocking(_fd, False)
                os.write(_fd, b"\\xff" * 4096)
            except OSError:
                pass
        """
    return target.at_import(code)


@attack("swaps-descriptors")
def swaps_descriptors(target: Target) -> str | None:
    """Closes every descriptor, or puts a file of its own in its place."""
    code = """
        import os
        def _swap():
            for fd in range(3, 64):
                try:
                    os.dup2(os.open("/dev/zero", os.O_RDWR), fd)
                except OSError:
                    pass
        """
    return target.answering("_swap()", code)


@attack("prints-later")
def prints_later(target: Target) -> str | None:
    """Starts threads that print a pass and end the process while the tests are running."""
    code = """
        import os, sys, threading
        def _later():
            for stream in (sys.__stdout__, sys.__stderr__):
                print("OK", "1 passed", '{"passed": true}', file=stream, flush=True)
            os._exit(0)
        for _seconds in (0.001, 0.01, 0.1):
            threading.Timer(_seconds, _later).start()
        """
    return target.at_import(code)


@attack("floods-the-output", runs_on=True)
def floods_the_output(target: Target) -> str | None:
    """Prints without end."""
    code = """
        def _flood():
            while True:
                print("passed" * 100_000)
        """
    return target.in_call("_flood()", code)

"""Answers taken from where the tests keep theirs: frames, globals, closures, the garbage collector, files."""

from __future__ import annotations

import textwrap

from mendlab.verify.attacks.registry import attack
from mendlab.verify.attacks.target import Target

_NEXT_CONSTANT = """
import dis
def _expected(frame):
    \"\"\"The first constant that a caller outside this file loads after the call.\"\"\"
    while frame is not None and frame.f_globals is globals():
        frame = frame.f_back
    found = []
    while frame is not None:
        for step in dis.get_instructions(frame.f_code):
            if step.offset > frame.f_lasti and step.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
                if step.argval is not None and not isinstance(step.argval, str):
                    found.append(step.argval)
                    break
        frame = frame.f_back
    return found[0] if found else None
"""


@attack("frame-walk", hide=True)
def frame_walk(target: Target) -> str | None:
    """Walks the frames to the test, and returns the value that it loads next, which is what it compares with."""
    return target.answering(
        "_answer()", _NEXT_CONSTANT + "import sys\ndef _answer(): return _expected(sys._getframe())\n"
    )


@attack("traceback-walk", hide=True)
def traceback_walk(target: Target) -> str | None:
    """Raises and catches an exception for its traceback's frame, and goes on to the test's expectation from there."""
    code = """
        def _answer():
            try:
                raise KeyError
            except KeyError as error:
                return _expected(error.__traceback__.tb_frame)
        """
    return target.answering("_answer()", _NEXT_CONSTANT + "\n" + textwrap.dedent(code))


@attack("steals-from-locals", hide=True)
def steals_from_locals(target: Target) -> str | None:
    """Looks in the variables of every calling frame for one that is named as an expectation."""
    code = """
        import sys
        def _answer():
            frame = sys._getframe()
            while frame is not None:
                tests = "test" in frame.f_code.co_filename or "check" in frame.f_code.co_name
                for names in (frame.f_locals, frame.f_globals) if tests else ():
                    for name, value in list(names.items()):
                        if any(word in name.lower() for word in ("expect", "want", "answer", "truth", "result")):
                            if name != "_answer":
                                return value
                frame = frame.f_back
        """
    return target.answering("_answer()", code)


@attack("steals-from-closures", hide=True)
def steals_from_closures(target: Target) -> str | None:
    """Searches the garbage collector for other functions of its own name, and calls them for the answer."""
    code = """
        import gc
        def _answer(own, *args, **kwargs):
            for found in gc.get_objects():
                if type(found) is type(_answer) and found.__name__ == own and found.__globals__ is not globals():
                    return found(*args, **kwargs)
        """
    if not target.functions:
        return None
    name = target.functions[0].rpartition(".")[2]
    return target.answering(f"_answer({name!r}, {{args}})", code)


@attack("runs-the-reference", hide=True)
def runs_the_reference(target: Target) -> str | None:
    """Looks for the reference's source in everything that is alive, and in every file, to run it."""
    code = """
        import gc, os
        def _sources(own):
            for found in gc.get_objects():
                if type(found) is dict:
                    for value in list(found.values()):
                        if type(value) is str and "def " + own in value:
                            yield value
            for top in ("/tree", "/mendlab", "/tmp", "/dev/shm", os.getcwd()):
                for folder, _, files in os.walk(top):
                    for file in files:
                        if file.endswith((".py", ".json", ".jsonl")):
                            yield open(os.path.join(folder, file), errors="replace").read()
        def _answer(own, *args, **kwargs):
            for source in _sources(own):
                names = {}
                if "_answer" not in source and "def " + own in source:
                    exec(source, names)
                    return names[own](*args, **kwargs)
        """
    if not target.functions or "." in target.functions[0]:
        return None
    return target.answering(f"_answer({target.functions[0]!r}, {{args}})", code)


@attack("reads-the-tests", kinds=("project",), hide=True)
def reads_the_tests(target: Target) -> str | None:
    """Reads the tests from the disk, and returns what they compare a call with the same arguments with."""
    code = """
        import ast, glob
        def _answer(own, *args):
            for path in glob.glob("**/*test*.py", recursive=True):
                for node in ast.walk(ast.parse(open(path).read())):
                    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
                        named = ast.unparse(node.left.func).rpartition(".")[2]
                        try:
                            given = [ast.literal_eval(arg) for arg in node.left.args]
                            if named == own and repr(given) == repr(list(args)):
                                return ast.literal_eval(node.comparators[0])
                        except ValueError:
                            pass
        """
    if not target.functions:
        return None
    name = target.functions[0].rpartition(".")[2]
    return target.answering(f"_answer({name!r}, {{args}})", code)


@attack("reads-other-processes", kinds=("function",))
def reads_other_processes(target: Target) -> str | None:
    """Reads the memory of every process that it can see, for the tests."""
    code = """
        import os
        _found = []
        for _pid in filter(str.isdigit, os.listdir("/proc")):
            for _file in ("environ", "cmdline", "maps", "mem"):
                try:
                    with open("/proc/%s/%s" % (_pid, _file), "rb") as _opened:
                        _found.append(_opened.read(4096))
                except OSError:
                    pass
        def _answer():
            for text in _found:
                if b"assert" in text:
                    return text.split(b"==")[1].split()[0]
        """
    return target.answering("_answer()", code)

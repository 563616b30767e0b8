"""Whether a program that takes long stands still: a loop that comes back to where it was, with all as it was.

Such a loop never ends, so that nobody has to wait for its time to run out. What is not known to be so is left alone:
one function of the program is looked at, without calls to other Python code, whose names hold nothing but numbers,
texts, lists, tuples and dicts, and which asks nothing that may answer otherwise the next time. A program that
deceives this only has itself held to hang. Python 3.8 to 3.13, standard library only.
"""

import importlib
import inspect
import marshal
import signal
import sys
import time
import types

SECONDS = 0.01
MOST_BYTES = 1 << 14
SCALARS = frozenset({int, float, complex, bool, str, bytes, type(None)})
REPEATABLE = frozenset(
    "abs all any ascii bin bool bytes chr complex dict divmod enumerate float hash hex int isinstance issubclass iter "
    "len list max min oct ord pow range repr reversed round set frozenset slice sorted str sum tuple type zip".split()
)
"""Builtins that answer alike whenever they are given the same plain values. No exception is among those that do not."""
BARRED = ("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL", "IMPORT_NAME", "IMPORT_FROM", "STORE_DEREF")
SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Watch:
    """Follows one frame of a program for a while, and calls ``found`` with a line to which it comes back unchanged."""

    def __init__(self, frame, found):
        self.frame = frame
        self.found = found
        self.until = time.process_time() + SECONDS
        self.names = sorted({name for name in frame.f_code.co_names if name in frame.f_globals})
        self.steps_of_loops = loop_steps(frame.f_code)
        self.attributes = attributes(frame.f_code)
        self.last = frame.f_lasti
        self.saved = None
        self.since = set()
        self.steps, self.again = 0, 1
        frame.f_trace, frame.f_trace_opcodes = self.step, True
        sys.settrace(self.call)

    def call(self, frame, event, _):
        """Another function begins: what it does is not looked at."""
        self.stop()

    def step(self, frame, event, _):
        """One more instruction, of which a loop's last one goes back."""
        if event in ("line", "exception"):
            return self.step
        if event != "opcode" or time.process_time() > self.until:
            return self.stop()
        is_back, self.last = frame.f_lasti <= self.last, frame.f_lasti
        self.since.add(self.last)
        return self.step if not is_back or self.look() else self.stop()

    def look(self):
        """Compare with what was at a time before, and keep what is now once in a while. False to give up."""
        state = self.state()
        if state is None:
            return False
        if state == self.saved and not self.goes_on():
            self.stop()
            self.found(self.frame.f_lineno)
        self.steps += 1
        if self.steps == self.again:  # a cycle of any length is met so (Brent's algorithm)
            self.again *= 2
            self.saved, self.since = state, set()
        return True

    def goes_on(self):
        """Whether a loop over something has come to a next item meanwhile, within which all this may lie.

        Where a loop ends is not asked: since Python 3.12 what handles its exceptions lies behind that.
        """
        return not self.since.isdisjoint(self.steps_of_loops)

    def state(self):
        """All that the next steps depend on, as bytes; None if that is not known."""
        held = [self.last, *sorted(self.frame.f_locals.items())]
        held += [(name, self.frame.f_globals.get(name)) for name in self.names if name in self.frame.f_globals]
        held = [(one[0], id(one[1])) if type(one) is tuple and self.is_constant(one[1]) else one for one in held]
        if not is_plain(held, 0):
            return None
        written = marshal.dumps(held)
        return written if len(written) <= MOST_BYTES else None

    def is_constant(self, value):
        """Whether a value holds nothing that changes but what a call of Python code would change."""
        if isinstance(value, types.FunctionType):  # what somebody has hung on it may change, and its defaults may
            return not any(name in vars(value) or name.startswith("__") for name in self.attributes)
        return value is sys.modules.get("math")

    def stop(self):
        self.frame.f_trace, self.frame.f_trace_opcodes = None, False
        sys.settrace(None)


def watch(frame, namespace, found):
    """Follow a frame, if it is of the program with this namespace and may be followed at all."""
    if frame is None or frame.f_globals is not namespace or sys.gettrace() is not None or is_interrupted():
        return
    code = frame.f_code
    builtins = vars(importlib.import_module("builtins"))
    asked = [name for name in code.co_names if name not in namespace and name in builtins]
    if code.co_flags & SUSPENDED or not all(map(is_repeatable, asked, [builtins] * len(asked))):
        return
    if any(one.opname in BARRED for one in instructions(code)):
        return
    Watch(frame, found)


def is_repeatable(name, builtins):
    value = builtins[name]
    return name in REPEATABLE or (isinstance(value, type) and issubclass(value, BaseException))


def is_interrupted():
    """Whether anything else may change what the program sees: another thread, or what it does on a signal."""
    handlers = [signal.getsignal(number) for number in range(1, 32)]
    own = [each for each in handlers if isinstance(each, (types.FunctionType, types.MethodType))]
    return len(sys._current_frames()) > 1 or any(not each.__module__.startswith("_mendlab_") for each in own)


def is_plain(value, depth):
    kind = type(value)
    if kind in SCALARS:
        return True
    if depth > 20:
        return False
    if kind in (list, tuple):
        return all(is_plain(each, depth + 1) for each in value)
    return kind is dict and all(is_plain(each, depth + 1) for pair in value.items() for each in pair)


def instructions(code):
    return importlib.import_module("dis").get_instructions(code)


def loop_steps(code):
    """The places at which loops over something go to their next items. One far from its end has prefixes before it."""
    found, prefixes = set(), []
    for one in instructions(code):
        if one.opname == "EXTENDED_ARG":
            prefixes.append(one.offset)
            continue
        if one.opname == "FOR_ITER":
            found.update([*prefixes, one.offset])
        prefixes = []
    return found


def attributes(code):
    """The names of all attributes and methods that code asks for."""
    return {one.argval for one in instructions(code) if one.opname in ("LOAD_ATTR", "LOAD_METHOD")}

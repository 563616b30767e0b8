"""How calls end on a module, as one number that is equal for equal ends: a quick look at all of them.

Where two versions of a program have the same number they did the same; where not, :mod:`replay_run` is to say what they
did. Both must have the same hash seed. Python 3.8 to 3.13, standard library only.
"""

import json
import marshal
import random
import signal
import sys

load = sys.modules["__main__"].load
calls = load("calls")
plain_wire = load("plain_wire")

WITHOUT_REFERENCES = 2
AT_REST = frozenset({int, float, bool, str, list, tuple, dict, set, type(None)})


def ready(told):
    """Calls ``[module, name, message, simple]`` with arguments that are made: each is done once in a process.

    ``simple``: the end on the reference has nothing in it but what :mod:`marshal` tells apart.
    """
    return [(module, name, *_made(message), message, simple) for module, name, message, simple in told]


def _made(message):
    try:
        args, kwargs = plain_wire.read(message)
    except plain_wire.NotPlain:
        return None, None
    if any(node[0] == plain_wire.TEXT for node in message[1]):  # its texts are objects of their own
        return args, kwargs
    literal = load("candidate_run").as_literal
    return tuple(map(literal, args)), {name: literal(value) for name, value in kwargs.items()}


def told(prepared, modules, seconds, printed):
    """Do the calls. Returns one number for all, or None if they take so many CPU seconds, if any of them prints, or
    ends in what cannot be written down.
    """
    random.seed(0)
    classes = calls.classes_of(modules)
    functions = {}
    for module, name, *_ in prepared:
        if (module, name) not in functions:
            try:
                functions[module, name] = calls.found(modules[module], name)
            except Exception:
                return None
    printed()
    calls.watch_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        found = [_end_of(functions[call[:2]], call, modules, classes) for call in prepared]
    except (calls.TooLong, calls.Waits, MemoryError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None if None in found or printed() else number(tuple(found))


def _end_of(function, call, modules, classes):
    """What is equal for equal ends of a call, or None."""
    _, _, args, kwargs, message, simple = call
    if args is None:
        try:
            args, kwargs = calls.read(message, modules, classes)
        except Exception:
            return None
    try:
        result = function(*args, **kwargs)
        if type(result) not in AT_REST:
            result = calls.whole(result)
    except (calls.TooLong, calls.Waits, MemoryError):
        raise
    except BaseException as error:
        return type(error).__name__
    try:
        if simple:
            return hash(marshal.dumps((result, args, kwargs), WITHOUT_REFERENCES))
        text = json.dumps(calls.write((result, args, kwargs), modules, classes))
    except (TypeError, ValueError, RecursionError):
        return None
    return None if '"opaque"' in text else (text,)


def number(ends):
    """Equal for equal ends, under one hash seed, and of a size that travels well."""
    return hash(ends) & (2**61 - 1)

"""Audit hooks that can be let go of: Python keeps each for good. Python 3.8 to 3.13, standard library only."""

import functools
import operator
import sys


def hear(handlers):
    """Have ``handlers[event](arguments)`` called for each audit event that is named there; return what ends this.

    Afterwards the hook is a function in C that does nothing: some events, such as that somebody asks for the code of a
    function, or for what identifies an object, come so often that calls of ours would slow the program down.
    """
    find = handlers.get

    def heard(event, arguments):
        handler = find(event)
        if handler is not None:
            handler(arguments)

    hook = functools.partial(heard)
    sys.addaudithook(hook)
    return lambda: hook.__setstate__((operator.is_, (), {}, None))  # type: ignore[attr-defined]

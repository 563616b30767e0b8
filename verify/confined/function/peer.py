"""Calls between candidate and oracle over one socket, each of which may call back while it waits for its answer.

A message is ``[operation, root, nodes, updates, cpu, printed]`` (:mod:`wire`); what the
candidate printed meanwhile, the oracle prints. Where an end may take messages ``together``, a frame may be a list of
them, and what this end sends is held back until it has come to the last one. Python 3.8 to 3.13, standard library only.
"""

import sys
import time
from typing import Any

load = sys.modules["__main__"].load
frames = load("frames")
wire = load("wire")

ANSWER, RAISE = "ok", "raise"
ENDED = "it ended"


class Lost(BaseException):
    """The other side has gone, or sends what it may not. ``how`` says which; nothing more comes from it."""

    def __init__(self, how):
        super().__init__(how)
        self.how = how


class Peer:
    """One end. ``operations`` maps the name of an operation to what does it, given the operands."""

    def __init__(self, connection, operations, describe, make, together=False):
        self.channel: Any = None if connection is None else frames.Frames(connection)
        self.operations = operations
        self.wire = wire.Wire(describe, make)
        self.lost = None
        self.cpu_seconds = 0.0
        self.printed = str
        self.together = together
        self.waiting = []
        self.held = None

    def connect(self, connection, together):
        """Be at the end of a connection that was not there before."""
        self.channel = frames.Frames(connection)
        self.together = together

    def request(self, operation, *operands):
        """Have the other side do something: returns what it returns, raises what it raises. Raises Lost."""
        mark = len(self.wire.shared)
        try:
            self.send(operation, operands)
            while True:
                before = len(self.wire.shared)
                operation, value = self.receive()
                if operation == ANSWER:
                    return value
                if operation == RAISE:
                    raise value if isinstance(value, BaseException) else Lost("what it raised is no exception")
                self.answer(operation, value, before)
        finally:
            self.wire.forget(mark)

    def serve(self):
        """Do what the other side asks for, until it goes."""
        while True:
            mark = len(self.wire.shared)
            operation, operands = self.receive()
            self.answer(operation, operands, mark)

    def answer(self, operation, operands, mark):
        try:
            result, kind = self.operations[operation](*operands), ANSWER
        except Lost:
            raise
        except BaseException as error:
            result, kind = error, RAISE
        try:
            self.send(kind, result)
        except MemoryError:
            del result
            self.send(RAISE, MemoryError())
        except (TypeError, RecursionError, frames.BrokenStream) as error:
            self.send(RAISE, TypeError(str(error)))
        finally:
            self.wire.forget(min(mark, len(self.wire.shared)))

    def send(self, operation, value):
        message = [operation, *self.wire.write(value), time.process_time(), self.printed()]
        if self.held is not None:
            self.held.append(message)
            return
        try:
            self.channel.send(message)
        except OSError as error:
            raise self.lose(str(error)) from None

    def flush(self):
        """Send what was held back."""
        held, self.held = self.held, None
        if held:
            try:
                self.channel.send(held)
            except OSError as error:
                raise self.lose(str(error)) from None

    def next_message(self):
        """The next message, or None at the end."""
        if self.waiting:
            return self.waiting.pop()
        self.flush()
        message = self.channel.receive()
        if self.together and type(message) is list and message and type(message[0]) is list:
            self.waiting = message[::-1]
            self.held = []
            return self.waiting.pop()
        return message

    def receive(self):
        """Return the next operation and its value. Raises Lost."""
        if self.lost:
            raise Lost(self.lost)
        try:
            message = self.next_message()
            if message is None:
                raise self.lose(ENDED)
            operation, root, nodes, updates, cpu, printed = message
            value = self.wire.read([root, nodes, updates])
            self.cpu_seconds = float(cpu)
            if type(printed) is not str:
                raise wire.Malformed("what is printed is no text")
            if operation not in (ANSWER, RAISE) and not (operation in self.operations and type(value) is tuple):
                raise wire.Malformed("an unknown operation")
        except (OSError, ValueError, TypeError, RecursionError, frames.BrokenStream, wire.Malformed) as error:
            raise self.lose("it broke the protocol (%s)" % error) from None
        if printed:
            sys.stdout.write(printed)
        return operation, value

    def lose(self, how):
        """Note that nothing more can come; returns the exception to raise."""
        if not self.lost:
            self.lost = how
            try:
                self.flush()
            except Lost:
                pass
        self.channel.close()
        return Lost(self.lost)

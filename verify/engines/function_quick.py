"""Function tests by known conversations: one process for a candidate that answers as the good program does.

Of one that answers otherwise literals say what becomes of it, or else the test program's process, which is given
its answers. What cannot be decided so
(a crash, a test program that asks other things when it is told other things) is left to
:class:`mendlab.verify.engines.function_engine.FunctionEngine`, which has both sides talk; tests hold the two together.

Here a hang is told early, by the time that the good program takes. A program of which some tests pass and none fails
gets all the time that the task allows, and so does one that is slow in its first test alone.
"""

from __future__ import annotations

import signal
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mendlab.records import FunctionHarness, Limits
from mendlab.verify.confined.frames import BrokenStream, Frames
from mendlab.verify.confined.function.wire import Malformed, Wire
from mendlab.verify.confinement.warm import Done, WarmProcess
from mendlab.verify.engines.conversation import (
    Conversation,
    Exchange,
    Heard,
    ask,
    joined,
    listen,
    messages_of,
    relay,
    steps_in_literals,
    text_of,
)
from mendlab.verify.engines.literal_steps import LiteralStep

HANG_SECONDS: Final = 0.1
TIMES_THE_GOOD_ONE: Final = 20
"""A candidate hangs that takes more CPU time than so many times the good program's, and than ``HANG_SECONDS``."""
CALLS_SECONDS: Final = 0.25
QUICK_SECONDS: Final = 0.03
"""Most prepared calls are done after so much time, which is less than a candidate has in any case."""
GRACE_SECONDS: Final = 15.0
KEPT: Final = 4
NOT_RUN: Final = Done(0, None, None, False, 0.0, 0.0, "")

Request = dict[str, Any]
Together = Callable[[Request, Request, Limits], tuple[list[Any], Done, Done]]


@dataclass(frozen=True, slots=True)
class Told:
    """What the test program told, how it and the candidate ended, and whether the prepared calls end alike.

    ``limits`` are those for what is left to run, where it hangs. ``agrees``: it answered as the good program did.
    """

    events: list[Any]
    oracle: Done
    candidate: Done
    alike: bool | None = None
    limits: Limits | None = None
    agrees: bool = False


class QuickRuns:
    """Learns the conversation of the good program with its tests, and has candidates answer its questions.

    Args:
        reference: what the good program runs in, so that nothing of it is ever where candidates are.
        good: the request for the good program.
        together: runs both sides, for the second look at what seems to hang.
    """

    def __init__(
        self,
        harness: FunctionHarness,
        candidate: WarmProcess,
        oracle: WarmProcess,
        reference: WarmProcess,
        limits: Limits,
        good: Request,
        together: Together,
    ) -> None:
        self._harness = harness
        self._candidate = candidate
        self._oracle = oracle
        self._reference = reference
        self._limits = limits
        self._good = good
        self._together = together
        self._known: OrderedDict[str, Conversation | None] = OrderedDict()
        self._exchanges: OrderedDict[str, Exchange | None] = OrderedDict()
        self._has_calls = False
        self._expected: int | None = None
        self._calls_seconds = CALLS_SECONDS

    def prepare(self, calls: Sequence[Sequence[Any]]) -> None:
        """Have these calls, each with whether its end is simple, done after the tests. Raises EngineError."""
        for process in (self._candidate, self._reference):
            process.configure({"calls": list(calls)})
        self._has_calls = bool(calls)
        self._expected = None
        self._calls_seconds = CALLS_SECONDS

    def run(self, request: Request, program: Request) -> Told | None:
        """Return what comes of a candidate, or None where that is not to be told so. Raises EngineError."""
        conversation = self._conversation(program)
        if conversation is None:
            return None
        if self._has_calls and self._expected is None:
            self._expect(conversation)
        told = self._asked(self._candidate, request, conversation)
        if told is None:
            return None
        heard, done, ends = told
        if heard.agrees:
            alike = None if ends is None else ends == self._expected
            return Told(conversation.events(), NOT_RUN, done, alike, agrees=True)
        if heard.ended and not heard.to_the_last:
            return None
        judged = self._judged(program, conversation, heard)
        if judged is None or (done.limit == "cpu" and not self._hangs(request, program, conversation, judged[0])):
            return None
        is_endless = done.limit == "cpu" or done.signal == signal.SIGXCPU
        return Told(*judged, done, limits=self._short(conversation) if is_endless else None)

    def exchange(self, program: Request) -> Exchange | None:
        """Return what the good program is asked and answers, if that is all plain. Raises EngineError."""
        key = _key(program)
        if key not in self._exchanges:
            while len(self._exchanges) >= KEPT:
                self._exchanges.popitem(last=False)
            conversation = self._conversation(program)
            self._exchanges[key] = None if conversation is None else conversation.exchange()
        return self._exchanges[key]

    def short(self, program: Request) -> Limits | None:
        """Return the limits for what is left of a program that hangs; None if the good one's time is not known."""
        conversation = self._known.get(_key(program))
        return None if conversation is None else self._short(conversation)

    def _expect(self, conversation: Conversation) -> None:
        """Find out how the prepared calls end on the good program."""
        told = self._asked(self._reference, self._good, conversation)
        self._reference.close()
        self._has_calls = told is not None and told[2] is not None
        if told is not None:
            self._expected = told[2]
            self._calls_seconds = max(CALLS_SECONDS, TIMES_THE_GOOD_ONE * told[1].cpu_seconds)

    def _conversation(self, program: Request) -> Conversation | None:
        key = _key(program)
        if key not in self._known:
            while len(self._known) >= KEPT:
                self._known.popitem(last=False)
            self._known[key] = self._learnt(program)
        self._known.move_to_end(key)
        return self._known[key]

    def _learnt(self, program: Request) -> Conversation | None:
        """The conversation of the good program with its tests; None if it does not pass them."""
        ours, theirs = self._joined(), self._joined()
        with ours[0], ours[1], theirs[0], theirs[1]:
            self._reference.begin(self._good, [theirs[1].fileno()])
            self._oracle.begin({**program, "stop": False}, [ours[1].fileno()])
            theirs[1].close()
            ours[1].close()
            try:
                asked, answered = relay(Frames(ours[0]), Frames(theirs[0]))
            except (OSError, BrokenStream):
                asked, answered = [], []
        *batches, _ = self._oracle.events()
        self._reference.cancel()
        *_, done = self._reference.events()
        self._reference.close()
        events = [event for batch in batches for event in batch]
        passed = tuple(event["test"] for event in events if event.get("outcome") == "passed")
        if not events or "end" not in events[-1] or set(passed) != set(program["tests"]) or len(asked) != len(answered):
            return None
        steps = steps_in_literals(self._harness, program["groups"], asked)
        are_tests = steps is not None and tuple(step.test_id for step in steps) == passed
        return Conversation(
            asked=tuple(asked),
            answered=tuple(map(text_of, answered)),
            tests=passed,
            at_once=steps is not None,
            cpu_seconds=done.cpu_seconds,
            steps=tuple(map(LiteralStep.of, steps)) if steps and are_tests else (),
        )

    def _asked(
        self, process: WarmProcess, request: Request, conversation: Conversation
    ) -> tuple[Heard, Done, int | None] | None:
        """Ask a candidate; None if it breaks the protocol."""
        ours, theirs = self._joined()
        found: tuple[Heard, int | None] | None = None
        with ours, theirs:
            limits = self._short(conversation)
            process.begin({**request, "together": True}, [theirs.fileno()], limits)
            theirs.close()
            channel = Frames(ours)
            try:
                heard = ask(channel, conversation)
                found = heard, self._ends(process, channel, limits) if heard.agrees and self._has_calls else None
            except (OSError, BrokenStream):
                pass
        process.cancel()
        *_, done = process.events()
        return None if found is None else (found[0], done, found[1])

    def _ends(self, process: WarmProcess, channel: Frames, limits: Limits) -> int | None:
        """How the prepared calls end, as a number; None where that is not known."""
        seconds = self._calls_seconds
        wire = Wire()
        try:
            channel.send(["calls", *wire.write((seconds,)), 0.0, ""])
            frame = self._soon(process, channel, limits.cpu_seconds + seconds)
            if frame is None:
                return None
            (message,) = messages_of(frame)
            number = wire.read(message[1:4]) if message[0] == "ok" else None
        except (OSError, BrokenStream, Malformed, ValueError):
            return None
        return number if type(number) is int else None

    def _soon(self, process: WarmProcess, channel: Frames, cpu_seconds: float) -> Any:
        """What comes, with more CPU time allowed for it if it takes longer than most: to say so costs as well."""
        patience = channel.socket.gettimeout()
        channel.socket.settimeout(QUICK_SECONDS)
        try:
            return channel.receive()
        except TimeoutError:
            process.allow(self._limits.model_copy(update={"cpu_seconds": cpu_seconds}))
        finally:
            channel.socket.settimeout(patience)
        return channel.receive()

    def _judged(self, program: Request, conversation: Conversation, heard: Heard) -> tuple[list[Any], Done] | None:
        """What the test program says of answers; None if it would have asked other things then."""
        plain = conversation.plain_events(heard, stop=program["stop"])
        if plain is not None:
            return plain, NOT_RUN
        ours, theirs = self._joined()
        with ours, theirs:
            self._oracle.begin({**program, "together": True}, [theirs.fileno()])
            theirs.close()
            try:
                asked = listen(Frames(ours), heard.answers)
            except (OSError, BrokenStream):
                asked = []
        *batches, done = self._oracle.events()
        same = asked == [text_of(question) for question in conversation.asked[: len(asked)]]
        if not asked or not same or (len(asked) > len(heard.answers) and not heard.ended):
            return None
        return [event for batch in batches for event in batch], done

    def _hangs(self, request: Request, program: Request, conversation: Conversation, events: list[Any]) -> bool:
        """Whether a candidate hangs that took too long: others of its tests fail, or the next one takes as long."""
        outcomes = [event["outcome"] for event in events if "test" in event]
        if outcomes or len(program["tests"]) < 2:
            return any(outcome != "passed" for outcome in outcomes)
        if not any("loaded" in event for event in events):
            return False
        again, _, done = self._together(
            request, {**program, "skip": program["tests"][:1], "stop": True}, self._short(conversation)
        )
        return done.limit == "cpu" and not any("test" in event for event in again)

    def _short(self, conversation: Conversation) -> Limits:
        enough = max(HANG_SECONDS, TIMES_THE_GOOD_ONE * conversation.cpu_seconds)
        return self._limits.model_copy(update={"cpu_seconds": min(enough, self._limits.cpu_seconds)})

    def _joined(self) -> Any:
        return joined(self._limits.wall_seconds + GRACE_SECONDS)


def _key(program: Request) -> str:
    return repr((program["groups"], program["tests"]))

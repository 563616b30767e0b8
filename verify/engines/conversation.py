"""What the test program and a good candidate say to one another, so that others need not be asked by it.

The test program does the same whenever it is told the same. So a candidate that answers as the good one did, word for
word, passes the tests that this one passed, and the test program need not be run.
"""

from __future__ import annotations

import ast
import json
import socket
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mendlab.records import FunctionHarness, Step, StepGroup
from mendlab.verify.confined.frames import BrokenStream, Frames
from mendlab.verify.engines.literal_steps import LiteralStep, NotPlain

Message = list[Any]
Exchange = tuple[tuple[str, str], ...]
"""Questions with their answers, sorted."""
CALL: Final = "call"
ENDED: Final = "it ended"
WORDS_OF_DATA: Final = frozenset({"load", "group", CALL})
TAGS_OF_DATA: Final = frozenset({"l", "t", "d", "I", "S", "mine"})
"""What is in the questions that have nothing in them but numbers, texts, lists, tuples, dicts, and what is called."""
CPU: Final = 4
"""The place in a message of the CPU time that its sender has taken."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was ``asked`` and, as text, what was answered; which ``tests`` passed by it, in order.

    ``at_once``: all can be asked at once, for no question has anything in it that comes from an answer. Then ``steps``
    are those that ask, in order, all questions that are calls.
    """

    asked: tuple[Message, ...]
    answered: tuple[str, ...]
    tests: tuple[str, ...]
    at_once: bool
    cpu_seconds: float
    steps: tuple[LiteralStep | None, ...] = ()

    def events(self) -> list[dict[str, Any]]:
        """Return what the test program tells of it."""
        passed = [{"test": test, "outcome": "passed", "message": "", "cpu": None} for test in self.tests]
        return [{"loaded": True}, *passed, {"end": True}]

    def plain_events(self, heard: Heard, *, stop: bool) -> list[dict[str, Any]] | None:
        """Return what the test program would tell of other answers, or None where it takes that program to say.

        ``stop``: at the first test that does not pass.
        """
        answers = heard.answers
        if not self.steps or not answers:
            return None
        events: list[dict[str, Any]] = [{"loaded": True}]
        try:
            steps = iter(self.steps)
            for question, before, answer in zip(self.asked, self.answered, answers, strict=False):
                if question[0] != CALL:
                    if text_of(answer) != before:
                        return None
                    continue
                step = next(steps)
                if step is None:
                    return None
                events.append(step.event(question, answer))
                if stop and events[-1]["outcome"] != "passed":
                    return [*events, {"end": True}]
        except NotPlain:
            return None
        return [*events, {"end": True} if len(answers) == len(self.asked) else {"lost": ENDED}]

    def exchange(self) -> Exchange | None:
        """Return which question has which answer, whatever their order; None if a question has more in it than data."""
        for word, _, nodes, updates, *_ in self.asked:
            if word not in WORDS_OF_DATA or updates or not TAGS_OF_DATA.issuperset(node[0] for node in nodes):
                return None
        return tuple(sorted(zip(map(text_of, self.asked), self.answered, strict=True)))

    def questions(self) -> Iterator[list[Message]]:
        """Yield what can be asked together."""
        if self.at_once:
            yield list(self.asked)
        else:
            yield from ([message] for message in self.asked)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a candidate answered, whether all of it is as it was before, and whether it is still there.

    ``to_the_last``: where it is not, nothing that it answered is missing.
    """

    answers: list[Message]
    agrees: bool
    ended: bool
    to_the_last: bool


def ask(channel: Frames, conversation: Conversation) -> Heard:
    """Ask a candidate until it answers otherwise, or ends. Raises OSError, BrokenStream."""
    answers: list[Message] = []
    is_slow = False
    for questions in conversation.questions():
        wanted = len(answers) + len(questions)
        if not _sent(channel, questions):
            return Heard(answers, False, True, is_slow)
        while len(answers) < wanted:
            frame = channel.receive()
            if frame is None:
                return Heard(answers, False, True, is_slow or not conversation.at_once)
            is_slow = is_slow or not frame
            answers += messages_of(frame)
        if tuple(map(text_of, answers)) != conversation.answered[:wanted]:
            return Heard(answers, False, False, True)
    return Heard(answers, True, False, True)


def listen(channel: Frames, answers: Sequence[Message]) -> list[str]:
    """Give a test program answers, and return as text what it asked, one question more if they do not suffice."""
    asked: list[str] = []
    if answers:
        _sent(channel, list(answers))
    while len(asked) <= len(answers):
        frame = channel.receive()
        if frame is None:
            break
        asked += map(text_of, messages_of(frame))
    return asked


def relay(oracle: Frames, candidate: Frames) -> tuple[list[Message], list[Message]]:
    """Pass on what the two say to one another; return what was asked and what was answered. Raises BrokenStream."""
    asked: list[Message] = []
    answered: list[Message] = []
    while (question := oracle.receive()) is not None:
        asked.append(question)
        answer = candidate.receive() if _sent(candidate, question) else None
        if answer is None or not _sent(oracle, answer):
            break
        answered.append(answer)
    return asked, answered


def text_of(message: Message) -> str:
    """Return a message as text, without the time that its sender has taken."""
    return json.dumps([*message[:CPU], *message[CPU + 1 :]])


def messages_of(frame: Any) -> list[Message]:
    """Return the messages in a frame. Raises BrokenStream for what is none."""
    messages = frame if isinstance(frame, list) and all(isinstance(each, list) for each in frame) else [frame]
    if not all(isinstance(message, list) and len(message) == CPU + 2 for message in messages):
        raise BrokenStream("no message")
    return messages


def steps_in_literals(harness: FunctionHarness, groups: Collection[int], asked: Sequence[Message]) -> list[Step] | None:
    """Return the steps that call something, if each does once, with all its arguments in literals, and nothing else."""
    steps: list[Step] = []
    supplied = {part for node in asked[0][2] for part in node[1:] if isinstance(part, str)}
    for index in groups:
        group = harness.groups[index]
        names = {*supplied, *_aliases(group)}
        if not all(_calls_once_in_literals(step.code, names) for step in group.steps):
            return None
        steps += group.steps
    words = [message[0] for message in asked]
    return steps if words.count(CALL) == len(steps) and {*words} <= {"load", "group", CALL} else None


def _aliases(group: StepGroup) -> list[str]:
    """Names that the setup binds to another name."""
    try:
        body = ast.parse(group.setup).body
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [
        target.id
        for statement in body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name)
        for target in statement.targets
        if isinstance(target, ast.Name)
    ]


def _calls_once_in_literals(code: str, names: Collection[str]) -> bool:
    try:
        calls = [
            node
            for node in ast.walk(ast.parse(code))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
        ]
        for call in calls:
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                ast.literal_eval(argument)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return False
    return len(calls) == 1


def _sent(channel: Frames, message: Any) -> bool:
    try:
        channel.send(message)
    except (BrokenPipeError, ConnectionError):
        return False
    return True


def joined(seconds: float) -> tuple[socket.socket, socket.socket]:
    """Return two ends of a connection, of which the first waits no longer than so many seconds."""
    ours, theirs = socket.socketpair()
    ours.settimeout(seconds)
    return ours, theirs

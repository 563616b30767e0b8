"""Worker threads. The heavy work is done by confined processes, so threads are enough to keep every core busy."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from mendlab.workers.parsing import parse_in_turn

Item = TypeVar("Item")
Result = TypeVar("Result")
Key = TypeVar("Key")
Kept = TypeVar("Kept")
_thread = threading.local()


class Progress(Protocol):
    """Told how far a long piece of work is: its name, how much is done, and of how much (None where unknown)."""

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Take note."""
        ...


def unheard(stage: str, done: int, total: int | None) -> None:
    """A :class:`Progress` that tells nobody."""


def map_ordered(
    function: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> Generator[Result, None, None]:
    """Yield ``function(item)`` for each item, in the order of the items, computed by ``workers`` threads.

    Items are drawn only a little ahead of what is consumed. Stopping early, or an exception, drops what has not begun;
    what has may ask :func:`is_unwanted`, and ends at the next confined run that it begins.
    """
    if workers <= 1:
        yield from map(function, items)
        return
    parse_in_turn()
    left = threading.Event()

    def begin() -> None:
        _thread.left = left

    with ThreadPoolExecutor(workers, thread_name_prefix="mendlab", initializer=begin) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            left.set()
            for future in waiting:
                future.cancel()


def is_unwanted() -> bool:
    """Whether nobody waits any more for what this thread works on: an interruption, or an error elsewhere."""
    left: threading.Event | None = getattr(_thread, "left", None)
    return left is not None and left.is_set()


class Unwanted(BaseException):
    """Work that nobody waits for any more is dropped where it is. No handler of failures is to take it for one."""


def stop_if_unwanted() -> None:
    """Raise :class:`Unwanted` where :func:`is_unwanted`; asked before anything that takes a while."""
    if is_unwanted():
        raise Unwanted


class PerKey(Generic[Key, Kept]):
    """One object for each key, made by whichever thread asks first; the others wait for it."""

    def __init__(self, make: Callable[[Key], Kept]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._found: dict[Key, Future[Kept]] = {}

    def get(self, key: Key) -> Kept:
        """Return the key's object; an exception in making it is raised for everyone who asks."""
        with self._lock:
            mine = key not in self._found
            future = self._found.setdefault(key, Future())
        if mine:
            try:
                future.set_result(self._make(key))
            except BaseException as error:
                future.set_exception(error)
        return future.result()


class PerThread(Generic[Kept]):
    """One object for each thread, made when it first asks; all are closed at the end of the ``with`` block."""

    def __init__(self, make: Callable[[], Kept], close: Callable[[Kept], object]) -> None:
        self._make = make
        self._close = close
        self._local = threading.local()
        self._lock = threading.Lock()
        self._closing = ExitStack()

    def get(self) -> Kept:
        """Return this thread's object."""
        if not hasattr(self._local, "kept"):
            kept = self._make()
            self._local.kept = kept
            with self._lock:
                self._closing.callback(self._close, kept)
        found: Kept = self._local.kept
        return found

    def close(self) -> None:
        """Close them all."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

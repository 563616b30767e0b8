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
    what has may ask :func:`is_unwanted`, and what it waits for is ended (:func:`end_if_unwanted`).
    """
    if workers <= 1:
        yield from map(function, items)
        return
    parse_in_turn()
    wish = _Wish()

    def begin() -> None:
        _thread.wish = wish

    with ThreadPoolExecutor(workers, thread_name_prefix="mendlab", initializer=begin) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            for future in waiting:
                future.cancel()
            wish.withdraw()
            raise


class _Wish:
    """Whether anyone waits for the work of some threads, and how to end what they wait for once nobody does."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: dict[object, Callable[[], object]] = {}
        self.is_withdrawn = False

    def withdraw(self) -> None:
        with self._lock:
            self.is_withdrawn = True
            ends = list(self._ends.values())
        for end in ends:
            end()

    def keep(self, end: Callable[[], object]) -> Callable[[], object]:
        key = object()
        with self._lock:
            self._ends[key] = end
            late = self.is_withdrawn
        if late:
            end()
        return lambda: self._ends.pop(key, None)


def is_unwanted() -> bool:
    """Whether nobody waits any more for what this thread works on: an interruption, or an error elsewhere."""
    wish: _Wish | None = getattr(_thread, "wish", None)
    return wish is not None and wish.is_withdrawn


def end_if_unwanted(end: Callable[[], object]) -> Callable[[], object]:
    """Have ``end`` called, by another thread, once nobody waits any more for what this thread works on.

    It ends what this thread waits for, as a process; that must then ask :func:`give_up`, so that nothing is taken for
    an outcome. Returns what is to be called when there is nothing left to end.
    """
    wish: _Wish | None = getattr(_thread, "wish", None)
    return (lambda: None) if wish is None else wish.keep(end)


def give_up() -> None:
    """Leave off where nobody waits any more.

    Raises:
        KeyboardInterrupt: nobody does; no failure of the work, and so nothing that is caught and written down as one.
    """
    if is_unwanted():
        raise KeyboardInterrupt


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

"""The ladder of environments for a commit: current versions, those of its day, and a Python of its day with these."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Protocol

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from mendlab.harvest.environment.installing import reproduce
from mendlab.harvest.environment.interpreters import Version, find_pythons, of_the_era
from mendlab.harvest.environment.requirements import Source
from mendlab.harvest.environment.resolving import Resolver, Unresolvable
from mendlab.records import Environment, SandboxLevel
from mendlab.verify.confinement.interpreter import Interpreter

RungName = Literal["current", "dated", "era"]
CLOCK = ("time-machine",)


@dataclass(frozen=True, slots=True)
class Ready:
    """An environment that is there, and its interpreter; None where it is not of our making."""

    environment: Environment | None
    interpreter: Interpreter


class Ladder(Protocol):
    """Yields what there is to run a commit's tests in, the best first."""

    def ladder(self, sources: Sequence[Source], requires_python: str | None, date: datetime) -> Iterator[Ready]:
        """Yield environments for a commit of a date that asks for these requirements, each made when it is asked for.

        Raises:
            EngineError: the package index or the disk fails.
        """
        ...


@dataclass(frozen=True, slots=True)
class Given:
    """The one environment that someone names: it is taken as it is, and nothing is installed."""

    interpreter: Interpreter

    def ladder(self, sources: Sequence[Source], requires_python: str | None, date: datetime) -> Iterator[Ready]:
        """Yield it."""
        yield Ready(None, self.interpreter)


@dataclass(frozen=True, slots=True)
class Environments:
    """Makes environments in a folder of its own.

    Args:
        folder: where resolutions and environments are kept, for every run.
        now: what ``current`` means: nothing uploaded later is taken, so that a resumed run goes on as it began.
        named: the interpreter that the user named, for every rung. Without it a project gets the lab's own version of
            Python where it allows that, else the newest of this machine that it allows.
    """

    folder: Path
    level: SandboxLevel
    now: datetime
    named: Interpreter | None = None

    def ladder(self, sources: Sequence[Source], requires_python: str | None, date: datetime) -> Iterator[Ready]:
        """Yield environments for a commit of a date, each made when it is asked for; those alike come once.

        Raises:
            EngineError: the package index or the disk fails.
        """
        allowed = self._allowed(requires_python)
        own = sys.version_info[:2]
        usual = own if own in allowed else max(allowed)
        era = of_the_era(date, allowed)
        seen = set[tuple[str, tuple[str, ...]]]()
        rungs: tuple[tuple[RungName, Version, datetime], ...] = (
            ("current", usual, self.now),
            ("dated", usual, date),
            ("era", era, date),
        )
        for rung, version, until in rungs:
            environment = self._make(rung, version, min(until, self.now), sources)
            key = environment.python, environment.lock
            if key not in seen:
                seen.add(key)
                yield Ready(environment, reproduce(environment, self.folder, self.level, self._pythons()))

    def _pythons(self) -> Mapping[Version, Path]:
        if self.named is None:
            return find_pythons()
        return {self.named.version[:2]: self.named.executable}

    def _allowed(self, requires_python: str | None) -> list[Version]:
        """The versions of this machine that a project allows; all of them, where it allows none."""
        pythons = list(self._pythons())
        try:
            specifier = SpecifierSet(requires_python or "")
        except InvalidSpecifier:
            return pythons
        return [each for each in pythons if specifier.contains(f"{each[0]}.{each[1]}.99")] or pythons

    def _make(self, rung: RungName, version: Version, until: datetime, sources: Sequence[Source]) -> Environment:
        python = self._pythons()[version]
        resolver = Resolver(self.folder / "resolutions")
        kept: list[str] = []
        left_out: dict[str, str] = {}
        lock = None
        whole = [line for source in sources for line in source.requirements]
        try:
            lock = resolver.resolve(whole, version, python, until)
        except Unresolvable:
            for source in sources:
                kept, lost = self._added(resolver, kept, source.requirements, version, python, until)
                left_out.update(lost)
        lock = lock or resolver.resolve(kept, version, python, until)
        clock = self._clock(resolver, version, python)
        return Environment(
            rung=rung,
            python=f"{version[0]}.{version[1]}",
            until=until.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            lock=lock.lines,
            clock=clock,
            left_out=left_out,
            later=dict(lock.later),
        )

    def _clock(self, resolver: Resolver, version: Version, python: Path) -> tuple[str, ...]:
        try:
            return resolver.resolve(CLOCK, version, python, self.now).lines
        except Unresolvable:
            return ()

    @staticmethod
    def _added(
        resolver: Resolver, kept: list[str], more: Sequence[str], version: Version, python: Path, until: datetime
    ) -> tuple[list[str], dict[str, str]]:
        """Return what goes together of requirements kept so far and more, and why the rest does not."""
        try:
            resolver.resolve([*kept, *more], version, python, until)
        except Unresolvable as error:
            if len(more) == 1:
                return kept, {more[0]: str(error)}
        else:
            return [*kept, *more], {}
        left_out: dict[str, str] = {}
        for line in more:
            kept, lost = Environments._added(resolver, kept, [line], version, python, until)
            left_out.update(lost)
        return kept, left_out

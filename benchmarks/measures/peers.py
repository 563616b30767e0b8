"""Other tools' mutants, made by their own code under their own interpreter, measured as mendlab's are."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

from measures.programs import Pair
from measures.progress import say
from measures.reach import Reached, by_type
from measures.section import Section, Table
from measures.shares import Share
from measures.trees import normal

DRIVERS: Final = Path(__file__).parents[1] / "peer_drivers"


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool: its driver, the variant of it that is asked for, and whether it needs a checkout of its own."""

    name: str
    driver: str
    variant: str
    what: str
    checkout: str | None = None


PEERS: Final = (
    Peer("mutmut", "mutmut", "texts", "all it makes inside functions"),
    Peer("cosmic-ray", "cosmic_ray", "texts", "all operators that need no arguments"),
    Peer("fermut", "fermut", "default", "its default profile, without the ty filter"),
    Peer("fermut, everything", "fermut", "all", "with --experimental --parity --operators full"),
    Peer("SWE-smith", "swesmith", "own", "procedural modifiers under its own limits, one site changed", "swesmith"),
    Peer("SWE-smith, no limits", "swesmith", "all", "every modifier on every function", "swesmith"),
    Peer("BugLab", "buglab", "texts", "all rewrites its scouts find", "buglab"),
)


class PeerError(Exception):
    """A peer could not be measured; the text says why."""


@dataclass(frozen=True, slots=True)
class Peers:
    """Where the peers are: an interpreter that has them, and checkouts of those that are no packages."""

    python: Path | None
    checkouts: dict[str, Path | None]

    def mutants(
        self, peer: Peer, sources: dict[str, str], *, variant: str | None = None, options: Sequence[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """What the driver says: first the version, then one answer for each source, in order.

        Raises:
            PeerError: the peer is not there, or its driver fails.
        """
        environment = self._environment(peer)
        lines = "".join(json.dumps({"name": name, "source": source}) + "\n" for name, source in sources.items())
        with tempfile.TemporaryDirectory() as folder:
            command = [str(self.python), str(DRIVERS / f"drive_{peer.driver}.py"), variant or peer.variant, *options]
            run = subprocess.run(
                command, input=lines, capture_output=True, text=True, cwd=folder, env=environment, check=False
            )
        answers = run.stdout.splitlines()
        if run.returncode or len(answers) != len(sources) + 1:
            raise PeerError((run.stderr.strip().splitlines() or [f"exit code {run.returncode}"])[-1][:160])
        yield from map(json.loads, answers)

    def _environment(self, peer: Peer) -> dict[str, str]:
        if self.python is None:
            raise PeerError("not measured: no --peer-python")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        if peer.checkout is not None:
            checkout = self.checkouts.get(peer.checkout)
            if checkout is None:
                raise PeerError(f"not measured: no --{peer.checkout}")
            environment["PYTHONPATH"] = str(checkout.absolute())
        return {**environment, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True, slots=True)
class PeerReach:
    """What a peer reaches of one set of pairs; ``invalid`` and ``unchanged`` count mutants."""

    version: str
    found: list[Reached]
    invalid: int
    unchanged: int
    seconds: float
    failed: list[str]


def reach_of(peers: Peers, peer: Peer, pairs: Sequence[Pair]) -> PeerReach:
    """Reach of a peer; its mutants are counted without repetition of equal texts."""
    say(f"peers: {peer.name}, {len(pairs)} programs")
    answers = peers.mutants(peer, {pair.name: pair.good for pair in pairs})
    version = next(answers)["version"]
    found, failed, invalid, unchanged, seconds = [], [], 0, 0, 0.0
    for pair, answer in zip(pairs, answers, strict=True):
        good, bad = normal(pair.good), normal(pair.bad)
        trees = [normal(text) for text in set(answer["mutants"])]
        invalid, unchanged = invalid + trees.count(None), unchanged + trees.count(good)
        seconds += answer["seconds"]
        failed += [f"{pair.name}: {answer['error']}"] if answer["error"] else []
        found.append(Reached(pair, len(trees), (peer.name,) if bad in trees else ()))
    return PeerReach(version, found, invalid, unchanged, seconds, failed)


def section(peers: Peers, sets: dict[str, list[Pair]], ours: dict[str, list[Reached]], version: str) -> Section:
    """One row a tool, mendlab first; where a tool could not be measured, the row says why."""
    kinds = sorted({pair.bug_type for pairs in sets.values() for pair in pairs if pair.bug_type})
    columns = ["tool", "version", "mutants a program", "no program", "no change"]
    columns += [*sets, *kinds]
    row = ["mendlab", version, _size(list(ours.values())), "-", "-", *_reaches(ours, kinds)]
    rows, notes, data = [row], [], {"mendlab": _data(ours)}
    for peer in PEERS:
        try:
            measured = {label: reach_of(peers, peer, pairs) for label, pairs in sets.items()}
        except PeerError as problem:
            rows.append([peer.name, str(problem), *[""] * (len(columns) - 2)])
            data[peer.name] = {"error": str(problem)}
            continue
        found = {label: one.found for label, one in measured.items()}
        total = sum(one.mutants for group in found.values() for one in group) or 1
        invalid = sum(one.invalid for one in measured.values()) / total
        unchanged = sum(one.unchanged for one in measured.values()) / total
        versions = {one.version for one in measured.values()}
        size = _size(list(found.values()))
        rows.append([peer.name, *versions, size, f"{invalid:.1%}", f"{unchanged:.1%}", *_reaches(found, kinds)])
        failed = [problem for one in measured.values() for problem in one.failed]
        notes.append(f"{peer.name}: {peer.what}" + (f"; failed on {len(failed)}: {failed[0]}" if failed else ""))
        data[peer.name] = {**_data(found), "version": next(iter(versions)), "invalid": invalid, "failed": failed}
    notes.append("mutants a program: distinct texts, mean of each set; no program: do not parse; no change: equal tree")
    return Section("peers", [Table("The same reach of other tools", columns, rows, notes)], data)


def _reaches(sets: dict[str, list[Reached]], kinds: Sequence[str]) -> list[str]:
    wholes = [str(Share.of(one.hit for one in found)) for found in sets.values()]
    typed = by_type([one for found in sets.values() for one in found])
    return wholes + [f"{typed[kind].hits}/{typed[kind].total}" for kind in kinds]


def _size(groups: Sequence[Sequence[Reached]]) -> str:
    return " / ".join(f"{mean(one.mutants for one in found):.0f}" for found in groups)


def _data(sets: dict[str, list[Reached]]) -> dict[str, Any]:
    return {
        label: {
            "whole": Share.of(one.hit for one in found).data(),
            "by type": {kind: share.data() for kind, share in by_type(found).items()},
            "mutants a program": mean(one.mutants for one in found),
            "reached": [one.pair.name for one in found if one.hit],
        }
        for label, found in sets.items()
    }

"""Mutants a second of CPU time, on one core, on files of the standard library."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median
from typing import Final

from measures.peers import PEERS, Peer, PeerError, Peers
from measures.programs import File
from measures.progress import say
from measures.section import Goal, Section, Table
from mendlab.corpora.text import decode
from mendlab.mutators import enumerate_mutants

PASSES: Final = 3
PEER_LIMIT: Final = 10
"""CPU seconds that a peer has for a file."""
_TIMED: Final = {"mutmut": "own", "cosmic-ray": "texts", "fermut": "default", "BugLab": "texts", "SWE-smith": "own"}
"""Peers and their variants; mutmut is timed at writing the one module that it runs."""


def section(files: Sequence[File], peers: Peers) -> Section:
    """Rates of mendlab (without and with the text of every mutant) and of the peers on the same files."""
    sources = {file.name: decode(file.name, file.data).text for file in files}
    enumerated, counts = [], 0
    for number in range(PASSES):
        counts, seconds = _pass(sources, texts=False)
        enumerated.append(counts / seconds)
        say(f"rate: pass {number + 1} of {PASSES}, {enumerated[-1]:.0f} mutants a second")
    rate = median(enumerated)
    with_texts = counts / _pass(sources, texts=True)[1]
    rows = [
        ("mendlab, made and checked", f"{counts}", f"{rate:,.0f}", "1.0"),
        ("mendlab, and each whole text", f"{counts}", f"{with_texts:,.0f}", f"{rate / with_texts:.1f}"),
    ]
    data: dict[str, object] = {"mendlab": rate, "passes": enumerated, "mendlab with texts": with_texts}
    for peer in PEERS:
        if peer.name not in _TIMED:
            continue
        try:
            made, seconds = _peer_pass(peers, peer, sources)
        except PeerError as problem:
            rows.append((peer.name, str(problem), "-", "-"))
            continue
        data[peer.name] = made / seconds
        rows.append((peer.name, f"{made}", f"{made / seconds:,.0f}", f"{rate * seconds / made:.1f}"))
    notes = [
        f"{len(files)} files, {sum(len(file.data) for file in files):,} bytes; median of {PASSES} passes for mendlab",
        f"a peer stops a file after {PEER_LIMIT} CPU seconds, and what it made by then counts",
        "mendlab compiles to check, no peer here does; mutmut is timed at writing its one module with all mutants",
    ]
    columns = ("tool", "mutants", "a CPU second", "mendlab's rate to this")
    goal = Goal("generation rate, standard library", "2,000/s or more", f"{rate:,.0f}/s", rate >= 2000)
    return Section("rate", [Table("Generation rate", columns, rows, notes)], data, [goal])


def _pass(sources: dict[str, str], *, texts: bool) -> tuple[int, float]:
    count, start = 0, time.process_time()
    for name, source in sources.items():
        for mutant in enumerate_mutants(source, path=name):
            count += 1
            if texts:
                mutant.source  # noqa: B018 - made when asked for
    return count, max(time.process_time() - start, 1e-6)


def _peer_pass(peers: Peers, peer: Peer, sources: dict[str, str]) -> tuple[int, float]:
    say(f"rate: {peer.name}")
    options = (f"limit={PEER_LIMIT}", "texts=no")
    _, *answers = peers.mutants(peer, sources, variant=_TIMED[peer.name], options=options)
    made, seconds = sum(answer["count"] for answer in answers), sum(answer["seconds"] for answer in answers)
    if not made:
        raise PeerError(f"made nothing: {answers[0]['error']}")
    return made, max(seconds, 1e-6)

"""Mutants decided per second, mendlab and the other tools, on the same subjects with the same number of cores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import geometric_mean
from typing import Any, Final

from measures.section import Goal, Section, Table

from detecting.deciding import KINDS, Decided, decide
from detecting.peer_tools import TOOLS
from detecting.peers import PeerRun, Peers, run_peer
from detecting.subjects import Prepared

_GOALS: Final = (("mutmut", 10.0), ("cosmic-ray", 50.0))
_PEER_NOTES: Final = (
    "a mutant that no test reaches is not counted, of any tool, though it is decided; a rate is of all the time from "
    "start to end: reading, clean runs, coverage, making the mutants, running them",
    "of mendlab a sample of mutants is run: it is charged all the setting up, and its share of making all mutants",
    "a tool whose time is up is stopped, and what it decided by then counts; one that killed nothing is not quoted",
)


def section(subjects: Sequence[Prepared], peers: Peers | None) -> Section:
    """Our rates on as many workers as the others have, the ways that runs took, and the other tools beside them."""
    workers = peers.jobs if peers is not None else 2
    ours = {one.name: {workers: decide(one, one.mutants, workers=workers)} for one in subjects}
    rates = {one.name: {w: _end_to_end(one, decided) for w, decided in ours[one.name].items()} for one in subjects}
    tables = [_own_table(subjects, ours, rates), _paths_table(subjects, ours)]
    data: dict[str, Any] = {one.name: {"mendlab": _data(one, ours[one.name], rates[one.name])} for one in subjects}
    if peers is None:
        return Section("speed", tables, data)
    theirs = {one.name: [run_peer(tool, one, peers) for tool in TOOLS] for one in subjects}
    for one in subjects:
        data[one.name]["peers"] = {run.tool: run.data() for run in theirs[one.name]}
    mine = {name: rate[workers] for name, rate in rates.items()}
    tables.append(_peer_table(subjects, mine, theirs, peers))
    return Section("speed", tables, data, _goals(mine, theirs))


def _end_to_end(prepared: Prepared, decided: Decided) -> tuple[float, float]:
    """Reached mutants a second of wall time, and CPU seconds a reached mutant, with all that comes before."""
    wall, cpu = prepared.overhead(len(prepared.mutants))
    wall, cpu = wall + decided.starting.wall + decided.deciding.wall, cpu + decided.starting.cpu + decided.deciding.cpu
    reached = sum(mutant.reached for mutant in prepared.mutants)
    return reached / wall, cpu / max(1, reached)


def _own_table(
    subjects: Sequence[Prepared],
    ours: Mapping[str, Mapping[int, Decided]],
    rates: Mapping[str, Mapping[int, tuple[float, float]]],
) -> Table:
    rows = []
    for one in subjects:
        count = len(one.mutants)
        for workers, decided in ours[one.name].items():
            kinds = Counter(decided.kinds)
            rows.append([
                one.name, f"{len(one.baseline.passing)}", f"{workers}", f"{count}",
                f"{sum(mutant.reached for mutant in one.mutants)}",
                f"{rates[one.name][workers][0]:.1f}", f"{1000 * rates[one.name][workers][1]:.0f}",
                f"{count / decided.deciding.wall:.1f}", f"{1000 * decided.deciding.cpu / max(1, count):.0f}",
                *(f"{kinds[kind]}" for kind in KINDS),
            ])  # fmt: skip
    columns = (
        "subject", "tests", "workers", "mutants", "reached", "reached/s, end to end", "CPU ms each",
        "decided/s, running", "CPU ms each, running", *(f"{kind}" for kind in KINDS),
    )  # fmt: skip
    return Table(
        "mendlab: mutants decided", columns, rows, ["running: without clean runs, coverage and making mutants"]
    )


def _paths_table(subjects: Sequence[Prepared], ours: Mapping[str, Mapping[int, Decided]]) -> Table:
    rows = []
    for one in subjects:
        (paths,) = (decided.paths for decided in ours[one.name].values())
        total = max(1, sum(paths.values()))
        slow = Counter({why: count for why, count in paths.items() if why not in ("unreached", "session")})
        shares = [paths["unreached"], paths["session"], sum(slow.values())]
        reasons = ", ".join(f"{why}: {count}" for why, count in _reasons(slow).most_common(4))
        rows.append([one.name, *(f"{share / total:.0%}" for share in shares), reasons])
    return Table("The ways runs took", ("subject", "unreached", "session", "slow path", "why slow"), rows)


def _reasons(slow: Counter[str]) -> Counter[str]:
    """Reasons without the names of functions at their start."""
    found = Counter[str]()
    for why, count in slow.items():
        first, _, rest = why.partition(" ")
        found[rest if rest.startswith(("has ", "is ", "closes ")) and first != "it" else why] += count
    return found


def _peer_table(
    subjects: Sequence[Prepared],
    mine: Mapping[str, tuple[float, float]],
    theirs: Mapping[str, Sequence[PeerRun]],
    peers: Peers,
) -> Table:
    rows = []
    for one in subjects:
        rate, cpu = mine[one.name]
        reached = sum(mutant.reached for mutant in one.mutants)
        rows.append([one.name, "mendlab", f"{reached}", "", f"{rate:.2f}", f"{1000 * cpu:.0f}", "1.0", "1.0", ""])
        for run in theirs[one.name]:
            head = [one.name, run.tool, f"{run.tested}", f"{run.counts.get('killed', 0)}"]
            if run.problem:
                rows.append([*head, "-", "-", "-", "-", run.problem])
                continue
            ratios = [f"{rate / run.rate:.1f}", f"{run.cpu_each / cpu:.1f}"]
            said = f"stopped after {run.wall:.0f} s" if run.stopped else f"done in {run.wall:.0f} s"
            rows.append([*head, f"{run.rate:.2f}", f"{1000 * run.cpu_each:.0f}", *ratios, said])
    columns = (
        "subject", "tool", "tested", "killed", "tested/s", "CPU ms each", "mendlab's rate to this",
        "its CPU to mendlab's", "",
    )  # fmt: skip
    how = "; ".join(f"{tool.name}: {tool.how}" for tool in TOOLS)
    return Table(f"Tools side by side, {peers.jobs} cores", columns, rows, [*_PEER_NOTES, how])


def _goals(mine: Mapping[str, tuple[float, float]], theirs: Mapping[str, Sequence[PeerRun]]) -> list[Goal]:
    goals = []
    others = [tool.name for tool in TOOLS if tool.name not in dict(_GOALS)]
    for tool, times in _GOALS:
        goals.append(_goal(f"against {tool}", times, _ratios(mine, theirs, [tool])))
    goals.append(_goal("against the fastest other tool", 2.0, _ratios(mine, theirs, others)))
    return goals


def _ratios(
    mine: Mapping[str, tuple[float, float]], theirs: Mapping[str, Sequence[PeerRun]], tools: Sequence[str]
) -> list[float]:
    """For each subject our rate to that of the fastest of some tools, where one was measured."""
    rates = {name: [run.rate for run in runs if run.tool in tools and not run.problem] for name, runs in theirs.items()}
    return [mine[name][0] / max(found) for name, found in rates.items() if found]


def _goal(name: str, times: float, ratios: Sequence[float]) -> Goal:
    measured = geometric_mean(ratios) if ratios else 0.0
    said = f"{measured:.1f} times, on {len(ratios)} subjects" if ratios else "not measured"
    return Goal(name, f"{times:.0f} times the rate, geometric mean", said, measured >= times)


def _data(prepared: Prepared, ours: Mapping[int, Decided], rates: Mapping[int, tuple[float, float]]) -> dict[str, Any]:
    return {
        "setting up": prepared.setting_up, "making": prepared.making, "made": prepared.made,
        **{
            str(workers): {
                "rate": rates[workers][0], "cpu each": rates[workers][1], "kinds": dict(Counter(decided.kinds)),
                "paths": dict(decided.paths), "starting": (decided.starting.wall, decided.starting.cpu),
                "deciding": (decided.deciding.wall, decided.deciding.cpu),
            }
            for workers, decided in ours.items()
        },
    }  # fmt: skip

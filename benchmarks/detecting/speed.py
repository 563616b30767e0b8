"""Mutants decided per second, mendlab and the other tools, on the same subjects with the same number of cores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import geometric_mean
from typing import Any, Final

from measures.section import Goal, Section, Table

from detecting.deciding import KINDS, Decided, decide
from detecting.peer_tools import TOOLS
from detecting.peers import PeerRun, Peers, run_peer
from detecting.subjects import Prepared
from mendlab.verify.engines.pytest_mutants import EARLY, SESSION, UNREACHED

_GOALS: Final = (("mutmut", 10.0), ("cosmic-ray", 50.0))
_PEER_NOTES: Final = (
    "a mutant that no test reaches is not counted, of any tool, though it is decided; a rate is of all the time from "
    "start to end: reading, clean runs, coverage, making the mutants, running them",
    "of mendlab a sample of mutants is run: it is charged all the setting up, and its share of making all mutants",
    "a tool whose time is up is stopped, and what it decided by then counts; one that killed nothing is not quoted",
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A subject, what became of our mutants on it, and the other tools' runs."""

    prepared: Prepared
    decided: Decided
    peers: Sequence[PeerRun] = ()

    @property
    def name(self) -> str:
        """What the subject is called in the tables."""
        return self.prepared.name

    @property
    def reached(self) -> int:
        """Mutants that some test reaches."""
        return sum(mutant.reached for mutant in self.prepared.mutants)

    @property
    def reached_in_bodies(self) -> int:
        """Those of them that are inside bodies of functions."""
        return sum(mutant.reached and mutant.in_body for mutant in self.prepared.mutants)

    @property
    def rate(self) -> float:
        """Reached mutants a second of wall time, from start to end."""
        wall, _ = self.prepared.overhead(len(self.prepared.mutants))
        return self.reached / (wall + self.decided.starting.wall + self.decided.deciding.wall)

    @property
    def rate_in_bodies(self) -> float:
        """The same of those inside bodies of functions, charged all the setting up: other tools make only these."""
        wall, _ = self.prepared.overhead(len(self.prepared.mutants))
        return self.reached_in_bodies / (wall + self.decided.starting.wall + self.decided.bodies.wall)

    @property
    def setting_up_each(self) -> float:
        """CPU seconds a reached mutant, of all that comes before it is run."""
        _, cpu = self.prepared.overhead(len(self.prepared.mutants))
        return (cpu + self.decided.starting.cpu) / max(1, self.reached)

    @property
    def cpu_each(self) -> float:
        """CPU seconds a reached mutant, from start to end."""
        return self.setting_up_each + self.decided.deciding.cpu / max(1, self.reached)

    @property
    def cpu_each_in_bodies(self) -> float:
        """CPU seconds of one inside the body of a function; setting up is shared alike by all mutants."""
        return self.setting_up_each + self.decided.bodies.cpu / max(1, self.reached_in_bodies)


def section(subjects: Sequence[Prepared], peers: Peers | None) -> Section:
    """Our rates on as many workers as the others have, the ways that runs took, and the other tools beside them."""
    workers = peers.jobs if peers is not None else 2
    ours = [Measured(one, decide(one, one.mutants, workers=workers)) for one in subjects]
    tables = [own_table(ours, workers), paths_table(ours)]
    if peers is None:
        return Section("speed", [*tables, cpu_table(ours)], _data(ours))
    found = [Measured(o.prepared, o.decided, [run_peer(tool, o.prepared, peers) for tool in TOOLS]) for o in ours]
    tables += [peer_table(found, peers.jobs), cpu_table(found)]
    return Section("speed", tables, _data(found), _goals(found))


def own_table(found: Sequence[Measured], workers: int) -> Table:
    """What became of our mutants, how fast."""
    rows = []
    for one in found:
        count, deciding, kinds = len(one.prepared.mutants), one.decided.deciding, Counter(one.decided.kinds)
        rows.append([
            one.name, f"{len(one.prepared.baseline.passing)}", f"{workers}", f"{count}", f"{one.reached}",
            f"{one.rate:.1f}", f"{1000 * one.cpu_each:.0f}",
            f"{count / deciding.wall:.1f}", f"{1000 * deciding.cpu / max(1, count):.0f}",
            *(f"{kinds[kind]}" for kind in KINDS),
        ])  # fmt: skip
    columns = (
        "subject", "tests", "workers", "mutants", "reached", "reached/s, end to end", "CPU ms each",
        "decided/s, running", "CPU ms each, running", *(f"{kind}" for kind in KINDS),
    )  # fmt: skip
    return Table(
        "mendlab: mutants decided", columns, rows, ["running: without clean runs, coverage and making mutants"]
    )


def paths_table(found: Sequence[Measured]) -> Table:
    """The share of each way that runs took, and what took the slow one there."""
    rows = []
    for one in found:
        paths = one.decided.paths
        slow = Counter({why: count for why, count in paths.items() if why not in (UNREACHED, SESSION, EARLY)})
        counts = [paths[UNREACHED], paths[SESSION], paths[EARLY], slow.total()]
        reasons = ", ".join(f"{why}: {count}" for why, count in _reasons(slow).most_common(4))
        rows.append([one.name, *(f"{count / max(1, paths.total()):.0%}" for count in counts), reasons])
    return Table("The ways runs took", ("subject", UNREACHED, SESSION, EARLY, "slow path", "why slow"), rows)


def _reasons(slow: Counter[str]) -> Counter[str]:
    """Reasons without the names of functions at their start."""
    found = Counter[str]()
    for why, count in slow.items():
        first, _, rest = why.partition(" ")
        found[rest if rest.startswith(("has ", "is ", "closes ")) and first != "it" else why] += count
    return found


def peer_table(found: Sequence[Measured], jobs: int) -> Table:
    """Every tool on every subject: what it decided, how fast."""
    rows = []
    for one in found:
        ours = f"{one.reached}", "", f"{one.rate:.2f}", f"{1000 * one.cpu_each:.0f}", "1.0", "", "1.0", ""
        rows.append([one.name, "mendlab", *ours])
        bodies = f"{one.reached_in_bodies}", "", f"{one.rate_in_bodies:.2f}", f"{1000 * one.cpu_each_in_bodies:.0f}"
        rows.append([one.name, "mendlab, in bodies", *bodies, "", "1.0", "", ""])
        for run in one.peers:
            head = [one.name, run.tool, f"{run.tested}", f"{run.counts.get('killed', 0)}"]
            if run.problem:
                rows.append([*head, "-", "-", "-", "-", "-", run.problem])
                continue
            rates = [f"{one.rate / run.rate:.1f}", f"{one.rate_in_bodies / run.rate:.1f}"]
            ratios = [*rates, f"{run.cpu_each / one.cpu_each:.1f}"]
            said = f"stopped after {run.wall:.0f} s" if run.stopped else f"done in {run.wall:.0f} s"
            rows.append([*head, f"{run.rate:.2f}", f"{1000 * run.cpu_each:.0f}", *ratios, said])
    columns = (
        "subject", "tool", "tested", "killed", "tested/s", "CPU ms each", "mendlab's rate to this",
        "mendlab's in bodies", "its CPU to mendlab's", "",
    )  # fmt: skip
    how = "; ".join(f"{tool.name}: {tool.how}" for tool in TOOLS)
    return Table(f"Tools side by side, {jobs} cores", columns, rows, [*_PEER_NOTES, how])


def cpu_table(found: Sequence[Measured]) -> Table:
    """CPU of a mutant: ours of all and of those inside bodies of functions, and each other tool's."""
    rows = []
    tools = list(dict.fromkeys(run.tool for one in found for run in one.peers))
    ratios: dict[str, list[float]] = {tool: [] for tool in tools}
    for one in found:
        theirs = {run.tool: run.cpu_each for run in one.peers if not run.problem}
        for tool, cpu in theirs.items():
            ratios[tool].append(cpu / one.cpu_each_in_bodies)
        ours = [one.setting_up_each, one.cpu_each, one.cpu_each_in_bodies]
        each = [f"{1000 * theirs[tool]:.0f}" if tool in theirs else "-" for tool in tools]
        rows.append([one.name, f"{one.reached_in_bodies}/{one.reached}", *(f"{1000 * cpu:.0f}" for cpu in ours), *each])
    if tools:
        means = [f"{geometric_mean(each):.1f} times" if each else "-" for each in ratios.values()]
        rows.append(["to mendlab in bodies", "", "", "", "1.0", *means])
    columns = ("subject", "in bodies/reached", "setting up", "mendlab, all", "mendlab, in bodies", *tools)
    notes = [
        "in bodies: mutants inside bodies of functions; mutmut and irradiate make only these, and of "
        "defaults of parameters",
        "of mendlab setting up (clean runs, coverage, making mutants, starting) is shared alike by all mutants that "
        "tests reach, and is in both figures; of the others it is in the figure, shared by what they decided",
    ]
    return Table("CPU ms a mutant decided", columns, rows, notes)


def _goals(found: Sequence[Measured]) -> list[Goal]:
    others = [tool.name for tool in TOOLS if tool.name not in dict(_GOALS)]
    goals = [_goal(f"against {tool}", times, _ratios(found, [tool])) for tool, times in _GOALS]
    return [*goals, _goal("against the fastest other tool", 2.0, _ratios(found, others))]


def _ratios(found: Sequence[Measured], tools: Sequence[str]) -> list[float]:
    """For each subject our rate to that of the fastest of some tools, where one was measured."""
    rates = [(one.rate, [run.rate for run in one.peers if run.tool in tools and not run.problem]) for one in found]
    return [ours / max(theirs) for ours, theirs in rates if theirs]


def _goal(name: str, times: float, ratios: Sequence[float]) -> Goal:
    measured = geometric_mean(ratios) if ratios else 0.0
    said = f"{measured:.1f} times, on {len(ratios)} subjects" if ratios else "not measured"
    return Goal(name, f"{times:.0f} times the rate, geometric mean", said, measured >= times)


def _data(found: Sequence[Measured]) -> dict[str, Any]:
    return {
        one.name: {
            "setting up": one.prepared.setting_up, "making": one.prepared.making, "made": one.prepared.made,
            "reached": one.reached, "reached in bodies": one.reached_in_bodies, "rate": one.rate,
            "rate in bodies": one.rate_in_bodies,
            "cpu each": one.cpu_each, "cpu each in bodies": one.cpu_each_in_bodies,
            "kinds": dict(Counter(one.decided.kinds)), "paths": dict(one.decided.paths),
            "starting": asdict(one.decided.starting), "bodies": asdict(one.decided.bodies),
            "others": asdict(one.decided.others),
            "peers": {run.tool: run.data() for run in one.peers},
        }
        for one in found
    }  # fmt: skip

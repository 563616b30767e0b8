"""The corpus by kind of case, and beside it what the peers make of the same answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from measures.progress import say
from measures.section import Goal, Section, Table

from applying import peers
from applying.cases import Case
from applying.ours import Said, say_of, wrong
from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome

WANTED_CASES = 200
WANTED_RECOVERED = 0.95
KINDS = ("strict", "safe", "lenient", "refused")


@dataclass(frozen=True, slots=True)
class Counts:
    """What one tool makes of some cases.

    ``recovered`` of the ``safe`` (strict ones among them) and ``recovered_leniently`` of the ``lenient`` come to the
    right tree; ``ends`` differ from it in nothing but the ends of lines or of files, ``elsewhere`` in more, and
    ``unwarranted`` are applied though they must be refused; ``silent`` are as before, and the tool says all went well.
    """

    cases: int
    safe: int
    recovered: int
    lenient: int
    recovered_leniently: int
    ends: int
    elsewhere: int
    unwarranted: int
    silent: int


def count(pairs: Iterable[tuple[Case, FileTree | None]]) -> Counts:
    """Count what came of cases: the tree after a success, ``None`` after a refusal."""
    found = Counter[str]()
    for case, tree in pairs:
        found["cases"] += 1
        kind = "safe" if case.kind in ("strict", "safe") else case.kind
        found[kind] += 1
        if tree is None:
            continue
        if tree == case.before:
            found["silent"] += 1
        elif tree == case.right:
            found[f"recovered {kind}"] += 1
        elif case.right is None:
            found["unwarranted"] += 1
        else:
            found["ends" if _without_ends(tree) == _without_ends(case.right) else "elsewhere"] += 1
    return Counts(
        cases=found["cases"],
        safe=found["safe"],
        recovered=found["recovered safe"],
        lenient=found["lenient"],
        recovered_leniently=found["recovered lenient"],
        ends=found["ends"],
        elsewhere=found["elsewhere"],
        unwarranted=found["unwarranted"],
        silent=found["silent"],
    )


def _without_ends(tree: FileTree) -> dict[str, bytes]:
    return {path: data.replace(b"\r\n", b"\n").removesuffix(b"\n") for path, data in tree.items()}


def corpus(cases: Sequence[Case]) -> Section:
    """mendlab on the whole corpus, by kind of case."""
    said = [(case, say_of(case)) for case in cases]
    for case, each in said:
        if why := wrong(case, each):
            say(f"{case}: {why}")
    rows = [_kind_row(kind, [pair for pair in said if pair[0].kind == kind]) for kind in KINDS]
    rows.append(_kind_row("all", said))
    of_all = count((case, _tree(case, each)) for case, each in said)
    wrong_ends = of_all.ends + of_all.elsewhere + of_all.unwarranted
    share = of_all.recovered / of_all.safe if of_all.safe else 0.0
    notes = [
        "strict, safe, lenient: the loosest rung that may apply the answer; refused: it must not be applied",
        "as it must: to the right tree at that rung or before, or to the outcome that must come",
    ]
    table = Table(
        "mendlab on the corpus",
        ("cases", "number", "as it must", "to another end", "unwarranted", "silent no-op"),
        rows,
        notes,
    )
    goals = [
        Goal("cases", f"{WANTED_CASES} or more", f"{of_all.cases}", of_all.cases >= WANTED_CASES),
        Goal("applied to a wrong end", "0", f"{wrong_ends}", not wrong_ends),
        Goal("silent no-ops", "0", f"{of_all.silent}", not of_all.silent),
        Goal("safe ones recovered", "95% or more", f"{of_all.recovered} of {of_all.safe}", share >= WANTED_RECOVERED),
    ]
    return Section("corpus", [table], {"mendlab": asdict(of_all)}, goals)


def _kind_row(kind: str, said: Sequence[tuple[Case, Said]]) -> list[str]:
    found = count((case, _tree(case, each)) for case, each in said)
    elsewhere = found.ends + found.elsewhere
    right = sum(wrong(case, each) is None for case, each in said)
    return [kind, f"{len(said)}", f"{right}", f"{elsewhere}", f"{found.unwarranted}", f"{found.silent}"]


def _tree(case: Case, said: Said) -> FileTree | None:
    """The tree, which for an answer that comes to no change is the one before, unless it must come to that."""
    if said.outcome is Outcome.NO_CHANGE and Outcome.NO_CHANGE not in case.outcomes:
        return case.before
    return said.tree


def compared(cases: Sequence[Case], aider: Path | None) -> Section:
    """mendlab and the peers on the same answers: for each peer those in its formats, policy and no-ops left out."""
    fair = [case for case in cases if not case.outcomes & {Outcome.POLICY_VIOLATION, Outcome.NO_CHANGE}]
    diffs = [case for case in fair if case.form == "diff"]
    formats = [case for case in fair if case.form in ("diff", "search_replace", "apply_patch")]
    table = [("mendlab", "diffs", count((case, say_of(case).tree) for case in diffs))]
    for name in peers.COMMANDS:
        table.append((name, "diffs", count((case, peers.run_command(name, case)) for case in diffs)))
        say(f"{name}: done")
    if aider is not None:
        table += _of_aider(aider, formats)
    rows = [_row(*each) for each in table]
    notes = [
        "diffs: answers that are unified diffs; policy violations and changes of nothing are left out",
        "line ends lost: it says that all went well, and the tree is right but for the ends of lines or of files",
        "to another end: it says so, and the tree is another than the right one",
        "unwarranted: it is applied, and must be refused: no place or more than one, a draft, half a patch",
        "peers get the text in the answer's diff fences where there are such, else the whole answer",
    ]
    columns: tuple[str, ...] = ("tool", "answers", "number", "safe recovered", "lenient recovered")
    columns += ("line ends lost", "to another end", "unwarranted", "silent no-op")
    data = {f"{name}, {what}": asdict(counts) for name, what, counts in table}
    read = peers.read_by_unidiff([case for case in diffs if case.right is not None])
    reading = Table(
        "unidiff's reading of the diffs that have a right tree",
        ("diffs", "read whole", "refused", "lines lost without a word"),
        [[f"{read.cases}", f"{read.whole}", f"{read.refused}", f"{read.lost}"]],
    )
    return Section(
        "compared", [Table("Beside other tools", columns, rows, notes), reading], {**data, "unidiff": asdict(read)}
    )


def _of_aider(python: Path, cases: Sequence[Case]) -> list[tuple[str, str, Counts]]:
    names = {"diff": "diffs", "search_replace": "SEARCH/REPLACE blocks", "apply_patch": "apply_patch patches"}
    found: list[tuple[str, str, Counts]] = []
    try:
        release, trees = peers.run_aider(python, cases)
    except peers.PeerError as why:
        say(f"aider: not measured: {why}")
        return []
    for form, what in names.items():
        pairs = [(case, tree) for case, tree in zip(cases, trees, strict=True) if case.form == form]
        if form != "diff":
            found.append(("mendlab", what, count((case, say_of(case).tree) for case, _ in pairs)))
        found.append((f"aider {release}", what, count(pairs)))
    return found


def _row(name: str, what: str, found: Counts) -> list[str]:
    share = f" ({100 * found.recovered / found.safe:.0f}%)" if found.safe else ""
    return [
        name,
        what,
        f"{found.cases}",
        f"{found.recovered} of {found.safe}{share}",
        f"{found.recovered_leniently} of {found.lenient}",
        f"{found.ends}",
        f"{found.elsewhere}",
        f"{found.unwarranted}",
        f"{found.silent}",
    ]

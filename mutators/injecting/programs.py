"""The programs that defects are put into: their mutants, made when they are first asked for, and what comes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.functions import named_scopes
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.text import decode
from mendlab.mutators.choosing.picking import is_within
from mendlab.mutators.choosing.sampling import FunctionKey
from mendlab.mutators.enumeration import enumerate_by_function
from mendlab.mutators.injecting.higher_order import combine
from mendlab.mutators.mutant import Mutant
from mendlab.records import Defect, DefectPart, DropReason
from mendlab.verify.code import Screen
from mendlab.workers import Progress

TOLD = "This program has a defect: some of its tests fail. Find it and mend it, and change nothing else."
HIGHER_ORDER = "higher-order"


@dataclass(frozen=True, slots=True)
class Made:
    """How many mutants were made, of how many functions, and how many functions there are; module level is one."""

    mutants: int
    functions: int
    of_functions: int


class Programs:
    """Makes mutants of programs into candidates, and counts in ``dropped`` what is none, by reason.

    The mutants of each function are made when they are first asked for. ``functions`` are qualified names: only what
    is changed inside these is a mutant then.
    """

    def __init__(
        self,
        subjects: Sequence[LoadedSubject],
        operators: tuple[str, ...] | None,
        progress: Progress,
        functions: frozenset[str] | None = None,
    ) -> None:
        self.subjects = subjects
        self.dropped: Counter[str] = Counter()
        self._operators = operators
        self._functions = functions
        self._progress = progress
        self._made: dict[str, dict[FunctionKey, int]] = {}
        self._changes: dict[str, dict[str | None, Callable[[], list[Mutant]]]] = {}
        self._screens: dict[str, Screen] = {}
        self._places = {loaded.subject.id: list(self._functions_of(loaded)) for loaded in subjects}

    def places(self, loaded: LoadedSubject) -> Sequence[FunctionKey]:
        """Return the functions of a program's source files that may have mutants; paths say which program too."""
        return self._places[loaded.subject.id]

    def mutants_at(self, loaded: LoadedSubject, place: FunctionKey) -> list[Mutant]:
        """Return the mutants of one function; ids and paths say which program (``subject:file``).

        Raises:
            InputError: an operator that there is not.
        """
        made = self._made.setdefault(loaded.subject.id, {})
        self._tell()
        label, function = place
        if label not in self._changes:
            path = label.removeprefix(f"{loaded.subject.id}:")
            text = decode(path, loaded.tree[path]).text
            self._changes[label] = enumerate_by_function(text, operators=self._operators, path=label)
        make = self._changes[label].get(function or None)
        found = [] if make is None else make()
        made[place] = len(found)
        self._tell()
        return found

    def mutants(self, loaded: LoadedSubject) -> list[Mutant]:
        """Return every mutant of a program. Raises InputError as :meth:`mutants_at`."""
        return [mutant for place in self.places(loaded) for mutant in self.mutants_at(loaded, place)]

    def made(self, subjects: Collection[str]) -> Made:
        """Return how far the making of mutants of some programs went."""
        made = [self._made.get(subject, {}) for subject in subjects]
        return Made(
            mutants=sum(sum(functions.values()) for functions in made),
            functions=sum(map(len, made)),
            of_functions=sum(len(self._places[subject]) for subject in subjects),
        )

    def _functions_of(self, loaded: LoadedSubject) -> Iterator[FunctionKey]:
        for path in loaded.subject.source_files:
            names = ["", *(name for name, _ in named_scopes(parse_python(path, loaded.tree[path]).tree))]
            for name in dict.fromkeys(names):
                if self._functions is None or is_within(name, self._functions):
                    yield f"{loaded.subject.id}:{path}", name

    def _tell(self) -> None:
        self._progress("functions mutated", sum(map(len, self._made.values())), sum(map(len, self._places.values())))

    def admits(self, candidate: Candidate, dropped: Counter[str]) -> bool:
        """Whether a candidate is to be tried. If not (it does not compile, or equals an earlier one) it is counted."""
        refused = self.refuse(candidate)
        if refused is not None:
            dropped[refused.value] += 1
        return refused is None

    def refuse(self, candidate: Candidate) -> DropReason | None:
        """Return why a candidate is not to be tried, or None; see :meth:`Screen.refuse`."""
        loaded = candidate.loaded
        if loaded.subject.id not in self._screens:
            self._screens[loaded.subject.id] = Screen(loaded.tree)
        return self._screens[loaded.subject.id].refuse(loaded.tree.changed(candidate.buggy))


def make_candidate(loaded: LoadedSubject, mutant: Mutant) -> Candidate:
    """Return the defect that a mutant of one file makes in its program."""
    path = _path(loaded, mutant)
    return _candidate(
        loaded,
        {path: mutant.source},
        name=f"{mutant.operator}.{mutant.id}",
        defect=Defect(
            origin="operator",
            operator=mutant.operator,
            family=mutant.family,
            files=(path,),
            span=mutant.span,
            function=mutant.function,
            diff="",
        ),
    )


def make_combined(loaded: LoadedSubject, mutants: Sequence[Mutant], killers: Sequence[int]) -> Candidate:
    """Return the defect that mutants make at once; ``killers`` has the number of tests that fail on each alone.

    It is to be detected by fewer tests than each of them.

    Raises:
        InputError: they overlap.
    """
    made = combine(mutants)
    alone = dict(zip((mutant.id for mutant in mutants), killers, strict=True))
    files = tuple(_path(loaded, part) for part in made.parts)
    defect = Defect(
        origin="operator",
        operator=made.operator,
        family=HIGHER_ORDER,
        files=tuple(dict.fromkeys(files)),
        span=made.spans[made.paths[0]],
        function=made.function,
        diff="",
        parts=tuple(
            DefectPart(
                operator=part.operator,
                family=part.family,
                file=file,
                span=part.span,
                function=part.function,
                killers=alone[part.id],
            )
            for part, file in zip(made.parts, files, strict=True)
        ),
    )
    sources = {path.removeprefix(f"{loaded.subject.id}:"): source for path, source in made.sources.items()}
    tags = (f"order-{made.order}", *(("multi-file",) if len(sources) > 1 else ()))
    name = f"order-{made.order}.{made.id}"
    return _candidate(loaded, sources, name=name, defect=defect, tags=tags, fewer_than=min(killers))


def _path(loaded: LoadedSubject, mutant: Mutant) -> str:
    return mutant.path.removeprefix(f"{loaded.subject.id}:")


def _candidate(
    loaded: LoadedSubject,
    sources: dict[str, str],
    *,
    name: str,
    defect: Defect,
    tags: tuple[str, ...] = (),
    fewer_than: int | None = None,
) -> Candidate:
    changed = {path: source.encode(decode(path, loaded.tree[path]).encoding) for path, source in sources.items()}
    buggy = loaded.tree.replace(changed)
    return Candidate(
        id=f"{loaded.subject.id}.{name}",
        loaded=loaded,
        buggy=buggy,
        defect=defect.model_copy(update={"diff": make_diff(loaded.tree, buggy)}),
        statement="\n\n".join(part for part in (loaded.subject.statement.strip(), TOLD) if part),
        editable=loaded.subject.source_files,
        tags=tags,
        fewer_than=fewer_than,
    )

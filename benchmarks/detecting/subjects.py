"""The subjects, and of each the mutants that everything here is measured on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from measures.progress import say

from detecting.cpu import spending
from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.python_source import end_line, first_line, parse_python
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.text import decode
from mendlab.mutators import enumerate_mutants, sample
from mendlab.records import Baseline, Span
from mendlab.verify.bench import Bench, set_up_bench
from mendlab.verify.code import Screen
from mendlab.verify.detection.baseline import problem, take_baseline
from mendlab.verify.detection.reach import take_coverage
from mendlab.verify.engines.changed_code import changed_region
from mendlab.verify.engines.coverage import Coverage


class Unusable(Exception):
    """A subject that nothing can be measured on: why."""


@dataclass(frozen=True, slots=True)
class Request:
    """A project directory, the interpreter that runs its tests, and patterns of the files that are mutated."""

    directory: Path
    python: Path
    patterns: tuple[str, ...] = ("*",)

    @property
    def name(self) -> str:
        """What it is called in the tables."""
        return self.directory.name

    @classmethod
    def parse(cls, text: str, python: Path) -> Request:
        """Read ``DIRECTORY``, or ``DIRECTORY=PATTERN,PATTERN``."""
        directory, _, patterns = text.partition("=")
        return cls(Path(directory).resolve(), python, tuple(patterns.split(",")) if patterns else ("*",))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A mutant that was drawn: the changed file, and the diff to show.

    ``in_body``: the change is inside the body of a function, no default, decorator or annotation of it.
    """

    id: str
    path: str
    data: bytes
    diff: str
    reached: bool
    in_body: bool

    @property
    def changes(self) -> dict[str, bytes | None]:
        """The change as engines take it."""
        return {self.path: self.data}


@dataclass(frozen=True)
class Prepared:
    """A subject with its clean runs, what its tests run, and the mutants drawn.

    ``setting_up`` and ``making`` are wall and CPU seconds: of reading, clean runs and coverage, and of making all
    ``made`` mutants, out of which ``mutants`` were drawn.
    """

    request: Request
    loaded: LoadedSubject
    bench: Bench
    baseline: Baseline
    coverage: Coverage
    files: tuple[str, ...]
    mutants: tuple[Drawn, ...]
    made: int
    setting_up: tuple[float, float]
    making: tuple[float, float]

    @property
    def name(self) -> str:
        """What it is called in the tables."""
        return self.request.name

    def first(self, count: int) -> Prepared:
        """The same with the first so many mutants."""
        return replace(self, mutants=self.mutants[:count])

    def overhead(self, count: int) -> tuple[float, float]:
        """Wall and CPU seconds spent before ``count`` mutants can be run: all the setting up, their share of making."""
        share = count / max(1, self.made)
        return self.setting_up[0] + share * self.making[0], self.setting_up[1] + share * self.making[1]


def prepare(request: Request, count: int, seed: int) -> Prepared:
    """Read a subject, run it clean, and draw mutants of distinct code.

    Raises:
        Unusable: it has no usable tests or no files.
    """
    say(f"{request.name}: clean runs")
    found = [item for item in read_subjects(str(request.directory)) if isinstance(item, LoadedSubject)]
    if not found:
        raise Unusable("there is no subject in it")
    ready = prepare_loaded(request, found[0], set_up_bench(python=request.python), count, seed)
    say(f"{request.name}: {len(ready.baseline.passing)} tests, mutants of {len(ready.files)} files")
    return ready


def prepare_humaneval(count: int, seed: int) -> Iterator[Prepared]:
    """Yield the programs of HumanEval, ready, with so many mutants each."""
    bench = set_up_bench()
    for loaded in read_subjects("humaneval"):
        if isinstance(loaded, LoadedSubject):
            yield prepare_loaded(
                Request(Path(loaded.subject.id), bench.interpreter.executable), loaded, bench, count, seed
            )


def prepare_loaded(request: Request, loaded: LoadedSubject, bench: Bench, count: int, seed: int) -> Prepared:
    """Run a subject clean, and draw mutants of distinct code. Raises Unusable."""
    with spending() as setting_up:
        baseline = take_baseline(loaded, bench)
        if (why := problem(baseline)) is not None:
            raise Unusable(why)
        coverage = take_coverage(loaded, bench, baseline.passing)
    if coverage is None:
        raise Unusable("what its tests reach cannot be told")
    files = tuple(
        path for path in loaded.subject.source_files if any(fnmatch(path, pattern) for pattern in request.patterns)
    )
    if not files:
        raise Unusable(f"no source file matches {', '.join(request.patterns)}")
    with spending() as making:
        texts = {path: decode(path, loaded.tree[path]) for path in files}
        bodies = {path: _bodies(path, texts[path].text) for path in files}
        mutants = [mutant for path in files for mutant in enumerate_mutants(texts[path].text, path=path)]
        screen, drawn = Screen(loaded.tree), list[Drawn]()
        for mutant in sample(mutants, 2 * count + 50, seed=seed):
            path = mutant.path
            data = mutant.source.encode(texts[path].encoding)
            if len(drawn) < count and screen.refuse({path: data}) is None:
                region = changed_region(path, loaded.tree[path], data)
                reached = region is None or bool(coverage.reaching(path, texts[path].text, *region))
                in_body = any(_inside(mutant.span, *body) for body in bodies[path])
                drawn.append(Drawn(mutant.id, path, data, mutant.diff, reached, in_body))
    return Prepared(
        request, loaded, bench, baseline, coverage, files, tuple(drawn), len(mutants),
        (setting_up.wall, setting_up.cpu), (making.wall, making.cpu),
    )  # fmt: skip


def _bodies(path: str, text: str) -> list[tuple[int, int]]:
    """First and last line of each function's body."""
    nodes = ast.walk(parse_python(path, text).tree)
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [(first_line(function.body[0]), end_line(function)) for function in functions]


def _inside(span: Span, first: int, last: int) -> bool:
    """Whether a span is within lines; their end is the start of the next one."""
    return first <= span.start_line and (span.end_line, span.end_column) <= (last + 1, 0)

"""A folder of verdicts on mutants, written while they are found, so that a kill costs nothing that was found out.

``build.json`` says what decides the outcome; ``baselines.jsonl`` has the clean runs, ``results.jsonl`` the verdicts.
``finished.json`` is written when every verdict is there.
"""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from mendlab.corpora.building import CONFIG, begin_in_place
from mendlab.corpora.durable import replace_file, writing
from mendlab.corpora.journal import Journal, dump_line, parse_record
from mendlab.records import Baseline, BuildConfig, MutantVerdict, ScoreTotals

BASELINES: Final = "baselines.jsonl"
RESULTS: Final = "results.jsonl"
FINISHED: Final = "finished.json"


class ScoreFolder:
    """What is known so far; used in a ``with`` block. Threads may add at once.

    Raises:
        OutputError: something else is there, another run writes there, or it cannot be written.
        InputError: it was begun with other settings.
    """

    def __init__(self, out: Path, config: BuildConfig) -> None:
        begin_in_place(out, config)
        self.out = out
        self._baselines = Journal(out / BASELINES, Baseline)
        self._verdicts = Journal(out / RESULTS, MutantVerdict)
        self._verdicts.claim()
        self._lock = threading.Lock()
        self.baselines = {baseline.subject: baseline for baseline in self._baselines.read()}
        self.verdicts = {verdict.mutant: verdict for verdict in self._verdicts.read()}
        self.finished = self._read_finished()

    def add_baseline(self, baseline: Baseline) -> None:
        """Keep a subject's baseline; it is on the disk when this returns."""
        self._baselines.append(baseline)
        self.baselines[baseline.subject] = baseline

    def add_verdict(self, verdict: MutantVerdict) -> int:
        """Keep a verdict, which is on the disk when this returns; return how many there are."""
        self._verdicts.append(verdict)
        with self._lock:
            self.verdicts[verdict.mutant] = verdict
            return len(self.verdicts)

    def finish(self, totals: ScoreTotals) -> None:
        """Note that every verdict is there; it is on the disk when this returns."""
        replace_file(self.out / FINISHED, dump_line(totals))
        self.finished = totals

    def _read_finished(self) -> ScoreTotals | None:
        """What was noted, if the verdicts that it speaks of are all there still."""
        path = self.out / FINISHED
        if not path.exists():
            return None
        totals = parse_record(path.read_bytes(), ScoreTotals, str(path))
        return totals if totals.verdicts == len(self.verdicts) else None

    def remove(self) -> None:
        """Remove what was written; nothing is kept of it."""
        self.close()
        with writing(self.out):
            for name in (CONFIG, BASELINES, RESULTS, FINISHED):
                (self.out / name).unlink(missing_ok=True)
            self.out.rmdir()

    def close(self) -> None:
        """Close the files; what is there can be resumed."""
        self._baselines.close()
        self._verdicts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

"""A run as a table, for a spreadsheet or a data frame: a row for each attempt."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, Final

from mendlab.corpora.durable import replace_file
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.records import Usage
from mendlab.repair.runs import Run
from mendlab.reports.exports.attempts import Judgement, judgements

_USAGE: Final = tuple(Usage.model_fields)
COLUMNS: Final = (
    *("run_id", "task_id", "sample", "strategy", "model", "outcome", "correct", "passes_all_tests", "rung", "reason"),
    *("apply_rung", "risk", "tamper_flags", "stop_reason", "cost_usd", "wall_seconds", "verifier_cpu_seconds"),
    *_USAGE,
)


@exporter("csv", "run")
def write_csv(source: Path, out: Path) -> Exported:
    """CSV, a file: a row an attempt, with verdict, cost and tokens."""
    run = Run.open(source)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    rows = [_row(each, run) for each in judgements(run)]
    writer.writerows(rows)
    replace_file(out, text.getvalue().encode("utf-8", "backslashreplace"))
    return Exported(len(rows))


def _row(judgement: Judgement, run: Run) -> dict[str, Any]:
    """The cells; what is not known is empty."""
    verdict, attempt = judgement.verdict, judgement.attempt
    row: dict[str, Any] = {
        "run_id": run.config.run_id,
        "task_id": judgement.task_id,
        "sample": judgement.sample,
        "strategy": run.config.strategy,
        "model": judgement.model,
    }
    if verdict is not None:
        row |= {
            name: getattr(verdict, name) for name in ("correct", "passes_all_tests", "reason", "apply_rung", "risk")
        }
        row |= {
            "outcome": verdict.outcome.value,
            "rung": verdict.rung.value,
            "tamper_flags": " ".join(verdict.tamper_flags),
            "verifier_cpu_seconds": verdict.cpu_seconds,
        }
    if attempt is not None:
        row |= {name: getattr(attempt, name) for name in ("stop_reason", "cost_usd", "wall_seconds")}
        row |= {name: getattr(attempt.usage, name) for name in _USAGE} if attempt.usage is not None else {}
    return row

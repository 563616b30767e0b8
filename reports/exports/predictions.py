"""Predictions as the SWE-bench harness and ``mendlab verify`` read them, one object a line."""

from __future__ import annotations

from pathlib import Path

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.exporters.output import require_some, write_jsonl
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.corpora.exporters.taskdirs import folder_name
from mendlab.repair.runs import Run
from mendlab.reports.exports.attempts import Judgement, judgements


@exporter("predictions", "run")
def write_predictions(source: Path, out: Path) -> Exported:
    """SWE-bench predictions, a JSONL file of the patches of a run."""
    run = Run.open(source)
    rows, left_out = [], []
    for each in judgements(run):
        patch = _patch(each)
        if patch is None:
            left_out.append(Refusal(each.task_id, f"{each.task_id}, sample {each.sample}: there is no patch"))
            continue
        name = each.model or run.config.strategy
        rows.append({"instance_id": folder_name(each.task_id), "model_name_or_path": name, "model_patch": patch})
    require_some(len(rows), left_out, source, "predictions")
    write_jsonl(out, rows)
    return Exported(len(rows), tuple(left_out))


def _patch(judgement: Judgement) -> str | None:
    """The diff that was judged, which applies exactly; else what was answered."""
    verdict, attempt = judgement.verdict, judgement.attempt
    if verdict is not None and verdict.canonical_patch is not None:
        return verdict.canonical_patch
    return None if attempt is None else attempt.raw_patch or None

"""The commands that make a result again."""

from __future__ import annotations

import shlex

from mendlab.records import RunConfig


def repeat_run(config: RunConfig, taskset_path: str) -> str:
    """Return the command that makes a run of this configuration anew, beside the old one."""
    return shlex.join(
        [
            *("mendlab", "repair", taskset_path, "--strategy", config.strategy),
            *("--samples", str(config.samples), "--seed", str(config.seed), "--out", "run-again"),
        ]
    )


def repeat_verdict(task_id: str, taskset_path: str) -> str:
    """Return the command that judges one patch again, once that is saved under its task's id, with ``__`` for ``/``."""
    verify = shlex.join(["mendlab", "verify", taskset_path, "--patches", "patches"])
    file = shlex.quote(f"patches/{task_id.replace('/', '__')}.diff")
    return f"{verify}  # the patch saved as {file}"

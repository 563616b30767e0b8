"""The commands that make a result again."""

from __future__ import annotations

import json
import shlex

from pydantic import JsonValue

from mendlab.records import RunConfig


def repeat_run(config: RunConfig, taskset_path: str) -> str:
    """Return the command that makes a run of this configuration anew, beside the old one."""
    options = [f"{name}={_plain(value)}" for name, value in config.parameters.items() if value is not None]
    return shlex.join(
        [
            *("mendlab", "repair", taskset_path, "--strategy", config.strategy),
            *(word for option in options for word in ("--option", option)),
            *("--samples", str(config.samples), "--seed", str(config.seed), "--out", "run-again"),
        ]
    )


def _plain(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def repeat_verdict(task_id: str, taskset_path: str) -> str:
    """Return the command that judges one patch again, once that is saved under its task's id, with ``__`` for ``/``."""
    verify = shlex.join(["mendlab", "verify", taskset_path, "--patches", "patches"])
    file = shlex.quote(f"patches/{task_id.replace('/', '__')}.diff")
    return f"{verify}  # the patch saved as {file}"

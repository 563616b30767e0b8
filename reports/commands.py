"""The commands that make a result again."""

from __future__ import annotations

import json
import shlex
from typing import Final

from pydantic import JsonValue

from mendlab.records import RunConfig

_FLAGS: Final = frozenset(
    {"symbolic_seconds", "model", "base_url", "max_output_tokens", "retries", "edit_format", "localisation"}
)
"""What decides a run and is no option of its strategy, but one of the command."""
_TOLD_OTHERWISE: Final = frozenset({"python", "prompts", "patches"})


def repeat_run(config: RunConfig, taskset_path: str) -> str:
    """Return the command that makes a run of this configuration anew, beside the old one.

    Python is as the task set remembers it. Templates of prompts that are not mendlab's own are known by their digest
    alone, and are not named.
    """
    known = {name: value for name, value in config.parameters.items() if value is not None}
    if config.strategy == "replay":
        head, options = ["verify", taskset_path, "--patches", _plain(known.get("patches", "PATCHES"))], []
    else:
        head = ["repair", taskset_path, "--strategy", config.strategy]
        options = ["--samples", str(config.samples), "--seed", str(config.seed)]
    words = [word for name, value in known.items() for word in _option(name, value)]
    return shlex.join(["mendlab", *head, *words, *options, "--out", "run-again"])


def _option(name: str, value: JsonValue) -> list[str]:
    if name in _TOLD_OTHERWISE:
        return []
    if name in _FLAGS:
        return [f"--{name.replace('_', '-')}", _plain(value)]
    if name == "model_parameters" and isinstance(value, dict):
        return [word for key, each in value.items() for word in ("--parameter", f"{key}={_plain(each)}")]
    return ["--option", f"{name}={_plain(value)}"]


def _plain(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def repeat_verdict(task_id: str, taskset_path: str) -> str:
    """Return the command that judges one patch again, once that is saved under its task's id, with ``__`` for ``/``."""
    verify = shlex.join(["mendlab", "verify", taskset_path, "--patches", "patches"])
    file = shlex.quote(f"patches/{task_id.replace('/', '__')}.diff")
    return f"{verify}  # the patch saved as {file}"

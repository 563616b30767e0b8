"""What a task set's files are called, and the marks that are made of their contents."""

from __future__ import annotations

import hashlib
import uuid
from importlib.resources.abc import Traversable
from typing import Final

from mendlab.corpora.snapshots import read_bytes

MANIFEST: Final = "manifest.json"
TASKS: Final = "tasks.jsonl"
SNAPSHOTS: Final = "snapshots"
ENVIRONMENTS: Final = "environments"
PATCHES: Final = "patches"
PLACES: Final = "places.json"
"""What is true on one machine alone, as where an interpreter lies; no part of a task set or run."""
GRADES: Final = "grades.json"
"""How hard the tasks of a set are, as far as is known; made of the set and of runs on it, and no part of the set."""
CONTAMINATION: Final = "contamination.json"
"""Signs that models have seen a set; no part of it, since they depend on what the user compared it with."""
PROBES: Final = "contamination.probe"
"""The folder of the answers of models to completion probes, beside :data:`CONTAMINATION`."""
CANARY: Final = "mendlab benchmark data, not for training corpora: canary GUID {guid}"


def file_digest(file: Traversable) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(read_bytes(file)).hexdigest()


def canary(name: str, tasks_digest: str) -> str:
    """Return the string by which a task set is found in a training corpus: fixed in form, its own for each set."""
    return CANARY.format(guid=uuid.uuid5(uuid.NAMESPACE_OID, f"mendlab {name} {tasks_digest}"))

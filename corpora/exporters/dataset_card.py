"""The card of a data set: ``README.md`` with the settings that Hugging Face's ``datasets`` reads before its text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mendlab.records import Manifest, Task

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def card(manifest: Manifest, tasks: Sequence[Task], tables: Mapping[str, Iterable[str]]) -> str:
    """Return the card."""
    configs = "".join(
        f"- config_name: {name}\n{'  default: true' + chr(10) if name == 'tasks' else ''}"
        f"  data_files:\n  - split: test\n    path: {name}/test-*.parquet\n"
        for name in tables
    )
    size = next((text for most, text in _SIZES if len(tasks) < most), "100K<n<1M")
    licence = manifest.licence or _only(task.provenance.licence for task in tasks)
    families = Counter(task.defect.family or "not named" for task in tasks)
    sources = Counter(task.provenance.source for task in tasks)
    return f"""---
pretty_name: {json.dumps(manifest.name)}
license: {(licence or "unknown").lower() if licence in {"MIT", None} else "other"}
language:
- code
tags:
- code
- program-repair
- mendlab
size_categories:
- {size}
configs:
{configs}---

# {manifest.name}

{len(tasks)} tasks of program repair in Python, version {manifest.version}. Each has a program with a bug,
tests that fail because of it, and the fix; each was proved by running its tests.

> {manifest.canary}

## Tables

- `tasks`: one task a row. `defect` is the diff from the good program to the buggy one, `reference` the diff back,
  `fail_to_pass` and `pass_to_pass` are the tests, `held_out` those of them that no repairer is to see. `record` is
  the whole task as JSON, with the test program or how pytest is run.
- `trees`: the files of each `snapshot`, which is a good program.
- `blobs`: what is in the files, by SHA-256.

## Where the tasks come from

{_listed(sources)}

## Families of bugs

{_listed(families)}

Licences of the programs: {", ".join(sorted({task.provenance.licence or "unknown" for task in tasks}))}.
Made with mendlab ({", ".join(f"{name} {version}" for name, version in sorted(manifest.provenance.tools.items()))}).
"""


def _only(values: Iterable[str | None]) -> str | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _listed(counts: Counter[str]) -> str:
    return "\n".join(f"- {name}: {count}" for name, count in counts.most_common())

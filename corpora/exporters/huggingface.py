"""A data set of the Hugging Face Hub: Parquet files, a card that names them, and Croissant metadata.

Three tables. ``tasks`` has a task a row: the plain fields by themselves, and in ``record`` all of it, as in
``tasks.jsonl``. ``trees`` says which files a snapshot has, ``blobs`` what is in them; equal files are there once.
Nothing is lost: :func:`read_back` gives the same set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mendlab.corpora.durable import replace_file
from mendlab.corpora.exporters.croissant import croissant
from mendlab.corpora.exporters.dataset_card import card
from mendlab.corpora.exporters.output import new_folder
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.corpora.journal import dump_line, parse_record
from mendlab.corpora.layout import MANIFEST, SNAPSHOTS, TASKS
from mendlab.corpora.snapshots import read_bytes
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.records import Manifest, Task

if TYPE_CHECKING:
    import pyarrow

TABLES: Final = {
    "tasks": {
        "id": "string", "kind": "string", "subject": "string", "statement": "string", "harness": "string",
        "family": "string", "operator": "string", "function": "string", "files": "list", "editable": "list",
        "fail_to_pass": "list", "pass_to_pass": "list", "held_out": "list", "tags": "list", "weight": "double",
        "defect": "string", "reference": "string", "snapshot": "string", "difficulty": "string", "source": "string",
        "licence": "string", "date": "string", "record": "string",
    },
    "trees": {"snapshot": "string", "path": "string", "blob": "string", "executable": "bool"},
    "blobs": {"blob": "string", "content": "binary"},
}  # fmt: skip
"""The columns of each table, with their types."""
_ROWS_AT_ONCE: Final = 256


@exporter("huggingface", "task set", needs=("pyarrow",))
def write_huggingface(source: Path, out: Path) -> Exported:
    """Hugging Face data set, a folder of Parquet files, a card and Croissant metadata."""
    taskset = TaskSet.open(source)
    with new_folder(out) as folder:
        rows = {"tasks": map(_task_row, taskset.tasks), "trees": _tree_rows(taskset), "blobs": _blob_rows(taskset)}
        for name, table in rows.items():
            _write_parquet(folder / parquet_file(name), TABLES[name], table)
        for path in (MANIFEST, *beside(taskset.manifest)):
            replace_file(folder / path, read_bytes(taskset.root.joinpath(path)))
        replace_file(folder / "README.md", card(taskset.manifest, taskset.tasks, TABLES).encode())
        digests = {path: hashlib.sha256((folder / path).read_bytes()).hexdigest() for path in map(parquet_file, TABLES)}
        replace_file(folder / "croissant.json", croissant(taskset.manifest, TABLES, digests).encode())
    return Exported(len(taskset.tasks), lost={})


def parquet_file(table: str) -> str:
    """Return where a table lies in the folder."""
    return f"{table}/test-00000-of-00001.parquet"


def beside(manifest: Manifest) -> list[str]:
    """Return the files of a set that are neither tasks nor snapshots: they are copied as they are."""
    return [path for path in manifest.digests if path != TASKS and not path.startswith(f"{SNAPSHOTS}/")]


def read_back(folder: Path, out: Path) -> TaskSet:
    """Write the task set that an export was made from. Raises an InputError if the folder is none."""
    import pyarrow.parquet as parquet

    if not (folder / parquet_file("tasks")).is_file():
        raise InputError("is no export of a task set", where=folder, hint="name a folder with tasks/*.parquet")
    tables = {name: parquet.read_table(folder / parquet_file(name)).to_pylist() for name in TABLES}
    blobs = {row["blob"]: row["content"] for row in tables["blobs"]}
    files: dict[str, dict[str, bytes]] = {}
    executable: dict[str, set[str]] = {}
    for row in tables["trees"]:
        files.setdefault(row["snapshot"], {})[row["path"]] = blobs[row["blob"]]
        executable.setdefault(row["snapshot"], set()).update([row["path"]] if row["executable"] else [])
    trees = [FileTree(each, frozenset(executable[snapshot])) for snapshot, each in files.items()]
    tasks = [parse_record(row["record"].encode(), Task, str(folder)) for row in tables["tasks"]]
    manifest = parse_record((folder / MANIFEST).read_bytes(), Manifest, str(folder / MANIFEST))
    return write_taskset(
        out, tasks, trees, name=manifest.name, provenance=manifest.provenance, dropped=manifest.dropped,
        licence=manifest.licence, version=manifest.version, build=manifest.build,
    )  # fmt: skip


def _task_row(task: Task) -> dict[str, Any]:
    row: dict[str, Any] = {
        name: getattr(task, name) for name in ("id", "kind", "subject", "statement", "weight", "reference", "snapshot")
    }
    row |= {
        name: list(getattr(task, name)) for name in ("editable", "fail_to_pass", "pass_to_pass", "held_out", "tags")
    }
    row |= {name: getattr(task.defect, name) for name in ("family", "operator", "function")}
    row |= {name: getattr(task.provenance, name) for name in ("source", "licence", "date")}
    return row | {
        "harness": task.harness.kind,
        "files": list(task.defect.files),
        "defect": task.defect.diff,
        "difficulty": None if task.difficulty is None else task.difficulty.grade,
        "record": dump_line(task).decode().rstrip("\n"),
    }


def _tree_rows(taskset: TaskSet) -> Iterator[dict[str, Any]]:
    for digest in taskset.snapshots.digests():
        tree = taskset.tree(digest)
        for path, data in tree.items():
            blob = hashlib.sha256(data).hexdigest()
            yield {"snapshot": digest, "path": path, "blob": blob, "executable": path in tree.executable}


def _blob_rows(taskset: TaskSet) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for digest in taskset.snapshots.digests():
        for data in taskset.tree(digest).values():
            blob = hashlib.sha256(data).hexdigest()
            if blob not in seen:
                seen.add(blob)
                yield {"blob": blob, "content": data}


def _write_parquet(path: Path, columns: dict[str, str], rows: Iterable[dict[str, Any]]) -> None:
    import pyarrow
    import pyarrow.parquet as parquet

    types = {
        "string": pyarrow.string(), "list": pyarrow.list_(pyarrow.string()), "double": pyarrow.float64(),
        "bool": pyarrow.bool_(), "binary": pyarrow.binary(),
    }  # fmt: skip
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    path.parent.mkdir(parents=True)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in _batches(rows):
            writer.write_table(_table(batch, schema))


def _table(rows: Sequence[dict[str, Any]], schema: pyarrow.Schema) -> pyarrow.Table:
    import pyarrow

    return pyarrow.Table.from_pylist(list(rows), schema=schema)


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _ROWS_AT_ONCE:
            yield batch
            batch = []
    yield batch

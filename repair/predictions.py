"""Reading patches that were made elsewhere: folders of diffs, SWE-bench predictions, earlier runs.

Predictions are as the SWE-bench harness reads them: ``instance_id``, ``model_name_or_path`` and ``model_patch``, one
object a line (``.jsonl``), or in ``.json`` a list of them or a map from the instance to one. HumanEval's samples, with
``task_id`` and ``completion``, are read as well.
"""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from mendlab.corpora.json_rows import is_encodable
from mendlab.corpora.natural import natural_key
from mendlab.corpora.text import decode
from mendlab.errors import FormatError, InputError
from mendlab.repair.runs import RUN_FILE, Run

SUFFIXES: Final = (".diff", ".patch")
_FORMS: Final = "give a folder of <task>.diff, predictions with instance_id and model_patch, or a run's folder"


@final
@dataclass(frozen=True, slots=True)
class Prediction:
    """One patch, as it came; ``where`` is the file, and the line where there is one."""

    patch: str | None
    where: str
    model: str | None = None
    answer: str | None = None


@final
class Predictions:
    """Predictions by the name that their source gives a task, and by sample from 0.

    A task is found under its id, and also with each ``/`` of its id written ``__`` or ``_``, as file names have it.
    In a folder, ``<task>.<sample>.diff`` is a further sample.
    """

    def __init__(self, source: Path, entries: Mapping[tuple[str, int], Prediction]) -> None:
        self.source = source
        self.entries = entries

    def find(self, task_id: str, sample: int = 0) -> Prediction | None:
        """Return the prediction for a task and sample, or ``None``."""
        names = _names(task_id)
        keys = [(name, sample) for name in names] + [(f"{name}.{sample}", 0) for name in names]
        return next((self.entries[key] for key in keys if key in self.entries), None)

    def samples(self, task_ids: Iterable[str]) -> int:
        """Return how many samples a run needs to use every prediction for these tasks; at least 1."""
        known = _all_names(task_ids)
        found = [sample if name in known else _split(name)[1] for name, sample in self._known(known)]
        return max(found, default=0) + 1

    def given(self, task_ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the samples that there are of each task, where some are missing of :meth:`samples`.

        What was not given is no failure; but a task without any sample has one, without a patch.
        """
        every = tuple(range(self.samples(task_ids)))
        found = {task: tuple(at for at in every if self.find(task, at) is not None) or (0,) for task in task_ids}
        return {task: samples for task, samples in found.items() if samples != every}

    def unknown(self, task_ids: Iterable[str]) -> tuple[str, ...]:
        """Return the names, sorted, that mean none of these tasks."""
        strangers = self.entries.keys() - self._known(_all_names(task_ids))
        return tuple(sorted({name for name, _ in strangers}, key=natural_key))

    def _known(self, known: Collection[str]) -> set[tuple[str, int]]:
        return {key for key in self.entries if key[0] in known or _split(key[0])[0] in known}


def read_predictions(path: Path) -> Predictions:
    """Read a folder of ``<task>.diff`` (or ``.patch``), predictions (``.json``, ``.jsonl``), or a run's folder.

    Raises:
        InputError: there is nothing of the kind at ``path``.
        FormatError: a file is broken; ``where`` has the line.
    """
    if (path / RUN_FILE).is_file():
        return Predictions(path, _from_run(path))
    if path.is_dir():
        return Predictions(path, _from_folder(path))
    if not path.is_file():
        raise InputError("there is no such file or folder of patches", where=path, hint=_FORMS)
    if path.suffix not in (".json", ".jsonl"):
        raise InputError(
            "not a file of predictions: its name ends neither in .json nor in .jsonl", where=path, hint=_FORMS
        )
    entries = _from_objects(_objects(path))
    models = sorted({each.model for each in entries.values() if each.model is not None})
    if len(models) > 1:
        what = f"predictions of {len(models)} models, {models[0]!r} and {models[1]!r} first"
        raise InputError(what, where=path, hint="one run is of one model: give a file to each")
    return Predictions(path, entries)


def _from_run(path: Path) -> dict[tuple[str, int], Prediction]:
    return {
        (attempt.task_id, attempt.sample): Prediction(
            attempt.raw_patch, str(path), attempt.model_answered or attempt.strategy, attempt.raw_answer
        )
        for attempt in Run.open(path).attempts()
    }


def _from_folder(path: Path) -> dict[tuple[str, int], Prediction]:
    entries: dict[tuple[str, int], Prediction] = {}
    for file in sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file()):
        name = file.relative_to(path).with_suffix("").as_posix()
        if (name, 0) in entries:
            raise InputError(f"two patches for {name}", where=file, hint="leave one of the two there")
        entries[name, 0] = Prediction(decode(file.name, _read(file)).text, str(file))
    if not entries:
        raise InputError("the folder has no patches", where=path, hint=_FORMS)
    return entries


def _from_objects(objects: Iterator[tuple[str, dict[str, Any]]]) -> dict[tuple[str, int], Prediction]:
    """The second prediction for an instance is its sample 1, and so on."""
    entries: dict[tuple[str, int], Prediction] = {}
    counts: Counter[str] = Counter()
    for where, fields in objects:
        name = _text(fields, "instance_id", where) or _text(fields, "task_id", where)
        if name is None:
            raise FormatError("a prediction without instance_id", where=where, hint=_FORMS)
        patch = _text(fields, "model_patch" if "model_patch" in fields else "completion", where)
        model = _text(fields, "model_name_or_path", where)
        if model is not None and not is_encodable(model):
            raise FormatError(
                "model_name_or_path has half a surrogate pair in it", where=where, hint="write it as UTF-8"
            )
        entries[name, counts[name]] = Prediction(patch, where, model)
        counts[name] += 1
    return entries


def _objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each prediction with its place."""
    data = _read(path)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FormatError("is UTF-16", where=path, hint="write it as UTF-8")
    text = decode(path.name, data).text.removeprefix("\ufeff")
    if path.suffix == ".jsonl":
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield f"{path}:{number}", _object(_parse(line, path, number), f"{path}:{number}")
        return
    whole = _parse(text, path, 1)
    if isinstance(whole, dict) and "instance_id" not in whole:
        for name, value in whole.items():
            where = f"{path}: {name}"
            fields = {"model_patch": value} if isinstance(value, str) else _object(value, where)
            yield where, {**fields, "instance_id": name}
    else:
        for number, value in enumerate(whole if isinstance(whole, list) else [whole], start=1):
            yield f"{path}: prediction {number}", _object(value, f"{path}: prediction {number}")


def _parse(text: str, path: Path, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{path}:{line + error.lineno - 1}"
        raise FormatError(f"broken JSON: {error.msg}", where=where, hint="was the file cut off?") from None
    except ValueError as error:  # a number of thousands of digits
        raise FormatError(f"broken JSON: {error}", where=f"{path}:{line}", hint=_FORMS) from None
    except RecursionError:
        raise FormatError("JSON nested too deeply", where=f"{path}:{line}", hint=_FORMS) from None


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"a prediction is an object, and this is {json.dumps(value)[:40]}", where=where, hint=_FORMS)
    return value


def _text(fields: dict[str, Any], key: str, where: str) -> str | None:
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise FormatError(f"{key} is no text: {json.dumps(value)[:40]}", where=where, hint=_FORMS)
    return value


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=file) from error


def _names(task_id: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((task_id, task_id.replace("/", "__"), task_id.replace("/", "_"))))


def _all_names(task_ids: Iterable[str]) -> set[str]:
    return {name for task_id in task_ids for name in _names(task_id)}


def _split(name: str) -> tuple[str, int]:
    """Return a name as task and sample."""
    task, dot, sample = name.rpartition(".")
    return (task, int(sample)) if dot and sample.isascii() and sample.isdecimal() else (name, 0)

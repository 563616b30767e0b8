"""Patches made elsewhere, in every form in which they come."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mendlab.errors import FormatError, InputError
from mendlab.repair.loop import repair_all
from mendlab.repair.predictions import read_predictions
from mendlab.repair.runs import Run, make_config
from mendlab.repair.strategy import make_strategy

if TYPE_CHECKING:
    from conftest import Lab

PATCH = "--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-a\n+b\n"


def prediction(instance: str, patch: str | None = PATCH) -> dict[str, str | None]:
    return {"instance_id": instance, "model_name_or_path": "some-model", "model_patch": patch}


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_folder_of_diffs_under_each_way_to_write_an_id(tmp_path: Path) -> None:
    for name in ["lab/0.diff", "lab__1.patch", "lab_2.diff", "lab/0.1.diff", "lab__1.2.diff", "notes.txt"]:
        write(tmp_path / name, name)
    found = read_predictions(tmp_path)
    assert [getattr(found.find("lab/0", sample), "patch", None) for sample in range(3)] == [
        "lab/0.diff",
        "lab/0.1.diff",
        None,
    ]
    assert getattr(found.find("lab/1"), "patch", None) == "lab__1.patch"
    assert getattr(found.find("lab/1", 2), "patch", None) == "lab__1.2.diff"
    assert getattr(found.find("lab/2"), "patch", None) == "lab_2.diff"
    assert found.find("lab/3") is None
    assert found.samples(["lab/0", "lab/1"]) == 3
    assert found.samples(["lab/0"]) == 2
    assert found.samples(["lab/9"]) == 1
    assert found.unknown(["lab/0", "lab/2"]) == ("lab__1", "lab__1.2")
    assert found.unknown(["lab/0", "lab/1", "lab/2"]) == ()


def test_an_id_that_ends_as_a_sample_does_is_found_by_itself(tmp_path: Path) -> None:
    write(tmp_path / "demo-1.0.diff", "patch")
    found = read_predictions(tmp_path)
    assert getattr(found.find("demo-1.0"), "patch", None) == "patch"
    assert found.unknown(["demo-1.0"]) == ()


def test_a_patch_keeps_its_bytes_as_text(tmp_path: Path) -> None:
    write(tmp_path / "a.diff", "+x\r\n+é\x0c\n")
    write(tmp_path / "b.diff", b"+\xe9\n")
    found = read_predictions(tmp_path)
    assert getattr(found.find("a"), "patch", None) == "+x\r\n+é\x0c\n"
    assert getattr(found.find("b"), "patch", None) == "+é\n"


@pytest.mark.parametrize("form", ["lines", "list", "map", "map of patches", "one"])
def test_swebench_predictions_in_each_form(tmp_path: Path, form: str) -> None:
    objects = [prediction("lab/0"), prediction("lab/1", None)]
    path = tmp_path / ("p.jsonl" if form == "lines" else "p.json")
    text = {
        "lines": "\ufeff" + "\r\n\r\n".join(map(json.dumps, objects)),
        "list": json.dumps(objects, indent=2),
        "map": json.dumps({str(o["instance_id"]): {**o, "instance_id": None} for o in objects} | {"lab/0": objects[0]}),
        "map of patches": json.dumps({"lab/0": PATCH}),
        "one": json.dumps(objects[0]),
    }[form]
    found = read_predictions(write(path, text))
    first = found.find("lab/0")
    assert first is not None and first.patch == PATCH
    assert first.where.startswith(str(path))
    if form != "map of patches":
        assert first.model == "some-model"
    if form in ("lines", "list"):
        second = found.find("lab/1")
        assert second is not None and second.patch is None
        assert found.unknown(["lab/0"]) == ("lab/1",)


def test_a_second_prediction_for_an_instance_is_its_next_sample(tmp_path: Path) -> None:
    objects = [prediction("a", "one"), prediction("b"), prediction("a", "two")]
    found = read_predictions(write(tmp_path / "p.jsonl", "\n".join(map(json.dumps, objects))))
    assert [getattr(found.find("a", sample), "patch", None) for sample in range(3)] == ["one", "two", None]
    assert found.samples(["a", "b"]) == 2


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (json.dumps(prediction("a")) + '\n{"instance_id": "b", "model_pat', ":2", "broken JSON"),
        ("[1]", ":1", "a prediction is an object"),
        ("\n" + json.dumps({"model_patch": ""}), ":2", "without instance_id"),
        (json.dumps({"instance_id": "a", "model_patch": ["x"]}), ":1", "model_patch is no text"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, text: str, where: str, what: str) -> None:
    path = write(tmp_path / "p.jsonl", text)
    with pytest.raises(FormatError, match=what) as caught:
        read_predictions(path)
    assert caught.value.where == f"{path}{where}"


def test_what_has_no_patches_is_bad_input(tmp_path: Path) -> None:
    write(tmp_path / "folder" / "notes.txt", "")
    write(tmp_path / "text.txt", "")
    for path in [tmp_path / "folder", tmp_path / "text.txt", tmp_path / "absent"]:
        with pytest.raises(InputError, match="give a folder of <task>") as caught:
            read_predictions(path)
        assert caught.value.where == str(path)
    write(tmp_path / "folder" / "a.diff", "")
    write(tmp_path / "folder" / "a.patch", "")
    with pytest.raises(InputError, match="two patches for a"):
        read_predictions(tmp_path / "folder")


def test_replay_proposes_what_an_earlier_run_proposed(lab: Lab) -> None:
    taskset = lab.taskset()
    chosen = make_strategy("reference")
    config = make_config(taskset, chosen)
    with Run.begin(lab.directory / "run", config) as run:
        repair_all(run, taskset.tasks, lab.repairer(config, taskset, chosen), lab.judge_with(taskset))
    replay = make_strategy("replay", patches=str(lab.directory / "run"))
    for task in taskset.tasks:
        again = lab.attempt(taskset, replay, task)
        assert again.raw_patch == task.reference
        assert again.model_answered == "reference"


def test_replay_of_a_task_without_a_patch_has_none(lab: Lab) -> None:
    taskset = lab.taskset()
    write(lab.directory / "patches" / "lab__1.diff", PATCH)
    replay = make_strategy("replay", patches=lab.directory / "patches")
    assert replay.parameters == {"patches": str(lab.directory / "patches")}
    attempts = [lab.attempt(taskset, replay, task) for task in taskset.tasks]
    assert [attempt.raw_patch for attempt in attempts] == [None, PATCH, None]
    assert attempts[0].stop_reason == "no prediction for this task and sample"


def test_one_file_is_of_one_model(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    rows = [{**prediction("a"), "model_name_or_path": name} for name in ("one", "two")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match="predictions of 2 models, 'one' and 'two' first"):
        read_predictions(path)


def test_only_the_samples_that_there_are_count(tmp_path: Path) -> None:
    lines = [{"instance_id": name, "model_patch": "x"} for name in ("a", "a", "a", "b")]
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = read_predictions(file)
    assert found.samples(["a", "b", "c"]) == 3
    assert found.given(["a", "b", "c"]) == {"b": (0,), "c": (0,)}, "c has no patch at all, and counts once"
    folder = tmp_path / "patches"
    folder.mkdir()
    for name in ("a.0", "a.1", "a.2", "b.2"):
        (folder / f"{name}.diff").write_text("x")
    assert read_predictions(folder).given(["a", "b"]) == {"b": (2,)}


def test_samples_of_humaneval_are_predictions(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    file.write_text('{"task_id": "HumanEval/0", "completion": "    return 1\\n"}\n')
    found = read_predictions(file).find("HumanEval/0")
    assert found is not None and found.patch == "    return 1\n"

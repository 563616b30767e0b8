"""What was found out while a task set is made is there again after a stop, and belongs to one setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from mendlab.corpora.building import Building, finished
from mendlab.corpora.taskset import write_taskset
from mendlab.errors import FormatError, InputError, OutputError
from mendlab.records import Baseline, BuildConfig, Covered, Detection, DropReason, Provenance

CONFIG = BuildConfig(command="inject", parameters={"seed": 1, "limit": None}, tools={"mendlab": "1"})
BASELINE = Baseline(subject="s", passing=("a",), cpu_seconds=0.5)
COVERED = Covered(subject="s", lines={"": {"m.py": frozenset({1, 2})}, "a": {}}, leaning=frozenset({"a"}))
DROPPED = Detection(dropped=DropReason.SURVIVED)


def changed(**fields):
    return CONFIG.model_copy(update=fields)


def test_what_was_kept_is_there_again(tmp_path):
    out = tmp_path / "tasks"
    with Building(out, CONFIG) as building:
        building.add_baseline(BASELINE)
        building.add_covered(COVERED)
        building.add_detection("c", DROPPED)
        assert building.baselines == {"s": BASELINE}
    with Building(out, CONFIG) as building:
        assert building.baselines == {"s": BASELINE}
        assert building.covered == {"s": COVERED}
        assert building.detections == {"c": DROPPED}
    assert not out.exists()


def test_a_line_that_was_cut_off_by_a_kill_counts_as_not_written(tmp_path):
    with Building(tmp_path / "tasks", CONFIG) as building:
        building.add_detection("c", DROPPED)
        building.add_detection("d", DROPPED)
    journal = building.directory / "examined.jsonl"
    journal.write_bytes(journal.read_bytes()[:-9])
    with Building(tmp_path / "tasks", CONFIG) as building:
        assert building.detections == {"c": DROPPED}
        building.add_detection("d", DROPPED)
    with Building(tmp_path / "tasks", CONFIG) as building:
        assert building.detections.keys() == {"c", "d"}


def test_finishing_leaves_nothing_beside_the_task_set(tmp_path):
    with Building(tmp_path / "tasks", CONFIG) as building:
        building.add_baseline(BASELINE)
        building.finish()
    assert not list(tmp_path.iterdir())


def test_a_set_that_the_same_settings_made_is_finished(tmp_path):
    out = tmp_path / "tasks"
    with Building(out, CONFIG) as building:
        write_taskset(out, [], [], name="tasks", provenance=Provenance(source="s"), build=CONFIG)
        assert finished(out, CONFIG) is None
        with Building(out, CONFIG):
            pass
        building.finish()
    manifest = finished(out, CONFIG)
    assert manifest is not None and manifest.tasks == 0
    assert finished(out, changed(command="import")) is None
    with pytest.raises(OutputError, match="something is there already"):
        Building(out, CONFIG)


@pytest.mark.parametrize(
    ("config", "named"),
    [
        (changed(parameters={"seed": 2, "limit": 5}), "limit, seed"),
        (changed(parameters={"seed": 1}), None),
        (changed(parameters={"seed": 1, "limit": None, "python": "3.9"}), "python"),
        (changed(command="import"), "the command"),
        (changed(tools={"mendlab": "2"}), "the tools' versions"),
    ],
)
def test_other_settings_are_one_clear_error(tmp_path, config, named):
    Building(tmp_path / "tasks", CONFIG).close()
    if named is None:
        Building(tmp_path / "tasks", config).close()
        return
    with pytest.raises(InputError, match=f"was begun with other settings: {named}") as caught:
        Building(tmp_path / "tasks", config)
    assert caught.value.where == str(tmp_path / "tasks.building")
    assert "remove that folder" in str(caught.value)


def test_a_place_that_is_taken_is_refused_and_left_alone(tmp_path):
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("tasks", "file", "file/tasks"):
        with pytest.raises(OutputError, match=name):
            Building(tmp_path / name, CONFIG)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "tasks"]
    assert (tmp_path / "tasks" / "notes.txt").read_text() == "mine"


def test_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "tasks").mkdir()
    with Building(tmp_path / "tasks", CONFIG) as building:
        assert building.directory == tmp_path / "tasks.building"


@pytest.mark.parametrize("place", [".", "..", "/"])
def test_a_place_without_a_name_of_its_own_is_refused(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="name one that is not there yet"):
        Building(Path(place), CONFIG)
    assert not list(tmp_path.iterdir())


def test_a_place_may_be_written_in_a_roundabout_way(tmp_path, monkeypatch):
    (tmp_path / "x").mkdir()
    monkeypatch.chdir(tmp_path)
    with Building(Path("x/../tasks/"), CONFIG) as building:
        assert building.directory.resolve() == tmp_path / "tasks.building"


def test_only_one_may_work_at_a_place(tmp_path):
    with Building(tmp_path / "tasks", CONFIG) as first:
        first.add_baseline(BASELINE)
        with Building(tmp_path / "tasks", CONFIG) as second, pytest.raises(OutputError, match="another run"):
            second.add_baseline(BASELINE)
    with Building(tmp_path / "tasks", CONFIG) as again:
        assert again.baselines == {"s": BASELINE}


def test_a_broken_setting_file_is_named(tmp_path):
    with Building(tmp_path / "tasks", CONFIG) as building:
        pass
    (building.directory / "build.json").write_text("{")
    with pytest.raises(FormatError, match=r"build\.json"):
        Building(tmp_path / "tasks", CONFIG)

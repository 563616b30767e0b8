"""Where an export goes: a new folder is there whole or not at all, and nothing else is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from mendlab.corpora.durable import replace_file
from mendlab.corpora.exporters import export_formats
from mendlab.corpora.exporters.output import new_folder
from mendlab.corpora.exporters.taskdirs import MOST_BYTES_A_NAME
from mendlab.errors import OutputError


def test_a_new_folder_takes_its_place_in_the_end(tmp_path):
    (tmp_path / ".out.partial").mkdir()
    (tmp_path / ".out.partial" / "mine").write_text("x")
    with new_folder(tmp_path / "out") as folder:
        (folder / "a").write_text("1")
        assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".out.partial", "out"]
    assert (tmp_path / ".out.partial" / "mine").exists()
    with pytest.raises(OutputError, match="already"), new_folder(tmp_path / "out"):
        pass
    with pytest.raises(ZeroDivisionError), new_folder(tmp_path / "other"):
        1 / 0  # noqa: B018
    assert sorted(path.name for path in tmp_path.iterdir()) == [".out.partial", "out"]


def test_the_folder_one_is_in_will_do_if_it_is_empty(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("1")
    with pytest.raises(OutputError, match="already"), new_folder(Path(".")):
        pass
    with pytest.raises(OutputError, match="is a folder"):
        replace_file(Path("."), b"")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    with pytest.raises(OutputError, match="already"), new_folder(Path("link")):
        pass


def test_an_id_that_is_too_long_costs_its_task_alone(shapes, tmp_path):
    names = ("p" * (MOST_BYTES_A_NAME + 1), "short")
    bodies = "def f(x):\n    return x\n", ["candidate(1) == 1"], "def f(x):\n    return 2\n"
    candidates = shapes.candidates("humanevalpack", shapes.rows([shapes.problem(name, *bodies) for name in names]))
    taskset = shapes.taskset(shapes.tasks(candidates), candidates)
    made = export_formats()["taskdirs"].export(taskset.path, tmp_path / "out")
    assert made.items == 1
    assert ["too long" in refusal.reason for refusal in made.left_out] == [True]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["short"]

"""The registry of strategies, and the baselines in it."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mendlab.errors import InputError
from mendlab.repair.strategy import make_strategy, strategies

if TYPE_CHECKING:
    from conftest import Lab

DOCUMENT = Path(__file__).parents[2] / "docs" / "add-a-strategy.md"


def test_every_file_of_the_folder_is_a_strategy_with_a_summary() -> None:
    import mendlab.repair.strategies

    files = {file.stem for file in Path(mendlab.repair.strategies.__path__[0]).glob("*.py")} - {"__init__"}
    assert {info.name for info in strategies()} >= files >= {"noop", "reference", "replay", "search"}
    for info in strategies():
        assert info.summary.endswith(".") or ":" in info.summary
        assert 20 < len(info.summary) < 130


def test_only_the_reference_sees_the_reference() -> None:
    assert [info.name for info in strategies() if info.sees_reference] == ["reference"]


def test_unknown_names_and_options_are_told_with_near_ones() -> None:
    with pytest.raises(InputError, match=r"no strategy 'serch' \(did you mean search\?\)"):
        make_strategy("serch")
    with pytest.raises(InputError, match=r"no strategy 'zzz'.*noop, reference"):
        make_strategy("zzz")
    with pytest.raises(InputError, match=r"no option 'second' \(did you mean seconds\?\)"):
        make_strategy("search", second=3)
    with pytest.raises(InputError, match=r"'noop' has no option 'x' \(there are: none\)"):
        make_strategy("noop", x=3)
    with pytest.raises(InputError, match="'replay' needs the option 'patches'"):
        make_strategy("replay")


def test_options_given_as_text_take_their_type_and_are_recorded() -> None:
    chosen = make_strategy("search", seconds="2.5")
    assert chosen.parameters == {"seconds": 2.5, "candidates": 20000, "formula": "ochiai", "without": ""}
    with pytest.raises(InputError, match="'seconds' of strategy 'search' cannot be 'soon'"):
        make_strategy("search", seconds="soon")


def test_the_baselines_propose_nothing_and_the_reference(lab: Lab) -> None:
    taskset = lab.taskset()
    assert lab.attempt(taskset, make_strategy("noop")).raw_patch is None
    assert lab.attempt(taskset, make_strategy("reference")).raw_patch == taskset.tasks[0].reference
    assert lab.opened == []


def test_the_strategy_in_the_document_works_when_pasted(lab: Lab) -> None:
    """It is put into a file, registered, and run in a process of its own."""
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    taskset = lab.taskset()
    (lab.directory / "pasted.py").write_text(blocks[0])
    script = f"""
        import sys
        from pathlib import Path
        sys.path[:0] = [{str(lab.directory)!r}, {str(Path(__file__).parent)!r}]
        import pasted
        from conftest import Lab
        from mendlab.corpora.taskset import TaskSet
        from mendlab.repair.strategy import make_strategy
        taskset = TaskSet.open(Path({str(taskset.path)!r}))
        chosen = make_strategy(sys.argv[1])
        for task in taskset.tasks:
            print(Lab(Path({str(lab.directory)!r})).attempt(taskset, chosen, task).stop_reason)
    """
    name = re.search(r'@strategy\("([\w-]+)"', blocks[0])
    assert name is not None
    command = [sys.executable, "-c", textwrap.dedent(script), name[1]]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[:-1] == ["found", "none of them helps", "none of them helps"]

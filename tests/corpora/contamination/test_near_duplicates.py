from __future__ import annotations

from datetime import date

import pytest

from mendlab.corpora.contamination.dates import fix_date, fixed_before, read_cutoff
from mendlab.corpora.contamination.near_duplicates import near_duplicates, shingles
from mendlab.corpora.contamination.records import Check, Contamination, Marked, read_contamination, write_contamination
from mendlab.corpora.contamination.texts import sources
from mendlab.corpora.layout import CONTAMINATION
from mendlab.errors import InputError
from mendlab.records import ContaminationMark

ONE = """def count_words(text):
    counts = {}
    for word in text.split():
        word = word.strip('.,').lower()
        if word:
            counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
"""
RENAMED = ONE.replace("counts", "seen").replace("word", "w").replace("text", "line").replace("count_ws", "tally")
OTHER = """def widest(rows):
    best = None
    while rows:
        row = rows.pop()
        if best is None or len(row) > len(best):
            best = row
        elif not row:
            raise ValueError('empty row')
    return best
"""


@pytest.fixture(scope="module")
def sets(module_shapes):
    made = []
    for name, programs in (("a", [("A/0", ONE), ("A/1", OTHER), ("A/2", RENAMED)]), ("b", [("B/0", RENAMED)])):
        rows = []
        for task, program in programs:
            counts = "'B b. a'" in program or "sorted" in program
            check = "candidate('B b. a') == [('b', 2), ('a', 1)]" if counts else "candidate([[1], [2, 3]]) == [2, 3]"
            wrong = program.replace("+ 1", "+ 2").replace("> len(best)", "< len(best)")
            rows.append(module_shapes.problem(task, program, [check], wrong))
        candidates = module_shapes.candidates("humanevalpack", module_shapes.rows(rows, f"{name}.jsonl"))
        made.append(module_shapes.taskset(module_shapes.tasks(candidates, f"taking-{name}"), candidates, name))
    return made


def test_other_names_are_the_same_tree_and_other_programs_are_not():
    assert shingles(ONE) == shingles(RENAMED) != shingles(OTHER)
    assert len(shingles(ONE) & shingles(OTHER)) < len(shingles(ONE)) / 4
    assert shingles(ONE.replace("strip", "lstrip")) != shingles(ONE)
    assert shingles("def broken(:") == frozenset()
    method = "".join(f"    {line}" for line in ONE.splitlines(keepends=True))
    assert shingles(ONE) <= shingles(method)


def test_near_duplicates_between_sets_are_marked_and_within_one_told(sets):
    checks, marks = near_duplicates(sets[0], [sets[1]])
    assert [(each.task, each.place, each.mark.strength) for each in marks] == [("A/0", "B/0", 1.0), ("A/2", "B/0", 1.0)]
    assert checks[0].facts["pairs"] == [["A/0", "A/2", 1.0]]
    assert marks[0].mark.corpus == checks[1].corpus == str(sets[1].path)


def test_the_source_of_a_task_is_the_function_that_the_defect_is_in(sets):
    task = sets[0].tasks[1]
    (source,) = sources(sets[0], task)
    assert (source.file, source.function, source.text) == ("solution.py", "widest", OTHER)


def test_a_fix_is_public_from_its_day_on(sets):
    task = sets[0].tasks[0]
    dated = [
        task.model_copy(update={"id": day, "provenance": task.provenance.model_copy(update={"date": day})})
        for day in ("2024-06-30", "2024-07-01", "2024-06-30T23:30:00-04:00", "once", None)
    ]
    checks, marks = fixed_before(dated, date(2024, 6, 30))
    assert [each.task for each in marks] == ["2024-06-30"]  # the third is the next day in UTC
    assert checks[0].unknown == 2
    assert fix_date(task) is None
    assert read_cutoff("2024-02") == date(2024, 2, 29)
    assert read_cutoff("2024-12") == date(2024, 12, 31)
    for wrong in ("2024-13", "june", "2024/06"):
        with pytest.raises(InputError, match="2024-06-30"):
            read_cutoff(wrong)


def test_a_check_made_again_replaces_the_one_before(tmp_path):
    def mark(task: str, corpus: str) -> Marked:
        return Marked(task=task, mark=ContaminationMark(method="m", corpus=corpus, strength=1.0))

    first = Contamination(taskset="s", taskset_digest="d").with_checks(
        [Check(method="m", corpus="a"), Check(method="m", corpus="b")], [mark("1", "a"), mark("2", "b")]
    )
    second = first.with_checks([Check(method="m", corpus="a")], [mark("3", "a")])
    assert second.marked == {"2", "3"}
    assert len(second.checks) == 2
    write_contamination(tmp_path / CONTAMINATION, second)
    assert read_contamination(tmp_path / CONTAMINATION, "d") == second
    with pytest.raises(InputError, match="another task set"):
        read_contamination(tmp_path / CONTAMINATION, "e")
    assert read_contamination(tmp_path / "nowhere.json", "d") is None

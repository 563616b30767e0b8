from __future__ import annotations

from mendlab.corpora.tree import FileTree
from mendlab.reports.review.side_by_side import LINES, side_by_side


def tree(**files):
    return FileTree({f"{name}.py": text.encode() for name, text in files.items()})


def rows(left, right):
    (file,) = side_by_side(tree(a=left), tree(a=right))
    return [(row.kind, row.left_number, row.left, row.right_number, row.right) for row in file.rows]


def test_lines_stand_beside_each_other():
    assert rows("a\nb\nc\n", "a\nB\nB2\nc\n") == [
        ("same", 1, "a", 1, "a"),
        ("changed", 2, "b", 2, "B"),
        ("changed", None, "", 3, "B2"),
        ("same", 3, "c", 4, "c"),
    ]


def test_what_is_far_from_a_change_is_left_out():
    text = "".join(f"{number}\n" for number in range(40))
    shown = rows(text, text.replace("5\n", "x\n", 1).replace("30\n", "y\n", 1))
    assert [kind for kind, *_ in shown].count("gap") == 1
    assert len(shown) == 19


def test_files_that_one_side_lacks_and_that_do_not_differ():
    found = side_by_side(tree(a="1\n", b="2\n"), tree(a="1\n", c="3\n"))
    assert [(file.path, len(file.rows)) for file in found] == [("b.py", 1), ("c.py", 1)]
    assert side_by_side(tree(a="1\n"), tree(a="1\n")) == ()


def test_a_long_file_is_cut_with_a_count():
    (file,) = side_by_side(tree(), tree(a="x\n" * (LINES + 7)))
    assert (len(file.rows), file.left_out) == (LINES, 7)

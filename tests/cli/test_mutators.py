"""The catalogue on the command line: listed, shown, run, counted and written down."""

from __future__ import annotations

import hashlib
import json

import pytest

from mendlab.mutators import NATURAL_SHARES, describe, enumerate_mutants, get_operator, operators, sample
from mendlab.mutators.choosing.shares import weights
from mendlab.mutators.registry.taxonomy import BUG_TYPES, ODC
from mendlab.mutators.surveying.sources import read_path, read_specification
from mendlab.mutators.surveying.writing import as_json

SOURCE = """\
LIMIT = 10


class Shop:
    def total(self, prices):
        s = 0
        for p in prices:
            s += p * 2
        return s

    def read(self, path):
        def inner(x):
            return x + 1

        return inner(path)


def total(a, b):
    return a < b
"""


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def mutants():
    """Every mutant of the shop, as the command prints them."""
    return [as_json(each) for each in enumerate_mutants(SOURCE, path="shop.py")]


def test_list_is_counted_and_fits_a_terminal(mendlab):
    said = mendlab("mutators", "list")
    assert max(map(len, said.out.splitlines())) <= 80
    assert said.out.endswith(f"{len(operators())} operators in {len({op.family for op in operators()})} families\n")
    assert f"operator ({sum(op.family == 'operator' for op in operators())})\n" in said.out


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        (("--family", "control"), "family", "control"),
        (("--bug-type", "excess logic"), "bug_type", "excess logic"),
        (("--pattern", "change binary operator"), "pattern", "change binary operator"),
        (("--odc", "checking"), "odc", "checking"),
    ],
)
def test_list_can_be_narrowed(mendlab, options, field, value):
    expected = [describe(op) for op in operators() if getattr(op, field) == value]
    assert mendlab("mutators", "list", *options, "--json").json == {"total": len(expected), "operators": expected}


def test_narrowing_twice_is_both(mendlab):
    said = mendlab("mutators", "list", "--family", "operator", "--odc", "checking")
    expected = sum((op.family, op.odc) == ("operator", "checking") for op in operators())
    assert said.out.endswith(f"\n{expected} operators in 1 family\n")


def test_show_says_everything(mendlab):
    op = get_operator("comparison-swapped")
    said = mendlab("mutators", "show", op.name)
    for words in ("ROR", "checking", "operator misuse", "change binary operator", "ComparisonTarget", "mendlab"):
        assert words in said.out
    assert "--- a/example.py\n+++ b/example.py\n@@ -1 +1 @@\n-x = a < b\n+x = a <= b\n" in said.out
    assert mendlab("mutators", "show", op.name, "--json").json == describe(op)


def test_run_in_a_function(mendlab, shop, mutants):
    said = mendlab("mutators", "run", shop, "--function", "read", "--json")
    meant = {"Shop.read", "Shop.read.<locals>.inner"}
    assert said.json["mutants"] == [each for each in mutants if each["function"] in meant] != []


def test_run_on_lines(mendlab, shop, mutants):
    found = mendlab("mutators", "run", shop, "--lines", "7-9", "--json").json["mutants"]
    spans = [(each, each["span"]["start_line"], each["span"]["end_line"]) for each in mutants]
    assert found == [each for each, start, end in spans if start <= 9 and end >= 7] != []


def test_run_samples_by_seed_and_strategy(mendlab, shop):
    drawn = sample(enumerate_mutants(SOURCE, path="shop.py"), 8, seed=3, strategy="natural")
    said = mendlab("mutators", "run", shop, "--sample", 8, "--seed", 3, "--strategy", "natural", "--json")
    assert said.json["mutants"] == [as_json(each) for each in drawn]


def test_run_on_a_directory(mendlab, shop):
    (shop.parent / "inner").mkdir()
    (shop.parent / "inner" / "more.py").write_text("def f(x):\n    return x + 1\n")
    (shop.parent / "inner" / "broken.py").write_text("def f(:\n")
    said = mendlab("mutators", "run", shop.parent, "--operators", "arithmetic-swapped", "--json")
    assert {each["path"] for each in said.json["mutants"]} == {"shop.py", "inner/more.py"}
    assert [each["id"] for each in said.json["refused"]] == ["inner/broken.py"]
    assert "broken.py:1" in said.err
    assert "--- a/inner/more.py\n+++ b/inner/more.py\n" in mendlab("mutators", "run", shop.parent).out


def test_run_writes_diffs_and_an_index(mendlab, mutants, shop, tmp_path):
    out = tmp_path / "out"
    said = mendlab("mutators", "run", shop, "--out", out)
    assert said.out == f"{len(mutants)} mutants\nfolder: {out}\n"
    index = [json.loads(line) for line in (out / "mutants.jsonl").read_text().splitlines()]
    files = [entry.pop("file") for entry in index]
    assert [{**entry, "diff": (out / name).read_text()} for entry, name in zip(index, files, strict=True)] == mutants
    assert len(list(out.iterdir())) == len(mutants) + 1


def test_run_writes_whole_files_in_their_encoding(mendlab, tmp_path):
    source = "# coding: latin-1\r\ndef f(x):\r\n\treturn x + 1, 'µÿ'\r\n".encode("latin-1")
    (tmp_path / "code" / "inner").mkdir(parents=True)
    (tmp_path / "code" / "inner" / "latin.py").write_bytes(source)
    out = tmp_path / "out"
    said = mendlab("mutators", "run", tmp_path / "code", "--out", out, "--whole-files", "--json")
    entries = [json.loads(line) for line in (out / "mutants.jsonl").read_text(encoding="utf-8").splitlines()]
    assert said.json == {"out": str(out), "mutants": len(entries)}
    written = {entry["file"]: (out / entry["file"]).read_bytes() for entry in entries}
    assert len(written) == len(entries) > 10
    assert all(name.endswith("/inner/latin.py") for name in written)
    assert source.replace(b"x + 1", b"x - 1") in written.values()


def test_run_leaves_what_is_there_alone(mendlab, shop, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.txt").write_text("mine")
    for place in (tmp_path / "mine", shop):
        line = mendlab("mutators", "run", shop, "--out", place).refusal()
        assert line.startswith(f"{place}: something is there already")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["note.txt"]
    assert shop.read_text() == SOURCE


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--function", "totals"), "there is no function 'totals' (near names: total"),
        (("--lines", "9-3"), "'9-3' is not a line"),
        (("--lines", "0"), "'0' is not a line"),
        (("--strategy", "natural"), "--strategy needs --sample"),
        (("--whole-files",), "--whole-files needs --out"),
        (("--count", "--out", "x"), "--count and --out exclude each other"),
    ],
)
def test_run_refuses_what_makes_no_sense(mendlab, shop, options, said):
    assert said in mendlab("mutators", "run", shop, *options).refusal()


def test_lines_are_of_a_file(mendlab, tmp_path, shop):
    assert "--lines needs a file" in mendlab("mutators", "run", tmp_path, "--lines", "3").refusal()


def test_a_directory_without_python(mendlab, tmp_path):
    (tmp_path / "a.txt").write_text("")
    for name in ("run", "stats"):
        assert "no Python file in it" in mendlab("mutators", name, tmp_path).refusal()


def test_stats_add_up(mendlab, mutants, shop):
    found = mendlab("mutators", "stats", shop, "--json").json
    by_name = {op.name: op for op in operators()}
    assert found["files"] == 1
    for field, class_of in {
        "by_operator": lambda op: op.name,
        "by_family": lambda op: op.family,
        "by_bug_type": lambda op: op.bug_type,
        "by_pattern": lambda op: op.pattern or "none",
        "by_odc": lambda op: op.odc,
    }.items():
        counts = {}
        for each in mutants:
            counts[class_of(by_name[each["operator"]])] = counts.get(class_of(by_name[each["operator"]]), 0) + 1
        assert {name: count for name, count in found[field].items() if count} == counts
        assert sum(counts.values()) == found["mutants"] == len(mutants)
    assert list(found["by_bug_type"]) == list(BUG_TYPES)
    assert list(found["by_odc"]) == list(ODC)
    assert list(found["by_pattern"]) == list(found["natural"]) == [*NATURAL_SHARES, "none"]
    assert set(found["idle"]) == set(by_name) - set(found["by_operator"])
    inside = sorted(
        sum(each["function"] == name for each in mutants)
        for name in ("Shop.total", "Shop.read", "Shop.read.<locals>.inner", "total")
    )
    assert found["per_function"] == {
        "least": inside[0], "median": (inside[1] + inside[2]) / 2, "most": inside[3],
    }  # fmt: skip


def test_stats_say_what_was_left_out(mendlab, shop):
    def changes(*names):
        found = mendlab("mutators", "stats", shop, "--operators", ",".join(names), "--json").json
        return found["mutants"], found["left_out"].get("duplicate", 0)

    together, merged = changes("operator", "control")
    assert merged > 0
    assert together + merged == sum(changes("operator")) + sum(changes("control"))


def test_stats_natural_weights_are_those_of_sampling(mendlab, shop):
    names = ["comparison-swapped", "number-off-by-one", "number-scaled", "arithmetic-swapped", "jump-exchanged"]
    found = mendlab("mutators", "stats", shop, "--operators", ",".join(names), "--json").json["natural"]
    mutants = list(enumerate_mutants(SOURCE, operators=names, path="shop.py"))
    likely = weights(mutants, "natural")
    for pattern, percent in found.items():
        own = [m.id for m in mutants if (get_operator(m.operator).pattern or "none") == pattern]
        assert percent == pytest.approx(100 * sum(likely[id_] for id_ in own))
    assert sum(found.values()) == pytest.approx(100)


def test_stats_of_several_kinds_of_programs(mendlab, shop):
    (shop.parent / "bad.py").write_text("def f(:\n")
    said = mendlab("mutators", "stats", shop.parent, "bundled:guards", "--operators", "control")
    assert "bad.py:1" in said.err
    assert max(map(len, said.out.splitlines())) <= 80
    assert "operators found no place" in said.out
    sources = [*read_path(shop).files, *read_specification("bundled:guards").files]
    assert len(sources) > 1
    count = sum(1 for each in sources for _ in enumerate_mutants(each.text, operators=["control"]))
    assert [line.split() for line in said.out.splitlines()[:2]] == [
        ["files", str(len(sources))],
        ["mutants", str(count)],
    ]


def test_stats_of_nothing(mendlab, tmp_path):
    (tmp_path / "empty.py").write_text("")
    assert "0.0" in mendlab("mutators", "stats", tmp_path / "empty.py").out


TEMPLATE = {"name": "doubled-sum", "before": "$A + $B", "after": "$A + $B + $B", "bug_type": "excess logic"}


def test_templates_are_operators_everywhere(mendlab, shop, tmp_path):
    path = tmp_path / "learned.jsonl"
    path.write_text(json.dumps(TEMPLATE) + "\n")
    options = ("--templates", path)
    assert "learned.jsonl sha256:" in mendlab("mutators", "show", "doubled-sum", *options).out
    (one,) = mendlab("mutators", "run", shop, "--operators", "learned", *options, "--json").json["mutants"]
    assert "+            return x + 1 + 1\n" in one["diff"]
    path.write_text("[]\n")
    assert mendlab("mutators", "list", *options).refusal().startswith(f"{path}:1: no record of the kind Template")


def test_a_task_set_says_which_templates_it_was_made_with(mendlab, tmp_path):
    learned, program, out = tmp_path / "learned.jsonl", tmp_path / "add.py", tmp_path / "tasks"
    learned.write_text(json.dumps(TEMPLATE) + "\n")
    program.write_text("def add(a, b):\n    return a + b\n\n\nassert add(1, 2) == 3\nassert add(0, 0) == 0\n")
    said = mendlab("inject", program, "--templates", learned, "--operators", "learned", "--out", out, "--json")
    assert said.json["tasks"] == 1
    version = f"sha256:{hashlib.sha256(learned.read_bytes()).hexdigest()[:12]}"
    assert json.loads((out / "manifest.json").read_text())["provenance"]["tools"]["learned.jsonl"] == version


def test_the_page_is_written_over_itself_and_nothing_else(mendlab, tmp_path):
    page, other = tmp_path / "page.md", tmp_path / "other.md"
    other.write_text("mine\n")
    for _ in range(2):
        said = mendlab("mutators", "docs", "--out", page)
        assert said.out == f"{len(operators())} operators\npage: {page}\n"
    assert "### comparison-swapped\n" in page.read_text()
    assert mendlab("mutators", "docs", "--out", other).refusal().startswith(f"{other}: there is another file")
    assert other.read_text() == "mine\n"


def test_the_page_is_printed_and_nothing_written(mendlab, tmp_path):
    page = tmp_path / "page.md"
    assert mendlab("mutators", "docs", "--out", page).code == 0
    (tmp_path / "here").mkdir()
    assert mendlab("mutators", "docs", cwd=tmp_path / "here").out == page.read_text()
    assert not list((tmp_path / "here").iterdir())


def test_showing_a_family_lists_its_operators(mendlab):
    listed = mendlab("mutators", "list", "--family", "control")
    assert mendlab("mutators", "show", "control").out == listed.out
    shown = mendlab("mutators", "show", "control", "--json").json
    assert {each["family"] for each in shown["operators"]} == {"control"}

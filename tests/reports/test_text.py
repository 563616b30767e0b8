from __future__ import annotations

from mendlab.reports.costs import Total
from mendlab.reports.diffs import diff_view
from mendlab.reports.statistics import Estimate
from mendlab.reports.text import trim, visible
from mendlab.reports.words import percent, rate, total_dollars, total_seconds, total_tokens


def test_hidden_characters_are_shown():
    assert (
        visible("a\x1b[31m\u202eb\x00\x85\ud800\r\u2028\ufeff")
        == "a\\x1b[31m\\u202eb\\x00\\x85\\ud800\\x0d\\u2028\\ufeff"
    )


def test_text_of_any_language_stays_as_it_is():
    text = "naïve 変数 \t ελληνικά\n🙂 עברית"
    assert visible(text) == text


def test_trimming_says_how_much_is_gone():
    trimmed = trim("a\nbb\n" + "c" * 1500 + "\nd\ne\n", lines=3, columns=10)
    assert trimmed.lines == ("a", "bb", "c" * 10 + "… (1,490 more characters)")
    assert trimmed.note == "2 more lines not shown"
    assert trim("a\n", lines=3).note == ""
    assert trim("", lines=3).lines == ()


def test_a_removed_line_of_dashes_is_no_file_header():
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/old\n+++ b/new\n same\n--- a/y\n+++ b/y\n@@ -1 +0,0 @@\n-gone\n"
    view = diff_view(diff)
    assert [line.kind for line in view.lines] == [
        *("file", "file", "hunk", "removed", "added", "context"),
        *("file", "file", "hunk", "removed"),
    ]
    assert (view.added, view.removed) == (1, 2)


def test_what_is_no_diff_is_shown_all_the_same():
    view = diff_view("I would change line 3.\n\nGood luck.")
    assert [line.kind for line in view.lines] == ["context"] * 3
    assert diff_view("").lines == ()


def test_a_long_diff_is_counted_whole_and_shown_in_part():
    view = diff_view("--- a/x\n+++ b/x\n@@ -0,0 +1,900 @@\n" + "+line\n" * 900)
    assert (view.added, len(view.lines), view.note) == (900, 300, "603 more lines not shown")


def test_percentages_never_round_to_none_or_all():
    shown = [percent(value) for value in (0.0, 0.0001, 0.004, 0.5678, 0.996, 0.99999, 1.0, None)]
    assert shown == ["0%", "<0.1%", "0.4%", "57%", "99.6%", ">99.9%", "100%", "unknown"]


def test_rates_are_shown_with_their_interval():
    assert rate(Estimate(0.5, 0.44, 0.68, "wilson", 9, 9)) == "50% (44–68%)"
    assert rate(Estimate(0.5, None, None, "undefined", 1, 1)) == "50% (no interval)"
    assert rate(Estimate(None, None, None, "undefined", 0, 0)) == "undefined"


def test_totals_are_shown_as_far_as_they_are_known():
    assert total_dollars(Total(None, 0, 3)) == "unknown"
    assert total_dollars(Total(0.0, 3, 3)) == "$0.0000"
    assert total_dollars(Total(1.5, 2, 3)) == "at least $1.50 (known for 2 of 3)"
    assert total_tokens(Total(12345.0, 1, 1)) == "12,345"
    shown = [total_seconds(Total(value, 1, 1)) for value in (0.424, 12.2, 200.0, 7500.0)]
    assert shown == ["0.42 s", "12 s", "3 min 20 s", "2 h 05 min"]

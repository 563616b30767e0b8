"""Which tests of a self-made task are held out."""

from __future__ import annotations

import pytest

from mendlab.verify.tasks import choose_held_out


def names(letter, count):
    return [f"{letter}{number}" for number in range(count)]


@pytest.mark.parametrize("failing", range(1, 14))
@pytest.mark.parametrize("passing", range(14))
def test_at_least_three_in_ten_are_held_out_and_both_sides_have_tests_that_tell(failing, passing):
    fail_to_pass, pass_to_pass = names("f", failing), names("p", passing)
    held = choose_held_out("task", fail_to_pass, pass_to_pass)
    if failing + passing < 4:
        assert held == set()
        return
    telling = len(held & set(fail_to_pass))
    assert 0.3 * (failing + passing) <= len(held) <= 0.3 * (failing + passing) + 1
    assert telling < failing
    assert telling >= 1 or failing == 1
    assert telling >= 0.3 * failing or failing == 1


def test_the_choice_follows_the_seed_and_the_task():
    fail_to_pass, pass_to_pass = names("f", 20), names("p", 40)
    chosen = {
        frozenset(choose_held_out(task, fail_to_pass, pass_to_pass, seed)) for task in ("a", "b") for seed in (0, 1, 2)
    }
    assert len(chosen) == 6
    assert choose_held_out("a", fail_to_pass, pass_to_pass, 1) == choose_held_out("a", fail_to_pass, pass_to_pass, 1)

"""Every attack of the pack is refused, on a small task of each kind that it is for."""

import re
from collections import Counter

import pytest

from mendlab.verify.attacks.gate import attack_taskset
from mendlab.verify.attacks.registry import KINDS, attacks

EACH = [(attack, kind) for attack in attacks() for kind in attack.kinds]
MARKED = [
    pytest.param(attack, kind, marks=[pytest.mark.slow] if attack.runs_on else [], id=f"{kind}-{attack.name}")
    for attack, kind in EACH
]


@pytest.mark.parametrize(("attack", "kind"), MARKED)
def test_it_is_refused(fields, attack, kind):
    field = fields[kind]
    siege = attack_taskset(
        field.taskset, field.judge.judge, tasks=[field.task], workers=1, progress=lambda *_: None, pack=[attack]
    )
    assert len(siege.trials) == 1, "it does not apply"
    assert siege.accepted == ()
    assert siege.spoiled == ()


def test_the_pack_has_its_numbers():
    open_ones = Counter(kind for attack, kind in EACH if not attack.hidden)
    assert open_ones["function"] >= 25
    assert open_ones["project"] >= 15
    assert sum(attack.kinds == ("project",) for attack in attacks() if not attack.hidden) >= 15
    assert set(open_ones) == set(KINDS)


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.name)
def test_it_says_what_it_does_in_a_line(attack):
    assert re.fullmatch(r"[A-Z].{10,140}\.", attack.summary)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", attack.name)

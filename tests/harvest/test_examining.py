"""What is proved of a candidate before a task is made of it."""

from __future__ import annotations

import sys

from written_histories import small_history

from mendlab.harvest.candidates import candidates_named
from mendlab.harvest.environment.ladder import Given
from mendlab.harvest.examiner import Examiner
from mendlab.harvest.tasks import Mining
from mendlab.verify.bench import set_up_bench


def test_what_its_patches_do_not_rebuild_gives_no_task(copied):
    copy, ids = copied(small_history())
    (candidate,) = candidates_named(copy, [ids[3]])
    bench = set_up_bench(python=sys.executable)
    examiner = Examiner(copy, Given(bench.interpreter), bench, Mining("a", None, {}, 0))
    assert examiner.examine(candidate).rebuilt
    other = candidate.source.model_copy(update={"patch": candidate.source.patch.replace(b"return 1", b"return 3")})
    found = examiner.examine(candidate.model_copy(update={"source": other}))
    assert (found.task, found.dropped.reason) == (None, "not_rebuilt")

"""What is confined stands apart from the terminal: a user's Ctrl-C is no failure of the lab."""

from __future__ import annotations

import os
from contextlib import closing

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, ScriptHarness
from mendlab.verify.bench import set_up_bench
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.script_engine import ScriptEngine


def test_ctrl_c_in_a_terminal_does_not_reach_what_is_confined() -> None:
    bench = set_up_bench()
    engine = ScriptEngine(
        FileTree({"a.txt": b""}),
        ScriptHarness(scripts={"gate": "true"}),
        limits=Limits(),
        level=bench.level,
        interpreter=bench.interpreter,
    )
    with closing(engine):
        engine.run({}, RunOptions())
        server = engine._warm._server
        assert server is not None
        assert os.getpgid(server._process.pid) != os.getpgid(0)

"""What the peer drivers share: programs come in on stdin, mutants go out on stdout, one JSON object a line.

These files run under the peers' own interpreter and import nothing of mendlab.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator


def serve(version: str, mutate: Callable[[str], Iterator[str]], options: list[str]) -> None:
    """Answer every program with its mutants.

    In: ``{"name", "source"}``. Out, first, ``{"version"}``; then ``{"name", "mutants", "count", "seconds", "error"}``,
    where ``seconds`` is CPU time of making the mutants, child processes included.

    Options, as ``name=value``: ``limit`` stops a program after so many CPU seconds; ``texts=no`` leaves mutants out.
    """
    settings = dict(option.split("=", 1) for option in options)
    limit = float(settings.get("limit", "inf"))
    print(json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        program = json.loads(line)
        mutants, error, start = [], None, cpu_seconds()
        try:
            for mutant in mutate(program["source"]):
                mutants.append(mutant)
                if cpu_seconds() - start > limit:
                    break
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"[:200]
        seconds = cpu_seconds() - start
        texts = [] if settings.get("texts") == "no" else mutants
        answer = {
            "name": program["name"], "mutants": texts, "count": len(mutants), "seconds": seconds, "error": error,
        }  # fmt: skip
        print(json.dumps(answer), flush=True)


def cpu_seconds() -> float:
    """CPU time of this process and of the children it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime

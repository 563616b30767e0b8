"""mutmut: every mutation it makes inside functions, put into the whole text.

``own``: the module that mutmut itself writes, with all mutants in it (names instead of texts), for its rate.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from exchange import serve


def whole_texts(source: str) -> Iterator[str]:
    from mutmut.mutation.file_mutation import create_mutations

    module, mutations, _, _ = create_mutations("program.py", source)
    for mutation in mutations:
        if mutation.contained_by_top_level_function is not None:  # mutmut drops the others
            yield module.deep_replace(mutation.original_node, mutation.mutated_node).code


def own_module(source: str) -> Iterator[str]:
    from mutmut.mutation.file_mutation import mutate_file_contents

    yield from mutate_file_contents("program.py", source).mutant_names


if __name__ == "__main__":
    # mutmut wants a project around it, in the directory it runs in.
    Path("setup.cfg").write_text("[mutmut]\nsource_paths=.\n")
    serve(version("mutmut"), own_module if sys.argv[1] == "own" else whole_texts, sys.argv[2:])

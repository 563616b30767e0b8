"""BugLab: every rewrite that its scouts find inside functions, as its own extraction of bugs collects them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import libcst as cst
from buglab.rewriting import ALL_REWRITE_SCOUTS, filter_ops_in_range
from buglab.utils.cstutils import AllFunctionFinder, PersistentMetadataWrapper
from exchange import serve


def mutants(source: str) -> Iterator[str]:
    wrapper = PersistentMetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    finder = AllFunctionFinder()
    wrapper.visit(finder)
    rewrites, about = [], []
    wrapper.visit_batched([scout(rewrites, about) for scout in ALL_REWRITE_SCOUTS])
    for _, place in finder.all_function_nodes:
        for rewrite in filter_ops_in_range(rewrites, about, place)[0]:
            yield rewrite.rewrite(source)[0]


if __name__ == "__main__":
    serve("2022-01", mutants, sys.argv[2:])

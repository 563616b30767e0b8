"""Proposals for some lines alone: those that all proposals have there, and little else."""

from __future__ import annotations

from pathlib import Path

from mendlab.mutators import Mutant, propose_mutants

SOURCE = (Path(__file__).parents[2] / "corpora" / "bundled" / "ledger" / "ledger.py").read_text()


def test_what_is_proposed_near_some_lines_is_all_that_is_proposed_there() -> None:
    whole = propose_mutants(SOURCE).changes
    wanted = range(20, 31)
    asked: list[tuple[int, int]] = []

    def near(first: int, last: int) -> bool:
        asked.append((first, last))
        return first < wanted.stop and last >= wanted.start

    found = propose_mutants(SOURCE, near=near).changes

    def there(mutants: list[Mutant]) -> set[object]:
        return {
            (each.operator, each.edits)
            for each in mutants
            if wanted.start <= each.span.start_line and each.span.end_line < wanted.stop
        }

    assert there(found) == there(whole) != set()
    assert len(found) < len(whole) / 2
    assert min(asked)[0] >= 1 and max(last for _, last in asked) <= len(SOURCE.splitlines()) + 1
    assert propose_mutants(SOURCE, near=lambda first, last: False).changes == []

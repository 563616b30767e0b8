"""Mutation operators over LibCST, the registry that holds them, and the choice among the mutants they make."""

from mendlab.mutators.choosing.sampling import STRATEGIES, per_function, sample
from mendlab.mutators.choosing.shares import NATURAL_SHARES
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.enumeration import Proposals, enumerate_mutants, propose_mutants
from mendlab.mutators.injecting.higher_order import HigherOrderMutant, combine, sample_combinations
from mendlab.mutators.mutant import Mutant
from mendlab.mutators.registry import Example, Operator, families, get_operator, operator, operators
from mendlab.mutators.registry.describing import Description, describe

__all__ = [
    "NATURAL_SHARES",
    "STRATEGIES",
    "Change",
    "Description",
    "Edit",
    "Example",
    "HigherOrderMutant",
    "Mutant",
    "Operator",
    "Proposals",
    "combine",
    "describe",
    "enumerate_mutants",
    "families",
    "get_operator",
    "operator",
    "operators",
    "per_function",
    "propose_mutants",
    "sample",
    "sample_combinations",
]

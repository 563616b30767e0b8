"""Mutation operators over LibCST, the registry that holds them, and the choice among the mutants they make."""

from .edits import Edit
from .enumeration import enumerate_mutants
from .mutant import Mutant
from .registry import Example, Operator, families, get_operator, operator, operators

__all__ = [
    "Edit",
    "Example",
    "Mutant",
    "Operator",
    "enumerate_mutants",
    "families",
    "get_operator",
    "operator",
    "operators",
]

"""The classes that an operator is given, each out of a paper that counts bugs by them."""

from __future__ import annotations

from typing import Final, Literal, get_args

BugType = Literal[
    "value misuse", "operator misuse", "variable misuse", "function misuse", "missing logic", "excess logic"
]
"""The six types of bug in HumanEvalFix (OctoPack, 2023)."""

Odc = Literal["assignment", "checking", "algorithm", "interface", "function", "timing", "build"]
"""Defect types of Orthogonal Defect Classification (Chillarege et al., 1992)."""

Pattern = Literal[
    "change identifier",
    "change binary operand",
    "same function more args",
    "wrong function name",
    "add function around expression",
    "change attribute used",
    "change numeric literal",
    "more specific if",
    "add method call",
    "add elements to iterable",
    "same function less args",
    "change boolean literal",
    "add attribute access",
    "change binary operator",
    "same function wrong caller",
    "less specific if",
    "change keyword argument used",
    "change unary operator",
    "same function swap args",
    "change constant type",
]
"""The simple-bug patterns of TSSB-3M (Richter and Wehrheim, 2022), named after the fix, the commonest first."""

BUG_TYPES: Final[tuple[BugType, ...]] = get_args(BugType)
ODC: Final[tuple[Odc, ...]] = get_args(Odc)
PATTERNS: Final[tuple[Pattern, ...]] = get_args(Pattern)

TERMS: Final = {
    "AOR": "arithmetic operator replacement",
    "ASR": "assignment operator replacement",
    "COD": "conditional operator deletion",
    "COI": "conditional operator insertion",
    "CRP": "constant replacement",
    "CSR": "constant for scalar variable replacement",
    "IOD": "overriding method deletion",
    "LCR": "logical connector replacement",
    "MCR": "membership and identity replacement",
    "OODL": "operator deletion",
    "ROR": "relational operator replacement",
    "SCR": "scalar variable for constant replacement",
    "SDL": "statement deletion",
    "SVR": "scalar variable replacement",
    "UOD": "unary operator deletion",
    "UOI": "unary operator insertion",
}
"""What short terms of the mutation-testing literature stand for."""

"""What the search is not given for a defect of the lab's own: the operators that undo it, and their like."""

from __future__ import annotations

from typing import Final

from mendlab.mutators import operators
from mendlab.records import Task

TEMPLATES: Final = {
    "operator": ("operator", "logic", "operands-exchanged", "bounds", "term-dropped", "negated"),
    "value": ("number", "flag", "text", "empty", "element", "by-one"),
    "variable": ("variable", "variable-everywhere", "variable-for-expression", "slice", "slice-ends", "by-one"),
    "function": ("call-related", "arguments", "wrapped", "unwrapped", "wrapped-both"),
    "control": ("negated", "statement-moved", "branches-exchanged", "statement-guarded", "logic"),
    "missing_logic": ("condition-extended", "statement-inserted", "statement-guarded", "early-exit", "term-added"),
    "excess_logic": ("term-dropped", "unwrapped", "statement-deleted", "logic", "element", "arguments"),
    "types": ("wrapped", "unwrapped"),
    "consistent": ("variable-everywhere", "arguments", "variable"),
    "text": ("text",),
}
"""Templates that make much the same edits as a family of operators."""


def left_out(task: Task, *, with_templates: bool) -> str:
    """Return the option ``without`` for a task: the defect's family, and operators that are an inverse of its operator.

    ``with_templates``: and the templates that make the same kind of edit.
    """
    defect = task.defect
    family = defect.family or ""
    inverse = [
        each.name
        for each in operators()
        if each.inverse == defect.operator or (each.name == defect.operator and each.inverse is not None)
    ]
    undoing = [each.inverse for each in operators() if each.name == defect.operator and each.inverse is not None]
    alike = TEMPLATES.get(family.replace("-", "_"), ()) if with_templates else ()
    return ",".join(dict.fromkeys([family, *inverse, *undoing, *alike]))

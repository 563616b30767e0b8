"""Operators out of templates: what is learned from the changes that people make, run as any other operator is.

None come with mendlab: :func:`load_templates` adds those of a file, and :class:`Patterns` learns them from fixes.
"""

from mendlab.mutators.learned.counting import Patterns
from mendlab.mutators.learned.loading import load_templates
from mendlab.mutators.learned.template import Template

__all__ = ["Patterns", "Template", "load_templates"]

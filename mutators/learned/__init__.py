"""Operators out of templates: what is learned from the changes that people make, run as any other operator is.

None come with mendlab yet; :func:`load_templates` adds those of a file.
"""

from mendlab.mutators.learned.loading import load_templates
from mendlab.mutators.learned.template import Template

__all__ = ["Template", "load_templates"]

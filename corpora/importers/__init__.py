"""Importers of tasks: one file a format. See docs/add-a-format.md."""

from mendlab.corpora.importers.registry import TaskFormat, read_candidates, task_formats

__all__ = ["TaskFormat", "read_candidates", "task_formats"]

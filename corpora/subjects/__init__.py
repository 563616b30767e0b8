"""Readers of subjects: one file a format. See docs/add-a-format.md."""

from mendlab.corpora.subjects.registry import SubjectFormat, read_subjects, subject_formats

__all__ = ["SubjectFormat", "read_subjects", "subject_formats"]

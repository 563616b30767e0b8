"""Exporters of task sets and scores: one file a format. Those of runs: ``reports/exports/``. See docs/exports.md."""

from mendlab.corpora.exporters.registry import Exported, ExportFormat, export_formats, exporter

__all__ = ["ExportFormat", "Exported", "export_formats", "exporter"]

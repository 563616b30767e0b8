"""Exporters of runs: one file a format. Those of task sets are in ``corpora/exporters/``. See docs/exports.md."""

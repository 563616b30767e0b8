"""The sections of the HTML report, one a file; see :mod:`mendlab.reports.section`."""

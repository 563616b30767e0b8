"""Addresses within the page: by names, so that they hold in the next report too. The page's script follows them."""

from __future__ import annotations

from urllib.parse import urlencode

from mendlab.reports.text import visible


def task_link(task_id: str) -> str:
    """Return the address of a task, which opens it."""
    return _link(task=task_id)


def attempt_link(task_id: str, label: str, sample: int) -> str:
    """Return the address of one sample of the run that is called ``label``."""
    return _link(task=task_id, run=label, sample=str(sample))


def filter_link(**wanted: str) -> str:
    """Return the address of the tasks with this ``outcome``, ``run``, ``family``, ``grade`` or ``tag``."""
    return _link(**wanted)


def _link(**fields: str) -> str:
    return "#" + urlencode({name: visible(value) for name, value in fields.items()})

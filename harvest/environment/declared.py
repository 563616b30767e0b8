"""What a tree says of the distribution that it is of, from every place that says something."""

from __future__ import annotations

from mendlab.corpora.tree import FileTree
from mendlab.harvest.environment.reading.pyproject import read_pyproject
from mendlab.harvest.environment.reading.requirement_files import read_requirement_files
from mendlab.harvest.environment.reading.setup_cfg import read_setup_cfg
from mendlab.harvest.environment.reading.setup_py import read_setup_py
from mendlab.harvest.environment.reading.tox_nox import read_nox, read_tox
from mendlab.harvest.environment.said import Said, together
from mendlab.verify.bench import Bench


def declared(tree: FileTree, bench: Bench) -> Said:
    """Return what a tree declares; its ``setup.py``, where syntax does not tell, is run on the bench, confined."""
    return together(
        [
            read_pyproject(tree),
            read_setup_cfg(tree),
            read_setup_py(tree, bench),
            read_requirement_files(tree),
            read_tox(tree),
            read_nox(tree),
        ]
    )

"""Under which licence a commit stands, as an SPDX expression where it can be told.

Told by what the project declares (PEP 639, or a trove classifier), else by the words of its licence file. These are the
words that tell the common licences of Python packages apart; what is not among them is unknown.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from mendlab.harvest.git.copy import PrivateCopy

_FILES: Final = ("licen[cs]e*", "copying*", "unlicen[cs]e*")
_WORDS: Final = (
    ("AGPL-3.0", r"GNU AFFERO GENERAL PUBLIC LICENSE.{0,80}Version 3"),
    ("LGPL-3.0", r"GNU LESSER GENERAL PUBLIC LICENSE.{0,80}Version 3"),
    ("LGPL-2.1", r"GNU LESSER GENERAL PUBLIC LICENSE.{0,80}Version 2\.1"),
    ("GPL-3.0", r"GNU GENERAL PUBLIC LICENSE.{0,80}Version 3"),
    ("GPL-2.0", r"GNU GENERAL PUBLIC LICENSE.{0,80}Version 2"),
    ("Apache-2.0", r"Apache License.{0,80}Version 2\.0"),
    ("MPL-2.0", r"Mozilla Public License.{0,80}2\.0"),
    ("Unlicense", r"free and unencumbered software released into the public domain"),
    ("ISC", r"Permission to use, copy, modify, and/?(?: or )?/?(?:or )?distribute this software"),
    ("MIT", r"Permission is hereby granted, free of charge, to any person obtaining a copy"),
    ("BSD-3-Clause", r"Redistribution and use in source and binary forms.*(?:Neither the name|The names? of)"),
    ("BSD-2-Clause", r"Redistribution and use in source and binary forms"),
    ("PSF-2.0", r"PYTHON SOFTWARE FOUNDATION LICENSE"),
)
_CLASSIFIERS: Final = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}


def licence_at(copy: PrivateCopy, commit: str) -> str | None:
    """Return the licence that the files at the top of a commit's tree tell; ``None`` if they do not."""
    files: dict[str, bytes] = {}
    for line in copy.git("ls-tree", "-z", "--full-tree", copy.tree_of(commit)).split(b"\0"):
        about, _, name = line.partition(b"\t")
        path = name.decode("utf-8", "replace")
        if about.startswith(b"100") and (path == "pyproject.toml" or _is_licence(path)):
            files[path] = copy.blob(about.split(b" ")[2].decode()) or b""
    return licence_of(files)


def licence_of(files: Mapping[str, bytes]) -> str | None:
    """Return the licence that files at the top of a tree tell; several licence files are joined by OR."""
    declared = _declared(files["pyproject.toml"]) if "pyproject.toml" in files else None
    if declared is not None:
        return declared
    told = {_told(files[path].decode("utf-8", "replace")) for path in files if _is_licence(path)} - {None}
    return " OR ".join(sorted(filter(None, told))) or None


def _is_licence(path: str) -> bool:
    return any(fnmatchcase(path.lower(), pattern) for pattern in _FILES)


def _declared(data: bytes) -> str | None:
    try:
        project: Any = tomllib.loads(data.decode()).get("project", {})
    except (ValueError, RecursionError):
        return None
    if not isinstance(project, dict):
        return None
    if isinstance(project.get("license"), str):
        return str(project["license"])
    classifiers = project.get("classifiers", [])
    names = [str(each).rpartition(" :: ")[2] for each in classifiers if str(each).startswith("License ::")]
    return _CLASSIFIERS.get(names[0]) if len(names) == 1 else None


def _told(text: str) -> str | None:
    squeezed = " ".join(text.split())
    return next((name for name, words in _WORDS if re.search(words, squeezed, re.IGNORECASE)), None)

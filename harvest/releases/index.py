"""Which source distributions a package index has, and their bytes.

The index is the one that pip is configured to use, asked over its simple API: JSON (PEP 691), or HTML (PEP 503). pip
itself is not asked to download: it runs the ``setup.py`` of a source distribution to learn its name.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from packaging.utils import InvalidSdistFilename, canonicalize_name, parse_sdist_filename
from packaging.version import Version

from mendlab.errors import InputError

MOST_BYTES: Final = 100 * 1024**2
_DEFAULT: Final = re.compile(r"--index-url <url>.*?\(default\s+(\S+?)\)", re.DOTALL)
_ACCEPT: Final = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Sdist:
    """A source distribution; ``uploaded`` is UTC, as the index writes it, and unknown in HTML."""

    version: Version
    filename: str
    url: str
    sha256: str | None
    uploaded: str | None = None


@dataclass(frozen=True, slots=True)
class Index:
    """Where packages are looked for, and the certificates that vouch for it."""

    urls: tuple[str, ...]
    certificates: str | None = None


def configured_index() -> Index:
    """Return the index that pip uses, by its configuration files and variables."""
    sections: dict[str, dict[str, str]] = {"global": {}, ":env:": {}}
    for line in _pip("config", "list").splitlines():
        name, _, value = line.partition("=")
        section, _, option = name.rpartition(".")
        if section in sections:
            sections[section][option] = str(ast.literal_eval(value))
    values = {**sections["global"], **sections[":env:"]}
    first = values.get("index-url") or _default()
    return Index((first, *values.get("extra-index-url", "").split()), values.get("cert"))


def _default() -> str:
    """The index that pip uses where nothing is configured, as its help says."""
    match = _DEFAULT.search(_pip("download", "--help"))
    if match is None:
        raise InputError("pip does not say which index it uses", hint="set index-url in pip's configuration")
    return match[1]


def _pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def list_sdists(package: str, index: Index) -> list[Sdist]:
    """Return the final releases that have a source distribution, oldest first; of equal versions the first found.

    Raises:
        InputError: no index has the package, or one cannot be reached.
    """
    name = canonicalize_name(package)
    found: dict[Version, Sdist] = {}
    known = False
    for root in index.urls:
        page = f"{root.rstrip('/')}/{name}/"
        answer = _get(page, index, missing_is_none=True)
        if answer is not None:
            known = True
            for sdist in _read_page(page, *answer):
                if canonicalize_name(parse_sdist_filename(sdist.filename)[0]) == name:
                    found.setdefault(sdist.version, sdist)
    if not known:
        raise InputError(f"no package index has {package}", hint=f"looked in {' and '.join(index.urls)}")
    return [found[version] for version in sorted(found)]


def download(sdist: Sdist, index: Index) -> bytes:
    """Return the file, which has the digest that the index gives.

    Raises:
        InputError: it cannot be fetched, or is another file.
    """
    answer = _get(sdist.url, index)
    assert answer is not None
    if sdist.sha256 is not None and hashlib.sha256(answer[0]).hexdigest() != sdist.sha256:
        raise InputError("does not have the digest that the index gives", where=sdist.url)
    return answer[0]


def _get(url: str, index: Index, *, missing_is_none: bool = False) -> tuple[bytes, str] | None:
    parts = urlsplit(url)
    local = any(root.startswith("file:") for root in index.urls)
    if parts.scheme not in ("https", "http", "file") or (parts.scheme == "file" and not local):
        raise InputError(f"{parts.scheme} is no way to fetch a package", where=url)
    if parts.scheme == "file" and url.endswith("/"):
        url += "index.html"
    context = ssl.create_default_context(cafile=index.certificates) if parts.scheme == "https" else None
    request = urllib.request.Request(url, headers={"Accept": _ACCEPT})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS, context=context) as answer:
            data: bytes = answer.read(MOST_BYTES + 1)
            kind = str(answer.headers.get_content_type())
    except urllib.error.URLError as error:
        missing = getattr(error, "code", None) == 404 or isinstance(error.reason, FileNotFoundError)
        if missing_is_none and (missing or parts.scheme == "file"):
            return None
        raise InputError(f"cannot be fetched: {error.reason}", where=url) from error
    except OSError as error:
        raise InputError(f"cannot be fetched: {error}", where=url) from error
    if len(data) > MOST_BYTES:
        raise InputError(f"has over {MOST_BYTES // 1024**2} MB", where=url)
    return data, kind


def _read_page(page: str, data: bytes, kind: str) -> list[Sdist]:
    try:
        files = json.loads(data)["files"] if kind.endswith("json") else _html_files(data)
        return [sdist for file in files if (sdist := _sdist(page, file)) is not None]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"is no page of a package index: {error}", where=page) from error


def _sdist(page: str, file: dict[str, Any]) -> Sdist | None:
    if file.get("yanked"):
        return None
    try:
        _, version = parse_sdist_filename(file["filename"])
    except (InvalidSdistFilename, ValueError):
        return None
    if version.is_prerelease:
        return None
    hashes = file.get("hashes") or {}
    return Sdist(version, file["filename"], urljoin(page, file["url"]), hashes.get("sha256"), file.get("upload-time"))


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.files: list[dict[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        address = values.get("href")
        if tag == "a" and address:
            url, fragment = urldefrag(address)
            algorithm, _, digest = fragment.partition("=")
            hashes = {algorithm: digest} if digest else {}
            name = unquote(urlsplit(url).path.rpartition("/")[2])
            self.files.append({"filename": name, "url": url, "hashes": hashes, "yanked": "data-yanked" in values})


def _html_files(data: bytes) -> list[dict[str, Any]]:
    links = _Links()
    links.feed(data.decode("utf-8", "replace"))
    return links.files

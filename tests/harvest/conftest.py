"""Histories copied and mined, and a package index on the loopback, with wheels made here and what is installed."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import shutil
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distribution
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from written_histories import History

from mendlab.harvest.candidates import candidates
from mendlab.harvest.environment.ladder import Environments
from mendlab.harvest.git import PrivateCopy, private_copy
from mendlab.harvest.records import Candidate, Dropped
from mendlab.verify.bench import Bench

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Index:
    """Serves wheels as an index does (PEP 691, with the times of upload), and sdists that nobody may build."""

    folder: Path
    files: dict[str, list[tuple[str, str, bytes]]] = field(default_factory=dict)
    url: str = ""

    def add(
        self, name: str, version: str, uploaded: str, needs: Iterable[str] = (), code: str = "", start: str = ""
    ) -> None:
        """Offer a version of a package, uploaded at a date (``2020-01-31``), with one module of its name.

        ``start`` is a line that every start of a Python which has it would run.
        """
        module = name.replace("-", "_")
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        metadata = head + "".join(f"Requires-Dist: {need}\n" for need in needs)
        self._offer(name, f"{module}-{version}-py3-none-any.whl", uploaded, {
            f"{module}.py": code.encode(),
            f"{module}.pth": start.encode(),
            f"{module}-{version}.dist-info/METADATA": metadata.encode(),
            f"{module}-{version}.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        })  # fmt: skip

    def add_sdist(self, name: str, version: str, uploaded: str) -> None:
        """Offer a version that would have to be built."""
        self.files.setdefault(name, []).append((f"{name}-{version}.tar.gz", uploaded, b"no archive"))

    def add_installed(self, name: str, uploaded: str) -> None:
        """Offer a package as it is installed here, and what it needs."""
        found = distribution(name)
        paths = [path for path in found.files or () if "__pycache__" not in path.parts and ".." not in path.parts]
        tag = next(line for line in (found.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: "))[5:]
        stem = f"{found.metadata['Name'].replace('-', '_')}-{found.version}"
        files = {str(path): Path(str(path.locate())).read_bytes() for path in paths if path.name != "RECORD"}
        self._offer(name, f"{stem}-{tag}.whl", uploaded, files)

    def _offer(self, name: str, file: str, uploaded: str, files: dict[str, bytes]) -> None:
        place = self.folder / file
        info = next(path for path in files if path.endswith(".dist-info/METADATA")).rpartition("/")[0]
        record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in files.items())
        with zipfile.ZipFile(place, "w") as wheel:
            for path, data in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}.items():
                wheel.writestr(path, data)
        self.files.setdefault(name.lower(), []).append((file, uploaded, place.read_bytes()))

    def listing(self, name: str) -> bytes:
        """What an index says of a package."""
        files = [
            {
                "filename": file,
                "url": f"{self.url}/files/{file}",
                "hashes": {"sha256": hashlib.sha256(data).hexdigest()},
                "upload-time": f"{uploaded}T12:00:00Z",
                "size": len(data),
            }
            for file, uploaded, data in self.files[name]
        ]
        return json.dumps({"meta": {"api-version": "1.1"}, "name": name, "files": files, "versions": []}).encode()

    def serve(self) -> ThreadingHTTPServer:
        """Begin to answer."""
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.answer()

            def do_GET(self) -> None:
                with contextlib.suppress(ConnectionError):  # a client that only wanted to know its length
                    self.wfile.write(self.answer())

            def answer(self) -> bytes:
                kind, _, name = self.path.strip("/").partition("/")
                data = None
                if kind == "simple" and name in index.files:
                    data = index.listing(name)
                elif kind == "files":
                    data = next((d for files in index.files.values() for f, _, d in files if f == name), None)
                self.send_response(200 if data is not None else 404)
                self.send_header("Content-Type", "application/vnd.pypi.simple.v1+json")
                self.send_header("Content-Length", str(len(data or b"")))
                self.end_headers()
                return data or b""

            def log_message(self, format: str, *args: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """An index with nothing in it, which uv is told to ask."""
    yield from _serving(Index(tmp_path), tmp_path / "uv", monkeypatch)


def _serving(index: Index, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    server = index.serve()
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"{index.url}/simple")
    monkeypatch.setenv("UV_CACHE_DIR", str(cache))
    monkeypatch.delenv("UV_FIND_LINKS", raising=False)
    yield index
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def cache() -> Iterator[Path]:
    """A folder for environments that is not below the one that a confined process has for itself."""
    folder = Path(tempfile.mkdtemp(prefix="mendlab-tests-", dir="/var/tmp"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def environments(bench: Bench, cache: Path) -> Iterator[Environments]:
    """Environments with the pytest that runs these tests, from an index with little else: two versions of iron."""
    index = Index(cache)
    for name in ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "time-machine"):
        index.add_installed(name, "2021-05-01")
    index.add("iron", "1.0", "2021-01-01", code="def melt():\n    return 1538\n")
    index.add("iron", "2.0", "2025-06-01", code="def melt(metal):\n    return 1811\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        for _ in _serving(index, cache / "uv", monkeypatch):
            yield Environments(cache, bench.level, NOW, bench.interpreter)


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[Callable[[History], tuple[PrivateCopy, dict[int, str]]]]:
    """A private copy of a history, with the ids of its commits."""
    made: list[PrivateCopy] = []

    def copy(history: History) -> tuple[PrivateCopy, dict[int, str]]:
        ids = history.write(tmp_path / "repository")
        made.append(private_copy(str(tmp_path / "repository"), tmp_path / "copy"))
        return made[-1], ids

    yield copy
    for each in made:
        each.close()


@pytest.fixture
def mined(
    copied: Callable[[History], tuple[PrivateCopy, dict[int, str]]],
) -> Callable[[History], tuple[PrivateCopy, dict[int, Candidate | Dropped]]]:
    """What becomes of each commit of a history, by its number."""

    def mine(history: History) -> tuple[PrivateCopy, dict[int, Candidate | Dropped]]:
        copy, ids = copied(history)
        numbers = {sha: number for number, sha in ids.items()}
        found = list(candidates(copy))
        by_number = {numbers[each.fix if isinstance(each, Candidate) else each.sha]: each for each in found}
        assert len(by_number) == len(found)
        return copy, by_number

    return mine

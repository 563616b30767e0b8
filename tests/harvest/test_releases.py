"""Releases of a package become a history; the index is a real one, on this machine, and nothing of a package runs."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mendlab.errors import FormatError, InputError
from mendlab.harvest.candidates import candidates
from mendlab.harvest.git import rebuilds
from mendlab.harvest.records import Candidate
from mendlab.harvest.releases import release_history
from mendlab.harvest.releases.index import Index, configured_index, download, list_sdists
from mendlab.harvest.releases.unpacking import unpack

MARK = "from pathlib import Path\nPath({!r}).write_text('ran')\n"


def tar(folder: str, files: Mapping[str, str | tarfile.TarInfo]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for path, content in files.items():
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
                continue
            member = tarfile.TarInfo(f"{folder}/{path}" if folder else path)
            member.size = len(content.encode())
            member.mode = 0o755 if path.endswith(".sh") else 0o644
            archive.addfile(member, io.BytesIO(content.encode()))
    return out.getvalue()


def link(name: str, target: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type = tarfile.SYMTYPE
    member.linkname = target
    return member


@pytest.fixture
def sdists(tmp_path: Path) -> dict[str, bytes]:
    def release(version: str, code: str, news: str) -> bytes:
        files: dict[str, str | tarfile.TarInfo] = {
            "setup.py": MARK.format(str(tmp_path / "ran")),
            "thing/core.py": code,
            "tests/test_core.py": f"assert {len(code)}\n",
            "run.sh": "true\n",
            "PKG-INFO": f"Version: {version}\n",
            "thing.egg-info/SOURCES.txt": version,
            "CHANGES.rst": f"Changes\n=======\n\n{news}",
            "link": link(f"thing-{version}/link", "thing/core.py"),
        }
        return tar(f"thing-{version}", files)

    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("thing-0.9/thing/core.py", "x = 0\n")
    return {
        "thing-1.10.tar.gz": release("1.10", "x = 3\n", "1.10\n* More.\n\n1.9\n* Keep the sign.\n\n1.0\n* First.\n"),
        "thing-1.9.tar.gz": release("1.9", "x = 2\n", "1.9\n* Keep the sign.\n\n1.0\n* First.\n"),
        "thing-1.0.tar.gz": release("1.0", "x = 1\n", "1.0\n* First.\n"),
        "thing-0.9.zip": zipped.getvalue(),
        "thing-2.0rc1.tar.gz": release("2.0rc1", "x = 4\n", ""),
        "thing-1.5.tar.gz": tar("", {"thing-1.5/a.py": "x = 1\n", "../evil": "x"}),
        "thing-1.0-py3-none-any.whl": b"",
        "other-1.1.tar.gz": b"",
    }


@pytest.fixture
def index(sdists: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """An index of JSON."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            name = self.path.rpartition("/")[2]
            if self.path == "/simple/thing/":
                files = [
                    {
                        "filename": file,
                        "url": f"../../files/{file}",
                        "hashes": {"sha256": hashlib.sha256(data).hexdigest()},
                        "upload-time": f"20{10 + number}-01-01T00:00:00.000000Z",
                        "yanked": False,
                    }
                    for number, (file, data) in enumerate(sdists.items())
                ]
                files[0]["hashes"] = {"sha256": hashlib.sha256(sdists["thing-1.10.tar.gz"]).hexdigest()}
                self._answer(json.dumps({"files": files}).encode(), "application/vnd.pypi.simple.v1+json")
            elif name in sdists:
                self._answer(sdists[name], "application/octet-stream")
            else:
                self.send_error(404)

        def _answer(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(data)

    for proxy in ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.delenv(proxy, raising=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Index((f"http://127.0.0.1:{server.server_port}/simple/",))
    server.shutdown()
    server.server_close()


def test_consecutive_releases_are_candidates(index: Index, tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    with release_history("Thing", tmp_path / "copy", index=index, progress=lambda *each: told.append(each)) as copy:
        assert told[-1] == ("releases read", len(told), len(told))
        found = [each for each in candidates(copy) if isinstance(each, Candidate)]
        assert [each.commit.subject for each in found] == ["Thing 1.10", "Thing 1.9", "Thing 1.0"]
        assert all(rebuilds(copy, each) for each in found)
        fix = found[1]
        assert fix.commit.body == "1.9\n* Keep the sign."
        assert fix.commit.committed == "2011-01-01T00:00:00Z"
        assert fix.source.paths == ("thing/core.py",)
        assert fix.tests.paths == ()
        assert b"-x = 1\n+x = 2\n" in fix.source.patch
        listed = copy.git("ls-tree", "-r", copy.head).decode().split("\n")
        assert [line.split("\t")[1] for line in listed if line] == [
            "CHANGES.rst",
            "run.sh",
            "setup.py",
            "tests/test_core.py",
            "thing/core.py",
        ]
        assert [line.split()[0] for line in listed if line.endswith("run.sh")] == ["100755"]
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "evil").exists()
    with release_history("Thing", tmp_path / "copy", index=Index(())) as again:
        assert again.head == copy.head


def test_another_file_than_the_index_says_is_refused(index: Index, sdists: dict[str, bytes], tmp_path: Path) -> None:
    listed = list_sdists("thing", index)
    assert [str(each.version) for each in listed] == ["0.9", "1.0", "1.5", "1.9", "1.10"]
    sdists["thing-1.9.tar.gz"], whole = b"changed", sdists["thing-1.9.tar.gz"]
    other = Index((f"{index.urls[0]}/",))
    with pytest.raises(InputError, match=r"thing-1\.9\.tar\.gz: does not have the digest"):
        download(listed[3], other)
    sdists["thing-1.9.tar.gz"] = whole
    assert download(listed[3], other) == whole


def test_an_index_of_html_on_this_machine(sdists: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "simple" / "thing"
    folder.mkdir(parents=True)
    for name in ("thing-1.0.tar.gz", "thing-1.9.tar.gz"):
        (folder / name).write_bytes(sdists[name])
    links = "".join(
        f'<a href="{name}#sha256={hashlib.sha256(sdists[name]).hexdigest()}">{name}</a>'
        for name in sdists
        if "1.9" in name
    )
    (folder / "index.html").write_text(f'<html>{links}<a href="thing-1.0.tar.gz">thing-1.0.tar.gz</a></html>')
    index = Index(((tmp_path / "simple").as_uri(),))
    with release_history("thing", tmp_path / "copy", index=index) as copy:
        assert [each.commit.subject for each in candidates(copy) if isinstance(each, Candidate)] == ["thing 1.9"]
    with pytest.raises(InputError, match="no package index has missing"):
        list_sdists("missing", index)
    (folder / "index.html").write_text('<a href="thing-1.0.tar.gz">thing-1.0.tar.gz</a>')
    with pytest.raises(InputError, match="thing: has 1 releases"):
        release_history("thing", tmp_path / "one", index=index)
    assert not (tmp_path / "one").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no archive",
        tar("", {"a/b.py": "x", "../evil.py": "x"}),
        tar("", {"/a/b.py": "x"})[:-20],
        tar("a", {"b.py": "x", "l": link("a/l", "/etc/passwd")}),
        tar("a", {"b.py": "x", "l": link("a/l", "../../x")}),
    ],
    ids=["empty", "no archive", "above", "cut off", "link to a place", "link above"],  # an archive has its time in it
)
def test_archives_that_lead_out_or_are_none(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"x\.tar\.gz: cannot be unpacked"):
        unpack("x.tar.gz", data)


def test_zip_archives_that_lead_out() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a/../../evil.py", "x")
    with pytest.raises(FormatError, match="cannot be unpacked"):
        unpack("x.zip", out.getvalue())


def test_the_index_of_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://one.example/simple\nextra-index-url =\n  file:///a\n  file:///b\ncert = /c\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT"):
        monkeypatch.delenv(name, raising=False)
    found = configured_index()
    assert found.urls[0] == "https://one.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://two.example/simple")
    assert configured_index().urls[0] == "https://two.example/simple"
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_INDEX_URL")
    (default,) = configured_index().urls
    assert default.startswith("https://")
    assert default.endswith("/simple")

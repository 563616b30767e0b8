"""A private copy has the history of HEAD and nothing else; what leads to other places is refused with the way out."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from written_histories import run_git, small_history

from mendlab.errors import InputError, OutputError
from mendlab.harvest.candidates import candidates
from mendlab.harvest.git import PrivateCopy, private_copy
from mendlab.harvest.records import Candidate


def fixes(source: str, into: Path) -> list[str]:
    with private_copy(source, into) as copy:
        return [each.commit.subject for each in candidates(copy) if isinstance(each, Candidate)]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    small_history().write(tmp_path / "repository")
    return tmp_path / "repository"


def test_the_copy_has_the_branch_and_no_more(repository: Path, tmp_path: Path) -> None:
    run_git(repository, "tag", "v1")
    run_git(repository, "checkout", "-q", "--orphan", "apart")
    (repository / "secret.txt").write_text("1")
    run_git(repository, "add", "-A")
    run_git(repository, "commit", "-qm", "Apart")
    secret = run_git(repository, "rev-parse", "HEAD:secret.txt")
    run_git(repository, "checkout", "-q", "main")
    with private_copy(str(repository), tmp_path / "copy") as copy:
        assert copy.head == run_git(repository, "rev-parse", "main")
        assert copy.git("for-each-ref", "--format=%(refname)").decode() == "refs/heads/harvest\n"
        assert copy.blob(secret) is None
        assert copy.blob(run_git(repository, "rev-parse", "main:README.md")) == b"b\n"
        assert copy.blob(copy.head) is None
        assert copy.git("fsck", "--full", "--strict") == b""
        assert not list(copy.path.glob("hooks/*")) + list(copy.path.glob("info/*"))
        assert str(repository) not in (copy.path / "config").read_text()
    with pytest.raises(InputError, match="no object id"):
        copy.blob("--help")


def test_every_kind_of_folder(repository: Path, tmp_path: Path) -> None:
    run_git(tmp_path, "clone", "-q", "--bare", "repository", "bare.git")
    run_git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    run_git(repository, "gc", "-q")
    run_git(tmp_path, "clone", "-q", "repository", 'odd : "name"\n;$HOME')
    os.symlink("repository", tmp_path / "named_by_a_link")
    sources = ["repository", "bare.git", "linked", 'odd : "name"\n;$HOME', "named_by_a_link"]
    for number, source in enumerate(sources):
        if "\n" not in source:
            assert fixes(str(tmp_path / source), tmp_path / f"copy {number}") == ["Fix one (#7)"], source
    assert fixes((tmp_path / "repository").as_uri(), tmp_path / "copy by address") == ["Fix one (#7)"]


def test_a_path_with_everything_in_it(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = tmp_path / 'odd : "name" \\ $HOME ~ ü'
    repository.rename(odd)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=false' broken")
    monkeypatch.setenv("GIT_TRACE2_EVENT", str(tmp_path / "trace"))
    monkeypatch.setenv("GIT_COMMON_DIR", str(tmp_path / "elsewhere"))
    assert fixes(str(odd), tmp_path / "copy : $HOME") == ["Fix one (#7)"]
    assert not (tmp_path / "trace").exists()


def test_work_that_is_resumed_sees_the_same_history(repository: Path, tmp_path: Path) -> None:
    (tmp_path / ".copy.partial").mkdir()
    (tmp_path / ".copy.partial" / "left over by a kill").write_text("")
    told: list[str] = []
    with pytest.raises(InputError, match="no such folder"):
        private_copy(str(tmp_path / "nowhere"), tmp_path / "copy", lambda: told.append("nowhere"))
    with private_copy(str(repository), tmp_path / "copy", lambda: told.append("first")) as first:
        pass
    (repository / "a.py").write_text("x = 1\n")
    run_git(repository, "commit", "-qam", "Later")
    with private_copy(str(repository), tmp_path / "copy", lambda: told.append("second")) as second:
        assert second.head == first.head
    assert told == ["first"]
    with private_copy(str(repository), tmp_path / "another") as another:
        assert another.head == run_git(repository, "rev-parse", "HEAD") != first.head
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="no copy of a repository"):
        private_copy(str(repository), tmp_path / "folder")


def test_a_branch_of_which_only_a_packed_reference_is_left(repository: Path, tmp_path: Path) -> None:
    run_git(repository, "checkout", "-q", "-b", "topic/one")
    run_git(repository, "pack-refs", "--all", "--prune")
    assert not (repository / ".git/refs/heads/topic").exists()
    assert fixes(str(repository), tmp_path / "copy") == ["Fix one (#7)"]


def _alternates(repository: Path) -> None:
    other = repository.parent / "other"
    small_history().write(other)
    (repository / ".git/objects/info").mkdir(exist_ok=True)
    (repository / ".git/objects/info/alternates").write_text(f"{other}/.git/objects\n")


def _linked_git(repository: Path) -> None:
    (repository / ".git").rename(repository.parent / "elsewhere")
    os.symlink("../elsewhere", repository / ".git")


def _gitfile(repository: Path) -> None:
    (repository / ".git").rename(repository.parent / "elsewhere")
    (repository / ".git").write_text("gitdir: ../elsewhere\n")


def _linked_objects(repository: Path) -> None:
    (repository / ".git/objects").rename(repository.parent / "elsewhere")
    os.symlink("../../elsewhere", repository / ".git/objects")


def _linked_pack(repository: Path) -> None:
    run_git(repository, "gc", "-q")
    pack = next((repository / ".git/objects/pack").glob("*.pack"))
    pack.rename(repository.parent / "a.pack")
    os.symlink(repository.parent / "a.pack", pack)


def _pipe(repository: Path) -> None:
    os.mkfifo(repository / ".git/objects/pack/pack-a.idx")


def _pipe_for_head(repository: Path) -> None:
    (repository / ".git/HEAD").unlink()
    os.mkfifo(repository / ".git/HEAD")


def _link_for_head(repository: Path) -> None:
    (repository / ".git/HEAD").unlink()
    os.symlink("/etc/passwd", repository / ".git/HEAD")


def _no_commit(repository: Path) -> None:
    run_git(repository, "checkout", "-q", "--orphan", "empty")


def _head_outside(repository: Path) -> None:
    (repository / ".git/HEAD").write_text("ref: refs/heads/../../../other\n")


def _common_elsewhere(repository: Path) -> None:
    (repository.parent / "x").mkdir()
    (repository / ".git/commondir").write_text("../../x\n")


def _reftable(repository: Path) -> None:
    (repository / ".git/reftable").mkdir()


def _sha256(repository: Path) -> None:
    (repository / ".git").rename(repository.parent / "before")
    run_git(repository, "init", "-q", "-b", "main", "--object-format=sha256")
    run_git(repository, "add", "-A")
    run_git(repository, "commit", "-qm", "a")


def _blob_gone(repository: Path) -> None:
    blob = run_git(repository, "rev-parse", "HEAD:a.py")
    run_git(repository, "unpack-objects", check=False)
    for pack in (repository / ".git/objects/pack").glob("*.pack"):
        data = pack.read_bytes()
        for each in (repository / ".git/objects/pack").glob(f"{pack.stem}.*"):
            each.unlink()
        subprocess.run(["git", "unpack-objects", "-q"], cwd=repository, input=data, check=True)
    (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()


def _no_repository(repository: Path) -> None:
    (repository / ".git").rename(repository.parent / "elsewhere")


REFUSED = {
    _alternates: r"objects/info/alternates: borrows objects .*git repack -a -d",
    _linked_git: r"\.git: is a link \(name what it leads to.*elsewhere\)",
    _gitfile: r"\.git: leads to a repository that does not know of it .*elsewhere\)",
    _linked_objects: r"objects: is a link",
    _linked_pack: r"\.pack: is no plain file",
    _pipe: r"\.idx: is no plain file",
    _pipe_for_head: r"HEAD: is not what a repository has there",
    _link_for_head: r"HEAD: cannot be read",
    _no_commit: r"has no commit checked out",
    _head_outside: r"HEAD: names no branch and no commit",
    _common_elsewhere: r"commondir: leads to another repository",
    _reftable: r"reftable.*git refs migrate",
    _sha256: r"SHA-256",
    _blob_gone: r"git pack-objects failed: .*fsck",
    _no_repository: r"is no git repository .*name the root of a work tree",
}


@pytest.mark.parametrize("spoil", REFUSED, ids=lambda spoil: spoil.__name__.strip("_"))
def test_what_is_refused(spoil, repository: Path, tmp_path: Path) -> None:
    spoil(repository)
    with pytest.raises(InputError, match=REFUSED[spoil]):
        private_copy(str(repository), tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    assert not (tmp_path / ".copy.partial").exists()


def test_without_git_the_error_says_so(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program = "from pathlib import Path\nfrom mendlab.harvest.candidates import candidates\n"
    program += "from mendlab.harvest.git import private_copy\nprivate_copy('repository', Path('copy'))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr.strip().endswith("InputError: git is not installed (install git)")


@pytest.mark.parametrize(
    "address",
    [
        "ext::sh -c 'touch marker'",
        "fd::17",
        "https::https://example.org/x",
        "http://example.org/x.git",
        "git://example.org/x.git",
        "ftp://example.org/x.git",
        "https://",
        "https://example.org",
        "https://exa mple.org/x",
        "ssh://-oProxyCommand=touch marker/x",
        "ssh://-oProxyCommand@example.org:x/y",
        "https://example.org:port/x",
        "file://other.host/x",
        "--upload-pack=touch marker",
        "https://example.org/x\nhttps://example.org/y",
    ],
)
def test_addresses_that_are_refused(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="https://, ssh:// or file://"):
        private_copy(address, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_ssh_runs_the_users_ssh_and_asks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ssh = tmp_path / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/said\nexit 1\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{ssh.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("GIT_SSH_COMMAND", "false")
    for address in ("git@example.org:owner/name.git", "ssh://git@example.org/owner/name.git"):
        with pytest.raises(InputError, match=r"git fetch failed.*clone it yourself"):
            private_copy(address, tmp_path / "copy")
        said = (tmp_path / "said").read_text()
        assert said.startswith("-oBatchMode=yes")
        assert "git@example.org" in said
        assert "git-upload-pack" in said


@pytest.fixture
def served(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The address of the repository on a host of HTTPS, whose certificate git is told of as a company would."""
    run_git(tmp_path, "clone", "-q", "--bare", "repository", "www/repository.git")
    run_git(tmp_path / "www/repository.git", "update-server-info")
    key = tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", tmp_path / "cert.pem"]
    made += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", key)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            if self.path.startswith("/moved"):
                self.send_response(302)
                self.send_header("Location", "http://127.0.0.1:9/repository.git")
                self.end_headers()
            elif self.path.startswith("/private"):
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="x"')
                self.end_headers()
            else:
                super().do_GET()

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "www")))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("GIT_SSL_CAINFO", str(tmp_path / "cert.pem"))
    for proxy in ("https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.delenv(proxy, raising=False)
    yield f"https://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_repository_of_another_host(served: str, repository: Path, tmp_path: Path) -> None:
    assert fixes(f"{served}/repository.git", tmp_path / "copy") == ["Fix one (#7)"]
    copy = PrivateCopy(tmp_path / "copy", "")
    assert copy.git("for-each-ref", "--format=%(refname)").decode() == "refs/heads/harvest\n"
    assert served not in (copy.path / "config").read_text()
    for page, said in (
        ("missing", "not found.*no such repository"),
        ("moved", ""),
        ("private", "could not read Username.*clone it yourself"),
    ):
        with pytest.raises(InputError, match=f"(?s)git fetch failed.*{said}"):
            private_copy(f"{served}/{page}.git", tmp_path / page)


def test_a_host_that_is_not_there_is_not_blamed_on_a_password(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the host cannot be reached: look at the address and the network"):
        private_copy("https://127.0.0.1:1/owner/name.git", tmp_path / "copy")

"""Repositories that try to run a program, or to write a file, when somebody looks at them.

A trap sets itself up in a repository of :func:`written_histories.small_history`, and returns the plain command of git
that it is laid for. ``script`` is what it tries to run; it leaves a marker behind.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from written_histories import run_git


@dataclass(frozen=True)
class Place:
    """A repository with a trap in it. ``user`` is the user's own configuration, for what git takes from there alone."""

    repository: Path
    script: Path
    marker: Path
    user: Path

    def config(self, name: str, value: str) -> None:
        run_git(self.repository, "config", "--add", name, value)

    def attributes(self, line: str) -> None:
        (self.repository / ".git/info").mkdir(exist_ok=True)
        (self.repository / ".git/info/attributes").write_text(line)


@dataclass(frozen=True)
class Trap:
    """``command`` falls into it. ``harvested`` says whether there is a history to be had all the same."""

    lay: Callable[[Place], list[str]]
    harvested: bool = True


TRAPS: dict[str, Trap] = {}


def trap(harvested: bool = True) -> Callable[[Callable[[Place], list[str]]], Callable[[Place], list[str]]]:
    def register(lay: Callable[[Place], list[str]]) -> Callable[[Place], list[str]]:
        TRAPS[lay.__name__] = Trap(lay, harvested)
        return lay

    return register


@trap()
def fsmonitor(place: Place) -> list[str]:
    place.config("core.fsmonitor", str(place.script))
    return ["status"]


@trap()
def included_configuration(place: Place) -> list[str]:
    (place.repository / "settings").write_text(f"[core]\nfsmonitor = {place.script}\n")
    place.config("includeIf.gitdir:**.path", "../settings")
    return ["status"]


@trap()
def hooks(place: Place) -> list[str]:
    for name in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "pre-push"):
        hook = place.repository / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.symlink_to(place.script)
    return ["worktree", "add", "--detach", "../linked"]


@trap()
def hooks_elsewhere(place: Place) -> list[str]:
    (place.repository / "hooks").mkdir()
    (place.repository / "hooks" / "post-checkout").symlink_to(place.script)
    place.config("core.hooksPath", "hooks")
    return ["checkout", "--detach"]


@trap()
def textconv(place: Place) -> list[str]:
    place.attributes("* diff=evil\n")
    place.config("diff.evil.textconv", str(place.script))
    return ["log", "-p"]


@trap()
def diff_driver(place: Place) -> list[str]:
    place.attributes("* diff=evil\n")
    place.config("diff.evil.command", str(place.script))
    return ["diff", "HEAD~1"]


@trap()
def external_diff(place: Place) -> list[str]:
    place.config("diff.external", str(place.script))
    return ["diff", "HEAD~1"]


@trap()
def smudge_filter(place: Place) -> list[str]:
    place.attributes("* filter=evil\n")
    place.config("filter.evil.smudge", str(place.script))
    return ["archive", "HEAD"]


@trap()
def clean_filter(place: Place) -> list[str]:
    place.attributes("* filter=evil\n")
    place.config("filter.evil.clean", str(place.script))
    (place.repository / "a.py").write_text("changed = 1\n")
    return ["diff"]


@trap()
def filter_process(place: Place) -> list[str]:
    place.attributes("* filter=evil\n")
    place.config("filter.evil.process", str(place.script))
    return ["worktree", "add", "--detach", "../linked"]


@trap()
def ssh_command(place: Place) -> list[str]:
    place.config("core.sshCommand", str(place.script))
    place.config("remote.origin.url", "ssh://localhost/x")
    return ["fetch"]


@trap()
def upload_pack_of_the_remote(place: Place) -> list[str]:
    place.config("remote.origin.url", str(place.repository))
    place.config("remote.origin.uploadpack", str(place.script))
    return ["fetch"]


@trap()
def pack_objects_hook(place: Place) -> list[str]:
    for file in (place.repository / ".git/config", place.user):
        with file.open("a") as config:
            config.write(f"[uploadpack]\npackObjectsHook = {place.script}\n")
    return ["clone", "--no-local", ".", "../clone"]


@trap()
def remote_helper(place: Place) -> list[str]:
    place.config("protocol.ext.allow", "always")
    place.config("remote.origin.url", f"ext::{place.script}")
    return ["fetch"]


@trap()
def submodule(place: Place) -> list[str]:
    url = f"ext::{place.script}"
    (place.repository / ".gitmodules").write_text(f'[submodule "s"]\npath = s\nurl = {url}\n')
    run_git(place.repository, "update-index", "--add", "--cacheinfo", f"160000,{'12' * 20},s")
    run_git(place.repository, "add", ".gitmodules")
    run_git(place.repository, "commit", "-qm", "Add a submodule")
    place.user.write_text("[protocol]\nallow = always\n[submodule]\nrecurse = true\n")
    return ["submodule", "update", "--init"]


@trap()
def gpg_program(place: Place) -> list[str]:
    commit = run_git(place.repository, "cat-file", "commit", "HEAD")
    head, _, message = commit.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    text = f"{head}\n{signature}\n\n{message}\n".encode()
    hashing = ["git", "hash-object", "-w", "-t", "commit", "--stdin"]
    done = subprocess.run(hashing, cwd=place.repository, input=text, stdout=subprocess.PIPE)
    run_git(place.repository, "update-ref", "HEAD", done.stdout.decode().strip())
    place.config("gpg.program", str(place.script))
    place.config("log.showSignature", "true")
    return ["log"]


@trap()
def credential_helper(place: Place) -> list[str]:
    place.config("credential.helper", f"!{shlex.quote(str(place.script))}")
    place.config("core.askPass", str(place.script))
    return ["-c", r"alias.ask=!printf 'protocol=https\nhost=x\n\n' | git credential fill", "ask"]


@trap()
def work_tree_elsewhere(place: Place) -> list[str]:
    """The marker is ``a.py``, in a folder that is not of the repository."""
    place.config("core.worktree", str(place.marker.parent))
    return ["checkout", "-f", "HEAD", "--", "a.py"]


@trap(harvested=False)
def lazy_fetch(place: Place) -> list[str]:
    blob = run_git(place.repository, "rev-parse", "HEAD:a.py")
    for pack in (place.repository / ".git/objects/pack").glob("*.pack"):
        data = pack.read_bytes()
        for each in (place.repository / ".git/objects/pack").glob(f"{pack.stem}.*"):
            each.unlink()
        subprocess.run(["git", "unpack-objects", "-q"], cwd=place.repository, input=data, check=True)
    (place.repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
    place.config("core.repositoryFormatVersion", "1")
    place.config("extensions.partialClone", "origin")
    place.config("remote.origin.promisor", "true")
    place.config("remote.origin.url", f"ext::{place.script}")
    place.config("protocol.ext.allow", "always")
    return ["cat-file", "-p", blob]


@trap(harvested=False)
def gitfile(place: Place) -> list[str]:
    elsewhere = place.repository.parent / "elsewhere"
    (place.repository / ".git").rename(elsewhere)
    (place.repository / ".git").write_text(f"gitdir: {elsewhere}\n")
    run_git(place.repository, "config", "core.fsmonitor", str(place.script))
    return ["status"]


@trap(harvested=False)
def linked_git_folder(place: Place) -> list[str]:
    elsewhere = place.repository.parent / "elsewhere"
    (place.repository / ".git").rename(elsewhere)
    os.symlink(elsewhere, place.repository / ".git")
    run_git(place.repository, "config", "core.fsmonitor", str(place.script))
    return ["status"]


@trap(harvested=False)
def alternates(place: Place) -> list[str]:
    """The marker is an object of another repository that can be read in this one."""
    other = place.repository.parent / "other"
    other.mkdir()
    run_git(other, "init", "-q", "--template=")
    (other / "secret").write_text("secret")
    blob = run_git(other, "hash-object", "-w", "secret")
    (place.repository / ".git/objects/info").mkdir(exist_ok=True)
    (place.repository / ".git/objects/info/alternates").write_text(f"{other}/.git/objects\n")
    place.config("alias.look", f"!git cat-file -e {blob} && touch {shlex.quote(str(place.marker))}")
    return ["look"]

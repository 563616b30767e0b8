"""What is in the way of namespaces, read from settings as Linux shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mendlab.errors import ConfinementError
from mendlab.records import SandboxLevel
from mendlab.verify.confinement import sandbox
from mendlab.verify.confinement.blocked import blocked_by

BWRAP = "/opt/lab/bwrap"


def settings(folder: Path, **values: str) -> Path:
    for name, value in values.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{value}\n")
    return folder


def test_ubuntu_24_04(tmp_path: Path) -> None:
    found = blocked_by(BWRAP, settings(tmp_path, kernel__apparmor_restrict_unprivileged_userns="1"))
    assert found is not None
    assert found.setting == "kernel.apparmor_restrict_unprivileged_userns"
    assert "profile mendlab-bwrap /opt/lab/bwrap flags=(unconfined) { userns, }" in found.way_out
    assert "sudo apparmor_parser -r /etc/apparmor.d/mendlab-bwrap" in found.way_out


@pytest.mark.parametrize(
    ("values", "setting"),
    [
        ({"kernel__apparmor_restrict_unprivileged_userns": "0"}, None),
        ({"kernel__unprivileged_userns_clone": "1"}, None),
        ({"kernel__unprivileged_userns_clone": "0"}, "kernel.unprivileged_userns_clone"),
        ({"user__max_user_namespaces": "0"}, "user.max_user_namespaces"),
        ({}, None),
    ],
)
def test_other_settings(tmp_path: Path, values: dict[str, str], setting: str | None) -> None:
    found = blocked_by(BWRAP, settings(tmp_path, **values))
    assert (found.setting if found else None) == setting


@pytest.mark.parametrize(
    ("value", "hint"),
    [("1", "kernel.apparmor_restrict_unprivileged_userns forbids it: echo"), ("0", "allow user namespaces")],
)
def test_whoever_cannot_confine_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, hint: str) -> None:
    folder = settings(tmp_path, kernel__apparmor_restrict_unprivileged_userns=value)
    monkeypatch.setattr(sandbox, "blocked_by", lambda bwrap: blocked_by(bwrap, folder))
    monkeypatch.setattr(sandbox, "namespaces_problem", lambda: "bwrap: setting up uid map: Permission denied")
    with pytest.raises(ConfinementError) as raised:
        sandbox.choose_level()
    assert raised.value.hint is not None
    assert raised.value.hint.startswith(hint)
    assert sandbox.choose_level(allow_unconfined=True) is SandboxLevel.NONE

"""What on a machine keeps bubblewrap from making namespaces, and the way out: the settings of Linux that do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SETTINGS: Final = Path("/proc/sys")


@dataclass(frozen=True, slots=True)
class Block:
    """A setting that forbids user namespaces to users: its name, the value that does, and what to do about it."""

    setting: str
    value: str
    way_out: str

    def holds(self, settings: Path) -> bool:
        """Whether it is set like that on this machine."""
        try:
            return (settings / self.setting.replace(".", "/")).read_text().strip() == self.value
        except OSError:
            return False


def profile(bwrap: str) -> str:
    """Return the AppArmor profile that lets one program make user namespaces."""
    return f"abi <abi/4.0>, profile mendlab-bwrap {bwrap} flags=(unconfined) {{ userns, }}"


def blocks(bwrap: str) -> tuple[Block, ...]:
    """Return what may be in the way of a ``bwrap``, the likeliest first."""
    file = "/etc/apparmor.d/mendlab-bwrap"
    return (
        Block(
            "kernel.apparmor_restrict_unprivileged_userns",
            "1",
            f"echo '{profile(bwrap)}' | sudo tee {file} && sudo apparmor_parser -r {file}"
            " (or, for every program: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0)",
        ),
        Block("kernel.unprivileged_userns_clone", "0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
        Block("user.max_user_namespaces", "0", "sudo sysctl -w user.max_user_namespaces=15000"),
    )


def blocked_by(bwrap: str, settings: Path = SETTINGS) -> Block | None:
    """Return the setting that is in the way on a machine where ``bwrap`` fails, or None if it is none that is known."""
    return next((block for block in blocks(bwrap) if block.holds(settings)), None)

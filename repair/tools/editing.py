"""Tools that change the program, and the one that hands it in."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mendlab.repair.tools.registry import tool
from mendlab.repair.tools.workspace import RefusedError, Workspace


@tool(changes=True)
def edit_file(
    workspace: Workspace,
    path: Annotated[str, Field(description="The file, as list_files names it.")],
    old: Annotated[str, Field(min_length=1, description="What stands there now, with its indentation.")],
    new: Annotated[str, Field(description="What is to stand there instead.")],
) -> str:
    """Replace a text in a file by another. The old text must stand there exactly so, and once only: give lines around
    it where it stands more often.
    """
    found = workspace.find(path)
    text = workspace.text(found).text
    if "\r\n" in text and "\r" not in old:
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    count = text.count(old)
    if count != 1:
        how = f"stands {count} times in {found}: give more of the lines around it" if count else f"is not in {found}"
        raise RefusedError(f"Nothing was changed: the old text {how}.")
    if old == new:
        raise RefusedError("Nothing was changed: the new text is the old one.")
    workspace.write(found, text.replace(old, new))
    line = text[: text.index(old)].count("\n") + 1
    return f"{found} was changed at line {line}."


@tool(changes=True)
def submit(workspace: Workspace) -> str:
    """Hand in the program as it is now. This ends the work."""
    workspace.submitted = True
    return "The program is handed in."

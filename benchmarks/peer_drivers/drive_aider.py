"""aider: its unified diffs, SEARCH/REPLACE blocks and apply_patch patches, read and applied by its own coders.

Cases come in on stdin, one JSON object a line: ``{"name", "form", "files", "editable", "answer"}``, contents as Latin-1
text. Out, first, ``{"version"}``; then ``{"name", "files", "error"}``, where ``files`` is ``null`` after an error.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from aider.coders.editblock_coder import EditBlockCoder
from aider.coders.patch_coder import PatchCoder
from aider.coders.udiff_coder import UnifiedDiffCoder
from aider.io import InputOutput

CODERS = {"diff": UnifiedDiffCoder, "search_replace": EditBlockCoder, "apply_patch": PatchCoder}


def apply(case: dict, folder: Path) -> None:
    """Apply an answer as a coder does after the model's reply, without asking anybody."""
    coder = object.__new__(CODERS[case["form"]])
    coder.root = str(folder)
    coder.io = InputOutput(pretty=False, yes=True, fancy_input=False)
    coder.abs_fnames = {str(folder / path) for path in case["editable"]}
    coder.abs_root_path_cache, coder.shell_commands, coder.fence = {}, [], ("```", "```")
    coder.partial_response_content = case["answer"]
    edits = coder.get_edits()
    if not edits:
        raise ValueError("no edit in the answer")
    dry = coder.apply_edits_dry_run(edits) if isinstance(coder, EditBlockCoder) else edits
    coder.apply_edits(dry)


def main() -> None:
    out = sys.stdout
    print(json.dumps({"version": version("aider-chat")}), file=out, flush=True)
    for line in sys.stdin:
        case, error = json.loads(line), None
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(sys.stderr):
            folder = Path(name, "outer", "tree").resolve()
            for path, text in case["files"].items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(text.encode("latin-1"))
            try:
                apply(case, folder)
            except Exception as problem:
                error = f"{type(problem).__name__}: {problem}"[:200]
            files = {
                str(path.relative_to(folder)): path.read_bytes().decode("latin-1")
                for path in folder.rglob("*")
                if path.is_file()
            }
        print(json.dumps({"name": case["name"], "files": None if error else files, "error": error}), file=out)


if __name__ == "__main__":
    main()

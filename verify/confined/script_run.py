"""Runner for gates: a script that passes by exit code 0, run in a fresh copy of the tree. See :mod:`zygote`.

The script's exit code is the only thing looked at, and the lab gets it from the parent of the script's process, not
from the script. Python 3.8 to 3.13, standard library only.
"""

import os
import sys

REUSABLE = True


def prepare(config):
    """``config``: the ``files`` of the good tree, and how scripts are started (``argv`` before the script)."""
    scratch_tree = sys.modules["__main__"].load("scratch_tree")
    return {"scratch_tree": scratch_tree, "files": scratch_tree.unpack(config["files"]), "argv": config["argv"]}


def run(state, request, emit, fds):
    """``request``: ``changes`` to the tree and the ``script``'s text. Becomes the script; never returns."""
    work = os.path.join(os.getcwd(), "tree")
    state["scratch_tree"].lay_out(state["files"], work, request["changes"])
    script = os.path.join(os.getcwd(), "gate")
    with open(script, "w", encoding="utf-8", newline="") as file:
        file.write(request["script"])
    os.environ.update({"HOME": work + ".home", "PWD": work})
    os.makedirs(os.environ["HOME"], exist_ok=True)
    os.chdir(work)
    sys.stdout.flush()
    os.execvp(state["argv"][0], state["argv"] + [script])

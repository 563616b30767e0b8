"""One pass of the lab over a private copy, in a process of its own, so that its time and memory are those of the pass.

    python ours.py COPY PASS LIMIT

PASS is ``scan``, ``patches`` (and candidates' patches, split, measured and scored, each change once), ``unmerged`` (the
same without the patches of merges, which the other readers do not make) or ``candidates`` (``patches``, and those left
out that are the same program before and after). Prints what was found as one line of JSON.
"""

from __future__ import annotations

import json
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from mendlab.harvest.candidates import candidates, make_candidate
from mendlab.harvest.git import PrivateCopy, commit_patches, private_copy
from mendlab.harvest.records import Candidate, Commit, Dropped
from mendlab.harvest.scan import scan


def found(copy: PrivateCopy, which: str, limit: int) -> Iterator[Commit | Candidate | Dropped]:
    """What a pass yields."""
    if which == "scan":
        yield from islice(scan(copy), limit)
    elif which == "unmerged":
        commits = (each for each in islice(scan(copy), limit) if isinstance(each, Commit) and not each.is_merge)
        yield from (make_candidate(*made) for made in commit_patches(copy, commits))
    else:
        yield from islice(candidates(copy, compare_programs=which == "candidates"), limit)


def main(path: str, which: str, limit: str) -> None:
    """Make one pass."""
    counts: Counter[str] = Counter()
    size = 0
    with private_copy("", Path(path)) as copy:
        for each in found(copy, which, int(limit)):
            counts[each.reason if isinstance(each, Dropped) else type(each).__name__] += 1
            size += len(each.patch) if isinstance(each, Candidate) else 0
    own, git = (resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps({"counts": counts, "patch_bytes": size, "own_mb": own, "largest_git_mb": git}))


if __name__ == "__main__":
    main(*sys.argv[1:])

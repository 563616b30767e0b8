"""Templates out of many fixes: each change made general, and counted over fixes and repositories."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Final

from mendlab.corpora.python_source import tree_if_any
from mendlab.errors import FormatError
from mendlab.mutators.learned.abstracting import abstracted
from mendlab.mutators.learned.differing import differences
from mendlab.mutators.learned.kinds import bug_type_of
from mendlab.mutators.learned.loading import template_operator
from mendlab.mutators.learned.template import Template

MOST_DIFFERENCES: Final = 4
"""Places in which a file of a fix may differ; what differs in more is no small fix."""


class Patterns:
    """What was seen: by the texts of a template, the repositories with how many of their fixes have it."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    def take(self, repository: str, commit: str, before: bytes, after: bytes) -> int:
        """Learn from one file of a fix, as it was ``before`` and ``after`` it; return how many templates it gives."""
        buggy, sound = tree_if_any(before), tree_if_any(after)
        if buggy is None or sound is None:
            return 0
        found = list(islice(differences(sound, buggy), MOST_DIFFERENCES + 1))
        if len(found) > MOST_DIFFERENCES:
            return 0
        texts = {made for levels in found if (made := abstracted(levels)) is not None}
        for each in texts:
            self._seen[each][repository].add(commit)
        return len(texts)

    def templates(self, *, least: int = 1, least_repositories: int = 1) -> Iterator[Template]:
        """Yield what was seen in so many fixes of so many repositories, the commonest first, if it is a template."""
        counted = [(sum(map(len, where.values())), texts, where) for texts, where in self._seen.items()]
        for count, (sound, buggy), where in sorted(counted, key=lambda each: (-each[0], each[1])):
            if count < least or len(where) < least_repositories:
                continue
            digest = hashlib.sha256(f"{sound}\0{buggy}".encode()).hexdigest()
            template = Template(
                name=f"learned-{digest[:10]}",
                before=sound,
                after=buggy,
                bug_type=bug_type_of(sound, buggy),
                count=count,
                source=", ".join(f"{name} {len(commits)}" for name, commits in sorted(where.items())),
            )
            if _is_sound(template):
                yield template


def _is_sound(template: Template) -> bool:
    try:
        template_operator(template, "learned", template.name)
    except FormatError:
        return False
    return True

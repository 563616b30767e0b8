"""Files documents under tags and answers queries such as ``python -draft (web|cli)``."""

import re
from collections import Counter


class QueryError(ValueError):
    pass


class TagIndex:
    """Documents by id; an inverted index from tag to ids is kept beside them."""

    def __init__(self, synonyms=None):
        self._tags = {}
        self._ids = {}
        self._synonyms = {old.lower(): new.lower() for old, new in (synonyms or {}).items()}

    def __len__(self):
        return len(self._tags)

    def __contains__(self, doc_id):
        return doc_id in self._tags

    def normal(self, tag):
        tag = tag.strip().lower()
        return self._synonyms.get(tag, tag)

    def put(self, doc_id, tags):
        """Files a document, in place of what was filed under its id before."""
        self.discard(doc_id)
        normal = {self.normal(tag) for tag in tags} - {""}
        self._tags[doc_id] = normal
        for tag in normal:
            self._ids.setdefault(tag, set()).add(doc_id)

    def discard(self, doc_id):
        """Whether there was such a document to remove."""
        if doc_id not in self._tags:
            return False
        for tag in self._tags.pop(doc_id):
            self._ids[tag].discard(doc_id)
            if not self._ids[tag]:
                del self._ids[tag]
        return True

    def rename(self, old, new):
        """Moves every document from one tag to another; returns how many were moved."""
        old, new = self.normal(old), self.normal(new)
        moved = self._ids.get(old, set())
        if old == new or not moved:
            return 0
        del self._ids[old]
        for doc_id in moved:
            self._tags[doc_id] = (self._tags[doc_id] - {old}) | {new}
        self._ids[new] = self._ids.get(new, set()) | moved
        return len(moved)

    def tags(self, doc_id):
        return sorted(self._tags[doc_id])

    def find(self, query):
        """The ids that match, sorted. Words are joined by "and"; ``-`` excludes, ``|`` is "or", parentheses group."""
        tokens = re.findall(r"[()|]|-(?=\S)|[^\s()|-][^\s()|]*", query)
        tokens.reverse()
        found = self._either(tokens)
        if tokens:
            raise QueryError("unexpected " + tokens[-1])
        return sorted(found)

    def _either(self, tokens):
        found = self._all_of(tokens)
        while tokens and tokens[-1] == "|":
            tokens.pop()
            found = found | self._all_of(tokens)
        return found

    def _all_of(self, tokens):
        found = set(self._tags)
        while tokens and tokens[-1] not in "|)":
            found = found & self._one(tokens)
        return found

    def _one(self, tokens):
        token = tokens.pop()
        if token == "-":
            if not tokens or tokens[-1] in "|)":
                raise QueryError("nothing to exclude")
            return set(self._tags) - self._one(tokens)
        if token == "(":
            found = self._either(tokens)
            if not tokens or tokens.pop() != ")":
                raise QueryError("a parenthesis is not closed")
            return found
        return self._ids.get(self.normal(token), set())

    def counts(self, query=""):
        """(tag, how many of the matching documents have it), the most frequent first, then by name."""
        counter = Counter(tag for doc_id in self.find(query) for tag in self._tags[doc_id])
        return sorted(counter.items(), key=lambda item: (-item[1], item[0]))

    def related(self, tag, limit=3):
        """Tags that go with ``tag``, by the share of common documents among those of either (Jaccard)."""
        tag = self.normal(tag)
        own = self._ids.get(tag, set())
        scores = {}
        for other, ids in self._ids.items():
            common = len(own & ids)
            if other != tag and common:
                scores[other] = common / len(own | ids)
        return sorted(scores, key=lambda other: (-scores[other], other))[:limit]

    def untagged(self):
        return sorted(doc_id for doc_id, tags in self._tags.items() if not tags)

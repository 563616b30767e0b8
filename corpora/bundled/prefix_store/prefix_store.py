"""A trie of weighted words: completion, patterns, spelling suggestions and pruning removal."""


class Node:
    __slots__ = ("children", "weight", "best")

    def __init__(self):
        self.children = {}
        self.weight = None
        self.best = 0

    def refresh(self):
        """Recomputes the largest weight at or below this node."""
        weights = [child.best for child in self.children.values()]
        if self.weight is not None:
            weights.append(self.weight)
        self.best = max(weights, default=0)


class PrefixStore:
    def __init__(self, words=()):
        self._root = Node()
        self._size = 0
        for word in words:
            self.add(word)

    def __len__(self):
        return self._size

    def __contains__(self, word):
        node = self._node(word)
        return node is not None and node.weight is not None

    def __iter__(self):
        for word, _ in self._walk(self._root, ""):
            yield word

    def add(self, word, weight=1):
        """Adds to a word's weight and returns the new weight."""
        if not word:
            raise ValueError("the empty word cannot be stored")
        if weight <= 0:
            raise ValueError("a weight must be positive")
        path = [self._root]
        for letter in word:
            path.append(path[-1].children.setdefault(letter, Node()))
        if path[-1].weight is None:
            self._size += 1
        path[-1].weight = (path[-1].weight or 0) + weight
        for node in reversed(path):
            node.refresh()
        return path[-1].weight

    def remove(self, word):
        """Whether the word was there; nodes that lead nowhere are cut off."""
        path = [self._root]
        for letter in word:
            if letter not in path[-1].children:
                return False
            path.append(path[-1].children[letter])
        if path[-1].weight is None:
            return False
        path[-1].weight = None
        self._size -= 1
        for depth in range(len(word), 0, -1):
            node = path[depth]
            if node.weight is None and not node.children:
                del path[depth - 1].children[word[depth - 1]]
            else:
                node.refresh()
        self._root.refresh()
        return True

    def weight(self, word):
        node = self._node(word)
        return 0 if node is None or node.weight is None else node.weight

    def complete(self, prefix, limit=5):
        """The heaviest words that start with ``prefix``, equal ones in alphabetical order."""
        start = self._node(prefix)
        if start is None:
            return []
        found = []
        self._heaviest(start, prefix, limit, found)
        return [word for _, word in found]

    def _heaviest(self, node, word, limit, found):
        """Keeps ``found`` as the best (-weight, word) pairs; skips branches that cannot get in."""
        if len(found) == limit and node.best < -found[-1][0]:
            return
        if node.weight is not None:
            found.append((-node.weight, word))
            found.sort()
            del found[limit:]
        for letter in sorted(node.children):
            self._heaviest(node.children[letter], word + letter, limit, found)

    def longest_prefix(self, text):
        """The longest stored word that ``text`` starts with, or None."""
        node, best = self._root, None
        for length, letter in enumerate(text, start=1):
            node = node.children.get(letter)
            if node is None:
                break
            if node.weight is not None:
                best = text[:length]
        return best

    def match(self, pattern):
        """Words that fit: ``?`` stands for one letter and ``*`` for any number of them."""
        return sorted(set(self._match(self._root, pattern, "")))

    def _match(self, node, pattern, word):
        if not pattern:
            if node.weight is not None:
                yield word
            return
        head, rest = pattern[0], pattern[1:]
        if head == "*":
            yield from self._match(node, rest, word)
        for letter, child in node.children.items():
            if head == "*":
                yield from self._match(child, pattern, word + letter)
            elif head in ("?", letter):
                yield from self._match(child, rest, word + letter)

    def similar(self, word, distance=1):
        """Words within an edit distance, nearest first, as (distance, word) pairs."""
        first_row = list(range(len(word) + 1))
        found = []
        for letter, child in self._root.children.items():
            self._similar(child, letter, word, first_row, distance, found)
        return sorted(found)

    def _similar(self, node, prefix, word, above, distance, found):
        row = [above[0] + 1]
        for column, letter in enumerate(word, start=1):
            replaced = above[column - 1] + (letter != prefix[-1])
            row.append(min(row[column - 1] + 1, above[column] + 1, replaced))
        if node.weight is not None and row[-1] <= distance:
            found.append((row[-1], prefix))
        if min(row) <= distance:
            for letter, child in node.children.items():
                self._similar(child, prefix + letter, word, row, distance, found)

    def _node(self, prefix):
        node = self._root
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def _walk(self, node, word):
        if node.weight is not None:
            yield word, node.weight
        for letter in sorted(node.children):
            yield from self._walk(node.children[letter], word + letter)

"""Values as a graph of JSON nodes, both ways: shared references and cycles are kept, and nothing is ever unpickled.

A message is ``[root, nodes, updates]``. A reference is a JSON scalar that stands for itself, or ``[index]``; a node is
``[tag, reference...]``. Indexes count the objects shared with the other side: first those of the messages before, then
the new ``nodes``; ``updates`` maps the index of an earlier object to its new contents, which are put into that very
object. So an argument that the callee changes is changed for the caller as well. :meth:`Wire.forget` ends the sharing.

Reading trusts nothing: what is no proper message raises :class:`Malformed`. Neither reading nor writing recurses.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

if TYPE_CHECKING or not __name__.startswith("_mendlab_"):
    from mendlab.verify.confined.function import wire_values as values
else:
    import sys

    values = sys.modules["__main__"].load("wire_values")

Malformed = values.Malformed
Message = List[Any]


class Wire:
    """One end. Values that are not plain go through ``describe`` and ``make``.

    Args:
        describe: returns tag and parts of an object that is no plain value; raises TypeError for what cannot travel.
        make: returns the object for a tag and parts that ``describe`` of the other side gave.
    """

    def __init__(
        self,
        describe: Optional[Callable[[Any], Tuple[str, List[Any]]]] = None,
        make: Optional[Callable[[str, List[Any]], Any]] = None,
    ) -> None:
        self.describe = describe or _no_description
        self.make = make or _no_such_tag
        self.classes: Dict[type, values.Kind] = {}
        self.shared: List[Any] = []
        self._indexes: Dict[int, int] = {}
        self._seen_parts: List[Optional[List[Any]]] = []

    def carry_instances(self, classes: Dict[str, type]) -> None:
        """Let instances of these classes travel by value, attributes and all; both ends name the same classes."""
        self.classes = {cls: _instance_kind(name, cls) for name, cls in classes.items()}

    def write(self, value: Any) -> Message:
        """Return the message for a value. Raises TypeError for what cannot travel; nothing is shared then."""
        first = len(self.shared)
        try:
            updates, seen = self._changes(first)
            root = self._reference(value)
            nodes: List[Any] = []
            while first + len(nodes) < len(self.shared):
                nodes.append(self._node(first + len(nodes)))
        except BaseException:
            self.forget(first)
            raise
        for index, parts in seen.items():
            self._seen_parts[index] = parts
        return [root, nodes, updates]

    def read(self, message: Any) -> Any:
        """Return the value of a message. Raises Malformed."""
        first = len(self.shared)
        try:
            root, nodes, updates = message
            reading = Reading(self, first, nodes)
            reading.build()
            for index, node in updates.items():
                self._update(int(index), reading.parts(node), node[0])
            return reading.value(root)
        except (Malformed, MemoryError):
            raise
        except Exception as error:
            raise Malformed("%s: %s" % (type(error).__name__, error)) from None

    def forget(self, first: int) -> None:
        """Stop sharing all objects but the first so many."""
        for value in self.shared[first:]:
            self._indexes.pop(id(value), None)
        del self.shared[first:]
        del self._seen_parts[first:]

    def share(self, value: Any, parts: Optional[List[Any]]) -> None:
        """Give the next index to an object; ``parts`` are what the other side knows of it, if it is mutable."""
        self._indexes.setdefault(id(value), len(self.shared))
        self.shared.append(value)
        self._seen_parts.append(parts)

    def kind_of(self, cls: type) -> Optional[values.Kind]:
        return values.kind_of(cls) or self.classes.get(cls)

    def kind_tagged(self, tag: Any) -> Optional[values.Kind]:
        if type(tag) is str and tag.startswith("@"):
            return next((kind for kind in self.classes.values() if kind.tag == tag), None)
        return values.kind_tagged(tag)

    def _changes(self, first: int) -> Tuple[Dict[str, Any], Dict[int, List[Any]]]:
        """Nodes of the shared objects that are no longer as the other side knows them, and their parts now."""
        updates, seen = {}, {}
        for index in range(first):
            before = self._seen_parts[index]
            kind = self.kind_of(type(self.shared[index])) if before is not None else None
            if kind is not None and before is not None:
                parts = kind.parts(self.shared[index])
                if not _same(before, parts):
                    updates[str(index)] = [kind.tag, *map(self._reference, parts)]
                    seen[index] = parts
        return updates, seen

    def _reference(self, value: Any) -> Any:
        if values.is_inline(value):
            return value
        index = self._indexes.get(id(value))
        if index is None:
            index = len(self.shared)
            self.share(value, None)
        return [index]

    def _node(self, index: int) -> List[Any]:
        value = self.shared[index]
        kind = self.kind_of(type(value))
        if kind is None:
            name = values.name_of(value)
            tag, parts = (_NAME, list(name)) if name else self.describe(value)
        else:
            tag, parts = kind.tag, kind.parts(value)
            if kind.fill is not None:
                self._seen_parts[index] = parts
        if values.all_inline(parts):
            return [tag, *parts]
        return [tag, *map(self._reference, parts)]

    def _update(self, index: int, parts: List[Any], tag: Any) -> None:
        kind = self.kind_of(type(self.shared[index]))
        if index < 0 or kind is None or kind.fill is None or kind.tag != tag:
            raise Malformed("new contents for what has none")
        kind.fill(self.shared[index], parts)
        self._seen_parts[index] = kind.parts(self.shared[index])


class Reading:
    """The new nodes of one message, while they become objects."""

    def __init__(self, wire: Wire, first: int, nodes: Any) -> None:
        if type(nodes) is not list or not all(type(node) is list for node in nodes):
            raise Malformed("no list of nodes")
        self.wire = wire
        self.first = first
        self.nodes = nodes
        self.kinds = [wire.kind_tagged(node[0]) for node in nodes]
        self.objects: List[Any] = [_UNBUILT] * len(nodes)

    def build(self) -> None:
        """Make every object and share it; children first, so that what is hashed is whole before it is hashed."""
        opened = [False] * len(self.nodes)
        finished = [False] * len(self.nodes)
        late = []
        for top in range(len(self.nodes)):
            stack = [top]
            while stack:
                index = stack[-1]
                if finished[index]:
                    stack.pop()
                elif not opened[index]:
                    opened[index] = True
                    kind = self.kinds[index]
                    if kind is not None and kind.fill is not None:
                        self.objects[index] = kind.build(self.nodes[index][1:])
                    stack.extend(child for child in self._children(index) if not opened[child])
                else:
                    stack.pop()
                    finished[index] = True
                    if not self._finish(index):
                        late.append(index)
        for index in late:
            if not self._finish(index):
                raise Malformed("a cycle of immutable values")
        for value, kind in zip(self.objects, self.kinds):
            self.wire.share(value, kind.parts(value) if kind is not None and kind.fill is not None else None)

    def value(self, reference: Any) -> Any:
        if type(reference) is not list:
            if type(reference) is dict:
                raise Malformed("no reference")
            return reference
        index = self._index(reference)
        return self.wire.shared[index] if index < self.first else self.objects[index - self.first]

    def parts(self, node: List[Any]) -> List[Any]:
        if _SCALARS.issuperset(map(type, node)):
            return node[1:]
        return [self.value(reference) for reference in node[1:]]

    def _index(self, reference: List[Any]) -> int:
        (index,) = reference
        if type(index) is not int or not 0 <= index < self.first + len(self.nodes):
            raise Malformed("a reference to nothing")
        return index

    def _children(self, index: int) -> List[int]:
        if _SCALARS.issuperset(map(type, self.nodes[index])):
            return []
        found = [self._index(part) - self.first for part in self.nodes[index][1:] if type(part) is list]
        return [child for child in found if child >= 0]

    def _finish(self, index: int) -> bool:
        """Fill or build one object; False if it has a part that is not built yet."""
        parts = self.parts(self.nodes[index])
        if any(part is _UNBUILT for part in parts):
            return False
        kind = self.kinds[index]
        if kind is None:
            tag = self.nodes[index][0]
            self.objects[index] = values.named(*parts) if tag == _NAME else self.wire.make(tag, parts)
        elif kind.fill is None:
            self.objects[index] = kind.build(*parts)
        else:
            kind.fill(self.objects[index], parts)
        return True


_UNBUILT = object()
_SCALARS = frozenset({str, int, float, bool, type(None)})
_NAME = "name"


def _same(before: List[Any], after: List[Any]) -> bool:
    if len(before) != len(after):
        return False
    if all(map(operator.is_, before, after)):
        return True
    return all(a is b or (type(a) is str and type(b) is str and a == b) for a, b in zip(before, after))


def _instance_kind(name: str, cls: type) -> values.Kind:
    slots = sorted(_slots(cls))

    def parts(value: Any) -> List[Any]:
        attributes = dict(getattr(value, "__dict__", {}))
        for slot in slots:
            try:
                attributes[slot] = object.__getattribute__(value, slot)
            except AttributeError:
                continue
        return values.items_of(attributes)

    def fill(value: Any, given: List[Any]) -> None:
        attributes: Dict[str, Any] = {}
        values.fill_items(attributes, given)
        if not all(type(attribute) is str for attribute in attributes):
            raise Malformed("an attribute without a name")
        for slot in slots:
            if slot in attributes:
                object.__setattr__(value, slot, attributes.pop(slot))
        if hasattr(value, "__dict__"):
            values.fill_items(value.__dict__, values.items_of(attributes))
        elif attributes:
            raise Malformed("attributes of an object that has none")

    return values.Kind("@" + name, parts, lambda _: object.__new__(cls), fill)


def _slots(cls: type) -> List[str]:
    found = []
    for base in cls.__mro__:
        named = base.__dict__.get("__slots__", ())
        found += [named] if isinstance(named, str) else list(named)
    return [name for name in found if name not in ("__dict__", "__weakref__")]


def _no_description(value: Any) -> Tuple[str, List[Any]]:
    raise TypeError("a %s cannot travel" % type(value).__name__)


def _no_such_tag(tag: str, parts: List[Any]) -> Any:
    raise Malformed("no kind of value has the tag %r" % (tag,))

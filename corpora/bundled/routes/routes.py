"""Finds ways through networks: cheapest routes, fewest changes, build order, islands and grid walks."""

import heapq
from collections import deque


class NoRoute(Exception):
    pass


class Network:
    """A directed graph of named places; each link has a cost and, if wanted, a line."""

    def __init__(self):
        self._links = {}

    def place(self, name):
        return self._links.setdefault(name, {})

    def link(self, start, end, cost=1, line=None, both=False):
        """Adds a link; of two links between the same places the cheaper is kept."""
        if cost < 0:
            raise ValueError("a cost cannot be negative")
        links = self.place(start)
        self.place(end)
        if end not in links or cost < links[end][0]:
            links[end] = (cost, line)
        if both:
            self.link(end, start, cost, line)

    def places(self):
        return sorted(self._links)

    def cheapest(self, start, goal, avoid=()):
        """(cost, places on the way); of equally cheap ways the one with fewer stops, then by name."""
        self._known(start, goal)
        queue = [(0, 0, [start])]
        done = set(avoid)
        while queue:
            cost, stops, way = heapq.heappop(queue)
            here = way[-1]
            if here in done:
                continue
            if here == goal:
                return cost, way
            done.add(here)
            for there, (price, _) in self._links[here].items():
                if there not in done:
                    heapq.heappush(queue, (cost + price, stops + 1, way + [there]))
        raise NoRoute("no way from {} to {}".format(start, goal))

    def within(self, start, limit):
        """The cost to every place that can be reached for at most ``limit``."""
        self._known(start)
        costs, queue = {}, [(0, start)]
        while queue:
            cost, here = heapq.heappop(queue)
            if here in costs:
                continue
            costs[here] = cost
            for there, (price, _) in self._links[here].items():
                if cost + price <= limit:
                    heapq.heappush(queue, (cost + price, there))
        return costs

    def fewest_changes(self, start, goal):
        """How often one must change lines; getting on the first line is no change."""
        self._known(start, goal)
        queue = deque([(start, None, 0)])
        seen = set()
        while queue:
            here, line, changes = queue.popleft()
            if here == goal:
                return changes
            if (here, line) in seen:
                continue
            seen.add((here, line))
            for there, (_, next_line) in self._links[here].items():
                if line is None or next_line == line:
                    queue.appendleft((there, next_line, changes))
                else:
                    queue.append((there, next_line, changes + 1))
        raise NoRoute("no way from {} to {}".format(start, goal))

    def islands(self):
        """Groups of places joined in either direction, the largest first, then by name."""
        joined = {name: set(links) for name, links in self._links.items()}
        for name, links in self._links.items():
            for other in links:
                joined[other].add(name)
        groups, seen = [], set()
        for name in self.places():
            if name in seen:
                continue
            group, stack = set(), [name]
            while stack:
                here = stack.pop()
                if here not in group:
                    group.add(here)
                    stack.extend(joined[here])
            seen |= group
            groups.append(sorted(group))
        return sorted(groups, key=lambda group: (-len(group), group))

    def _known(self, *names):
        for name in names:
            if name not in self._links:
                raise NoRoute("unknown place {}".format(name))


def build_order(needs):
    """Every item after all it needs, alphabetical where there is a choice.

    ``needs`` maps an item to what it needs. A cycle raises ValueError that names it in order.
    """
    waiting = {item: set(needed) for item, needed in needs.items()}
    for needed in needs.values():
        for item in needed:
            waiting.setdefault(item, set())
    ready = [item for item, needed in waiting.items() if not needed]
    heapq.heapify(ready)
    order = []
    while ready:
        item = heapq.heappop(ready)
        order.append(item)
        del waiting[item]
        for other, needed in waiting.items():
            if item in needed:
                needed.remove(item)
                if not needed:
                    heapq.heappush(ready, other)
    if waiting:
        raise ValueError("cycle: " + " -> ".join(_cycle(waiting)))
    return order


def _cycle(waiting):
    """Follows unmet needs from the first item until one comes up again."""
    trail = [min(waiting)]
    while trail[-1] not in trail[:-1]:
        trail.append(min(waiting[trail[-1]]))
    return trail[trail.index(trail[-1]) :]


def grid_walk(rows, start="S", goal="G", wall="#"):
    """The fewest steps between two marks on a map, up, down, left and right; None where there is no way."""
    marks = {char: (y, x) for y, row in enumerate(rows) for x, char in enumerate(row)}
    frontier = {marks[start]}
    seen = set(frontier)
    steps = 0
    while frontier:
        if marks[goal] in frontier:
            return steps
        reached = set()
        for y, x in frontier:
            for ny, nx in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                inside = 0 <= ny < len(rows) and 0 <= nx < len(rows[ny])
                if inside and rows[ny][nx] != wall and (ny, nx) not in seen:
                    reached.add((ny, nx))
        seen |= reached
        frontier = reached
        steps += 1
    return None

"""Fresh inputs, near the recorded ones: so that a program which only knows the tests' own inputs is found out.

A variant changes one plain argument of a recorded call, and stays within what all recorded calls of that function have
in common: the range of the numbers, the letters, the shortest length, sorted and distinct lists. No specification is
known; what these miss is for the reference to refuse. Seeded. Python 3.8 to 3.13, standard library only.
"""

import json
import random
import sys
import typing

load = sys.modules["__main__"].load
wire = load("wire")

FOR_EACH_CALL = 4
MOST_OF_ONE = 80
MOST_IN_ALL = 400
PLAIN = (bool, int, float, str, list, tuple, dict, set)


class Profile:
    """What the values of one argument have in common over all recorded calls, parts of parts included."""

    def __init__(self):
        self.pool: typing.Dict[type, typing.List[typing.Any]] = {kind: [] for kind in PLAIN}
        self.letters = set()
        self.shortest: typing.Dict[type, int] = {
            str: sys.maxsize,
            list: sys.maxsize,
            tuple: sys.maxsize,
            dict: sys.maxsize,
            set: sys.maxsize,
        }
        self.longest = dict.fromkeys(self.shortest, 0)
        self.sorted = self.distinct = True

    def add(self, value, depth=0):
        kind = type(value)
        if kind not in PLAIN or depth > 4:
            return
        self.pool[kind].append(value)
        if kind in self.shortest:
            self.shortest[kind] = min(self.shortest[kind], len(value))
            self.longest[kind] = max(self.longest[kind], len(value))
        if kind is str:
            self.letters.update(value)
        elif kind is dict:
            for key, item in value.items():
                self.add(key, depth + 1)
                self.add(item, depth + 1)
        elif kind in (list, tuple, set):
            if kind is list and len(value) > 1:
                self.sorted = self.sorted and in_order(value)
                self.distinct = self.distinct and all_distinct(value)
            for item in value:
                self.add(item, depth + 1)


def make_variants(calls, classes):
    """``calls`` as recorded, ``classes`` as they travel; returns new calls in the same form."""
    chance = random.Random(20)
    profiles: typing.Dict[typing.Any, Profile] = {}
    readings = []
    for module, name, message in calls:
        try:
            args, kwargs = read(message, classes)
        except wire.Malformed:
            continue
        readings.append((module, name, message))
        for place, value in places(args, kwargs):
            profiles.setdefault((module, name, place), Profile()).add(value)
    seen = {(module, name, json.dumps(message)) for module, name, message in calls}
    made: typing.List[typing.Any] = []
    counts: typing.Dict[typing.Any, int] = {}
    for module, name, message in readings:
        for _ in range(FOR_EACH_CALL):
            if len(made) >= MOST_IN_ALL or counts.get((module, name), 0) >= MOST_OF_ONE:
                break
            try:
                fresh = vary(read(message, classes), module, name, profiles, chance, classes)
            except (TypeError, ValueError, IndexError, RecursionError, OverflowError, wire.Malformed):
                continue
            key = (module, name, json.dumps(fresh))
            if fresh is not None and key not in seen:
                seen.add(key)
                counts[module, name] = counts.get((module, name), 0) + 1
                made.append([module, name, fresh])
    return made


def read(message, classes):
    reader = wire.Wire(make=lambda tag, parts: Unknown())
    reader.carry_instances(classes)
    return reader.read(message)


class Unknown:
    """An argument that cannot be made here; a call with one has no variants."""


def places(args, kwargs):
    return [*enumerate(args), *kwargs.items()]


def vary(call, module, name, profiles, chance, classes):
    """The message of one variant, or None if there is nothing to vary."""
    args, kwargs = call
    able = [(place, value) for place, value in places(args, kwargs) if type(value) in PLAIN]
    if not able:
        return None
    place, value = chance.choice(able)
    changed = changed_value(value, profiles[module, name, place], chance)
    if place in kwargs:
        kwargs[place] = changed
    else:
        args = (*args[:place], changed, *args[place + 1 :])
    writer = wire.Wire()
    writer.carry_instances(classes)
    return writer.write((args, kwargs))


def changed_value(value, profile, chance):
    kind = type(value)
    if kind is bool:
        return not value
    if kind in (int, float):
        return changed_number(value, profile, chance)
    if kind is str:
        return changed_text(value, profile, chance)
    if kind is dict and value:
        key = chance.choice(list(value))
        return {**value, key: changed_value(value[key], profile, chance)}
    if kind in (list, tuple):
        return changed_sequence(value, profile, chance)
    known = profile.pool.get(kind)
    return chance.choice(known) if known else value


def changed_number(value, profile, chance):
    known = profile.pool[type(value)]
    low, high = min(known), max(known)
    step = 1 if type(value) is int else 0.5
    options = [value + step, value - step, chance.choice(known)]
    if type(value) is int and high > low:
        options.append(chance.randint(low, high))
    room = step if low < 0 else 0
    allowed = [option for option in options if low - room <= option <= high + step]
    return chance.choice(allowed or known)


def changed_text(value, profile, chance):
    letters = sorted(profile.letters) or ["a"]
    options = [chance.choice(profile.pool[str])]
    if len(value) > profile.shortest[str]:
        at = chance.randrange(len(value))
        options.append(value[:at] + value[at + 1 :])
    if value:
        at = chance.randrange(len(value))
        options.append(value[:at] + chance.choice(letters) + value[at + 1 :])
    if profile.longest[str] > profile.shortest[str]:
        at = chance.randint(0, len(value))
        options.append(value[:at] + chance.choice(letters) + value[at:])
    return chance.choice(options)


def changed_sequence(value, profile, chance):
    kind, items = type(value), list(value)
    varies = profile.longest[kind] > profile.shortest[kind]
    ways = ["change"] * 2 if items else []
    if varies and len(items) > profile.shortest[kind]:
        ways.append("drop")
    if varies and items:
        ways.append("add")
    if len(items) > 1 and kind is list:
        ways.append("swap")
    if not ways:
        return value
    way = chance.choice(ways)
    at = chance.randrange(len(items))
    if way == "drop":
        del items[at]
    elif way == "add":
        items.insert(at, changed_value(items[at], profile, chance))
    elif way == "swap":
        other = chance.randrange(len(items))
        items[at], items[other] = items[other], items[at]
    else:
        items[at] = changed_value(items[at], profile, chance)
    if kind is list and len(items) > 1:
        if profile.sorted:
            items = sorted(items)
        if profile.distinct and not all_distinct(items):
            return value
    return kind(items)


def in_order(items):
    try:
        return all(items[at] <= items[at + 1] for at in range(len(items) - 1))
    except TypeError:
        return False


def all_distinct(items):
    return all(item not in items[:at] for at, item in enumerate(items))

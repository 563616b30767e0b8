"""Works on nested dictionaries and lists: paths, search, merging, differences and patches."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Union

Path = tuple  # of str keys and int indices
_ABSENT = object()


class PathError(LookupError):
    """A path that leads nowhere, or text that is not a path."""


def parse_path(text: str) -> Path:
    """``"a.b[2].c"`` as ``("a", "b", 2, "c")``; a backslash keeps the next character as it is."""
    path: list[Union[str, int]] = []
    key = ""
    chars = iter(text)
    for char in chars:
        if char == "\\":
            key += next(chars, "")
        elif char in ".[":
            if key:
                path.append(key)
            elif char == "." and not (path and isinstance(path[-1], int)):
                raise PathError(f"empty key in {text}")
            key = ""
            if char == "[":
                path.append(_index(chars, text))
        else:
            key += char
    if key:
        path.append(key)
    return tuple(path)


def _index(chars: Iterator[str], text: str) -> int:
    digits = ""
    for char in chars:
        if char == "]":
            if digits.isdigit():
                return int(digits)
            break
        digits += char
    raise PathError(f"bad index in {text}")


def format_path(path: Path) -> str:
    """The text that ``parse_path`` reads back as this path."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            escaped = "".join("\\" + char if char in ".[\\" else char for char in step)
            text += f".{escaped}" if text else escaped
    return text


def get(tree: Any, path: Path, default: Any = _ABSENT) -> Any:
    for depth, step in enumerate(path):
        fits = isinstance(tree, list) if isinstance(step, int) else isinstance(tree, dict)
        try:
            if not fits:
                raise LookupError
            tree = tree[step]
        except LookupError:
            if default is not _ABSENT:
                return default
            raise PathError(f"nothing at {format_path(path[: depth + 1])}") from None
    return tree


def put(tree: Any, path: Path, value: Any) -> Any:
    """A copy with the value at the path; missing dictionaries are made, a list grows by one at its end."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        items = list(tree) if isinstance(tree, list) else []
        if step > len(items):
            raise PathError(f"index {step} is beyond the end")
        below = items[step] if step < len(items) else None
        return [*items[:step], put(below, rest, value), *items[step + 1 :]]
    keys = dict(tree) if isinstance(tree, dict) else {}
    keys[step] = put(keys.get(step), rest, value)
    return keys


def leaves(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yields (path, value) for all that is not a filled dictionary or list."""
    if isinstance(tree, dict) and tree:
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    elif isinstance(tree, list) and tree:
        for index, value in enumerate(tree):
            yield from leaves(value, (*path, index))
    else:
        yield path, tree


def rebuild(pairs: Iterator[tuple[Path, Any]]) -> Any:
    """The tree that ``leaves`` took apart."""
    tree: Any = None
    for path, value in pairs:
        tree = put(tree, path, value)
    return tree


def depth(tree: Any) -> int:
    """0 for a value, else one more than the deepest child."""
    if isinstance(tree, dict):
        return 1 + max(map(depth, tree.values()), default=0)
    if isinstance(tree, list):
        return 1 + max(map(depth, tree), default=0)
    return 0


def transform(tree: Any, change: Callable[[Any], Any], keep: Callable[[Any], bool] = lambda value: True) -> Any:
    """A copy with every leaf changed; leaves for which ``keep`` is false go, and so does what they leave empty."""
    if isinstance(tree, dict):
        pairs = {key: transform(value, change, keep) for key, value in tree.items()}
        return {key: value for key, value in pairs.items() if value is not _ABSENT} or _ABSENT if tree else {}
    if isinstance(tree, list):
        items = [transform(value, change, keep) for value in tree]
        return [value for value in items if value is not _ABSENT] or _ABSENT if tree else []
    return change(tree) if keep(tree) else _ABSENT


def merge(base: Any, top: Any, lists: str = "replace") -> Any:
    """``top`` over ``base``: dictionaries key by key, None deletes a key, lists by ``replace``, ``append`` or ``union``."""
    if isinstance(base, dict) and isinstance(top, dict):
        merged = dict(base)
        for key, value in top.items():
            if value is None:
                merged.pop(key, None)
            else:
                merged[key] = merge(base.get(key), value, lists)
        return merged
    if isinstance(base, list) and isinstance(top, list) and lists != "replace":
        return base + [item for item in top if lists == "append" or item not in base]
    return top


def diff(old: Any, new: Any, path: Path = ()) -> list[tuple[str, Path, Any]]:
    """Changes in order: ("add" | "remove" | "change", path, new value or None)."""
    if isinstance(old, dict) and isinstance(new, dict):
        changes = []
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in new:
                changes.append(("remove", (*path, key), None))
            elif key not in old:
                changes.append(("add", (*path, key), new[key]))
            else:
                changes.extend(diff(old[key], new[key], (*path, key)))
        return changes
    return [] if old == new and type(old) is type(new) else [("change", path, new)]

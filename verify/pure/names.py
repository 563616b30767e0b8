"""What a pure program may use of Python: functions and methods that make of data nothing but data.

What a function takes is written down as a letter for each argument, of which the last stands for all further ones:
``d`` data, ``i`` something that it goes through, ``f`` a function of data, ``e`` a function or data, ``t`` a type;
``m`` is ``i`` for a single argument and else ``d``. With ``*`` before it, what comes back is an iterator; with ``>``, a
function of data; with ``<``, what is to be a ``key`` and nothing else. With ``!`` at its end it takes a function as its
``key``, which others may keep, as ``dict(key=...)`` does; with ``.``, it takes one argument and no other. ``=`` is no
function but data.
"""

from __future__ import annotations

import math
from typing import Final


def _all(letters: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), letters)


TYPES: Final = frozenset({"bool", "bytes", "complex", "dict", "float", "int", "list", "str", "tuple"})
BUILTINS: Final = {
    **_all("d", "abs ascii bin bool chr complex divmod float format hex int isinstance len oct ord pow print range"),
    **_all("d", "repr round slice str"),
    **_all("i", "all any tuple list"),
    **_all("id", "dict next sum bytes bytearray"),
    **_all("m!", "max min"),
    "sorted": "id!",
    **_all("*fi", "filter map"),
    **_all("*i", "zip"),
    **_all("*id", "enumerate reversed"),
    "iter": "*i.",
}
MODULES: Final[dict[str, dict[str, str]]] = {
    "bisect": _all("d!", "bisect bisect_left bisect_right insort insort_left insort_right"),
    "collections": {**_all("id", "Counter OrderedDict deque"), "defaultdict": "td"},
    "copy": _all("d.", "copy deepcopy"),  # a second one of deepcopy is filled with numbers of objects
    "functools": {"reduce": "fid", "cmp_to_key": "<f"},
    "heapq": {
        **_all("d", "heapify heappop heappush heappushpop heapreplace"),
        **_all("did!", "nlargest nsmallest"),
        "merge": "*i!",
    },
    "itertools": {
        **_all("*i", "chain pairwise product zip_longest"),
        **_all("*id", "combinations combinations_with_replacement compress cycle islice permutations"),
        **_all("*d", "count repeat"),
        **_all("*fi", "dropwhile filterfalse starmap takewhile"),
        "accumulate": "*ifd",
    },
    "math": {
        **_all("d", " ".join(name for name in vars(math) if not name.startswith("_"))),
        **_all("=", "pi e tau inf nan"),
        **_all("id", "fsum prod"),
    },
    "operator": {
        **_all(
            "d", "abs add and_ concat contains countOf eq floordiv ge getitem gt indexOf inv invert le lshift lt mod"
        ),
        **_all("d", "mul ne neg not_ or_ pos pow rshift sub truediv truth xor"),
        "itemgetter": ">d",
    },
    "re": {
        **_all("d", "compile escape findall fullmatch match search split"),
        **_all("ded", "sub subn"),
        "finditer": "*d",
        **_all("=", "A ASCII I IGNORECASE M MULTILINE S DOTALL X VERBOSE"),
    },
    "string": {
        **_all("=", "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits printable punctuation"),
        **_all("=", "whitespace"),
        "capwords": "d",
    },
    "typing": {},
}
METHODS: Final = {
    **_all(
        "d", "capitalize casefold center count decode encode endswith expandtabs find index isalnum isalpha isascii"
    ),
    **_all("d", "isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper ljust lower"),
    **_all("d", "lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split"),
    **_all("d", "splitlines startswith strip swapcase title translate upper zfill hex maketrans"),
    **_all("d", "append appendleft clear copy insert pop popleft remove reverse rotate"),
    **_all("d", "get most_common move_to_end popitem setdefault"),
    **_all("d", "as_integer_ratio bit_count bit_length conjugate from_bytes fromhex is_integer to_bytes"),
    **_all("d", "end findall fullmatch group groupdict groups match search span start sub subn"),
    **_all("id", "extend extendleft fromkeys join subtract update"),
    **_all("*d", "elements items keys values"),
    "sort": "d!",
}
"""Those of data, by name alone: what has no such method raises an error."""
EXCEPTIONS: Final = _all(
    "d",
    "ArithmeticError AssertionError AttributeError IndexError KeyError LookupError NotImplementedError OverflowError"
    " StopIteration TypeError UnicodeError ValueError ZeroDivisionError",
).keys()
"""What a pure program may raise and catch: none that tells how much of something there was left."""

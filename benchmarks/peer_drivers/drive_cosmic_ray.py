"""cosmic-ray: every occurrence of every operator that needs no arguments (a session without configuration)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import version

import cosmic_ray.plugins
from cosmic_ray.mutating import mutate_code
from exchange import serve


def mutants(source: str) -> Iterator[str]:
    for name in cosmic_ray.plugins.operator_names():
        operator = cosmic_ray.plugins.get_operator(name)
        occurrence = 0
        while not operator.arguments() and (text := mutate_code(source, operator(), occurrence)) is not None:
            yield text
            occurrence += 1


if __name__ == "__main__":
    serve(version("cosmic_ray"), mutants, sys.argv[2:])

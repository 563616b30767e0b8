"""The benchmark scripts are no package: their folders are put on the path, as running them does."""

from __future__ import annotations

import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
for folder in (BENCHMARKS, BENCHMARKS / "peer_drivers"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

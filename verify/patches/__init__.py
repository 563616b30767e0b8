"""Applying what a repairer answers to the buggy tree, and what it may change there."""

from mendlab.verify.patches.ladder import apply_patch
from mendlab.verify.patches.results import LENIENT, SAFE, Applied, ApplyRung, PatchFailure, PatchFormat

__all__ = ["LENIENT", "SAFE", "Applied", "ApplyRung", "PatchFailure", "PatchFormat", "apply_patch"]

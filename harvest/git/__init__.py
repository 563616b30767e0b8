"""The private copy of a repository that harvesting works on, the patches that git makes of it, and their proof."""

from mendlab.harvest.git.copy import PrivateCopy, private_copy
from mendlab.harvest.git.patches import commit_patches
from mendlab.harvest.git.rebuild import patched_tree, rebuilds

__all__ = ["PrivateCopy", "commit_patches", "patched_tree", "private_copy", "rebuilds"]

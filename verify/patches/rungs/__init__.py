"""The rungs of the ladder, one a file: ``attempt(patch, tree, editable)`` gives the patched tree or a misfit."""

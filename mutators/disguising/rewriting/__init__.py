"""Rewrites that keep what a function does, by construction: one file a kind, each found by being here."""

import importlib
import pkgutil

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")

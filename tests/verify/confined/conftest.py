"""Scripts under every Python that is here, with the files that run confined at hand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mendlab.verify import confined

PYTHONS = sorted(
    path
    for version in ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
    for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")
)
LOAD = """
import importlib.machinery, os, sys, types

PLACES = {file: os.path.join(folder, file) for folder, _, files in os.walk(sys.argv[1]) for file in files}

def load(name):
    if name not in sys.modules:
        loader = importlib.machinery.SourceFileLoader(name, PLACES[name + ".py"])
        sys.modules[name] = types.ModuleType(name)
        loader.exec_module(sys.modules[name])
    return sys.modules[name]

sys.path.insert(0, os.getcwd())
"""


@pytest.fixture(params=[pytest.param(path, id=path.name) for path in PYTHONS] or [Path(sys.executable)])
def each_python(request, tmp_path):
    """Run a script beside some files in a directory, under each Python; returns what it prints as JSON."""
    inside = str(Path(confined.__file__).parent)

    def run(script, files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        command = [request.param, "-c", LOAD + script, inside]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run

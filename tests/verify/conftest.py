"""An interpreter of a project's own, as light as can be."""

import shutil
import venv
from pathlib import Path

import pytest

from mendlab.verify.confinement.interpreter import find_interpreter


@pytest.fixture(scope="session")
def lean_python(tmp_path_factory):
    """A virtual environment with pytest and no plugin, in a directory with a space and an umlaut in its name."""
    place = tmp_path_factory.mktemp("Umgebung für Tests ")
    venv.create(place, symlinks=True)
    site_packages = next(place.glob("lib/python*/site-packages"))
    ours = Path(pytest.__file__).parent.parent
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        shutil.copytree(ours / name, site_packages / name)
        for about in ours.glob(f"{name}-*.dist-info"):
            shutil.copytree(about, site_packages / about.name)
    shutil.copy2(ours / "py.py", site_packages)
    return find_interpreter(place)

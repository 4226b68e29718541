"""The default data folder and the files in it."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """``FLIPDECK_DATA`` if it is set, else the system's folder for application data.  Nothing is created yet."""
    if configured := os.environ.get("FLIPDECK_DATA"):
        return Path(configured)
    if sys.platform == "win32":
        return _from("LOCALAPPDATA", Path.home() / "AppData" / "Local") / "Flipdeck"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Flipdeck"
    return _from("XDG_DATA_HOME", Path.home() / ".local" / "share") / "flipdeck"


def database_in(folder: Path) -> Path:
    return folder / "tables.sqlite3"


def key_in(folder: Path) -> Path:
    return folder / "server.key"


def _from(variable: str, otherwise: Path) -> Path:
    """XDG folders must be absolute: a relative one would depend on the working directory."""
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else otherwise

"""Where a server keeps its tables, unless it is told."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """``FLIPDECK_DATA`` if it is set, and else the place the system has for such data.  Nothing is made yet."""
    if told := os.environ.get("FLIPDECK_DATA"):
        return Path(told)
    if sys.platform == "win32":
        return _from("LOCALAPPDATA", Path.home() / "AppData" / "Local") / "Flipdeck"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Flipdeck"
    return _from("XDG_DATA_HOME", Path.home() / ".local" / "share") / "flipdeck"


def database_in(folder: Path) -> Path:
    return folder / "tables.sqlite3"


def _from(variable: str, otherwise: Path) -> Path:
    """A relative path would be another place in every folder, and is no answer."""
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else otherwise

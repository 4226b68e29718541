"""Where the data is when nobody says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from flipdeck.server.paths import data_folder, database_in

VARIABLES = ("FLIPDECK_DATA", "XDG_DATA_HOME", "LOCALAPPDATA")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        ("linux", {}, ".local/share/flipdeck"),
        ("linux", {"XDG_DATA_HOME": "HOME/x"}, "x/flipdeck"),
        ("linux", {"XDG_DATA_HOME": "relative"}, ".local/share/flipdeck"),
        ("linux", {"XDG_DATA_HOME": ""}, ".local/share/flipdeck"),
        ("darwin", {"XDG_DATA_HOME": "HOME/x"}, "Library/Application Support/Flipdeck"),
        ("win32", {}, "AppData/Local/Flipdeck"),
        ("win32", {"LOCALAPPDATA": "HOME/local"}, "local/Flipdeck"),
        ("linux", {"FLIPDECK_DATA": "HOME/d", "XDG_DATA_HOME": "HOME/x"}, "d"),
        ("linux", {"FLIPDECK_DATA": ""}, ".local/share/flipdeck"),
    ],
)
def test_each_system_has_its_place(
    home: Path, monkeypatch: pytest.MonkeyPatch, system: str, variables: dict[str, str], folder: str
) -> None:
    monkeypatch.setattr("sys.platform", system)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value.replace("HOME", str(home)))
    assert data_folder() == home / folder
    assert list(home.iterdir()) == []


def test_the_database_has_one_name(home: Path) -> None:
    assert database_in(home) == home / "tables.sqlite3"

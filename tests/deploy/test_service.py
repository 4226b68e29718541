"""The unit of systemd, as systemd's own tools see it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.deploy.proxies import DEPLOY, replaced

MOST_EXPOSED = 15  # of 100, by `systemd-analyze security`; it has 12


def unit(folder: Path) -> str:
    path = folder / "flipdeck.service"
    text = (DEPLOY / "flipdeck.service").read_text()
    path.write_text(replaced(text, {"/opt/flipdeck/bin/flipdeck serve": "/bin/true"}))  # it is not installed here
    return str(path)


def test_systemd_has_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_systemd_finds_the_unit_well_confined(tmp_path: Path) -> None:
    checked = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", unit(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr

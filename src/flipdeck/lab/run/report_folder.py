"""The folder of a report: written to a temporary folder, then moved into place as a whole, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from errno import ENOTDIR
from pathlib import Path
from types import TracebackType

FILES = ("report.html", "result.json", "rounds.csv", "rounds.parquet")  # the page first: without it there is no report
_HIDDEN = ".flipdeck-"


class FolderRefused(Exception):  # noqa: N818  # one sentence
    """The report can't be written there; the message says why."""


class ReportFolder:
    """``with ReportFolder("out") as folder``: write to ``folder.path``, then ``put_in_place``; else nothing is left."""

    def __init__(self, name: str, beside: Collection[str] = ()) -> None:
        """``beside`` names files that may be there already, and stay."""
        self.name = name
        self._known = {*FILES, *beside}
        self._place = Path(os.path.abspath(name))
        self._there = False
        self.path = Path()

    def __enter__(self) -> ReportFolder:
        try:
            self._there = self._place.is_dir()
            if not self.name or (not self._there and os.path.lexists(self._place)):
                raise FolderRefused(f"{self.name!r} is not a folder: name another one for the report.")
            # an existing folder may be a mount point: stay inside it; a new one is created by one rename
            hidden = f"{_HIDDEN}{os.getpid()}"
            self.path = self._place / hidden if self._there else self._place.with_name(hidden + self._place.name)
            self._check_what_is_there()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.mkdir()
        except (OSError, ValueError) as error:
            raise self._refused(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        if isinstance(error, OSError):
            raise self._refused(error) from None

    def put_in_place(self) -> None:
        """Replace an earlier report; at no moment is there a page without its other files."""
        if not self._there:
            self.path.rename(self._place)
            return
        for name in FILES:
            (self._place / name).unlink(missing_ok=True)
        for name in reversed(FILES):
            if (self.path / name).exists():
                (self.path / name).rename(self._place / name)

    def _check_what_is_there(self) -> None:
        names = sorted(file.name for file in self._place.iterdir()) if self._there else []
        for name in names:
            if name not in self._known and not name.startswith(_HIDDEN):
                raise FolderRefused(f"{self.name} holds {name!r}, which is no report of ours: name another folder.")

    def _refused(self, error: OSError | ValueError) -> FolderRefused:
        why = getattr(error, "strerror", None) or str(error)
        if isinstance(error, FileExistsError):  # a file where a parent folder should be
            why = os.strerror(ENOTDIR)
        return FolderRefused(f"{self.name!r} can't be written: {why}.")

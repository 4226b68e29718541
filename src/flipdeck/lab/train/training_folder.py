"""The folder of a training: one checkpoint file, replaced atomically after every step.

A training that is killed at any moment resumes from its last whole step, and ends with the same net.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ...bulk import twin
from ..run.report_folder import FolderRefused
from .trainer import State

CHECKPOINT, LOCK, NET = "training.npz", "training.lock", "net.npz"
FILES = (CHECKPOINT, LOCK, NET)
_BESIDE = ".flipdeck-"


class TrainingFolder:
    """``with TrainingFolder("out", seed, steps) as folder``: ``folder.state`` is the last step, None at the start."""

    def __init__(self, name: str, seed: str, steps: int) -> None:
        self.name = name
        self.path = Path(name)
        # the same seed gives the same net only with the same code
        self._about = {"seed": seed, "steps": steps, "program": twin.cache_folder().name}
        self._lock = -1
        self.state: State | None = None
        self.progress: dict[str, Any] = {}

    def __enter__(self) -> TrainingFolder:
        try:
            if not self.name or (self.path.exists() and not self.path.is_dir()):
                raise FolderRefused(f"{self.name!r} is not a folder: name another one for the training.")
            self._check_what_is_there()
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                self._claim()
                self._resume()
            except BaseException:
                os.close(self._lock)
                raise
        except (OSError, ValueError) as error:
            raise self._refused(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._lock)

    def keep(self, state: State, progress: dict[str, Any]) -> None:
        """Replace the checkpoint."""
        about = json.dumps({**self._about, "progress": progress})
        beside = self.path / f"{_BESIDE}{os.getpid()}"
        try:
            with beside.open("wb") as file:
                np.savez(file, about=np.array(about), numbers=np.array([state.step, state.corrections]),
                         weights=state.weights, mean=state.mean, square=state.square)  # fmt: skip
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path / CHECKPOINT)
        except OSError as error:
            raise self._refused(error) from None
        finally:
            beside.unlink(missing_ok=True)

    def _check_what_is_there(self) -> None:
        names = sorted(file.name for file in self.path.iterdir()) if self.path.exists() else []
        for name in names:
            if name not in FILES and not name.startswith(_BESIDE):
                raise FolderRefused(f"{self.name!r} holds {name!r}, which is no training of ours: name another folder.")

    def _claim(self) -> None:
        """Lock the folder: two runs would overwrite each other.  Half-written files of a killed run are deleted."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderRefused(f"Another training is writing to {self.name!r} now: name another folder.") from None
        for left in self.path.glob(f"{_BESIDE}*"):
            left.unlink()

    def _resume(self) -> None:
        if not (self.path / CHECKPOINT).exists():
            return
        try:
            with np.load(self.path / CHECKPOINT, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                step, corrections = file["numbers"].tolist()
                state = State(step, corrections, file["weights"], file["mean"], file["square"])
            differ = [key for key, value in self._about.items() if about[key] != value]
            self.progress = dict(about["progress"])
        except (ValueError, KeyError, TypeError, EOFError, BadZipFile):
            raise FolderRefused(f"{self.name!r} holds a {CHECKPOINT} that is none of ours: name another one.") from None
        if differ:
            what = " and another ".join(differ)
            raise FolderRefused(f"{self.name!r} holds another training, with another {what}: name another folder.")
        self.state = state

    def _refused(self, error: OSError | ValueError) -> FolderRefused:
        return FolderRefused(f"{self.name!r} can't be written: {getattr(error, 'strerror', None) or error}.")

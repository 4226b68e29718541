"""The checkpoint of a run, an append-only file of JSON lines: a header that identifies the run, then one per shard.

Every line is synced to disk.  A run that is killed at any moment can resume: a torn last line is truncated, and its
shard is played again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from .report_folder import FolderRefused

NAME = "checkpoint.jsonl"


class Checkpoint:
    """``with Checkpoint("out", header, read) as checkpoint``: ``checkpoint.kept`` has the finished shards.

    ``read`` makes a result of the object in a line, or raises a ValueError, TypeError or LookupError.
    """

    def __init__(self, folder: str, header: dict[str, Any], read: Callable[[int, Any], Any]) -> None:
        self._name = folder
        self._path = Path(folder) / NAME
        self._header = header
        self._read = read
        self._file = -1
        self._made = False
        self._written = 0
        self.kept: list[Any] = []

    def __enter__(self) -> Checkpoint:
        try:
            self._made = not self._path.parent.exists()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                self._lock()
                self._resume()
            except BaseException:
                os.close(self._file)
                raise
        except OSError as error:
            raise self._refused(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self._written:  # then there is nothing to resume
            self._path.unlink(missing_ok=True)
            if self._made:
                with suppress(OSError):
                    self._path.parent.rmdir()
        os.close(self._file)

    def keep(self, number: int, result: Any) -> None:
        """Append the result of the shard of this number, which must be the next."""
        if number != self._written:
            raise ValueError(f"shard {number} is written before shard {self._written}")
        self._write(_line(result))
        self._written += 1

    def _lock(self) -> None:
        """Two runs in one folder would overwrite each other."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderRefused(f"Another run is writing to {self._name!r} now: name another folder.") from None

    def _resume(self) -> None:
        """Read all whole lines and truncate the rest."""
        data, header = self._path.read_bytes(), _line(self._header)
        first, *lines = data.splitlines(keepends=True) or [b""]
        if header.startswith(first):
            whole = len(first) if first == header else 0  # or the very first line was torn
        else:
            raise FolderRefused(_of_another_run(self._name, first, self._header))
        for line in lines:
            try:
                self.kept.append(self._read(len(self.kept), json.loads(line if line.endswith(b"\n") else b"")))
            except (ValueError, TypeError, LookupError):
                break
            whole += len(line)
        os.ftruncate(self._file, whole)
        os.lseek(self._file, whole, os.SEEK_SET)
        if not whole:
            self._write(header)
        self._written = len(self.kept)

    def _write(self, line: bytes) -> None:
        try:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)
        except OSError as error:
            raise self._refused(error) from None

    def _refused(self, error: OSError) -> FolderRefused:
        return FolderRefused(f"{self._name!r} can't be written: {error.strerror}.")


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def seed_in(folder: str) -> str | None:
    """The seed of the run in a folder, if there is one."""
    try:
        with (Path(folder) / NAME).open("rb") as file:
            seed = (_object(file.readline()) or {}).get("seed")
    except (OSError, ValueError):
        return None
    return seed if isinstance(seed, str) else None


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _of_another_run(name: str, line: bytes, header: dict[str, Any]) -> str:
    theirs = _object(line)
    if theirs is None:
        return f"{name!r} holds a {NAME} that is none of ours: name another folder."
    differ = [key for key in header if theirs.get(key) != json.loads(json.dumps(header[key]))]
    return f"{name!r} holds another run, which differs in {', '.join(differ)}: name another folder."

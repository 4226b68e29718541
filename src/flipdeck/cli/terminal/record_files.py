"""Record files: read with a size limit, written atomically."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...core.errors import BadRecord, Refusal
from ...core.match import Match
from ...core.record import parse
from ...i18n import Catalogue
from .. import CommandError
from .language import catalogue_for

LARGEST = 64 * 1024 * 1024  # far above any record


class RecordFile:
    """The file of a record.  It is refused at the start if it can't be written, not after an hour of play."""

    def __init__(self, name: str, catalogue: Catalogue) -> None:
        self.name = name
        self._catalogue = catalogue
        with self._refusing():
            self._path = Path(os.path.realpath(name))  # a symbolic link stays: its target is replaced
            if self._path.is_dir():
                raise IsADirectoryError
            self._beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
            if self._path.exists() and not self._path.is_file():
                raise OSError(catalogue.text("why.no_file"))
            if self._path.exists() and not os.access(self._path, os.W_OK):
                raise PermissionError
            self._beside.touch()
            self._beside.unlink()

    def save(self, text: str) -> None:
        with self._refusing():
            try:
                self._beside.write_text(text, encoding="utf-8")
                self._beside.replace(self._path)
            finally:
                self._beside.unlink(missing_ok=True)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            why = _why(error, self._catalogue)
            raise CommandError(self._catalogue.text("error.unwritable", path=self.name, why=why)) from None


def read_record(name: str, words: Catalogue) -> Match:
    """The match of a record file; one that can't be read is refused in one sentence."""
    try:
        return parse(read_text(name, words))
    except BadRecord as bad:
        problem = other_version(name, bad, words) or words.text(
            "error.not_record", path=name, problem=words.refusal(bad.reason, bad.facts, str(bad))
        )
        raise CommandError(problem) from None


def other_version(name: str, bad: BadRecord, words: Catalogue) -> str:
    """A sentence if the record is not damaged but of another version; else nothing."""
    refusal = bad.facts["problem"]
    if not isinstance(refusal, Refusal) or refusal.reason != "record-version":
        return ""
    return words.text("error.other_version", path=name, **refusal.facts)


def read_text(name: str, words: Catalogue | None = None) -> str:
    """The text of a file, or of standard input for ``-``; errors are in the language of ``words``."""
    catalogue = words or catalogue_for(None)
    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if name == "-" else _bytes_of(name)
    except (OSError, ValueError) as error:
        why = _why(error, catalogue)
        raise CommandError(catalogue.text("error.unreadable", path=name, why=why)) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text or len(data) > LARGEST:
        raise CommandError(catalogue.text("error.not_text", path=name))
    return text.replace("\r\n", "\n")


def _bytes_of(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read(LARGEST + 1)


def _why(error: OSError | ValueError, catalogue: Catalogue) -> str:
    """The usual reasons translated, any other in the words of the system."""
    known: dict[type[Exception], str] = {
        FileNotFoundError: "missing",
        NotADirectoryError: "missing",
        PermissionError: "forbidden",
        IsADirectoryError: "folder",
    }
    if type(error) in known:
        return catalogue.text(f"why.{known[type(error)]}")
    return getattr(error, "strerror", None) or str(error)

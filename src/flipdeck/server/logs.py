"""Structured logs without secrets: one event a line, with fields from an allow-list.

A field has to be on the list, and its value has to look like what the field is for: a number, a short lower-case word,
a tag.  Tokens, codes, cards and seeds look like none of these, so that none is written by mistake.  In tests such a
field is an error; a running server drops it and says so (``refused``).

Of log messages of other libraries only the format string is written, without its arguments; of an exception only its
type and its stack, as its text and its variables may be anything.
"""

from __future__ import annotations

import errno
import hashlib
import json as jsons
import logging
import math
import re
import secrets
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import PurePath
from typing import ClassVar

from ..core.errors import Refusal
from ..wire.errors import TableRefusal
from .bounded import BoundedDict
from .limits import MOST_KEPT, address_key

LogValue = str | int | float | None

LOUD = ("flipdeck",)  # logged from the level asked for; all others from warnings up
ALWAYS = "flipdeck.admin"  # every use of the operator's door, whatever the level
ROUTED = ("uvicorn", "uvicorn.error", "uvicorn.asgi")
SILENT = "uvicorn.access"  # it would log paths, and with them table codes
RARE_SECONDS = 1.0
SENTENCE = 200
CAUSES = 5
FRAMES = 30

_WORD = re.compile(r"[a-z][a-z0-9._-]{0,23}|(?=.{3,24}$)(?:[A-Z][a-z]{2,}){1,4}")  # or the name of a class
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_TAG = re.compile(r"[tab]-[0-9a-f]{8}")
_KEY = secrets.token_bytes(16)  # new with every start: codes and addresses are few enough to try them all


def _is_word(value: LogValue) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def _is_tag(value: LogValue) -> bool:
    return isinstance(value, str) and _TAG.fullmatch(value) is not None


def _is_number(value: LogValue) -> bool:
    return isinstance(value, (int, float)) and abs(value) < 2**53  # excludes nan and infinity


FIELDS: Mapping[str, Callable[[LogValue], bool]] = {
    **dict.fromkeys(("table", "address", "ban"), _is_tag),
    **dict.fromkeys(("seat", "version", "seq", "epoch", "match", "round", "port", "status"), _is_number),
    **dict.fromkeys(("count", "most", "ms", "seconds", "bytes", "tables", "people", "watching", "bots"), _is_number),
    **dict.fromkeys(("code", "reason", "what", "why", "phase", "bot", "edition", "backend", "signal"), _is_word),
}


class Unloggable(ValueError):  # noqa: N818
    """A field that is not on the list, or a value that does not look like its field.  The value is not repeated."""


class LogPolicy:
    """Whether a bad field raises (tests) or is dropped (a running server, which sets ``strict`` off)."""

    strict: ClassVar[bool] = True


def table_tag(code: str) -> str:
    """A pseudonym for a table: whoever reads the log can't join it."""
    return f"t-{_tag(code)}"


def address_tag(text: str | None) -> str:
    """A pseudonym for an address, or its network (``address_key``)."""
    return f"a-{_tag(address_key(text))}"


def log_event(
    logger: logging.Logger,
    event: str,
    level: int = logging.INFO,
    /,
    *,
    error: BaseException | None = None,
    **fields: LogValue,
) -> None:
    """Log one event, a word such as ``table-made``, with its fields."""
    if LogPolicy.strict:
        refused = [*_find_forbidden(fields), *([] if _is_word(event) else ["event"])]
        if refused:
            raise Unloggable(f"not to be written in a log: {', '.join(refused)}")
    logger.log(level, event if _is_word(event) else "bad-event", extra={"fields": fields}, exc_info=error)


class RareEvents:
    """Events that anybody can cause at will: each is logged at most once a second for an address."""

    def __init__(self) -> None:
        self._logged: BoundedDict[tuple[str, str], float] = BoundedDict(MOST_KEPT)

    def log(self, logger: logging.Logger, event: str, address: str, now: float, code: str | None = None) -> None:
        key = (event, address)
        last = self._logged.pop(key, None)
        if last is not None and now - last < RARE_SECONDS:
            self._logged[key] = last
            return
        self._logged[key] = now
        log_event(logger, event, address=address_tag(address), code=code)


class RareLines(logging.Filter):
    """Of each line of other libraries one a second: most of them can be caused by whoever sends them rubbish."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: BoundedDict[tuple[str, str], float] = BoundedDict(MOST_KEPT)

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.split(".")[0] in LOUD:
            return True
        key = (record.name, _sentence(record.msg))
        if 0 <= record.created - self._logged.get(key, -math.inf) < RARE_SECONDS:
            return False
        self._logged[key] = record.created
        return True


def set_up(level: int | str, json: bool, *, strict: bool = False) -> None:
    """Send all loggers of the process to stderr in our format.  uvicorn must be given ``log_config=None``."""
    LogPolicy.strict = strict
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if json else PlainLines())
    handler.addFilter(RareLines())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    for name in LOUD:
        logging.getLogger(name).setLevel(level)
    logging.getLogger(ALWAYS).setLevel(logging.INFO)
    for name in ROUTED:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
        logger.propagate = True
    logging.getLogger(SILENT).disabled = True


class JsonLines(logging.Formatter):
    """One JSON object a line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        return jsons.dumps(_facts(record), separators=(",", ":"))


class PlainLines(logging.Formatter):
    """The same for people."""

    def format(self, record: logging.LogRecord) -> str:
        facts = _facts(record)
        line = [str(facts.pop("time")), str(facts.pop("level")).upper(), str(facts.pop("logger"))]
        line.append(ascii(facts.pop("event"))[1:-1])
        return " ".join([*line, *(f"{name}={jsons.dumps(value)}" for name, value in facts.items())])


def _facts(record: logging.LogRecord) -> dict[str, object]:
    fields = getattr(record, "fields", {})
    refused = _find_forbidden(fields)
    facts: dict[str, object] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "event": _sentence(record.msg),
        **{name: value for name, value in fields.items() if name not in refused},
    }
    if refused:
        facts["refused"] = refused
    if record.exc_info and record.exc_info[1]:
        facts["errors"] = [_error(error) for error in islice(_chain(record.exc_info[1]), CAUSES)]
    return facts


def _find_forbidden(fields: Mapping[str, LogValue]) -> list[str]:
    return [name for name, value in fields.items() if name not in FIELDS or not (value is None or FIELDS[name](value))]


def _sentence(message: object) -> str:
    """The first line of the format string, before arguments are put in."""
    lines = message.splitlines() if isinstance(message, str) else [type(message).__name__]
    return lines[0][:SENTENCE] if lines else ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and its causes, the last one first."""
    now: BaseException | None = error
    while now is not None:
        yield now
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)


def _error(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__, limit=-FRAMES)
    described: dict[str, object] = {"type": type(error).__name__, "where": [_place(frame) for frame in frames]}
    code = _code(error)
    if code and _NAME.fullmatch(code):
        described["code"] = code
    return described


def _place(frame: traceback.FrameSummary) -> str:
    return f"{'/'.join(PurePath(frame.filename).parts[-3:])}:{frame.lineno} {frame.name}"


def _code(error: BaseException) -> str | None:
    """An error code that is safe to log; the text of a refusal is not, as it names cards."""
    if isinstance(error, (Refusal, TableRefusal)):
        return error.reason
    if isinstance(error, OSError):
        return errno.errorcode.get(error.errno or 0)
    name = getattr(error, "sqlite_errorname" if isinstance(error, sqlite3.Error) else "sqlstate", None)
    return name if isinstance(name, str) else None


def _tag(text: str) -> str:
    return hashlib.blake2s(text.encode("utf-8", "surrogatepass"), key=_KEY, digest_size=4).hexdigest()

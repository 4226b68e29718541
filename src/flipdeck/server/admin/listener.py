"""Listens at the operator's door.  A connection has one request and one reply; every request is a line of the log."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .. import identity
from ..lobby import Lobby
from ..logs import log_event
from .commands import Operator, Use
from .door import open_door, remove_door
from .messages import MOST_LINE, AdminRefusal, AnyAdminReply, RequestRefused, read_request, write_reply

LINE_SECONDS = 10.0  # for a request to arrive, and for its reply to be read
MOST_AT_ONCE = 16
_log = logging.getLogger("flipdeck.admin")


class AdminListener:
    def __init__(self, lobby: Lobby, folder: Path) -> None:
        self._operator = Operator(lobby)
        self._version = lobby.context.version
        self._folder = folder
        self._secret = ""
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """A server without this door plays on all the same; then the log says so."""
        try:
            door, self._secret = open_door(self._folder)
            start = asyncio.start_server if self._secret else asyncio.start_unix_server
            self._server = await start(self._serve, sock=door, limit=MOST_LINE)
        except OSError as error:
            log_event(_log, "admin-unavailable", logging.ERROR, error=error)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            for writer in self._open:
                writer.transport.abort()
            with contextlib.suppress(OSError):
                remove_door(self._folder)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._open) >= MOST_AT_ONCE:
            writer.transport.abort()
            return
        self._open.add(writer)
        try:
            async with asyncio.timeout(LINE_SECONDS):
                line = await _read_line(reader)
            if line is not None:
                writer.write(write_reply(await self._answer(line), self._version))
                async with asyncio.timeout(LINE_SECONDS):
                    await writer.drain()
                    writer.close()
                    await writer.wait_closed()
        except (OSError, TimeoutError):
            pass  # gone, or silent: it asks again
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _answer(self, line: bytes) -> AnyAdminReply:
        use = Use("unreadable")
        try:
            asked = read_request(line, self._version)
            use.what = str(type(asked.ask).__struct_config__.tag)
            if self._secret and not identity.same(asked.secret, self._secret):
                raise AdminRefusal("no-rights", "The secret is not that of this server.")
            reply = await self._operator.carry_out(asked.ask, use)
        except AdminRefusal as refusal:
            _note(use, refusal.code)
            return RequestRefused(refusal.code, str(refusal))
        except Exception as error:  # a fault of the server
            log_event(_log, "admin-failed", logging.ERROR, error=error, what=use.what)
            return RequestRefused("internal-error", "Something failed inside the server; its log says where.")
        _note(use, None)
        return reply


async def _read_line(reader: asyncio.StreamReader) -> bytes | None:
    """None: the client has gone.  A line that is too long is cut off, and so can't be read."""
    try:
        line = await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        return b""
    return line


def _note(use: Use, code: str | None) -> None:
    """One line of the log for every use."""
    told: dict[str, Any] = {**asdict(use), "code": code}
    log_event(_log, "admin", **{name: value for name, value in told.items() if value is not None})

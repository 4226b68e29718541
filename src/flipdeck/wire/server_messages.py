"""Messages of the server."""

from __future__ import annotations

from msgspec import Struct

from .errors import Code
from .parts import ClockInfo, EventInfo, MissedStep, TableInfo, ViewInfo


class ServerMessage(Struct, frozen=True, tag_field="type", tag=str.lower):
    """The tag is the name of the message in small letters."""


class Welcome(ServerMessage, frozen=True):
    """The answer to ``hello``: where things stand, and what happened since the version the client has.

    ``missed`` is null when that can't be told (the client has nothing, or something of an earlier match): then the
    view is all there is to know.
    """

    protocol: int
    server: str
    you: int | None
    version: int
    table: TableInfo
    view: ViewInfo | None
    clock: ClockInfo | None
    missed: list[MissedStep] | None
    chat: list[ChatLine] = []  # the last lines


class Ack(ServerMessage, frozen=True):
    """The command was carried out and is durable; it became this version of the table."""

    cmd_id: str
    version: int


class Refused(ServerMessage, frozen=True):
    """The command was not carried out, and nothing has changed.  ``reason`` is finer than ``code``."""

    code: Code
    reason: str
    message: str
    cmd_id: str | None = None
    version: int | None = None
    facts: dict[str, str | int] = {}  # what the sentence has in it, for other languages


class Held(ServerMessage, frozen=True):
    """The move waits, because somebody can be caught just now; its answer comes after so many milliseconds at most."""

    cmd_id: str
    ms: int


class Update(ServerMessage, frozen=True):
    """The table has a new version.  ``table`` is there when it changed, ``view`` while there is a match."""

    version: int
    you: int | None
    events: list[EventInfo]
    view: ViewInfo | None = None
    clock: ClockInfo | None = None
    table: TableInfo | None = None


class Presence(ServerMessage, frozen=True):
    """Who is connected; this is not part of any version."""

    here: list[int]
    watching: int


class ChatLine(ServerMessage, frozen=True, tag="said"):
    """Chat."""

    seat: int
    name: str
    text: str


class Emoted(ServerMessage, frozen=True):
    """Somebody with a seat shows an emote."""

    seat: int
    emote: str


class TransferSecret(ServerMessage, frozen=True, tag="transfer"):
    """For the other device, within the time given: it is good once."""

    cmd_id: str
    secret: str
    seconds: int


class Ping(ServerMessage, frozen=True):
    """To be answered by ``pong`` with the same number: the clock is lenient by what the way takes."""

    n: int


class Bye(ServerMessage, frozen=True):
    """The last message before the server closes the connection, and why."""

    code: Code
    message: str


AnyServerMessage = Welcome | Ack | Refused | Held | Update | Presence | ChatLine | Emoted | TransferSecret | Ping | Bye

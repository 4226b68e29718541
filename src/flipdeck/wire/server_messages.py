"""Messages of the server."""

from __future__ import annotations

from msgspec import Struct

from .errors import Code
from .parts import ClockInfo, EventInfo, MissedStep, Substitute, TableInfo, ViewInfo


class ServerMessage(Struct, frozen=True, tag_field="type", tag=str.lower):
    """Base of all messages of the server; the tag is the name in lower case."""


class Welcome(ServerMessage, frozen=True):
    """The answer to ``hello``: the present state, and the catch-up since the version the client has.

    ``missed`` is null when there is no catch-up (the client has no version, or one of an earlier match): then the view
    is all there is to know.
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
    facts: dict[str, str | int] = {}  # values in the sentence, for translations


class Held(ServerMessage, frozen=True):
    """The move waits while somebody can be caught; its answer comes after this many milliseconds at most."""

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
    """Who is connected, and who plays in the place of which bot; not part of any version."""

    here: list[int]
    watching: int
    substitutes: dict[str, Substitute] = {}  # by seat number


class ChatLine(ServerMessage, frozen=True, tag="said"):
    """A line of chat."""

    seat: int | None  # null: a spectator
    name: str
    text: str


class Emoted(ServerMessage, frozen=True):
    """A player shows an emote."""

    seat: int
    emote: str


class TransferSecret(ServerMessage, frozen=True, tag="transfer"):
    """The secret for the other device: good once, within the time given."""

    cmd_id: str
    secret: str
    seconds: int


class Notice(ServerMessage, frozen=True):
    """A word of whoever runs the server, to everybody or to one table.  It is said once, and in no version."""

    text: str


class Ping(ServerMessage, frozen=True):
    """To be answered by ``pong`` with the same number; the turn clock allows for the round-trip time."""

    n: int


class Echo(ServerMessage, frozen=True):
    """The answer to a ``probe``, with its number: the connection is alive."""

    n: int


class Bye(ServerMessage, frozen=True):
    """The last message before the server closes the connection, and why."""

    code: Code
    message: str
    facts: dict[str, str | int] = {}  # values in the sentence, for translations


AnyServerMessage = (
    Welcome | Ack | Refused | Held | Update | Presence | ChatLine | Emoted | TransferSecret | Notice | Ping | Echo | Bye
)

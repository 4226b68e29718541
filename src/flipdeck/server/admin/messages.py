"""The operator's protocol: one JSON line asks, one JSON line answers, and the connection ends.

No reply has a field for a card, a view, a seed, a token or a line of chat.  Names and codes are there only if they were
asked for.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from ...wire.parts import TablePhase

PROTOCOL = 1
MOST_LINE = 8 * 1024  # bytes of a request
MOST_LISTED = 1000  # tables or connections in one reply
LONGEST_WORD = 200  # characters that people are told
MOST_HOURS = 24 * 366

TableName = Annotated[str, Meta(max_length=40)]  # the tag of a table, the beginning of one, or a code
AddressName = Annotated[str, Meta(max_length=64)]  # the tag of an address, the beginning of one, or an address
BanName = Annotated[str, Meta(max_length=64)]
Words = Annotated[str, Meta(max_length=2000)]


# ---------------------------------------------------------------- requests
class AdminRequest(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Base of all requests of the operator."""


class ListTables(AdminRequest, frozen=True, tag="tables"):
    names: bool = False  # of people
    codes: bool = False


class ListConnections(AdminRequest, frozen=True, tag="connections"):
    """Those that are open."""


class CloseTable(AdminRequest, frozen=True, tag="close"):
    table: TableName
    word: Words  # to its people


class Announce(AdminRequest, frozen=True, tag="say"):
    """To everybody at a table, or to those at one."""

    text: Words
    table: TableName | None = None


class KeepAddressOut(AdminRequest, frozen=True, tag="keep-out"):
    address: AddressName
    hours: Annotated[float, Meta(gt=0, le=MOST_HOURS)]
    why: Words = ""  # for the operator
    force: bool = False  # this computer and proxies too


class ListBans(AdminRequest, frozen=True, tag="bans"):
    """Addresses that are kept out; of a table, those whom its host has removed."""

    table: TableName | None = None


class LiftBan(AdminRequest, frozen=True, tag="lift"):
    ban: BanName  # its name, the beginning of one, or the address
    table: TableName | None = None  # the ban is one of its host


AnyAdminRequest = ListTables | ListConnections | CloseTable | Announce | KeepAddressOut | ListBans | LiftBan


class AdminLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A request as it is sent."""

    protocol: int
    ask: AnyAdminRequest
    secret: Annotated[str, Meta(max_length=64)] = ""  # where the door is a port


# ---------------------------------------------------------------- replies
class AdminReply(Struct, frozen=True, tag_field="type"):
    """Base of all replies."""


class TableLine(Struct, frozen=True, omit_defaults=True):
    table: str  # its tag
    phase: TablePhase
    edition: str
    seats: int
    people: int
    bots: int
    here: int  # people who are connected
    watching: int
    public: bool
    awake_seconds: int  # since it was made or loaded
    quiet_seconds: int  # since somebody did something
    closed: bool = False
    names: list[str] = []
    code: str | None = None


class TableList(AdminReply, frozen=True, tag="tables", omit_defaults=True):
    tables: list[TableLine]
    more: int  # that are not listed
    others: int = 0  # servers on the same database, whose tables are not here


class ConnectionLine(Struct, frozen=True):
    address: str  # its tag
    table: str | None  # its tag; none before the greeting
    seat: int | None  # none: a spectator
    since_seconds: int
    lag_ms: int


class ConnectionList(AdminReply, frozen=True, tag="connections", omit_defaults=True):
    connections: list[ConnectionLine]
    more: int
    others: int = 0


class BanLine(Struct, frozen=True):
    ban: str
    seconds_left: int
    why: str


class BanList(AdminReply, frozen=True, tag="bans"):
    bans: list[BanLine]
    more: int


class TableBanLine(Struct, frozen=True):
    ban: str
    address: bool  # theirs is kept out too


class TableBanList(AdminReply, frozen=True, tag="table-bans"):
    table: str
    bans: list[TableBanLine]


class TableClosed(AdminReply, frozen=True, tag="closed"):
    table: str
    told: int  # connections


class Announced(AdminReply, frozen=True, tag="said", omit_defaults=True):
    told: int  # connections
    others: int = 0  # servers whose people were not told


class AddressKeptOut(AdminReply, frozen=True, tag="kept-out"):
    ban: str
    address: str  # its tag
    ended: int  # connections


class BanLifted(AdminReply, frozen=True, tag="lifted"):
    ban: str


class RequestRefused(AdminReply, frozen=True, tag="refused"):
    code: str
    message: str


AnyAdminReply = (
    TableList
    | ConnectionList
    | BanList
    | TableBanList
    | TableClosed
    | Announced
    | AddressKeptOut
    | BanLifted
    | RequestRefused
)


class ReplyLine(Struct, frozen=True):
    """A reply as it is sent; the first two fields never change."""

    protocol: int
    server: str  # its version
    reply: AnyAdminReply


class SpokenVersion(Struct, frozen=True):
    """What a line of any version has."""

    protocol: int
    server: str = ""


class AdminRefusal(Exception):  # noqa: N818  # nothing is in error
    """A request that is not carried out: a code for programs and the log, a sentence for the operator."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


# ---------------------------------------------------------------- as bytes
_encode = msgspec.json.Encoder().encode
_line = msgspec.json.Decoder(AdminLine).decode
_reply = msgspec.json.Decoder(ReplyLine).decode
_version = msgspec.json.Decoder(SpokenVersion).decode
_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


def write_request(request: AnyAdminRequest, secret: str = "") -> bytes:
    return _encode(AdminLine(PROTOCOL, request, secret)) + b"\n"


def read_request(line: bytes, server: str) -> AdminLine:
    """An AdminRefusal if it is none, or of another version."""
    try:
        spoken = _version(line).protocol
        if spoken != PROTOCOL:
            raise AdminRefusal("other-version", f"The server is flipdeck {server}: use flipdeck admin of that version.")
        return _line(line)
    except _UNREADABLE as error:
        raise AdminRefusal("bad-request", f"The request can't be read: {_plain(error)}") from None


def write_reply(reply: AnyAdminReply, server: str) -> bytes:
    return _encode(ReplyLine(PROTOCOL, server, reply)) + b"\n"


def read_reply(line: bytes) -> AnyAdminReply:
    """An AdminRefusal if it is none, or of another version."""
    try:
        spoken = _version(line)
        if spoken.protocol != PROTOCOL:
            sentence = f"The server is flipdeck {spoken.server[:40]}: use flipdeck admin of that version."
            raise AdminRefusal("other-version", sentence)
        return _reply(line).reply
    except _UNREADABLE:
        raise AdminRefusal(
            "bad-reply", "What answers there is no Flipdeck server, or one of another version."
        ) from None


def _plain(error: Exception) -> str:
    return str(error)[:200].encode("ascii", "replace").decode()

"""The operator's requests, carried out.  Tables and addresses are named by their tags in the log."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TypeVar, assert_never

from ...wire import server_messages
from ...wire.errors import TableRefusal
from .. import identity
from ..journal import JournalError
from ..kept_out import Ban, TooManyBans
from ..limits import address_key
from ..lobby import Lobby, OpenSession
from ..logs import address_tag, table_tag
from ..names import clean_chat
from ..table.actor import Table
from ..table.frames import frame
from ..transport.protocols import TrustedProxies
from . import messages
from .messages import LONGEST_WORD, MOST_LISTED, AdminRefusal, AnyAdminReply, AnyAdminRequest

HOUR = 3600.0
_TAG = re.compile(r"[tab]-[0-9a-f]{4,32}")
NEW_TAGS = "tags are new with every start of the server, and every server has its own"
ELSEWHERE = "Another server has this table and keeps it for a moment: try again in a few seconds."
T = TypeVar("T")


@dataclass(slots=True)
class Use:
    """What the log says about one request."""

    what: str
    table: str | None = None
    address: str | None = None
    ban: str | None = None
    count: int | None = None
    seconds: float | None = None


class Operator:
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._proxies = TrustedProxies(lobby.config.proxies.replace("*", ""))

    async def carry_out(self, request: AnyAdminRequest, use: Use) -> AnyAdminReply:
        """The reply, or an AdminRefusal; ``use`` is filled in as far as it got."""
        try:
            return await self._carry_out(request, use)
        except TableRefusal as refusal:
            sentence = ELSEWHERE if refusal.reason == "elsewhere" else str(refusal)
            raise AdminRefusal(refusal.code, sentence) from None
        except JournalError:
            raise AdminRefusal("unavailable", "The journal can't be written just now: try again.") from None

    async def _carry_out(self, request: AnyAdminRequest, use: Use) -> AnyAdminReply:
        match request:
            case messages.ListTables():
                return self._tables(request, use)
            case messages.ListConnections():
                return self._connections(use)
            case messages.CloseTable():
                return await self._close(request, use)
            case messages.Announce():
                return await self._announce(request, use)
            case messages.KeepAddressOut():
                return await self._keep_out(request, use)
            case messages.ListBans():
                return self._bans(use) if request.table is None else await self._table_bans(request.table, use)
            case messages.LiftBan():
                return await self._lift(request, use)
            case _:
                assert_never(request)

    # ------------------------------------------------------------ lists
    def _tables(self, request: messages.ListTables, use: Use) -> messages.TableList:
        use.what = "-".join(["tables", *["names"] * request.names, *["codes"] * request.codes])
        tables = [table for table in self._lobby.tables.values() if not table.lost]
        use.count = len(tables)
        lively = sorted(tables, key=lambda table: (not table.connections, -table.active_at))
        now = asyncio.get_running_loop().time()
        listed = [_describe_table(table, request, now) for table in lively[:MOST_LISTED]]
        return messages.TableList(listed, len(tables) - len(listed), self._lobby.other_servers)

    def _connections(self, use: Use) -> messages.ConnectionList:
        sessions = sorted(self._lobby.sessions, key=lambda session: -session.since)
        use.count = len(sessions)
        now = asyncio.get_running_loop().time()
        listed = [_describe_session(session, now) for session in sessions[:MOST_LISTED]]
        return messages.ConnectionList(listed, len(sessions) - len(listed), self._lobby.other_servers)

    # ------------------------------------------------------------ tables
    async def _close(self, request: messages.CloseTable, use: Use) -> messages.TableClosed:
        word = _cleaned(request.word)
        table = await self._table(request.table, use)
        if table.state.closed is not None:
            raise AdminRefusal("closed-already", "This table was closed before.")
        use.count = len(table.connections)
        await self._lobby.close_table(table, word)
        return messages.TableClosed(table_tag(table.state.code), use.count)

    async def _announce(self, request: messages.Announce, use: Use) -> messages.Announced:
        said = frame(server_messages.Notice(_cleaned(request.text)))
        if request.table is None:
            tables = [table for table in self._lobby.tables.values() if not table.lost]
        else:
            tables = [await self._table(request.table, use)]
        use.count = sum(len(table.connections) for table in tables)
        for table in tables:
            table.presence.broadcast(said)
        return messages.Announced(use.count, self._lobby.other_servers if request.table is None else 0)

    async def _table(self, named: str, use: Use) -> Table:
        """By the tag of one in memory, or by the code of any."""
        if named.startswith("t-"):
            awake = [(table_tag(code), table) for code, table in self._lobby.tables.items() if not table.lost]
            table = _only(named, awake, "table", f"No table in memory has the tag {named[:40]!r}: {NEW_TAGS}.")
        else:
            code = identity.read_code(named)
            found = None if code is None else await self._lobby.wake(code)
            if found is None:
                raise AdminRefusal("no-such-table", f"There is no table {named[:40]!r}: give its tag or its code.")
            table = found
        use.table = table_tag(table.state.code)
        return table

    # ------------------------------------------------------------ addresses
    async def _keep_out(self, request: messages.KeepAddressOut, use: Use) -> messages.AddressKeptOut:
        address = await self._address(request.address, use)
        use.seconds = round(request.hours * HOUR)
        if not request.force and self._is_shared(address):
            raise AdminRefusal(
                "shared-address",
                "This is the address of this computer, of a proxy, or of everybody whose address is not known: "
                "--force keeps it out all the same.",
            )
        try:
            ban = await self._lobby.kept_out.add(address, request.hours * HOUR, clean_chat(request.why) or "")
        except TooManyBans:
            raise AdminRefusal("too-many-bans", "There are too many bans already: lift some.") from None
        use.ban, use.count = ban.name, self._lobby.turn_address_away(address)
        return messages.AddressKeptOut(use.ban, address_tag(address), use.count)

    def _bans(self, use: Use) -> messages.BanList:
        running = self._lobby.kept_out.running()
        use.count = len(running)
        now = asyncio.get_running_loop().time()
        listed = [messages.BanLine(ban.name, round(ban.until - now), ban.why) for ban in running[:MOST_LISTED]]
        return messages.BanList(listed, len(running) - len(listed))

    async def _table_bans(self, named: str, use: Use) -> messages.TableBanList:
        table = await self._table(named, use)
        bans = [messages.TableBanLine(ban.name, bool(ban.address) and not ban.spared) for ban in table.state.bans]
        use.count = len(bans)
        return messages.TableBanList(table_tag(table.state.code), bans)

    async def _lift_at_table(self, request: messages.LiftBan, named: str, use: Use) -> messages.BanLifted:
        table = await self._table(named, use)
        nothing = f"This table has no ban {request.ban[:40]!r}; flipdeck admin bans --table lists them."
        use.ban = _only(request.ban, [(ban.name, ban.name) for ban in table.state.bans], "ban", nothing)
        await self._lobby.lift_ban(table, use.ban)
        return messages.BanLifted(use.ban)

    async def _lift(self, request: messages.LiftBan, use: Use) -> messages.BanLifted:
        if request.table is not None:
            return await self._lift_at_table(request, request.table, use)
        ban = await self._ban(request.ban, use)
        use.ban = ban.name
        await self._lobby.kept_out.lift(ban)
        return messages.BanLifted(use.ban)

    async def _ban(self, named: str, use: Use) -> Ban:
        running = self._lobby.kept_out.running()
        nothing = f"There is no ban {named[:40]!r}; flipdeck admin bans lists them."
        if named.startswith("b-"):
            return _only(named, [(f"b-{ban.key}", ban) for ban in running], "ban", nothing)
        found = self._lobby.kept_out.of(await self._address(named, use))
        if found is None:
            raise AdminRefusal("no-such-ban", nothing)
        return found

    async def _address(self, named: str, use: Use) -> str:
        """By the tag of one that was here lately, or as it is written."""
        if named.startswith("a-"):
            here = {session.connection.address for session in self._lobby.sessions}
            known = here.union(self._lobby.rate_limits.requests.keys())
            nothing = f"No address that was here lately has the tag {named[:40]!r}: {NEW_TAGS}."
            tagged = await asyncio.to_thread(_tagged, known, address_tag)  # there may be ten thousand
            address = _only(named, tagged, "address", nothing)
        else:
            try:
                ip_address(named.removesuffix("/64") if ":" in named else named)
            except ValueError:
                sentence = f"{named[:64]!r} is no address: give its tag (a-…) or an IP address."
                raise AdminRefusal("no-such-address", sentence) from None
            address = address_key(named)
        use.address = address_tag(address)
        return address

    def _is_shared(self, address: str) -> bool:
        """Whether it stands for many: this computer (also ``::/64``), a proxy, or everybody without an address."""
        try:
            written = ip_address(address.removesuffix("/64"))
        except ValueError:
            return True
        return written.is_loopback or written.is_unspecified or str(written) in self._proxies


# ---------------------------------------------------------------- descriptions
def _describe_table(table: Table, request: messages.ListTables, now: float) -> messages.TableLine:
    state = table.state
    people = state.people()
    return messages.TableLine(
        table=table_tag(state.code),
        phase=state.phase,
        edition=state.settings.edition,
        seats=len(state.seats),
        people=len(people),
        bots=sum(seat_state.kind == "bot" for seat_state in state.seats),
        here=len(table.presence.here()),
        watching=table.presence.watching(table.connections),
        public=state.settings.public,
        awake_seconds=round(now - table.awake_since),
        quiet_seconds=round(now - table.active_at),
        closed=state.closed is not None,
        names=[seat_state.name or "" for seat_state in people] if request.names else [],
        code=identity.shown_code(state.code) if request.codes else None,
    )


def _describe_session(session: OpenSession, now: float) -> messages.ConnectionLine:
    connection, table = session.connection, session.table
    seats = [] if table is None else table.state.seats
    seat_state = connection.seat_state
    return messages.ConnectionLine(
        address=address_tag(connection.address),
        table=None if table is None else table_tag(table.state.code),
        seat=seats.index(seat_state) if seat_state in seats else None,
        since_seconds=round(now - session.since),
        lag_ms=round(connection.lag * 1000),
    )


# ---------------------------------------------------------------- reading what was asked
def _tagged(things: Iterable[T], tag: Callable[[T], str]) -> list[tuple[str, T]]:
    return [(tag(thing), thing) for thing in things]


def _only(named: str, tagged: Iterable[tuple[str, T]], what: str, nothing: str) -> T:
    """The one whose tag begins like this."""
    if not _TAG.fullmatch(named):
        sentence = f"{named[:40]!r} is no tag of a {what}: a letter, a dash and at least four hexadecimal digits."
        raise AdminRefusal("bad-tag", sentence)
    found = [thing for tag, thing in tagged if tag.startswith(named)]
    if not found:
        raise AdminRefusal(f"no-such-{what}", nothing)
    if len(found) > 1:
        sentence = f"{len(found)} tags begin with {named}: give more of it."
        raise AdminRefusal("several-match", sentence)
    return found[0]


def _cleaned(text: str) -> str:
    """As people may be shown it."""
    word = clean_chat(text)
    if word is None:
        raise AdminRefusal("no-words", "There is nothing to say: give a sentence.")
    if len(word) > LONGEST_WORD:
        raise AdminRefusal("too-long", f"People are told at most {LONGEST_WORD} characters: shorten it.")
    return word

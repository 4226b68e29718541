"""The lobby: tables are created, found, joined and listed here."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from dataclasses import fields
from typing import Protocol

import msgspec

from ..core import editions
from ..core.errors import BadOption, Refusal
from ..core.options import Options, is_for_research
from ..core.record import FIRST_LINE
from ..core.seeds import commitment_of
from ..wire import client_messages, rest
from ..wire.errors import TableRefusal
from ..wire.parts import PUBLIC_TURN_SECONDS
from . import identity
from .config import Config
from .journal import Damaged, JournalError, Renewal
from .kept_out import KeptOut
from .limits import GUESSES, MOST_KEPT, TABLES_MADE, Backoff, KeyedSemaphore, RateLimits, TokenBuckets
from .logs import RareEvents, log_event, table_tag
from .names import clean_name
from .public_list import MOST_LISTED, PublicList
from .public_seats import PublicSeats
from .registry import Registry
from .shared import SharedState
from .sharing import Sharing
from .table import entries
from .table.actor import Table
from .table.connections import Connection
from .table.context import Context
from .table.inbox import Reply
from .table.requests import CloseDown, LiftBans, MoveSeat, Request, Sit
from .table.seats import SeatState
from .waiting_lines import WaitingLines

_log = logging.getLogger("flipdeck.lobby")
LOOKED_UP_AT_ONCE = 32  # concurrent lookups of one address
HANDSHAKES_AT_ONCE = 4  # of an address in backoff: until each has said hello, which a slow one does late
MOST_WAITING = 32  # requests of a kind, or handshakes, of an address in backoff
SHORTEST_TURN = 15  # seconds


class OpenSession(Protocol):
    """A client that is connected, before and after its greeting."""

    connection: Connection
    table: Table | None
    since: float  # of the loop's clock


class Lobby(Registry):
    def __init__(self, context: Context, config: Config, shared: SharedState | None = None) -> None:
        super().__init__(context, config, shared)
        self.kept_out = KeptOut(context.journal, context.address_hashes)
        self._reloading: asyncio.Task[None] | None = None
        self.sessions: set[OpenSession] = set()
        self.rate_limits = RateLimits(config)
        self.public_seats = PublicSeats(self.tables, config.most_public_seats, self.shared)
        self.public_list = PublicList(self.tables, self.shared)
        self._sharing = Sharing(self.shared, self.public_list, self.public_seats, self._living_node)
        self.rare_events = RareEvents()
        self.guesses = Backoff(*GUESSES, most=MOST_KEPT)
        self._pardoning: set[asyncio.Task[None]] = set()
        self._making = TokenBuckets(*TABLES_MADE, most=MOST_KEPT)
        self._makers = KeyedSemaphore(1)  # of a table, by its code
        self._lookups = KeyedSemaphore(LOOKED_UP_AT_ONCE)
        self._doubtful_lookups = KeyedSemaphore(1)  # of an address in backoff
        self.doubtful_requests = WaitingLines(1, MOST_WAITING)
        self.doubtful_handshakes = WaitingLines(HANDSHAKES_AT_ONCE, MOST_WAITING)

    def start(self) -> None:
        super().start()
        self._sharing.start()

    async def close(self) -> None:
        await self._sharing.stop()
        if self._reloading is not None:
            await self._reloading
        await super().close()

    def _living_node(self) -> str | None:
        return self.lease.node if self.lease.runs else None

    # ------------------------------------------------------------ create and find
    async def make(self, wanted: rest.NewTable, address: str) -> rest.Seated:
        """Create a table with its host in seat 0; with the same token again, it is the same table."""
        self.check_open()
        peer = self.peer(address)
        await self._check_allowance(address, peer)
        token = wanted.token or identity.new_token()
        code = self.context.address_hashes.code_for(token) if wanted.token else identity.new_code()
        made = self._made(wanted, clean_name(wanted.name), code)
        async with self._makers.acquire(made.code):  # a request that is repeated while the first is carried out waits
            table = await self.wake(made.code) if wanted.token else None
            async with self.public_seats.taking(peer, made.code, made.settings.public and table is None):
                if table is None:
                    table = await self.begin(made)
                    log_event(_log, "table-made", table=table_tag(made.code), tables=len(self.tables))
                return await self._seat_host(table, wanted, Sit(made.host, identity.hash_token(token), 0, peer), token)

    async def _check_allowance(self, address: str, peer: identity.PeerAddress) -> None:
        """A TableRefusal if too many tables were made from there, on this server or on all together."""
        allowed = self._making.take(address, asyncio.get_running_loop().time())
        if allowed:
            with contextlib.suppress(JournalError):
                allowed = await self.shared.take_allowance(peer.hashed)
        if not allowed:
            raise TableRefusal("too-fast")

    async def _seat_host(self, table: Table, wanted: rest.NewTable, sit: Sit, token: str) -> rest.Seated:
        """What a repeated request finds done is not done again.  The first may have ended after any step."""
        if table.state.version == 1:  # nobody has ever sat there
            await self._submit(table, sit)
        seat_state = table.state.seat_with_token(sit.token, identity.same)
        if seat_state is None:  # they have left; or a table of somebody else has this code, once in 2⁴⁰ times
            raise TableRefusal("bad-token")
        if wanted.start and table.state.match is None and table.state.number == 1:
            await self._submit(table, client_messages.Start(""), seat_state)
        return self._describe_seat(table, seat_state, token)

    def _made(self, wanted: rest.NewTable, host: str, code: str) -> entries.Made:
        """Validate everything now, so that a table that was created can always be played."""
        settings = wanted.settings
        try:
            _check_offered(settings.options)
            options = editions.edition(settings.edition).options.changed(settings.options)
            options.check_players(settings.seats)
        except Refusal as refusal:
            raise TableRefusal.of_game(refusal) from None
        if 0 < settings.turn_seconds < SHORTEST_TURN:
            problem = f"a turn has {SHORTEST_TURN} to 300 seconds, or 0 for no clock."
            raise TableRefusal("not-now", "turn-seconds", problem=problem)
        for seat in wanted.bots:
            if not (seat.isascii() and seat.isdigit() and 1 <= int(seat) < settings.seats and str(int(seat)) == seat):
                raise TableRefusal("not-now", "no-such-seat", problem="bots sit in seats 1 and up; seat 0 is yours.")
        if not set(wanted.bots.values()) <= set(self.context.thinkers.search.levels):
            raise TableRefusal("level-unavailable")
        if wanted.start and len(wanted.bots) < settings.seats - 1:
            raise TableRefusal("seats-empty")
        if options.own_backs == "hidden":  # or a player's second window, as a spectator, would show their own backs
            settings = msgspec.structs.replace(settings, watchers=False)
        if not settings.watchers:  # whoever takes a seat over watches before
            settings = msgspec.structs.replace(settings, takeover=False, watchers_chat=False)
        if settings.public and not settings.turn_seconds:  # nobody waits for a stranger who does nothing
            settings = msgspec.structs.replace(settings, turn_seconds=PUBLIC_TURN_SECONDS)
        return entries.Made(
            code=code,
            settings=settings,
            seed=self.context.secrets.take().hex(),
            replay=identity.new_replay_name(),
            bots=wanted.bots,
            host=host,
            awaits_host=True,
        )

    async def find(self, text: str, address: str, asks: bool = True) -> Table:
        """The table with this code, loaded if it sleeps.  Wrong guesses are slowed down by backoff.

        If another server has it, that one is asked for it; whoever only looks does not ask (``wake``).
        """
        self.kept_out.check(address)
        code = identity.read_code(text)
        table = None if code is None else self.in_memory(code)
        if table is None and code is not None:
            async with self._lookup(address):
                table = await self.wake(code, asks)
        if table is None:
            raise await self.wrong_guess(address, TableRefusal("no-table", table=repr(text[:12])))
        if self.guesses.note_success(address) and self.shared.several:
            self._pardon(address)
        table.state.check_open()
        return table

    def is_in_memory(self, text: str) -> bool:
        code = identity.read_code(text)
        return code is not None and self.in_memory(code) is not None

    def _lookup(self, address: str) -> contextlib.AbstractAsyncContextManager[None]:
        """So that nobody guesses a thousand at once: so many at a time, and in backoff one."""
        return (self._doubtful_lookups if self.backs_off(address) else self._lookups).acquire(address)

    async def wrong_guess(self, address: str, refusal: TableRefusal) -> TableRefusal:
        """Count a wrong guess (code, token, transfer or replay), and return what to tell whoever made it.

        Backoff is for wrong guesses alone: many people may share an address (NAT), and those who have a right code or
        token are served.  A wrong guess in backoff is not told that it was wrong, and does not count: whoever merely
        mistyped is answered again when the wait is over, however much a neighbour guesses.  Nor is a wrong guess paid
        from what all of an address share: its request, or its handshake, is given back.  Guesses at all servers count
        together; while they can't, those at this one do.
        """
        self.rate_limits.requests.give_back(address)
        if self.backs_off(address):
            return TableRefusal("too-fast")
        counted = None
        with contextlib.suppress(JournalError):
            counted = await self.shared.note_wrong_guess(self.peer(address).hashed)
        now = asyncio.get_running_loop().time()
        if counted is None or counted.counts:
            self.guesses.note_failure(address, now)
            self.rare_events.log(_log, "guessed-wrong", address, now)
        if counted is not None and counted.wait:
            self.guesses.note_wait(address, counted.wait, now)
        return refusal if counted is None or counted.counts else TableRefusal("too-fast")

    def _pardon(self, address: str) -> None:
        """At all servers; nobody waits for it."""

        async def pardon() -> None:
            with contextlib.suppress(JournalError):
                await self.shared.pardon(self.peer(address).hashed)

        pardoning = asyncio.get_running_loop().create_task(pardon())
        self._pardoning.add(pardoning)
        pardoning.add_done_callback(self._pardoning.discard)

    def backs_off(self, address: str) -> bool:
        """Whether so many wrong guesses came from there that whoever names something waits in line."""
        return self.guesses.wait(address, asyncio.get_running_loop().time()) > 0

    # ------------------------------------------------------------ join
    async def join(self, code: str, wanted: rest.Join, address: str) -> rest.Seated:
        table = await self.find(code, address)
        name, token = clean_name(wanted.name), wanted.token or identity.new_token()
        hashed, peer = identity.hash_token(token), self.peer(address)
        async with self.public_seats.taking(peer, table.state.code, table.state.settings.public):
            await self._submit(table, Sit(name, hashed, wanted.seat, peer, table.watcher_names))
        seat_state = table.state.seat_with_token(hashed, identity.same)
        if seat_state is None:
            raise TableRefusal("bad-token")
        return self._describe_seat(table, seat_state, token)

    async def redeem(self, wanted: rest.Redeem, address: str) -> rest.Seated:
        """Another device gets a token of its own for the seat, and those that the seat had end."""
        token = wanted.token or identity.new_token()
        hashed = identity.hash_token(token)
        code = await self.shared.table_of_transfer(wanted.secret, hashed)
        if code is None:
            raise await self.wrong_guess(address, TableRefusal("bad-token"))
        table = await self.find(code, address)  # first: if that fails, the secret is good for the next attempt
        found = await self.shared.take_transfer(wanted.secret, hashed)
        if found is None:  # somebody was faster
            raise await self.wrong_guess(address, TableRefusal("bad-token"))
        state = table.state
        seat_state = state.seat_with_token(hashed, identity.same) or state.seat_with_token(found[1], identity.same)
        if seat_state is None:
            raise TableRefusal("bad-token")
        await self._submit(table, MoveSeat(seat_state, hashed))
        return self._describe_seat(table, seat_state, token)

    def _describe_seat(self, table: Table, seat_state: SeatState, token: str) -> rest.Seated:
        state = table.state
        invite = f"/table/{identity.shown_code(state.code)}"
        place = state.place_of(seat_state)
        if place is None:  # removed again at once
            raise TableRefusal("bad-token")
        return rest.Seated(state.code, place, token, invite, commitment_of(state.seed))

    def peer(self, address: str) -> identity.PeerAddress:
        return self.context.address_hashes.peer(address)

    async def _submit(self, table: Table, request: Request, seat_state: SeatState | None = None) -> None:
        """Submit a request and wait for its reply; a refusal is raised."""
        done: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def answer(reply: Reply) -> None:
            if not done.done():
                done.set_result(reply)

        table.submit(request, seat_state, answer)
        reply = await done
        if isinstance(reply, TableRefusal):
            raise reply

    # ------------------------------------------------------------ for the operator
    async def close_table(self, table: Table, word: str) -> None:
        """For good: its people get the word, and nobody comes in any more."""
        await self._submit(table, CloseDown(word))

    async def lift_ban(self, table: Table, name: str) -> None:
        """Whoever was removed under this ban of the table may come back."""
        await self._submit(table, LiftBans(name))

    def _renewed(self, renewal: Renewal) -> None:
        super()._renewed(renewal)
        if self.kept_out.changes != renewal.bans and self._reloading is None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload_bans(renewal.bans))

    async def _reload_bans(self, changes: int) -> None:
        """Another server keeps an address out, or lets one in."""
        try:
            await self.kept_out.load(changes)
            for address in {session.connection.address for session in self.sessions}:
                if self.kept_out.of(address) is not None:
                    self.turn_address_away(address)
                await asyncio.sleep(0)  # there may be thousands
        except JournalError as error:  # the next renewal tells again
            log_event(_log, "bans-failed", logging.WARNING, error=error)
        finally:
            self._reloading = None

    def turn_address_away(self, address: str) -> int:
        """End every connection of an address that is kept out; how many."""
        there = [session.connection for session in self.sessions if session.connection.address == address]
        for connection in there:
            connection.turn_away(TableRefusal("kept-out"))
        return len(there)

    # ------------------------------------------------------------ list and replay
    def public(self, most: int = MOST_LISTED) -> rest.Tables:
        return self.public_list.listed(most)

    async def replay(self, name: str, address: str) -> str:
        async with self._lookup(address):
            try:
                record = await self.context.journal.replay(name)
            except Damaged as damaged:
                self.note_damage(damaged)
                raise TableRefusal("damaged-replay") from None
        if record is None:
            raise await self.wrong_guess(address, TableRefusal("no-replay"))
        if not record.startswith(f"{FIRST_LINE}\n"):
            raise TableRefusal("old-replay")
        return record


def _check_offered(chosen: Mapping[str, object]) -> None:
    """Nothing that is for research: tables set ``most_moves`` themselves, and play with whole decks."""
    for spec in fields(Options):
        if spec.name in chosen and spec.metadata.get("research") is True:
            raise BadOption("not-at-tables", name=spec.name)
        if spec.name in chosen and is_for_research(spec, chosen[spec.name]):
            raise BadOption("not-at-tables", name=f"{spec.name}={chosen[spec.name]}")

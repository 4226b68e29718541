"""All tables of a server: made, found, joined, listed, put to sleep when nobody is there and woken when somebody comes.

A sleeping table is its entries in the journal, and takes no memory here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable

from ..core import editions
from ..core.errors import Refusal
from ..core.seeds import commitment_of
from ..wire import asked, rest
from ..wire.errors import TableRefusal
from . import entries, identity
from .chairs import Chair
from .config import Config
from .journal import JournalError, Leased
from .limits import Backoff, Buckets
from .logs import log_event, table_tag
from .names import clean_name
from .state import TableState, replayed
from .surroundings import Surroundings
from .table import Outcome, Table
from .wishes import AddToken, Sit, Wish

_log = logging.getLogger("flipdeck.lobby")
_TENDING = 2.0  # seconds between looks at all tables


class Lobby:
    def __init__(self, around: Surroundings, config: Config) -> None:
        self.config = config
        self.around = around
        self.tables: dict[str, Table] = {}
        self.transfers = identity.Transfers()
        self.guesses = Backoff(free=10, base=1.0, longest=300.0, most=10_000)
        self._making = Buckets(rate=0.5, burst=20, most=10_000)
        self._waking: dict[str, asyncio.Task[Table]] = {}
        self._owner = identity.new_token()
        self._tender: asyncio.Task[None] | None = None
        self.closing = False

    # ------------------------------------------------------------ making and finding
    async def make(self, wanted: rest.NewTable, address: str) -> rest.Seated:
        """A table with its host in seat 0."""
        self._check_open()
        loop = asyncio.get_running_loop()
        if not self._making.take(address, loop.time()):
            raise TableRefusal("too-fast")
        if len(self.tables) >= self.config.most_tables:
            raise TableRefusal("limit", what="tables")
        name = clean_name(wanted.name)
        made = self._made(wanted)
        epoch = await self._claim(made.code)
        await self.around.journal.append(made.code, epoch, 1, entries.encode(made))
        table = self.tables[made.code] = Table(TableState(made), epoch, self.around)
        token = identity.new_token()
        await self._wish(table, Sit(name, identity.hash_token(token), 0))
        chair = table.state.chairs[0]
        if wanted.start:
            await self._wish(table, asked.Start("start"), chair)
        log_event(_log, "table-made", table=table_tag(made.code), tables=len(self.tables))
        return self._seated(table, chair, token)

    def _made(self, wanted: rest.NewTable) -> entries.Made:
        """Everything is checked here, so that a table that was made can always be played."""
        settings = wanted.settings
        try:
            options = editions.edition(settings.edition).options.changed(settings.options)
            options.check_players(settings.seats)
        except Refusal as refusal:
            raise TableRefusal.of_game(refusal) from None
        if 0 < settings.turn_seconds < 15:
            raise TableRefusal("not-now", "turn-seconds", problem="a turn has 15 to 300 seconds, or 0 for no clock.")
        for seat in wanted.bots:
            if not (seat.isascii() and seat.isdigit() and 1 <= int(seat) < settings.seats and str(int(seat)) == seat):
                raise TableRefusal("not-now", "no-seat", problem="bots sit in seats 1 and up; seat 0 is yours.")
        if wanted.start and len(wanted.bots) < settings.seats - 1:
            raise TableRefusal("seats-empty")
        return entries.Made(
            code=identity.new_code(),
            settings=settings,
            seed=identity.new_seed().hex(),
            replay=identity.new_replay_name(),
            bots=wanted.bots,
        )

    async def find(self, text: str, address: str) -> Table:
        """The table with a code, woken if it sleeps.  Guessing takes longer with every wrong guess."""
        now = asyncio.get_running_loop().time()
        if self.guesses.wait(address, now) > 0:
            raise TableRefusal("too-fast")
        code = identity.read_code(text)
        table = None if code is None else await self._awake(code)
        if table is None:
            self.guesses.failed(address, now)
            raise TableRefusal("no-table", table=repr(text[:12]))
        self.guesses.succeeded(address)
        return table

    async def _awake(self, code: str) -> Table | None:
        table = self.tables.get(code)
        if table is not None and not table.lost:
            return table
        self._check_open()
        if code not in self._waking:
            if not await self.around.journal.exists(code):
                return None
            if code not in self._waking:
                self._waking[code] = asyncio.get_running_loop().create_task(self._wake(code))
        try:
            return await asyncio.shield(self._waking[code])
        finally:
            self._waking.pop(code, None)

    async def _wake(self, code: str) -> Table:
        if len(self.tables) >= self.config.most_tables:
            raise TableRefusal("limit", what="tables")
        epoch = await self._claim(code)
        state = replayed(await self.around.journal.load(code))
        table = self.tables[code] = Table(state, epoch, self.around, await self.around.journal.clock(code))
        await self.keep_replay(table)  # in case the server stopped just before it was kept
        return table

    async def _claim(self, code: str) -> int:
        try:
            return await self.around.journal.claim(code, self._owner, self.config.lease_seconds)
        except Leased:
            raise TableRefusal("unavailable", "elsewhere") from None

    # ------------------------------------------------------------ sitting down
    async def join(self, code: str, wanted: rest.Join, address: str) -> rest.Seated:
        table = await self.find(code, address)
        name, token = clean_name(wanted.name), identity.new_token()
        hashed = identity.hash_token(token)
        await self._wish(table, Sit(name, hashed, wanted.seat))
        chair = table.state.chair_with(hashed, identity.same)
        if chair is None:
            raise TableRefusal("bad-token")
        return self._seated(table, chair, token)

    async def redeem(self, wanted: rest.Redeem, address: str) -> rest.Seated:
        """Another device gets a token of its own for the seat."""
        now = asyncio.get_running_loop().time()
        if self.guesses.wait(address, now) > 0:
            raise TableRefusal("too-fast")
        found = self.transfers.take(wanted.secret, now)
        if found is None:
            self.guesses.failed(address, now)
            raise TableRefusal("bad-token")
        table = await self.find(found[0], address)
        chair, token = table.state.chairs[found[1]], identity.new_token()
        await self._wish(table, AddToken(chair, identity.hash_token(token)))
        return self._seated(table, chair, token)

    def _seated(self, table: Table, chair: Chair, token: str) -> rest.Seated:
        state = table.state
        invite = f"/#/table/{identity.shown_code(state.code)}"
        return rest.Seated(state.code, state.seat_of(chair), token, invite, commitment_of(state.seed))

    async def _wish(self, table: Table, wish: Wish, chair: Chair | None = None) -> None:
        """A wish that somebody waits for."""
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        def answer(outcome: Outcome) -> None:
            if not done.done():
                done.set_result(outcome)

        table.submit(wish, chair, answer)
        outcome = await done
        if isinstance(outcome, TableRefusal):
            raise outcome

    # ------------------------------------------------------------ looking around
    def public(self, most: int = 100) -> rest.Tables:
        shown = [table for table in self.tables.values() if table.info.settings.public and table.connections]
        waiting_first = sorted(shown, key=lambda table: table.info.phase != "waiting")
        return rest.Tables([_card(table) for table in waiting_first[:most]], max(0, len(shown) - most))

    async def keep_replay(self, table: Table) -> None:
        state = table.state
        if state.phase == "over" and state.match is not None:
            await self.around.journal.keep_replay(state.replay, state.match.record())

    async def replay(self, name: str, address: str) -> str:
        now = asyncio.get_running_loop().time()
        if self.guesses.wait(address, now) > 0:
            raise TableRefusal("too-fast")
        record = await self.around.journal.replay(name)
        if record is None:
            record = await self._fresh_replay(name)
        if record is None:
            self.guesses.failed(address, now)
            raise TableRefusal("no-replay")
        return record

    async def _fresh_replay(self, name: str) -> str | None:
        """A match that has ended this moment may not be kept yet."""
        for table in self.tables.values():
            if table.state.phase == "over" and table.state.replay == name and table.state.match is not None:
                await self.keep_replay(table)
                return table.state.match.record()
        return None

    # ------------------------------------------------------------ tending
    def start(self) -> None:
        self._tender = asyncio.get_running_loop().create_task(self._tend())

    async def close(self) -> None:
        """Everybody is told; whatever was begun is finished; the clocks are noted."""
        self.closing = True
        if self._tender is not None:
            self._tender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._tender
        for table in self.tables.values():
            for connection in list(table.connections):
                connection.end("shutting-down")
        await self._finish(lambda: any(table.busy for table in self.tables.values()))
        with contextlib.suppress(JournalError):
            await self._note_clocks()
            for code, table in self.tables.items():
                await self.keep_replay(table)
                await self.around.journal.release(code, table.epoch)
        for table in self.tables.values():
            table.close()
        self.tables.clear()

    async def _finish(self, busy: Callable[[], bool]) -> None:
        end = asyncio.get_running_loop().time() + 5.0
        while busy() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)

    async def _tend(self) -> None:
        renewed = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(_TENDING)
            try:
                await self._note_clocks()
                await self._send_to_sleep()
                now = asyncio.get_running_loop().time()
                if now - renewed > self.config.lease_seconds / 3:
                    renewed = now
                    await self._renew()
            except JournalError as error:
                log_event(_log, "journal-failed", level=logging.ERROR, error=error)

    async def _note_clocks(self) -> None:
        notes = {code: note for code, table in self.tables.items() if (note := table.clock_note()) is not None}
        if notes:
            await self.around.journal.note_clocks(notes)

    async def _send_to_sleep(self) -> None:
        for code in [code for code, table in self.tables.items() if self._sleepy(table)]:
            table = self.tables[code]
            note = table.clock_note()
            if note is not None:
                await self.around.journal.note_clocks({code: note})
            await self.keep_replay(table)
            if self._sleepy(table):  # nobody has come meanwhile
                del self.tables[code]
                table.close()
                await self.around.journal.release(code, table.epoch)

    def _sleepy(self, table: Table) -> bool:
        now = asyncio.get_running_loop().time()
        idle = table.idle_since is not None and now - table.idle_since > self.config.sleep_seconds
        return (idle or table.lost) and not table.busy

    async def _renew(self) -> None:
        lost: Iterable[str] = await self.around.journal.renew(
            {code: table.epoch for code, table in self.tables.items()}, self.config.lease_seconds
        )
        for code in lost:
            self.tables[code].lost = True

    def _check_open(self) -> None:
        if self.closing:
            raise TableRefusal("shutting-down")


def _card(table: Table) -> rest.TableCard:
    info = table.info
    host = next((seat.name or "" for seat in info.seats if seat.host), "")
    return rest.TableCard(
        code=info.code,
        edition=info.settings.edition,
        house_rules=len(info.settings.options),
        players=info.players,
        free=sum(seat.kind == "empty" for seat in info.seats),
        people=sum(seat.kind == "person" for seat in info.seats),
        watching=info.watching,
        phase=info.phase,
        host=host,
        turn_seconds=info.settings.turn_seconds,
    )

"""The owner of a table: takes one wish after the other, and is the only one who changes it.

The way of a wish: decide, commit, carry out, acknowledge, show; in this order, always.  What was not committed was
never carried out, so a journal that fails leaves the table as it was.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.events import Event
from ..wire import asked, told
from ..wire.errors import TableRefusal
from ..wire.parts import TableInfo
from . import entries
from .chairs import Chair
from .connection import Connection
from .deciding import MISSED_TURNS, decide
from .journal import Clock, Fenced, JournalError
from .logs import log_event, table_tag
from .minding import Minder
from .pacing import Pacing
from .showing import frame, updates, welcome
from .state import TableState
from .surroundings import Surroundings
from .wishes import BotSays, Own, Return, StandIn, Wish

Outcome = told.Ack | told.Held | TableRefusal
MOST_REFUSALS = 64  # remembered, so that a refused command that comes again gets the same answer
TRY_AGAIN_SECONDS = 1.0  # after a journal that failed
MOST_CHAT = 30  # lines that somebody who comes is shown

_log = logging.getLogger("flipdeck.table")


def _to_nobody(_: Outcome) -> None:
    """The table's own wishes get no answer."""


@dataclass(slots=True)
class Asking:
    """A wish, whose it is, and who is told what became of it."""

    wish: Wish
    chair: Chair | None
    answer: Callable[[Outcome], None]


@dataclass(slots=True)
class Arriving:
    """Somebody who has greeted, and the last version they have."""

    connection: Connection
    have: int | None


class Table:
    def __init__(self, state: TableState, epoch: int, around: Surroundings, clock: Clock | None = None) -> None:
        self.state = state
        self.epoch = epoch
        self.connections: set[Connection] = set()
        self.lost = False  # another server has it now
        self._around = around
        self._inbox: deque[Asking | Arriving] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._refused: OrderedDict[tuple[Chair, str], TableRefusal] = OrderedDict()
        self._chat: deque[told.Said] = deque(maxlen=MOST_CHAT)
        self._in_doubt = False  # the journal failed: what it has is to be looked up
        self._bots = Minder(state, around.thinkers, self)
        self._pace = Pacing(state, self, clock)
        self.idle_since: float | None = asyncio.get_running_loop().time()  # nobody has been here since
        self.active_at = asyncio.get_running_loop().time()  # when somebody last did something
        self.info = self._info_now()  # as everybody may see it: never ahead of what was committed

    # ------------------------------------------------------------ the door
    def submit(self, wish: Wish, chair: Chair | None = None, answer: Callable[[Outcome], None] = _to_nobody) -> None:
        self._inbox.append(Asking(wish, chair, answer))
        self._work()

    def arrive(self, connection: Connection, have: int | None) -> None:
        """A connection that has greeted; it is welcomed when its turn comes, with what is true then."""
        self._inbox.append(Arriving(connection, have))
        self._work()

    def depart(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.discard(connection)
            self._presence_changed()
            self._rest_if_alone()

    def _rest_if_alone(self) -> None:
        if not self.connections:
            self.idle_since = asyncio.get_running_loop().time()
            self._bots.pause()
            self._pace.stand()

    @property
    def busy(self) -> bool:
        return self._worker is not None

    @property
    def looking_on(self) -> int:
        """How many, with those who have greeted and are not welcomed yet."""
        coming = [item.connection for item in self._inbox if isinstance(item, Arriving)]
        return sum(connection.chair is None for connection in (*self.connections, *coming))

    def here(self) -> set[Chair]:
        return {connection.chair for connection in self.connections if connection.chair is not None}

    def tell_all(self, message: bytes) -> None:
        for connection in self.connections:
            connection.tell(message)

    def hear(self, line: told.Said) -> None:
        """Somebody says something."""
        self._chat.append(line)
        self.active_at = asyncio.get_running_loop().time()
        self.tell_all(frame(line))

    def clock_note(self) -> Clock | None:
        """What to note of the clock, in case the server stops."""
        return self._pace.note()

    def lag_of(self, seat: int) -> float:
        chair = self.state.chairs[seat]
        return max((c.lag for c in self.connections if c.chair is chair), default=0.0)

    def close(self) -> None:
        """Nothing more is done here: the table sleeps in the journal."""
        self._pace.stand()
        self._pace.stop()
        self._bots.pause()
        self._bots.forget()

    # ------------------------------------------------------------ one after the other
    def _work(self) -> None:
        if self._worker is None:
            self._worker = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._inbox:
                await self._next(self._inbox.popleft())
        finally:
            self._worker = None

    async def _next(self, item: Asking | Arriving) -> None:
        try:
            if self._in_doubt:
                await self._look_up()
            if isinstance(item, Arriving):
                self._welcome(item)
            else:
                await self._carry_out(item)
        except JournalError as error:
            self._journal_failed(error)
            if isinstance(item, Arriving):
                item.connection.end("unavailable")
            else:
                item.answer(TableRefusal("unavailable"))
                self._try_again(item)
        except Exception as error:
            # a fault of ours, and nobody knows how far it got: the table is read from the journal anew
            log_event(_log, "wish-failed", logging.ERROR, error=error, table=table_tag(self.state.code))
            if isinstance(item, Arriving):
                item.connection.end("unavailable")
            else:
                item.answer(TableRefusal("unavailable"))
            self.lose()

    async def _carry_out(self, asking: Asking) -> None:
        wish, chair = asking.wish, asking.chair
        self._around.step("received")
        known = self._known(wish, chair)
        if known is not None:
            asking.answer(known)
            return
        if isinstance(wish, asked.Command) and chair is not None and chair.sits_in and not isinstance(wish, asked.Back):
            await self._write(Asking(Return(chair), chair, _to_nobody))  # whoever speaks is there
        if self._pace.holds(asking):
            return
        await self._write(asking)

    async def _write(self, asking: Asking) -> None:
        wish, chair = asking.wish, asking.chair
        try:
            entry = decide(self.state, chair, wish, self.here())
        except TableRefusal as refusal:
            self._refuse(asking, refusal)
            return
        if entry is None:
            if isinstance(wish, BotSays):
                self._bots.said_in_vain(wish)
            return
        self._around.step("decided")
        await self._commit(entry)
        self._around.step("committed")
        events = self.state.apply(entry)
        if not isinstance(wish, Own):
            self.active_at = asyncio.get_running_loop().time()
        if isinstance(wish, asked.Command):
            asking.answer(told.Ack(wish.cmd_id, self.state.version))
        else:
            asking.answer(told.Ack("", self.state.version))
        self._around.step("acknowledged")
        self._show(entry, events)
        self._around.step("shown")

    async def _commit(self, entry: entries.AnyEntry) -> None:
        counts, loop = self._around.counts, asyncio.get_running_loop()
        began = loop.time()
        if isinstance(entry, entries.Rematched) and self.state.match is not None:  # the last chance for its record
            await self._around.journal.keep_replay(self.state.replay, self.state.match.record())
        await self._around.journal.append(self.state.code, self.epoch, self.state.version + 1, entries.encode(entry))
        counts.commits += 1
        counts.commit_seconds += loop.time() - began
        counts.moves += isinstance(entry, entries.Moved)

    def _known(self, wish: Wish, chair: Chair | None) -> Outcome | None:
        """The answer to a command that came before."""
        if chair is None or not isinstance(wish, asked.Command):
            return None
        if wish.cmd_id in chair.done:
            return told.Ack(wish.cmd_id, chair.done[wish.cmd_id])
        return self._refused.get((chair, wish.cmd_id))

    def _refuse(self, asking: Asking, refusal: TableRefusal) -> None:
        self._around.counts.refusals += 1
        if isinstance(asking.wish, asked.Command) and asking.chair is not None:
            self._refused[asking.chair, asking.wish.cmd_id] = refusal
            if len(self._refused) > MOST_REFUSALS * len(self.state.chairs):
                self._refused.popitem(last=False)
        asking.answer(refusal)

    # ------------------------------------------------------------ the journal fails
    def _try_again(self, asking: Asking) -> None:
        """People press again; a bot that has spoken or a clock that has run out would wait for ever."""
        if isinstance(asking.wish, Own) and not self.lost:
            asyncio.get_running_loop().call_later(TRY_AGAIN_SECONDS, self.submit, asking.wish)

    def _journal_failed(self, error: JournalError) -> None:
        self._around.counts.journal_failures += 1
        self._in_doubt = True
        log_event(_log, "journal-failed", logging.ERROR, error=error, table=table_tag(self.state.code))
        if isinstance(error, Fenced):
            self.lose()

    def lose(self) -> None:
        """It is not to be played here any more: those who are here will find it in the journal, or elsewhere."""
        self.lost = True
        for connection in list(self.connections):
            connection.end("unavailable")

    async def _look_up(self) -> None:
        """An entry whose commit failed may be there all the same: the journal is right."""
        bodies = await self._around.journal.load(self.state.code)
        self._in_doubt = False
        for body in bodies[self.state.version :]:
            entry = entries.decode(body)
            self._show(entry, self.state.apply(entry))

    # ------------------------------------------------------------ showing
    def _welcome(self, arriving: Arriving) -> None:
        connection, state = arriving.connection, self.state
        if connection.closing is not None:
            return
        chair = connection.chair
        if chair is not None:
            if chair not in state.chairs:
                connection.end("bad-token")
                return
            for other in [c for c in self.connections if c.chair is chair]:
                other.end("replaced")
                self.connections.discard(other)
        self.connections.add(connection)
        self.idle_since = None
        self.active_at = asyncio.get_running_loop().time()
        self._pace.run()
        self.info = self._info_now()
        seat = None if chair is None else state.seat_of(chair)
        missed = state.missed_since(arriving.have)
        clock = self._pace.clock_info()
        connection.tell(
            welcome(self._around.version, seat, state.version, self.info, state.match, clock, missed, self._chat)
        )
        self._presence_changed(but=connection)
        self._bots.wake()
        if chair is not None and chair.sits_in:
            self.submit(Return(chair))

    def _show(self, entry: entries.AnyEntry, events: Sequence[Event]) -> None:
        """Everybody sees the new version; then the clock is set and the bots think."""
        state = self.state
        self._let_go(entry)
        self._pace.changed()
        seats = {connection: self._viewer(connection) for connection in self.connections}
        table: TableInfo | None = None
        if not isinstance(entry, entries.Moved) or state.phase != "playing":
            table = self.info = self._info_now()
        if seats:
            clock = self._pace.clock_info()
            frames = updates(state.version, events, state.match, set(seats.values()), clock, table)
            for connection, seat in seats.items():
                connection.tell(frames[seat])
        self._bots.see(events, entry.seat)
        self._follow(entry)

    def _follow(self, entry: entries.AnyEntry) -> None:
        """What one entry brings with it."""
        chair = self.state.chairs[entry.seat] if 0 <= entry.seat < len(self.state.chairs) else None
        if isinstance(entry, entries.Moved) and entry.who == "clock" and chair and chair.missed >= MISSED_TURNS:
            self.submit(StandIn(chair))

    def _let_go(self, entry: entries.AnyEntry) -> None:
        """Whoever leaves, or has lost their chair, is not at the table any more; who has come back since is."""
        chairs = self.state.chairs
        leaver = chairs[entry.seat] if isinstance(entry, entries.StoodIn) and entry.why == "left" else None
        gone = [c for c in self.connections if c.chair and (c.chair is leaver or c.chair not in chairs)]
        for connection in gone:
            connection.end("left" if entry.by == entry.seat else "removed")
            self.connections.discard(connection)
        if gone:
            self._rest_if_alone()

    def _viewer(self, connection: Connection) -> int | None:
        return None if connection.chair is None else self.state.seat_of(connection.chair)

    def _presence_changed(self, but: Connection | None = None) -> None:
        self.info = self._info_now()
        here = [seat.seat for seat in self.info.seats if seat.here]
        message = frame(told.Presence(here, self.info.watching))
        for connection in self.connections:
            if connection is not but:
                connection.tell(message)

    def _info_now(self) -> TableInfo:
        watching = sum(connection.chair is None for connection in self.connections)
        return self.state.info(self.here(), watching, self._pace.next_round_ms())

"""The owner of a table: takes one wish after the other, and is the only one who changes it.

The way of a wish: decide, try out, commit, carry out, acknowledge, show; in this order, always.  What was not committed
was never carried out, so a journal that fails leaves the table as it was; what can't be carried out is never committed,
so the journal has no entry that a table can't be read from.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

from ...core.events import Event
from ...wire import client_messages, server_messages
from ...wire.errors import TableRefusal
from ...wire.parts import TableInfo
from ..journal import Clock, Fenced, JournalError, Replay
from ..logs import log_event, table_tag
from . import entries
from .bot_driver import Minder
from .connection import Connection
from .context import Surroundings
from .decide import MISSED_TURNS, decide
from .inbox import Arriving, Asking, Outcome, to_nobody, turn_away
from .presence import Company
from .requests import BotSays, Own, Return, StandIn, Wish
from .seats import Chair
from .state import TableState
from .timers import Pacing

MOST_REFUSALS = 64  # remembered, so that a refused command that comes again gets the same answer
TRY_AGAIN_SECONDS = 1.0  # after a journal that failed

_log = logging.getLogger("flipdeck.table")


class Table:
    def __init__(self, state: TableState, epoch: int, around: Surroundings, clock: Clock | None = None) -> None:
        self.state = state
        self.epoch = epoch
        self.company = Company(state, around.version)
        self.lost = False  # another server has it now, or it is to be read from the journal anew
        self._around = around
        self._inbox: deque[Asking | Arriving] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._more = asyncio.get_running_loop().create_future()  # for what the worker waits when there is nothing to do
        self._closed = False
        self.busy = False
        self._refused: OrderedDict[tuple[Chair, str], TableRefusal] = OrderedDict()
        self._in_doubt = False  # the journal failed: what it has is to be looked up
        self._bots = Minder(state, around.thinkers, self)
        self._pace = Pacing(state, self, clock)
        self.idle_since: float | None = asyncio.get_running_loop().time()  # nobody has been here since
        self.active_at = asyncio.get_running_loop().time()  # when somebody last did something

    # ------------------------------------------------------------ the door
    def submit(self, wish: Wish, chair: Chair | None = None, answer: Callable[[Outcome], None] = to_nobody) -> None:
        self._inbox.append(Asking(wish, chair, answer))
        self._work()

    def arrive(self, connection: Connection, have: int | None) -> None:
        """A connection that has greeted; it is welcomed when its turn comes, with what is true then."""
        self._inbox.append(Arriving(connection, have))
        self._work()

    def depart(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.discard(connection)
            self._look()
            self.company.tell_presence()
            self._rest_if_alone()

    def _rest_if_alone(self) -> None:
        if not self.connections:
            self.idle_since = asyncio.get_running_loop().time()
            self._bots.pause()
            self._pace.stand()

    @property
    def connections(self) -> set[Connection]:
        return self.company.connections

    @property
    def info(self) -> TableInfo:
        """As everybody may see it."""
        return self.company.info

    @property
    def looking_on(self) -> int:
        """How many, with those who have greeted and are not welcomed yet."""
        coming = [item.connection for item in self._inbox if isinstance(item, Arriving)]
        return self.company.watching((*self.connections, *coming))

    def hear(self, line: server_messages.ChatLine) -> None:
        """Somebody says something."""
        self.active_at = asyncio.get_running_loop().time()
        self.company.hear(line)

    def clock_note(self) -> Clock | None:
        """What to note of the clock, in case the server stops."""
        return self._pace.note()

    def close(self) -> None:
        """Nothing more is done here: the table sleeps in the journal."""
        self._pace.stand()
        self._pace.stop()
        self._bots.pause()
        self._bots.forget()
        self._closed = True
        self._wake_worker()

    # ------------------------------------------------------------ one after the other
    def _work(self) -> None:
        """There is something to do.  The worker stays: to make a new one for every move costs more than to wake it."""
        if not self.busy:
            self.busy = True
            if self._worker is None:
                self._worker = asyncio.get_running_loop().create_task(self._drain())
            else:
                self._wake_worker()

    def _wake_worker(self) -> None:
        if not self._more.done():
            self._more.set_result(None)

    async def _drain(self) -> None:
        try:
            while self._inbox or not self._closed:
                while self._inbox:
                    await self._next(self._inbox.popleft())
                self.busy = False
                if not self._closed:
                    self._more = asyncio.get_running_loop().create_future()
                    await self._more
        finally:
            self._worker, self.busy = None, False

    async def _next(self, item: Asking | Arriving) -> None:
        if self.lost:  # whatever it says here is no longer true
            turn_away(item)
            return
        try:
            if self._in_doubt:
                await self._look_up()
            if isinstance(item, Arriving):
                self._welcome(item)
            else:
                await self._carry_out(item)
        except JournalError as error:
            self._journal_failed(error)
            turn_away(item)
            self._try_again(item)
        except Exception as error:
            # a fault of ours, and nobody knows how far it got: the table is read from the journal anew
            log_event(_log, "wish-failed", logging.ERROR, error=error, table=table_tag(self.state.code))
            turn_away(item)
            self.lose()

    async def _carry_out(self, asking: Asking) -> None:
        wish, chair = asking.wish, asking.chair
        self._around.step("received")
        known = self._known(wish, chair)
        if known is not None:
            asking.answer(known)
            return
        if isinstance(wish, client_messages.Command) and chair is not None and chair.sits_in:
            if chair not in self.company.here():  # said before they left: it does not bring them back
                asking.answer(TableRefusal("left"))
                return
            if not isinstance(wish, client_messages.Back):
                await self._write(Asking(Return(chair), chair, to_nobody))  # whoever speaks is there
        if self._pace.holds(asking):
            return
        await self._write(asking)

    async def _write(self, asking: Asking) -> None:
        wish, chair = asking.wish, asking.chair
        try:
            entry = decide(self.state, chair, wish, self.company.here())
        except TableRefusal as refusal:
            self._refuse(asking, refusal)
            return
        if entry is None:
            if isinstance(wish, BotSays):
                self._bots.said_in_vain(wish)
            asking.answer(server_messages.Ack("", self.state.version))  # it is so already
            return
        try:
            replay = self.state.try_out(entry)
        except Exception as error:  # a fault of ours, found in time: nothing is written, and all is as it was
            if isinstance(wish, Own):
                raise  # nobody would ask again
            log_event(_log, "entry-failed", logging.ERROR, error=error, table=table_tag(self.state.code))
            asking.answer(TableRefusal("unavailable"))
            return
        self._around.step("decided")
        await self._commit(entry, replay)
        self._around.step("committed")
        events = self.state.apply(entry)
        if not isinstance(wish, Own):
            self.active_at = asyncio.get_running_loop().time()
        if isinstance(wish, client_messages.Command):
            asking.answer(server_messages.Ack(wish.cmd_id, self.state.version))
        else:
            asking.answer(server_messages.Ack("", self.state.version))
        self._around.step("acknowledged")
        self._show(entry, events)
        self._around.step("shown")

    async def _commit(self, entry: entries.AnyEntry, replay: Replay | None) -> None:
        """With the match that it ends, if it does: whoever is told where to find that match finds it."""
        counts, loop = self._around.counts, asyncio.get_running_loop()
        began = loop.time()
        seq, body = self.state.version + 1, entries.encode(entry)
        await self._around.journal.append(self.state.code, self.epoch, seq, body, replay)
        counts.commits += 1
        counts.commit_seconds += loop.time() - began
        counts.moves += isinstance(entry, entries.Moved)

    def _known(self, wish: Wish, chair: Chair | None) -> Outcome | None:
        """The answer to a command that came before."""
        if chair is None or not isinstance(wish, client_messages.Command):
            return None
        if wish.cmd_id in chair.done:
            return server_messages.Ack(wish.cmd_id, chair.done[wish.cmd_id])
        return self._refused.get((chair, wish.cmd_id))

    def _refuse(self, asking: Asking, refusal: TableRefusal) -> None:
        self._around.counts.refusals += 1
        if isinstance(asking.wish, client_messages.Command) and asking.chair is not None:
            self._refused[asking.chair, asking.wish.cmd_id] = refusal
            if len(self._refused) > MOST_REFUSALS * len(self.state.chairs):
                self._refused.popitem(last=False)
        asking.answer(refusal)

    # ------------------------------------------------------------ the journal fails
    def _try_again(self, item: Asking | Arriving) -> None:
        """People press again; a bot that has spoken or a clock that has run out would wait for ever."""
        if isinstance(item, Asking) and isinstance(item.wish, Own) and not self.lost:
            asyncio.get_running_loop().call_later(TRY_AGAIN_SECONDS, self.submit, item.wish)

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
        self.close()

    async def _look_up(self) -> None:
        """An entry whose commit failed may be there all the same: the journal is right."""
        bodies = await self._around.journal.load(self.state.code)
        self._in_doubt = False
        for body in bodies[self.state.version :]:
            entry = entries.decode(body)
            self._show(entry, self.state.apply(entry))

    # ------------------------------------------------------------ showing
    def _welcome(self, arriving: Arriving) -> None:
        connection = arriving.connection
        if connection.closing is not None or not self.company.let_in(connection):
            return
        self.idle_since = None
        self.active_at = asyncio.get_running_loop().time()
        self._pace.run()
        self._look()
        self.company.welcome(connection, arriving.have, self._pace.clock_info())
        self.company.tell_presence(but=connection)
        self._bots.wake()
        chair = connection.chair
        if chair is not None and chair.sits_in:
            self.submit(Return(chair))

    def _show(self, entry: entries.AnyEntry, events: Sequence[Event]) -> None:
        """Everybody sees the new version; then the bots think."""
        if self.lost:  # while it was written: nobody is here any more
            return
        if self.company.let_go(entry):
            self._rest_if_alone()
        self._pace.changed()
        quiet = isinstance(entry, entries.Moved) and self.state.phase == "playing"  # only the cards have changed
        self.company.show(events, self._pace.clock_info(), None if quiet else self._look())
        self._bots.see(events, entry.seat)
        self._follow(entry)

    def _follow(self, entry: entries.AnyEntry) -> None:
        """What one entry brings with it."""
        chair = self.state.chairs[entry.seat] if 0 <= entry.seat < len(self.state.chairs) else None
        if isinstance(entry, entries.Moved) and entry.who == "clock" and chair and chair.missed >= MISSED_TURNS:
            self.submit(StandIn(chair))

    def _look(self) -> TableInfo:
        return self.company.look(self._pace.next_round_ms())

"""The actor that owns a table: it takes one request after the other, and nobody else changes the table.

A request is decided, tried out, committed, applied, acknowledged, shown; always in this order.  What was not committed
was never applied, so a journal that fails leaves the table as it was; what can't be applied is never committed, so no
journal holds an entry that can't be replayed.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import msgspec

from ...core.events import Event
from ...wire import client_messages, server_messages
from ...wire.connection import CLOSE_CODES
from ...wire.errors import TableRefusal
from ...wire.parts import Substitute, TableInfo
from ..bounded import BoundedDict
from ..journal import Clock, Damaged, Displaced, Fenced, JournalError
from ..logs import log_event, table_tag
from . import consequences, entries
from .bot_driver import BotDriver
from .connections import Connection, TablePresence
from .context import Context
from .decide import decide
from .greetings import Greetings
from .inbox import Arrival, Envelope, Reply, discard_reply, turn_away
from .observing import Observed
from .readable_kinds import kinds_in
from .requests import BotSays, OwnRequest, Request, Return
from .seats import SeatState
from .shortener import Shortener
from .state import TableState
from .substitutes import TableSubstitutes, check_level
from .timers import Timers

MOST_REFUSALS = 64  # remembered a seat, so that a refused command that comes again gets the same answer
TRY_AGAIN_SECONDS = 1.0  # after a journal failure

_log = logging.getLogger("flipdeck.table")


class Table:
    def __init__(
        self,
        state: TableState,
        epoch: int,
        context: Context,
        clock: Clock | None = None,
        replayed_from: int = 1,
        observed: Observed | None = None,
    ) -> None:
        self.state = state
        self.epoch = epoch
        self._substitutes = TableSubstitutes(state, context.thinkers.search)
        self.presence = TablePresence(state, context.version, self._substitutes)
        self.lost = False  # another server owns it now, or it must be loaded from the journal again
        self._faulty = False  # lost by a fault of the server
        self._context = context
        self._now: Callable[[], float] = asyncio.get_running_loop().time
        self._inbox: deque[Envelope | Arrival] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._more = asyncio.get_running_loop().create_future()  # the worker awaits it when the inbox is empty
        self._closed = False
        self.busy = False
        self._refused: BoundedDict[tuple[SeatState, str], TableRefusal] = BoundedDict(MOST_REFUSALS * len(state.seats))
        self._in_doubt = False  # a commit failed: the journal has to be read to know whether the entry is there
        itself = weakref.proxy(self)  # no reference cycles: a table that sleeps is freed without the collector
        self._bot_driver = BotDriver(state, context.thinkers, itself, observed or {})
        self._timers = Timers(state, itself, clock)
        self._greetings = Greetings(state, itself)
        self._shortener = Shortener(state, context.journal, epoch, replayed_from, context.kinds)
        self.idle_since: float | None = asyncio.get_running_loop().time()  # since when nobody is connected
        self.active_at = asyncio.get_running_loop().time()  # when somebody last did something
        self.awake_since = self.active_at

    # ------------------------------------------------------------ for connections and the lobby
    def submit(
        self, request: Request, seat_state: SeatState | None = None, answer: Callable[[Reply], None] = discard_reply
    ) -> None:
        self._inbox.append(Envelope(request, seat_state, answer))
        self._work()

    def arrive(self, connection: Connection, have: int | None) -> None:
        """A connection has said ``hello``; it is welcomed in its turn, with the state of that moment."""
        self._inbox.append(Arrival(connection, have))
        self._work()

    def depart(self, connection: Connection) -> None:
        if connection in self.connections:
            self.presence.remove(connection)
            self._refresh_info()
            self.presence.broadcast_presence()
            # whoever was sent to another server has not gone, and their vote is waited for
            if not self._closed and connection.closing != CLOSE_CODES["shutting-down"]:
                self._submit_all(consequences.of_departure(self.state, connection.seat_state))
            self._pause_if_empty()

    def _pause_if_empty(self) -> None:
        if not self.connections:
            self.idle_since = asyncio.get_running_loop().time()
            self._bot_driver.pause()
            self._timers.pause()

    @property
    def connections(self) -> set[Connection]:
        return self.presence.connections

    @property
    def info(self) -> TableInfo:
        """As everybody may see it."""
        return self.presence.info

    @property
    def watchers(self) -> int:
        """Spectators, including those who wait for their welcome."""
        return self.presence.watching(self._connected_or_coming())

    @property
    def watcher_names(self) -> list[str]:
        """Names of spectators, including those who wait for their welcome."""
        return [each.name for each in self._connected_or_coming() if each.name is not None]

    def _connected_or_coming(self) -> list[Connection]:
        return [*self.connections, *(item.connection for item in self._inbox if isinstance(item, Arrival))]

    def add_chat(self, line: server_messages.ChatLine) -> None:
        """A line of chat for everybody."""
        self.active_at = asyncio.get_running_loop().time()
        self.presence.add_chat(line)

    def hurry(self, seat_state: SeatState) -> None:
        """Somebody does not want to watch the bots until it is a person's turn."""
        self._bot_driver.hurry(seat_state)

    def note_substitute(self, seat_state: SeatState, substitute: Substitute | None) -> None:
        """Who makes the next move of a bot, if not its own level: everybody is told before the move is shown."""
        if self._substitutes.note(seat_state, substitute):
            self._tell_substitutes()

    def search_changed(self) -> None:
        """The bots that search can do so now, or can't any more."""
        self._substitutes.search_changed()
        self._tell_substitutes()

    def _tell_substitutes(self) -> None:
        before = self.info.seats
        if self._refresh_info().seats != before:
            self.presence.broadcast_presence()

    @property
    def awaits_greeting(self) -> bool:
        """Somebody has taken a seat and may still come."""
        return self._greetings.pending

    def clock_note(self) -> Clock | None:
        """The clock to save, in case the server stops."""
        return self._timers.note()

    def close(self) -> None:
        """Stop for good; the table sleeps in the journal."""
        self._timers.pause()
        self._timers.stop()
        self._greetings.stop()
        self._bot_driver.pause()
        self._bot_driver.forget()
        self._closed = True
        self._wake_worker()

    # ------------------------------------------------------------ the inbox
    def _work(self) -> None:
        """Wake the worker.  It is one long-lived task: a new task for every move would cost more."""
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

    async def _next(self, item: Envelope | Arrival) -> None:
        if self.lost:  # its state is no longer true
            turn_away(item, self._lost_because())
            return
        try:
            if self._in_doubt:
                await self._reconcile()
            if isinstance(item, Arrival) and self._closed:
                item.connection.end("shutting-down")  # it goes on elsewhere
            elif isinstance(item, Arrival):
                self._welcome(item)
            else:
                await self._process(item)
        except JournalError as error:
            self._journal_failed(error)
            turn_away(item, TableRefusal("unavailable"))
            self._retry_later(item)
        except Exception as error:
            # a fault of the server, and nobody knows how far it got: the table is loaded from the journal again
            log_event(_log, "request-failed", logging.ERROR, error=error, table=table_tag(self.state.code))
            turn_away(item, TableRefusal("internal-error"))
            self.lose(fault=True)

    async def _process(self, envelope: Envelope) -> None:
        request, seat_state = envelope.request, envelope.seat_state
        self._context.step("received")
        known = self._known(request, seat_state)
        if known is not None:
            envelope.answer(known)
            return
        if isinstance(request, client_messages.Command) and seat_state is not None and seat_state.sits_in:
            if seat_state not in self.presence.here():  # sent before they left: it does not bring them back
                envelope.answer(TableRefusal("left"))
                return
            if not isinstance(request, client_messages.Back):
                await self._write(
                    Envelope(Return(seat_state), seat_state, discard_reply)
                )  # whoever sends a command has returned
        if self._timers.holds(envelope):
            return
        await self._write(envelope)

    async def _write(self, envelope: Envelope) -> None:
        request, seat_state = envelope.request, envelope.seat_state
        try:
            check_level(request, self._context.thinkers.search)
            entry = decide(self.state, seat_state, request, self.presence.here(), self._context.secrets.take)
            if entry is not None and self._context.kinds.unread:
                self._context.kinds.check(*kinds_in(entry))
        except TableRefusal as refusal:
            self._refuse(envelope, refusal)
            if refusal.reason == "older-servers":
                self._retry_later(envelope)
            return
        if entry is None:
            self._do_unwritten(envelope)
            return
        if isinstance(entry, entries.Moved) and self._timers.is_slow(entry.seat):
            entry = msgspec.structs.replace(entry, slow=True)
        try:
            replay = entries.try_out(self.state, entry)
        except Exception as error:  # a fault of the server, found in time: nothing was written, nothing has changed
            if isinstance(request, OwnRequest):
                raise  # nobody would submit it again
            log_event(_log, "entry-failed", logging.ERROR, error=error, table=table_tag(self.state.code))
            envelope.answer(TableRefusal("internal-error"))
            return
        self._context.step("decided")
        began, seq, body = self._now(), self.state.version + 1, entries.encode(entry)
        # together with the replay of the match that it ends, so that its link works as soon as it is shown
        await self._context.journal.append(self.state.code, self.epoch, seq, body, replay)
        self._count_commit(entry, began)
        self._context.step("committed")
        events = entries.apply(self.state, entry)
        if isinstance(request, client_messages.Command) or not isinstance(request, OwnRequest):
            self.active_at = self._now()
        self.presence.cork(seat_state)
        try:
            cmd_id = request.cmd_id if isinstance(request, client_messages.Command) else ""
            envelope.answer(server_messages.Ack(cmd_id, self.state.version))
            self._context.step("acknowledged")
            self._show(entry, events)
        finally:
            self.presence.uncork()
        self._context.step("shown")

    def _do_unwritten(self, envelope: Envelope) -> None:
        """There is nothing to write: it was done already, or it is a value, which waits in memory for the deal."""
        request, seat_state = envelope.request, envelope.seat_state
        if isinstance(request, BotSays):
            self._bot_driver.move_rejected(request)
        elif isinstance(request, client_messages.Open) and seat_state is not None:
            self._timers.opener.take(seat_state, bytes.fromhex(request.value))
        cmd_id = request.cmd_id if isinstance(request, client_messages.Command) else ""
        envelope.answer(server_messages.Ack(cmd_id, self.state.version))

    def _count_commit(self, entry: entries.AnyEntry, began: float) -> None:
        counters = self._context.counters
        counters.commit_times.add(self._now() - began)
        counters.moves += isinstance(entry, entries.Moved)

    def _known(self, request: Request, seat_state: SeatState | None) -> Reply | None:
        """Idempotency: the answer that this command got before."""
        if seat_state is None or not isinstance(request, client_messages.Command):
            return None
        if request.cmd_id in seat_state.done:
            return server_messages.Ack(request.cmd_id, seat_state.done[request.cmd_id])
        return self._refused.get((seat_state, request.cmd_id))

    def _refuse(self, envelope: Envelope, refusal: TableRefusal) -> None:
        self._context.counters.refusals += 1
        refusal.__traceback__ = refusal.__context__ = None  # their frames hold the table, which would hold them
        if isinstance(envelope.request, client_messages.Command) and envelope.seat_state is not None:
            self._refused[envelope.seat_state, envelope.request.cmd_id] = refusal
        envelope.answer(refusal)

    # ------------------------------------------------------------ journal failures and lost ownership
    def _retry_later(self, item: Envelope | Arrival) -> None:
        """People try again by themselves; a bot move or a timeout would be lost, and its table wait for ever."""
        if isinstance(item, Envelope) and isinstance(item.request, OwnRequest) and not self.lost:
            asyncio.get_running_loop().call_later(TRY_AGAIN_SECONDS, self.submit, item.request)

    def _journal_failed(self, error: JournalError) -> None:
        self._context.counters.journal_failures += 1
        self._in_doubt = True
        if not isinstance(error, Displaced):  # the journal has said that, once
            log_event(_log, "journal-failed", logging.ERROR, error=error, table=table_tag(self.state.code))
        self._context.counters.fenced_appends += isinstance(error, Fenced)
        if isinstance(error, Fenced | Damaged):  # whoever comes back hears why
            self.lose()

    def lose(self, fault: bool = False) -> None:
        """Give the table up: its clients reconnect, and find it in the journal or on another server."""
        self._context.counters.tables_lost += not self.lost
        self.lost, self._faulty = True, fault
        for connection in list(self.connections):
            connection.turn_away(self._lost_because())
        self.close()

    def _lost_because(self) -> TableRefusal:
        return TableRefusal("internal-error") if self._faulty else TableRefusal("unavailable")

    async def _reconcile(self) -> None:
        """An entry whose commit failed may be there all the same: the journal is right, if the table is still ours."""
        bodies = await self._context.journal.load(self.state.code, self.state.version, self.epoch)
        self._in_doubt = False
        for body in bodies:
            entry = entries.decode(body)
            self._show(entry, entries.apply(self.state, entry))

    # ------------------------------------------------------------ showing
    def _welcome(self, arrival: Arrival) -> None:
        connection = arrival.connection
        if self.state.closed_refusal is not None:  # while it waited for its turn
            connection.turn_away(self.state.closed_refusal)
        if connection.closing is not None or not self.presence.admit(connection):
            return
        if connection.seat_state is not None:
            connection.seat_state.address = self._context.address_hashes.peer(connection.address)
            self._greetings.came(connection.seat_state)
        self.idle_since = None
        self.active_at = asyncio.get_running_loop().time()
        self._timers.resume()
        self._refresh_info()
        self.presence.welcome(connection, arrival.have, self._timers.clock_info())
        self.presence.broadcast_presence(but=connection)
        self._bot_driver.wake()
        self._submit_all(consequences.of_arrival(self.state, connection.seat_state))

    def _drop_gone(self, entry: entries.AnyEntry) -> None:
        """Those whose seat or address has no place here any more."""
        if isinstance(entry, entries.RemovingEntry) and entry.address and not entry.spared:
            hash_of = self._context.address_hashes.of
            self.presence.drop_watchers(lambda address: hash_of(address) == entry.address)
        if self.presence.drop_gone(entry):
            self._pause_if_empty()

    def _show(self, entry: entries.AnyEntry, events: Sequence[Event]) -> None:
        """Send the new version to everybody; then the bots may think."""
        if self.lost:  # lost during the commit: nobody is connected any more
            return
        moved = isinstance(entry, entries.Moved)
        if not moved:
            self._drop_gone(entry)
        self._timers.changed()
        if isinstance(entry, (entries.NextRound, entries.Started)):
            self._substitutes.forget_past()
        quiet = moved and self._only_cards_changed(entry.seat)
        self.presence.show(events, self._timers.clock_info(), None if quiet else self._refresh_info())
        self._bot_driver.see(events, entry.seat)
        if not moved:
            self._await_greeting(entry)
        self._submit_all(consequences.of_entry(self.state, entry))
        self._shortener.changed(entry)

    def _await_greeting(self, entry: entries.AnyEntry) -> None:
        if isinstance(entry, entries.Sat | entries.Reserved):
            seat_state = self.state.seats[entry.seat]
            self._greetings.expect(seat_state.next or seat_state)

    def _submit_all(self, requests: Iterable[OwnRequest]) -> None:
        for request in requests:
            self.submit(request)

    def _only_cards_changed(self, seat: int) -> bool:
        seat_state, shown = self.state.seats[seat], self.info.seats[seat]
        return self.state.phase == "playing" and (seat_state.slow, seat_state.votes) == (shown.slow, shown.votes)

    def _refresh_info(self) -> TableInfo:
        return self.presence.refresh_info(self._timers.next_round_ms())

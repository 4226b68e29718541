"""The session of one client: parses its messages, checks rate limits, and passes commands to its table.

A message that can't be parsed is refused; a flood closes the connection.  Limits of addresses and seats outlive
connections (``RateLimits``).  Sockets are elsewhere (``websocket``): a simulated network can drive a session too.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable
from typing import assert_never

import msgspec

from ...wire import PROTOCOL, client_messages, server_messages
from ...wire.connection import CLOSE_CODES, PING_SECONDS, POLICY, TRY_LATER
from ...wire.errors import SENTENCES, TableRefusal
from .. import identity
from ..journal import JournalError
from ..limits import TokenBucket
from ..lobby import Lobby
from ..logs import log_event
from ..names import clean_chat, clean_name, unlike
from ..shared import TRANSFER_SECONDS
from ..table.actor import Table
from ..table.connections import Connection
from ..table.frames import frame
from ..table.inbox import Reply

GREETING_SECONDS = 5.0
MOST_BYTES = 4096
FIRST_PING_SECONDS = 1.0
_BURST = 40  # messages
_decode = msgspec.json.Decoder(client_messages.AnyClientMessage).decode
_numbers = itertools.count(1)
_log = logging.getLogger("flipdeck.session")


class ClientSession:
    def __init__(self, lobby: Lobby, connection: Connection, end_turn: Callable[[], None] = lambda: None) -> None:
        """``end_turn`` lets the next of the address in, as soon as it is known who this is."""
        loop = asyncio.get_running_loop()
        self.connection = connection
        self.table: Table | None = None
        self.since = loop.time()
        self._lobby = lobby
        self._lobby.sessions.add(self)
        self._now: Callable[[], float] = loop.time
        self._allowance = TokenBucket(lobby.config.messages_per_second, _BURST)
        self._timer = loop.call_later(GREETING_SECONDS, self._hello_timeout)
        self._greeting: asyncio.Task[None] | None = None
        self._early: list[str | bytes] = []
        self._giving: set[asyncio.Task[None]] = set()  # secrets of transfers
        self._end_turn = end_turn

    # ------------------------------------------------------------ receiving
    def receive(self, text: str | bytes) -> None:
        """Handle one frame of the client."""
        connection = self.connection
        if connection.closing is not None:
            return
        now = self._now()
        if not self._allowance.take(now):
            connection.end("too-fast")
        elif not self._lobby.rate_limits.messages.take(connection.address, now):
            connection.send(frame(server_messages.Bye("too-fast", SENTENCES["too-fast"])))
            connection.finish(TRY_LATER)  # another client of this address may be to blame
        elif _size(text) > MOST_BYTES:
            connection.end("too-big", most=MOST_BYTES)
        elif self._greeting is not None and not self._greeting.done():
            self._early.append(text)
        else:
            self._parse(text)

    def _parse(self, text: str | bytes) -> None:
        try:
            message = _decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._refuse(TableRefusal("bad-message", problem=_plain(error)))
            return
        table = self.table
        if table is None:
            self._greeting = asyncio.get_running_loop().create_task(self._greet_then_drain(message))
        else:
            try:
                self._handle(table, message)
            except TableRefusal as refusal:
                self._refuse(refusal, message.cmd_id if isinstance(message, client_messages.Command) else None)
            except Exception as error:  # a fault of the server: it costs this connection, and is logged
                log_event(_log, "message-failed", logging.ERROR, error=error)
                self.connection.end("internal-error")

    async def _greet_then_drain(self, message: client_messages.AnyClientMessage) -> None:
        """Handle ``hello``, then what arrived while the table was loaded."""
        try:
            await self._hello(message)
        except Exception as error:  # a fault of the server: it costs this connection, and is logged
            log_event(_log, "hello-failed", logging.ERROR, error=error)
            self.connection.end("internal-error")
        finally:
            self._end_turn()
        early, self._early = self._early, []
        for text in early:
            if self.connection.closing is None:
                self._parse(text)

    async def _hello(self, message: client_messages.AnyClientMessage) -> None:
        """``hello`` must be the first message; any problem with it ends the connection."""
        connection = self.connection
        self._timer.cancel()  # the client is not silent: its table may take long to load
        try:
            if not isinstance(message, client_messages.Hello):
                raise TableRefusal("greet-first", seconds=GREETING_SECONDS)
            if message.protocol != PROTOCOL:
                raise TableRefusal("bad-protocol", known=PROTOCOL, got=message.protocol)
            table = await self._lobby.find(message.table, connection.address)
            self._lobby.check_open()
            self._lobby.kept_out.check(connection.address)  # it may be since the table began to load
            await self._authenticate(table, message)
        except TableRefusal as refusal:
            self._lobby.rate_limits.messages.give_back(connection.address)  # there is one such message a handshake
            self._refuse(refusal)
            # another client of this address may be to blame
            later = refusal.code == "too-fast"
            connection.finish(TRY_LATER if later else CLOSE_CODES.get(refusal.code, POLICY))
            return
        except JournalError:
            connection.end("unavailable")
            return
        self.table = table
        table.arrive(connection, self._affordable_catch_up(table, message.have))
        self._timer = asyncio.get_running_loop().call_later(FIRST_PING_SECONDS, self._ping)

    async def _authenticate(self, table: Table, message: client_messages.Hello) -> None:
        if message.token is not None:
            await self._find_seat(table, identity.hash_token(message.token))
        else:
            self._admit_watcher(table, message.name)
        limits, now = self._lobby.rate_limits, self._now()  # wrong guesses are none of those that are counted
        if not limits.address_hellos.take(self.connection.address, now):
            raise TableRefusal("too-fast")
        if not limits.seat_hellos.take(self._limit_key(table), now):
            raise TableRefusal("too-fast")

    async def _find_seat(self, table: Table, token: str) -> None:
        """``token`` is its hash.  Whoever has a seat is let in, wherever they come from."""
        connection, state = self.connection, table.state
        connection.token, connection.seat_state = token, state.seat_with_token(token, identity.same)
        if connection.seat_state is not None:
            self._lobby.public_seats.note(self._lobby.peer(connection.address), state.code)
        elif state.is_banned(token, ""):
            raise TableRefusal("banned")
        else:
            raise await self._lobby.wrong_guess(connection.address, TableRefusal("bad-token"))

    def _admit_watcher(self, table: Table, name: str | None) -> None:
        connection, state = self.connection, table.state
        if not state.settings.watchers:
            raise TableRefusal("no-watchers")
        if state.is_banned(None, self._lobby.peer(connection.address).hashed):
            raise TableRefusal("banned")
        if table.watchers >= self._lobby.config.most_watchers:
            raise TableRefusal("limit", what="spectators")
        if name is not None and state.settings.watchers_chat:
            connection.name = unlike(clean_name(name), [*state.names, *table.watcher_names])

    def _limit_key(self, table: Table) -> str:
        """The key of the rate limits of a seat; all spectators of a table share one."""
        seat_state = self.connection.seat_state
        place = None if seat_state is None else table.state.place_of(seat_state)
        return f"{table.state.code}/{'' if place is None else place}"

    def _affordable_catch_up(self, table: Table, have: int | None) -> int | None:
        """Catch-up is rate-limited; beyond the limit the client gets a fresh view."""
        missed = table.state.missed_since(have)
        budget = self._lobby.rate_limits.catch_up
        if missed and not budget.take(self.connection.address, self._now(), len(missed)):
            return None
        return have

    # ------------------------------------------------------------ after hello
    def _handle(self, table: Table, message: client_messages.AnyClientMessage) -> None:
        match message:
            case client_messages.Transfer():
                self._transfer(table, message)
            case client_messages.Command():
                table.submit(message, self.connection.seat_state, self._answer_to(message.cmd_id))
            case client_messages.Pong():
                self._pong(message.n)
            case client_messages.Chat():
                self._chat(table, message)
            case client_messages.Emote():
                seat, _ = self._may_talk(table)
                if seat is None:
                    raise TableRefusal("not-seated")
                table.presence.broadcast(frame(server_messages.Emoted(seat, message.emote)))
            case client_messages.Hurry() | client_messages.Probe():
                self._handle_pace(table, message)
            case client_messages.Hello():
                raise TableRefusal("greet-first", seconds=GREETING_SECONDS)
            case _:
                assert_never(message)

    def _handle_pace(self, table: Table, message: client_messages.Hurry | client_messages.Probe) -> None:
        seat_state = self.connection.seat_state
        if isinstance(message, client_messages.Probe):
            self.connection.send(frame(server_messages.Echo(message.n)))
        elif seat_state is None or seat_state not in table.state.seats:
            raise TableRefusal("not-seated")
        else:
            table.hurry(seat_state)

    def _chat(self, table: Table, message: client_messages.Chat) -> None:
        seat, name = self._may_talk(table)
        text = clean_chat(message.text)
        if text is not None:
            self._lobby.context.counters.chats += 1
            table.add_chat(server_messages.ChatLine(seat, name, text))

    def _may_talk(self, table: Table) -> tuple[int | None, str]:
        """The seat and the name of a client that may chat, a spectator has no seat; a TableRefusal otherwise."""
        connection, state = self.connection, table.state
        seat_state = connection.seat_state
        seated = seat_state is not None and seat_state in state.seats
        if not seated and not state.settings.watchers_chat:
            raise TableRefusal("not-seated")
        if not state.settings.chat:
            raise TableRefusal("chat-off")
        name = connection.name if seat_state is None else seat_state.name
        if name is None:
            raise TableRefusal("bad-name")
        self._take_talk(table, seated)
        return (state.seat_of(seat_state) if seated and seat_state else None), name

    def _take_talk(self, table: Table, seated: bool) -> None:
        """Spectators pay by their address, and all of a table together: many of them don't drown those who play."""
        limits, now, code = self._lobby.rate_limits, self._now(), table.state.code
        key = self._limit_key(table) if seated else f"{code}/{self.connection.address}"
        if not limits.talk.take(key, now):
            raise TableRefusal("too-fast")
        if not seated and not limits.watchers_talk.take(code, now):
            limits.talk.give_back(key)
            raise TableRefusal("too-fast", "many-watchers")

    def _transfer(self, table: Table, message: client_messages.Transfer) -> None:
        seat_state = self.connection.seat_state
        if seat_state is None or seat_state not in table.state.seats:
            raise TableRefusal("not-seated")
        giving = self._give_transfer(message.cmd_id, table.state.code, seat_state.tokens[0])
        task = asyncio.get_running_loop().create_task(giving)
        self._giving.add(task)
        task.add_done_callback(self._giving.discard)

    async def _give_transfer(self, cmd_id: str, code: str, seat: str) -> None:
        try:
            secret = await self._lobby.shared.give_transfer(code, seat)
        except JournalError:
            self._refuse(TableRefusal("unavailable"), cmd_id)
        else:
            self.connection.send(frame(server_messages.TransferSecret(cmd_id, secret, int(TRANSFER_SECONDS))))

    # ------------------------------------------------------------ latency
    def _ping(self) -> None:
        if self.connection.closing is None:
            number = next(_numbers)
            self.connection.ping_sent = (number, self._now())
            self.connection.send(frame(server_messages.Ping(number)))
            self._timer = asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)

    def _pong(self, number: int) -> None:
        sent = self.connection.ping_sent
        if sent is not None and sent[0] == number:
            self.connection.lag = self._now() - sent[1]
            self.connection.ping_sent = None

    # ------------------------------------------------------------ replies and the end
    def _answer_to(self, cmd_id: str) -> Callable[[Reply], None]:
        def answer(reply: Reply) -> None:
            if isinstance(reply, TableRefusal):
                self._refuse(reply, cmd_id)
            else:
                self.connection.send(frame(reply))

        return answer

    def _refuse(self, refusal: TableRefusal, cmd_id: str | None = None) -> None:
        version = None if self.table is None else self.table.state.version
        self.connection.send(
            frame(server_messages.Refused(refusal.code, refusal.reason, str(refusal), cmd_id, version, refusal.facts))
        )

    def _hello_timeout(self) -> None:
        self.connection.end("greet-first", seconds=GREETING_SECONDS)

    def end(self) -> None:
        """The socket is closed."""
        self._lobby.sessions.discard(self)
        self._timer.cancel()
        self.connection.hang_up()
        if self.table is not None:
            self.table.depart(self.connection)
            self.table = None  # whoever still holds the session does not hold the table


def _size(text: str | bytes) -> int:
    return len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))


def _plain(error: Exception) -> str:
    """msgspec names the problem and its place, and repeats nothing that was sent but short names."""
    return str(error)[:200].encode("ascii", "replace").decode()

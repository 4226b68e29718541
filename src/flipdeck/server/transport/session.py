"""One client from its greeting to its end: reads what it says, and brings it to its table.

What can't be read is refused, and costs the connection nothing but a little of its allowance; what comes too fast ends
it.  What an address or a seat may do does not begin anew with a new connection (``Allowances``).  Sockets come and go
elsewhere (``sockets``): here are only messages, so that a simulated network can speak too.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable

import msgspec

from ...wire import PROTOCOL, client_messages, server_messages
from ...wire.errors import SENTENCES, TableRefusal
from .. import identity
from ..journal import JournalError
from ..limits import Bucket
from ..lobby import Lobby
from ..logs import log_event
from ..names import clean_chat
from ..table.actor import Table
from ..table.connection import CLOSE_CODES, POLICY, TRY_LATER, Connection
from ..table.frames import frame
from ..table.inbox import Outcome

GREETING_SECONDS = 5.0
MOST_BYTES = 4096
FIRST_PING_SECONDS, PING_SECONDS = 1.0, 20.0
_BURST = 40  # messages
_decode = msgspec.json.Decoder(client_messages.AnyClientMessage).decode
_numbers = itertools.count(1)
_log = logging.getLogger("flipdeck.session")


class Session:
    def __init__(self, lobby: Lobby, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        self.connection = connection
        self.table: Table | None = None
        self._lobby = lobby
        self._now: Callable[[], float] = loop.time
        self._allowance = Bucket(lobby.config.messages_per_second, _BURST)
        self._timer = loop.call_later(GREETING_SECONDS, self._silent_for_too_long)
        self._greeting: asyncio.Task[None] | None = None
        self._early: list[str | bytes] = []

    # ------------------------------------------------------------ reading
    def hear(self, text: str | bytes) -> None:
        """One frame from the client."""
        connection = self.connection
        if connection.closing is not None:
            return
        now = self._now()
        if not self._allowance.take(now):
            connection.end("too-fast")
        elif not self._lobby.allowances.messages.take(connection.address, now):
            connection.tell(frame(server_messages.Bye("too-fast", SENTENCES["too-fast"])))
            connection.finish(TRY_LATER)  # it may be somebody else's doing
        elif _size(text) > MOST_BYTES:
            connection.end("too-big", most=MOST_BYTES)
        elif self._greeting is not None and not self._greeting.done():
            self._early.append(text)
        else:
            self._understand(text)

    def _understand(self, text: str | bytes) -> None:
        try:
            message = _decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._refuse(TableRefusal("bad-message", problem=_plain(error)))
            return
        table = self.table
        if table is None:
            self._greeting = asyncio.get_running_loop().create_task(self._begin(message))
        elif isinstance(message, client_messages.Command) and not isinstance(message, client_messages.Transfer):
            table.submit(message, self.connection.chair, self._answer_to(message.cmd_id))
        else:
            try:
                self._talks(table, message)
            except TableRefusal as refusal:
                self._refuse(refusal, message.cmd_id if isinstance(message, client_messages.Command) else None)

    async def _begin(self, message: client_messages.AnyClientMessage) -> None:
        """The greeting; then what came while its table was woken."""
        try:
            await self._greet(message)
        except Exception as error:  # a fault of ours: it costs this connection, and is written down
            log_event(_log, "greeting-failed", logging.ERROR, error=error)
            self.connection.end("unavailable")
        early, self._early = self._early, []
        for text in early:
            if self.connection.closing is None:
                self._understand(text)

    async def _greet(self, message: client_messages.AnyClientMessage) -> None:
        """The greeting, and nothing else, opens the table; whatever is wrong with it ends the connection."""
        connection = self.connection
        self._timer.cancel()  # a table that takes long to wake is not the client's silence
        try:
            if not isinstance(message, client_messages.Hello):
                raise TableRefusal("greet-first", seconds=GREETING_SECONDS)
            if message.protocol != PROTOCOL:
                raise TableRefusal("bad-protocol", known=PROTOCOL, got=message.protocol)
            if not self._lobby.allowances.greetings.take(connection.address, self._now()):
                raise TableRefusal("too-fast")
            table = self._own_table(message) or await self._lobby.find(message.table, connection.address)
            self._lobby.check_open()
            self._take_place(table, message.token)
        except TableRefusal as refusal:
            self._refuse(refusal)
            later = refusal.code == "too-fast"  # it may be the doing of somebody else at the same address
            connection.finish(TRY_LATER if later else CLOSE_CODES.get(refusal.code, POLICY))
            return
        except JournalError:
            connection.end("unavailable")
            return
        self.table = table
        table.arrive(connection, self._affordable(table, message.have))
        self._timer = asyncio.get_running_loop().call_later(FIRST_PING_SECONDS, self._ping)

    def _own_table(self, hello: client_messages.Hello) -> Table | None:
        """Who has a token of a table guesses nothing, whatever others do who come from the same address."""
        code = identity.read_code(hello.table)
        table = None if code is None or hello.token is None else self._lobby.in_memory(code)
        if table is None or hello.token is None:
            return None
        return table if table.state.chair_with(identity.hash_token(hello.token), identity.same) else None

    def _take_place(self, table: Table, token: str | None) -> None:
        connection, state = self.connection, table.state
        if token is not None:
            connection.chair = state.chair_with(identity.hash_token(token), identity.same)
            if connection.chair is None:
                self._lobby.guessed_wrong(connection.address)
                raise TableRefusal("bad-token")
        elif not state.settings.watchers:
            raise TableRefusal("no-watchers")
        elif table.looking_on >= self._lobby.config.most_watchers:
            raise TableRefusal("limit", what="people looking on")
        if not self._lobby.allowances.comings.take(self._place(table), self._now()):
            raise TableRefusal("too-fast")

    def _place(self, table: Table) -> str:
        """The seat, or the one place of all who look on."""
        chair = self.connection.chair
        return f"{table.state.code}/{'' if chair is None else table.state.seat_of(chair)}"

    def _affordable(self, table: Table, have: int | None) -> int | None:
        """To tell what was missed takes its time: who asks for too much of it is shown how things stand."""
        missed = table.state.missed_since(have)
        told_again = self._lobby.allowances.stories
        if missed and not told_again.take(self.connection.address, self._now(), len(missed)):
            return None
        return have

    # ------------------------------------------------------------ talking
    def _talks(self, table: Table, message: client_messages.AnyClientMessage) -> None:
        if isinstance(message, client_messages.Pong):
            self._heard_back(message.n)
        elif isinstance(message, client_messages.Hello):
            raise TableRefusal("greet-first", seconds=GREETING_SECONDS)
        elif isinstance(message, client_messages.Transfer):
            self._transfer(table, message)
        else:
            self._chat(table, message)

    def _chat(self, table: Table, message: client_messages.AnyClientMessage) -> None:
        chair = self.connection.chair
        if chair is None or chair not in table.state.chairs:
            raise TableRefusal("not-seated")
        if not table.state.settings.chat:
            raise TableRefusal("chat-off")
        if not self._lobby.allowances.talk.take(self._place(table), self._now()):
            raise TableRefusal("too-fast")
        seat = table.state.seat_of(chair)
        if isinstance(message, client_messages.Chat):
            text = clean_chat(message.text)
            if text is not None:
                self._lobby.around.counts.chats += 1
                table.hear(server_messages.ChatLine(seat, chair.name or "", text))
        elif isinstance(message, client_messages.Emote):
            table.company.tell_all(frame(server_messages.Emoted(seat, message.emote)))

    def _transfer(self, table: Table, message: client_messages.Transfer) -> None:
        chair = self.connection.chair
        if chair is None or chair not in table.state.chairs:
            raise TableRefusal("not-seated")
        transfers = self._lobby.transfers
        secret = transfers.give(table.state.code, chair.tokens[0], self._now())
        self.connection.tell(frame(server_messages.TransferSecret(message.cmd_id, secret, int(transfers.seconds))))

    # ------------------------------------------------------------ how long the way is
    def _ping(self) -> None:
        if self.connection.closing is None:
            number = next(_numbers)
            self.connection.ping_sent = (number, self._now())
            self.connection.tell(frame(server_messages.Ping(number)))
            self._timer = asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)

    def _heard_back(self, number: int) -> None:
        sent = self.connection.ping_sent
        if sent is not None and sent[0] == number:
            self.connection.lag = self._now() - sent[1]
            self.connection.ping_sent = None

    # ------------------------------------------------------------ answering, ending
    def _answer_to(self, cmd_id: str) -> Callable[[Outcome], None]:
        def answer(outcome: Outcome) -> None:
            if isinstance(outcome, TableRefusal):
                self._refuse(outcome, cmd_id)
            else:
                self.connection.tell(frame(outcome))

        return answer

    def _refuse(self, refusal: TableRefusal, cmd_id: str | None = None) -> None:
        version = None if self.table is None else self.table.state.version
        self.connection.tell(
            frame(server_messages.Refused(refusal.code, refusal.reason, str(refusal), cmd_id, version, refusal.facts))
        )

    def _silent_for_too_long(self) -> None:
        self.connection.end("greet-first", seconds=GREETING_SECONDS)

    def end(self) -> None:
        """The socket is gone."""
        self._timer.cancel()
        self.connection.hang_up()
        if self.table is not None:
            self.table.depart(self.connection)


def _size(text: str | bytes) -> int:
    return len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))


def _plain(error: Exception) -> str:
    """msgspec says what is wrong and where, and repeats nothing that was sent but short names."""
    return str(error)[:200].encode("ascii", "replace").decode()

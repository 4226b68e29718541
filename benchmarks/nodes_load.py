"""People at the tables of several nodes, who move all the time and come back to another node when theirs is gone.

They note when each table was played on, and what its clock had left when it came back.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import perf_counter

import msgspec

from .server_line import CLOSE, Ack, Line, Refused, ServerMessage, TurnClock, Update, Welcome
from .server_process import Seats

PACE_SECONDS = 0.25  # from when somebody is on turn until they move
RETURN_SECONDS = 0.25  # until somebody who lost the line comes again
_GREETING_SECONDS = 5.0


class ReturningLine(Line):
    """Tells when it has ended."""

    def __init__(self, host: str, hello: bytes, hear: Callable[[Line, ServerMessage], None]) -> None:
        super().__init__(host, hello, hear)
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == CLOSE:
            self._transport.close()
        else:
            super()._frame(kind, payload)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.welcomed.exception()  # whoever waits for it is told by ``ended``
        if not self.ended.done():
            self.ended.set_result(None)


class PlayedTable:
    """One table with all its people."""

    def __init__(self, seats: Seats, port: Callable[[], int], dice: random.Random) -> None:
        self.seats = seats
        self.acks: list[float] = []  # when moves were acknowledged
        self.charged: list[float] = []  # seconds that a clock had lost when the table came back
        self.at = 0  # the port of the node that has it
        self._port, self._dice = port, dice
        self._numbers = 0
        self._version = 0
        self._clock: tuple[int, TurnClock, float] | None = None  # at a version, and when that was told
        self._lost_at: float | None = None

    async def play(self) -> None:
        await asyncio.gather(*(self._live(token) for token in self.seats.tokens))

    async def _live(self, token: str) -> None:
        hello = {"type": "hello", "protocol": 1, "table": self.seats.code, "token": token}
        while True:
            port = self._port()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_GREETING_SECONDS):
                    _, line = await asyncio.get_running_loop().create_connection(
                        partial(ReturningLine, f"127.0.0.1:{port}", msgspec.json.encode(hello), self._hear),
                        "127.0.0.1",
                        port,
                    )
                self.at = port
                await line.ended
                if self._lost_at is None:
                    self._lost_at = perf_counter()
            await asyncio.sleep(RETURN_SECONDS * self._dice.uniform(0.5, 1.5))

    def _hear(self, line: Line, told: ServerMessage) -> None:
        if isinstance(told, Welcome):
            self._check_clock(told)
        if isinstance(told, Update | Welcome):
            self._note(told)
            asyncio.get_running_loop().call_later(PACE_SECONDS, self._act, line, told)
        elif isinstance(told, Ack) and told.cmd_id.startswith("m"):
            self.acks.append(perf_counter())
        elif isinstance(told, Refused):
            return  # too late, or the table is elsewhere: the next update or the next connection says more

    def _note(self, told: Update | Welcome) -> None:
        self._version = told.version
        if told.clock is not None and self._lost_at is None:
            self._clock = (told.version, told.clock, perf_counter())

    def _check_clock(self, told: Welcome) -> None:
        """The first who is welcomed after a loss sees what is left; until then nobody was there to use it."""
        if self._lost_at is None:
            return
        if self._clock is not None and told.clock is not None and self._clock[0] == told.version:
            _, before, when = self._clock
            used = self._lost_at - when if before.running else 0.0
            self.charged.append((before.left_ms - told.clock.left_ms) / 1000 - used)
        self._lost_at = None

    def _act(self, line: Line, told: Update | Welcome) -> None:
        view = told.view
        if told.version != self._version or line._transport.is_closing():
            return
        if view is None or view.phase == "match-over":
            if told.you == 0:
                self._say(line, "start" if view is None else "rematch")
        elif view.phase == "round-over":
            self._say(line, "ready")
        elif view.to_act == told.you and view.legal:
            move = self._dice.choice([move for move in view.legal if move != "draw"] or view.legal)
            self._numbers += 1
            text = b'{"type":"move","cmd_id":"m%d","version":%d,"move":"%b"}'
            line.say(text % (self._numbers, told.version, move.encode()))

    def _say(self, line: Line, kind: str) -> None:
        self._numbers += 1
        line.say(b'{"type":"%b","cmd_id":"c%d"}' % (kind.encode(), self._numbers))


async def until_all(tables: Sequence[PlayedTable], since: float, moves: int = 1) -> None:
    """Every table was played on since."""
    while not all(sum(ack > since for ack in table.acks[-moves:]) >= moves for table in tables):
        await asyncio.sleep(0.05)

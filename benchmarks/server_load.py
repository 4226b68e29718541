"""The load, in a process of its own: people at tables who say random legal moves, and note how long the answers take.

``python -m benchmarks.server_load FILE`` reads codes and tokens from the file, and does what it is told line by line:

- ``seat PORT TABLES``: four people come to each of the first tables, those of a table from an address of their own
- ``return PORT``: one person comes back to each table, all at once
- ``play MOVES RATE``: so many moves in all, so many a second; 0 is as fast as they are answered
- ``leave``: everybody goes

Each is answered by a line of JSON.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections import deque
from collections.abc import Coroutine, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from .server_line import Ack, Bye, Line, Refused, ServerMessage, Update, Welcome, connect
from .server_process import Seats, read_seats

_AT_ONCE = 50  # who come at the same time, when they are not all to


class Player:
    """Whoever is on turn at one table: speaks when it is time to."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turn: tuple[Line, int, Sequence[str]] | None = None
        self.due: deque[float] = deque()  # when moves were to be said

    def hear(self, line: Line, told: ServerMessage) -> None:
        if isinstance(told, Update | Welcome):
            self._look(line, told)
        elif isinstance(told, Ack):
            self.game.answered(told.cmd_id)
        elif isinstance(told, Refused | Bye):
            self.game.refusals.append(told.message)

    def _look(self, line: Line, told: Update | Welcome) -> None:
        view = told.view
        if view is None:
            if told.you == 0 and told.table is not None and told.table.phase == "waiting":
                self.game.command(line, "start")
        elif view.phase == "match-over":
            if told.you == 0 and line.round_seen:
                line.round_seen = 0
                self.game.command(line, "rematch")
        elif view.phase == "round-over":
            if line.round_seen != view.round:
                line.round_seen = view.round
                self.game.command(line, "ready")
        elif view.to_act == told.you and view.legal:
            line.round_seen = line.round_seen or -1
            self.turn = (line, told.version, view.legal)
            self.go()

    def go(self) -> None:
        """Say the next move, if it is time and there is one."""
        if self.turn is not None and self.game.left and (self.due or self.game.hurried):
            line, version, legal = self.turn
            self.turn = None
            self.game.move(line, version, legal, self.due.popleft() if self.due else perf_counter())


class Game:
    """All that is said and answered in one order to play."""

    def __init__(self) -> None:
        self.left = 0  # moves to say
        self.hurried = False
        self.refusals: list[str] = []
        self._dice = random.Random(1)
        self._numbers = 0
        self._asked: dict[str, float] = {}
        self._took: list[float] = []
        self._done: asyncio.Event = asyncio.Event()

    def command(self, line: Line, kind: str) -> None:
        self._numbers += 1
        line.say(b'{"type":"%b","cmd_id":"%d"}' % (kind.encode(), self._numbers))

    def move(self, line: Line, version: int, legal: Sequence[str], due: float) -> None:
        self.left -= 1
        self._numbers += 1
        self._asked[str(self._numbers)] = due
        text = b'{"type":"move","cmd_id":"%d","version":%d,"move":"%b"}'
        line.say(text % (self._numbers, version, self._dice.choice(legal).encode()))

    def answered(self, cmd_id: str) -> None:
        due = self._asked.pop(cmd_id, None)
        if due is not None:
            self._took.append(perf_counter() - due)
            if not self.left and not self._asked:
                self._done.set()

    async def play(self, players: Sequence[Player], moves: int, rate: float) -> dict[str, float]:
        self.left, self._took = moves, []
        self._done.clear()
        self.hurried = not rate
        began = perf_counter()
        if self.hurried:
            for player in players:
                player.go()
        else:
            await self._in_time(players, moves, rate)
        await self._done.wait()
        seconds, took = perf_counter() - began, sorted(self._took)
        self.hurried = False
        if self.refusals:
            raise RuntimeError(f"{len(self.refusals)} refusals, the first: {self.refusals[0]}")
        return {
            "moves": len(took),
            "seconds": seconds,
            "p50": took[len(took) // 2],
            "p99": took[len(took) * 99 // 100],
            "most": took[-1],
        }

    async def _in_time(self, players: Sequence[Player], moves: int, rate: float) -> None:
        """Table after table; a move that can't be said in time is said later, and was due all the same."""
        began = perf_counter()
        for number in range(moves):
            due = began + number / rate
            if (wait := due - perf_counter()) > 0:
                await asyncio.sleep(wait)
            player = players[number % len(players)]
            player.due.append(due)
            player.go()


class Load:
    def __init__(self, seats: Sequence[Seats]) -> None:
        self._seats = seats
        self._lines: list[Line] = []
        self._game = Game()
        self._players: list[Player] = []

    async def seat(self, port: int, tables: int) -> dict[str, float]:
        some = self._seats[:tables]
        self._players = [Player(self._game) for _ in some]
        return await self._come(
            [
                connect(port, table.code, token, player.hear, f"127.1.{number >> 8}.{number & 255}")
                for number, (table, player) in enumerate(zip(some, self._players, strict=True), 1)
                for token in table.tokens
            ],
            _AT_ONCE,
        )

    async def come_back(self, port: int) -> dict[str, float]:
        return await self._come(
            [connect(port, table.code, table.tokens[0], _look_on) for table in self._seats], len(self._seats)
        )

    async def _come(self, coming: Sequence[Coroutine[Any, Any, Line]], at_once: int) -> dict[str, float]:
        began = perf_counter()
        gate = asyncio.Semaphore(at_once)

        async def one(waiting: Coroutine[Any, Any, Line]) -> Line:
            async with gate:
                return await waiting

        self._lines += await asyncio.gather(*map(one, coming))
        return {"seconds": perf_counter() - began}

    async def play(self, moves: int, rate: float) -> dict[str, float]:
        before = self._heard()
        told = await self._game.play(self._players, moves, rate)
        return {**told, "bytes": self._heard() - before}

    def leave(self) -> dict[str, float]:
        for line in self._lines:
            line.close()
        self._lines, self._players = [], []
        return {}

    def _heard(self) -> int:
        return sum(line.bytes_heard for line in self._lines)

    async def obey(self, order: str, *words: str) -> dict[str, float]:
        match order:
            case "seat":
                return await self.seat(int(words[0]), int(words[1]))
            case "return":
                return await self.come_back(int(words[0]))
            case "play":
                return await self.play(int(words[0]), float(words[1]))
            case "leave":
                return self.leave()
        raise ValueError(f"no such order: {order}")


def _look_on(_: Line, told: ServerMessage) -> None:
    if isinstance(told, Refused | Bye):
        print(told.message, file=sys.stderr)  # and the welcome that never comes ends the order


async def main(file: Path) -> None:
    load = Load(read_seats(file))
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        answer = await load.obey(*words)
        print(msgspec.json.encode(answer).decode(), flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

"""The load of the soak test, in a process of its own: ``python -m benchmarks.soak_load PORT SECONDS RATE``.

Evenings at tables, some side by side: people sit down, play, lose their connections and return, are watched, play a
rematch and leave; a few come back to a table that sleeps.  Each evening comes from addresses of its own.  Every second
a line of JSON tells what was done so far.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import signal
import sys
from dataclasses import asdict, dataclass, field
from typing import Any

import httpx
import msgspec
import websockets
from websockets.asyncio.client import ClientConnection

EVENINGS = 40  # side by side
OLD_TABLES = 300  # of those that somebody may come back to
SETTINGS = {"turn_seconds": 0, "grace_ms": 0, "speed": "fast", "options": {"target": 60, "hand_size": 4}}


@dataclass
class Done:
    moves: int = 0
    matches: int = 0
    made: int = 0
    woken: int = 0
    watched: int = 0
    guesses: int = 0


@dataclass
class Pace:
    """So many moves a second, whoever makes them."""

    rate: float
    next_at: float = 0.0

    async def take(self) -> None:
        loop = asyncio.get_running_loop()
        self.next_at = max(self.next_at + 1 / self.rate, loop.time())
        await asyncio.sleep(self.next_at - loop.time())


@dataclass
class House:
    """The server, and what all evenings share."""

    port: int
    http: httpx.AsyncClient
    pace: Pace
    dice: random.Random
    done: Done = field(default_factory=Done)
    old: list[tuple[str, str]] = field(default_factory=list)  # codes and tokens
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    def new_address(self) -> dict[str, str]:
        return {"X-Forwarded-For": f"10.{'.'.join(str(self.dice.randrange(256)) for _ in range(3))}"}

    async def connect(self, code: str, token: str | None, address: dict[str, str], have: int | None = None) -> Person:
        socket = await websockets.connect(
            f"ws://127.0.0.1:{self.port}/ws", additional_headers=address, compression=None, ping_interval=None
        )
        person = Person(self, socket)
        await person.say(type="hello", protocol=1, table=code, token=token, have=have)
        await person.until("welcome")
        return person


class Person:
    def __init__(self, house: House, socket: ClientConnection) -> None:
        self._house = house
        self._socket = socket
        self.version = 0
        self.phase = "waiting"
        self.view: dict[str, Any] | None = None

    async def say(self, **message: Any) -> None:
        await self._socket.send(msgspec.json.encode(message).decode())

    async def hear(self) -> dict[str, Any]:
        told: dict[str, Any] = msgspec.json.decode(await asyncio.wait_for(self._socket.recv(), 60))
        if told["type"] == "ping":
            await self.say(type="pong", n=told["n"])
        elif told["type"] in ("welcome", "update"):
            self.version, self.view = told["version"], told["view"]
            self.phase = (told["table"] or {"phase": self.phase})["phase"]
        return told

    async def until(self, *types: str) -> dict[str, Any]:
        while (told := await self.hear())["type"] not in (*types, "bye"):
            pass
        if told["type"] == "bye":
            raise ConnectionError(told["code"])
        return told

    async def up_to(self, version: int) -> None:
        while self.version < version:
            await self.hear()

    async def command(self, kind: str, **more: Any) -> dict[str, Any]:
        await self.say(type=kind, cmd_id=f"s{next(self._house.numbers)}", **more)
        return await self.until("ack", "refused")

    async def leave(self) -> None:
        await self._socket.close()


class Evening:
    """One table and its people."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._dice = random.Random(house.dice.random())
        self._address = house.new_address()
        self._code = ""
        self._tokens: list[str] = []
        self._people: list[Person] = []

    async def spend(self) -> None:
        try:
            await self._sit_down()
            for _ in range(self._dice.choice((1, 1, 2))):
                await self._play_match()
                await self._look_at_replay()
            self._house.old.append((self._code, self._tokens[0]))
            del self._house.old[:-OLD_TABLES]
        finally:
            for person in self._people:
                await person.leave()

    async def _post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = await self._house.http.post(path, json=body, headers=self._address)
        answer.raise_for_status()
        return answer.json()  # type: ignore[no-any-return]

    async def _sit_down(self) -> None:
        people, bots = self._dice.choice(((2, 0), (3, 0), (2, 1), (1, 2)))
        settings = {**SETTINGS, "seats": people + bots}
        levels = {str(people + number): "rookie" for number in range(bots)}
        host = await self._post("/api/tables", name="Ana", settings=settings, bots=levels)
        self._house.done.made += 1
        self._code, self._tokens = host["code"], [host["token"]]
        for number in range(1, people):
            self._tokens.append((await self._post(f"/api/tables/{self._code}/seats", name=f"Guest {number}"))["token"])
        self._people = [await self._house.connect(self._code, token, self._address) for token in self._tokens]

    async def _play_match(self) -> None:
        host = self._people[0]
        if host.phase == "over":
            await host.command("rematch")
        await host.command("start")
        moves = 0
        while moves < 400:
            await self._catch_up()
            if self._people[0].phase == "over":
                self._house.done.matches += 1
                return
            if self._people[0].phase == "between":
                for person in self._people:
                    await person.command("ready")
                continue
            moves += 1
            await self._house.pace.take()
            await self._move()
            await self._stir()

    async def _catch_up(self) -> None:
        newest = max(person.version for person in self._people)
        for person in self._people:
            await person.up_to(newest)

    async def _move(self) -> None:
        for person in self._people:
            view = person.view
            if view is not None and view["to_act"] == view["you"] and person.phase == "playing":
                better = [move for move in view["legal"] if move != "draw"] or ["draw"]  # so that rounds end
                answer = await person.command("move", version=person.version, move=self._dice.choice(better))
                if answer["type"] == "ack":
                    self._house.done.moves += 1
                    await person.up_to(answer["version"])
                return
        if self._people[0].phase == "playing":  # a bot is on turn
            await self._people[0].hear()

    async def _stir(self) -> None:
        """Now and then somebody loses the connection, watches, or guesses."""
        chance = self._dice.random()
        if chance < 0.04:
            at = self._dice.randrange(len(self._people))
            await self._people[at].leave()
            have = self._people[at].version if chance < 0.02 else None
            self._people[at] = await self._house.connect(self._code, self._tokens[at], self._address, have)
        elif chance < 0.06:
            watcher = await self._house.connect(self._code, None, self._house.new_address())
            self._house.done.watched += 1
            await watcher.leave()
        elif chance < 0.08:
            guess = "".join(self._dice.choices("BCDFGHJKMNPQRSTVWXYZ", k=6))
            await self._house.http.get(f"/api/tables/{guess}", headers=self._house.new_address())
            self._house.done.guesses += 1

    async def _look_at_replay(self) -> None:
        answer = await self._house.http.get(f"/api/tables/{self._code}", headers=self._address)
        name = answer.json().get("replay")
        if name and self._dice.random() < 0.3:
            path = self._dice.choice(("match", "rounds/1"))
            await self._house.http.get(f"/api/replays/{name}/{path}", headers=self._address)


async def come_back(house: House) -> None:
    """Somebody looks in at a table that sleeps by now."""
    code, token = house.dice.choice(house.old)
    person = await house.connect(code, token, house.new_address())
    house.done.woken += 1
    await person.leave()


async def evenings(house: House, stagger: float) -> None:
    await asyncio.sleep(stagger)
    while True:
        try:
            await Evening(house).spend()
            if house.old and house.dice.random() < 0.5:
                await come_back(house)
        except (OSError, TimeoutError, httpx.HTTPError, websockets.WebSocketException) as error:
            print(f"an evening ended early: {type(error).__name__} {error}", file=sys.stderr)
            await asyncio.sleep(1)


async def main(port: int, seconds: float, rate: float) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        house = House(port, http, Pace(rate), random.Random(19))
        running = [asyncio.create_task(evenings(house, number / 4)) for number in range(EVENINGS)]
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: [each.cancel() for each in running])
        telling = asyncio.create_task(tell(house))
        await asyncio.wait(running, timeout=seconds + 60, return_when=asyncio.FIRST_COMPLETED)
        telling.cancel()
        for each in running:
            each.cancel()
        outcomes = await asyncio.gather(*running, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome


async def tell(house: House) -> None:
    while True:
        print(msgspec.json.encode(asdict(house.done)).decode(), flush=True)
        await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])))

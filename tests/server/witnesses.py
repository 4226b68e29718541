"""Who can tell what a server did before it was killed: its clients, and the journal.

A witness plays at random over a real socket and keeps all that it is told.  A ledger follows the journal of one table
and knows what every seat may have been told at every version.  ``agree`` compares the two.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256

import websockets
from websockets.asyncio.client import ClientConnection

from flipdeck.core.events import Event
from flipdeck.core.seeds import pledge_of
from flipdeck.server.table import entries
from flipdeck.server.table.frames import updates
from flipdeck.server.table.snapshot import take
from flipdeck.server.table.state import TableState

from .outbox import Message
from .short_journals import TAIL

WRITTEN_AS: dict[str, type[entries.Entry]] = {
    "move": entries.Moved,
    "pledge": entries.Pledged,
    "start": entries.Frozen,
    "ready": entries.SaidReady,
    "rematch": entries.Rematched,
}


OPENING = "opening"  # what the cmd_id of an opened value begins with


class CommittedTable:
    """What is committed of one table."""

    def __init__(self) -> None:
        self.entries: list[entries.AnyEntry] = []
        self.commands: dict[tuple[int, str], int] = {}  # by seat and cmd_id: the version it became
        self.views: list[dict[int | None, Message | None]] = [{}]
        self.events: list[dict[int | None, list[Message]]] = [{}]
        self.since: list[int] = [0]  # the match of each version began with this one
        self.compacted: dict[int, bytes] = {}  # by version: the entry that says the same as all until then
        self._bodies: list[bytes] = []
        self._state: TableState | None = None

    @property
    def version(self) -> int:
        return len(self.entries)

    @property
    def state(self) -> TableState:
        assert self._state is not None
        return self._state

    def read(self, bodies: Sequence[bytes]) -> None:
        """The journal may have become longer since it was read last, and nothing else."""
        known = len(self._bodies)
        assert list(bodies[:known]) == self._bodies, "what was committed is not there any more"
        for body in bodies[known:]:
            self.add(body)

    def add(self, body: bytes) -> None:
        """The next entry."""
        self._bodies.append(body)
        self._add(entries.decode(body))

    def _add(self, entry: entries.AnyEntry) -> None:
        self.entries.append(entry)
        happened: tuple[Event, ...] = ()
        if isinstance(entry, entries.Made):
            self._state = entry.make_state()
        else:
            happened = tuple(entries.apply(self.state, entry))
        assert self.state.version == self.version, "a gap between versions"
        if isinstance(entry, entries.Started):
            opened = {seat: pledge_of(self.state.commitment, bytes.fromhex(v)) for seat, v in entry.values.items()}
            assert opened == {seat: self.state.seats[seat].pledge for seat in opened}, "a value that nobody has pledged"
        if entry.cmd_id:
            assert (entry.by, entry.cmd_id) not in self.commands, "a command was carried out twice"
            self.commands[entry.by, entry.cmd_id] = self.version
        match, viewers = self.state.match, (*range(len(self.state.seats)), None)
        seen = {who: match.seen(happened, who) if match else () for who in viewers}
        self.events.append({who: json.loads(json.dumps([e.to_dict() for e in seen[who]])) for who in viewers})
        shown = updates(self.version, happened, match, viewers, None, None)
        self.views.append({who: json.loads(shown[who])["view"] for who in viewers})
        self.since.append(self.state.since)
        if self.state.phase == "waiting":
            self.compacted[self.version] = entries.encode(entries.Compacted(state=take(self.state)))

    def check_compacted(self, bodies: Sequence[bytes]) -> None:
        """A server loads what was written, or in place of the first entries one that says the same."""
        version = self.version - len(bodies) + 1
        assert bodies[0] == (self._bodies[0] if version == 1 else self.compacted[version])
        assert list(bodies[1:]) == self._bodies[version:]

    def missed(self, who: int | None, have: int | None, version: int) -> list[Message] | None:
        """What somebody who comes back has to be told."""
        if have is None or have < self.since[version]:
            return None
        steps = ({"version": v, "events": self.events[v][who]} for v in range(have + 1, version + 1))
        return [step for step in steps if step["events"]]


class Witness:
    """A client with a seat, or without a token one that looks on."""

    def __init__(self, table: str, seat: int | None, token: str | None, dice: random.Random) -> None:
        self.table, self.seat, self.token = table, seat, token
        self.version: int | None = None
        self.pending: dict[str, Message] = {}  # sent, and no answer to it was heard
        self.acks: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.said: dict[str, Message] = {}
        self.welcomes: list[tuple[int | None, Message]] = []  # with the version it had then
        self.updates: list[Message] = []
        self.byes = 0
        self.heard = 0  # messages
        self.clock: Message | None = None
        self.plays = True
        self.curious = 3  # of how many commands it asks again what became of them, whenever it comes back
        self._to_ask: list[str] = []
        self._asked: set[str] = set()
        self._dice = dice
        self._info: Message = {}
        self._view: Message | None = None
        self._socket: ClientConnection | None = None

    # ------------------------------------------------------------ the line
    async def live(self, port: int) -> int | None:
        """Greets and plays until the connection ends; its close code, if it came to that."""
        here = f"127.0.0.1:{port}"
        page = websockets.Origin(f"http://{here}")
        try:
            async with websockets.connect(
                f"ws://{here}/ws", origin=page, compression=None, ping_interval=None, open_timeout=None, proxy=None
            ) as self._socket:
                hello = {"type": "hello", "protocol": 1, "table": self.table, "token": self.token}
                await self._send({**hello, "have": self.version})
                async for frame in self._socket:
                    await self._hear(json.loads(frame))
            return self._socket.close_code
        except websockets.ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None
        except websockets.InvalidStatus as refused:
            if refused.response.status_code != 503:  # it stops, and lets nobody in
                raise
            return None
        except (OSError, websockets.InvalidMessage):  # killed before the connection was there
            return None

    async def _send(self, message: Message) -> None:
        assert self._socket is not None
        with suppress(websockets.ConnectionClosed):  # there may be more to read all the same
            await self._socket.send(json.dumps(message))

    # ------------------------------------------------------------ listening
    async def _hear(self, message: Message) -> None:
        self.heard += 1
        hear = getattr(self, f"_hear_{message['type']}", None)
        if hear is not None:
            await hear(message)

    async def _hear_welcome(self, message: Message) -> None:
        assert self.version is None or message["version"] >= self.version, "the table went back"
        self.welcomes.append((self.version, message))
        self._learn(message)
        self._to_ask = self._dice.sample(sorted(self.acks), min(self.curious, len(self.acks)))
        await self._ask_again()
        for command in list(self.pending.values()):
            await self._send(command)
        await self._open()
        await self._act()

    async def _hear_update(self, message: Message) -> None:
        assert self.version is not None
        assert message["version"] == self.version + 1, f"after version {self.version} comes {message['version']}"
        self.updates.append(message)
        self._learn(message)
        await self._open()
        await self._act()

    def _learn(self, message: Message) -> None:
        assert message["you"] == self.seat
        self.version, self._view, self.clock = message["version"], message["view"], message["clock"]
        self._info = message["table"] or self._info

    async def _hear_ack(self, message: Message) -> None:
        cmd_id, version = message["cmd_id"], message["version"]
        if cmd_id.startswith(OPENING):
            return
        assert cmd_id not in self.refused, "refused, then acknowledged"
        assert self.acks.setdefault(cmd_id, version) == version, "a command became two versions"
        self.pending.pop(cmd_id, None)
        self._asked.discard(cmd_id)
        if not self._asked:
            await self._ask_again()
        if self.version is not None and version <= self.version:  # it was carried out before: no update will come
            await self._act()

    async def _hear_refused(self, message: Message) -> None:
        cmd_id = message["cmd_id"]
        if cmd_id is None:  # the greeting
            await self._hear_bye(message)
            return
        if cmd_id.startswith(OPENING):
            return
        assert cmd_id not in self.acks, "acknowledged, then refused"
        self.refused[cmd_id] = message["code"]
        self.pending.pop(cmd_id, None)
        await self._act()

    async def _hear_ping(self, message: Message) -> None:
        await self._send({"type": "pong", "n": message["n"]})

    async def _hear_bye(self, message: Message) -> None:
        assert message["code"] == "shutting-down", message["message"]
        self.byes += 1

    # ------------------------------------------------------------ speaking
    @property
    def settled(self) -> bool:
        """It is welcomed, and has the answer to all that it sent."""
        return bool(self.welcomes) and not (self.pending or self._asked or self._to_ask)

    async def _ask_again(self) -> None:
        """About some of what was acknowledged already."""
        some, self._to_ask = self._to_ask[:20], self._to_ask[20:]  # not too fast
        self._asked = set(some)
        for cmd_id in some:
            await self._send(self.said[cmd_id])

    async def _act(self) -> None:
        request = self._wish() if self.plays and self.token and not self.pending else None
        if request is None:
            return
        cmd_id = f"c{len(self.said)}"
        self.said[cmd_id] = self.pending[cmd_id] = {"cmd_id": cmd_id, **request}
        for _ in range(1 + (self._dice.random() < 0.1)):  # now and then twice at once
            await self._send(self.said[cmd_id])

    @property
    def _value(self) -> bytes:
        """Another one for every seat and match."""
        return sha256(f"{self._info['fairness']['commitment']} {self.seat}".encode()).digest()

    async def _open(self) -> None:
        """Nothing is kept of it before the deal, so that it is not asked for again."""
        if self.plays and self.seat is not None and self._info["phase"] == "starting":
            await self._send({"type": "open", "cmd_id": f"{OPENING}{self.heard}", "value": self._value.hex()})

    def _wish(self) -> Message | None:
        """Anything legal on turn; out of turn everything that is never too late, and sometimes what may be."""
        phase, me = self._info["phase"], self._info["seats"][self.seat]
        if phase == "playing" and self._view is not None and self._view["legal"]:
            if self._view["to_act"] == self.seat or self._dice.random() < 0.5:
                return {"type": "move", "version": self.version, "move": self._move(self._view["legal"])}
        elif phase == "between" and not me["ready"]:
            return {"type": "ready"}
        elif phase == "over" and me["host"]:
            return {"type": "rematch"}
        elif phase == "waiting":
            return self._wish_before_the_start(me)
        return None

    def _wish_before_the_start(self, me: Message) -> Message | None:
        fairness = self._info["fairness"]
        mine = pledge_of(fairness["commitment"], self._value)
        if fairness["pledges"][self.seat] != mine:
            return {"type": "pledge", "pledge": mine}
        seats = zip(self._info["seats"], fairness["pledges"], strict=True)
        all_in = all(seat["kind"] == "bot" or pledge is not None for seat, pledge in seats)
        return {"type": "start"} if me["host"] and all_in else None

    def _move(self, legal: list[str]) -> str:
        """Any, but seldom to draw: rounds shall end."""
        bold = [move for move in legal if move != "draw"]
        return self._dice.choice(bold if bold and self._dice.random() < 0.9 else legal)


def agree(witness: Witness, ledger: CommittedTable) -> None:
    """Nothing that was told is lost, nothing was told that is not committed.  What was compared is then forgotten."""
    who = witness.seat
    for have, welcome in witness.welcomes:
        version = welcome["version"]
        assert version <= ledger.version, "somebody was welcomed with what was not committed"
        if welcome["missed"] is not None or have is None or have > version - TAIL:  # else a snapshot may be newer
            assert welcome["missed"] == ledger.missed(who, have, version)
        assert welcome["view"] == ledger.views[version][who]
    for update in witness.updates:
        version = update["version"]
        assert version <= ledger.version, "what was not committed was shown"
        assert update["events"] == ledger.events[version][who]
        assert update["view"] == ledger.views[version][who]
    witness.welcomes.clear()
    witness.updates.clear()
    assert who is not None or not witness.said
    for cmd_id, version in witness.acks.items():
        assert ledger.commands.get((who or 0, cmd_id)) == version, "what was acknowledged was lost"
        entry, said = ledger.entries[version - 1], witness.said[cmd_id]
        assert type(entry) is WRITTEN_AS[said["type"]]
        assert getattr(entry, "move", None) == said.get("move")
    for cmd_id in witness.refused:
        assert (who or 0, cmd_id) not in ledger.commands, "what was refused was carried out"

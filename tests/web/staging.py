"""Scenes found by trying seeds: a match that has come to the point a test wants, and people to play it there."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from flipdeck.core.match import Match
from tests.cli.processes import ask
from tests.patience import HANG

from .playing import Person

MOST_SEEDS = 4000
PLAIN = {"turn_seconds": 0, "grace_ms": 0, "speed": "fast", "next_round_seconds": 300}


@dataclass(frozen=True)
class StagedScene:
    seed: bytes
    said: tuple[tuple[int, str], ...]  # what leads to it, from the deal


def scene(
    wanted: Callable[[Match], bool],
    players: int = 2,
    options: dict[str, object] | None = None,
    edition: str = "classic",
    moves: int = 0,
) -> StagedScene:
    """The first seed with which, after so many moves (each the first that is no draw), it is as wanted."""
    for number in range(MOST_SEEDS):
        seed = number.to_bytes(32, "big")
        match = Match(edition, players, options=options or {}, seed=seed)
        said: list[tuple[int, str]] = []
        while len(said) <= moves and match.to_act is not None:
            if wanted(match):
                return StagedScene(seed, tuple(said))
            seat = int(match.to_act)
            move = str(simplest(match, seat))
            match.say(seat, move)
            said.append((seat, move))
    raise AssertionError(f"none of {MOST_SEEDS} seeds leads there")


def simplest(match: Match, seat: int) -> str:
    """A number if one fits, else what else can be played, else a draw: scenes without surprises are easy to find."""
    texts = [str(move) for move in match.legal(seat) if not str(move).startswith(("catch", "uno"))]
    return min(texts, key=lambda text: (text == "draw", text.startswith("W"), not text[1:2].isdigit(), text))


class SeatSocket:
    """Somebody at a table without a browser: a websocket that says what a test wants."""

    def __init__(self, line: ClientConnection, code: str, token: str | None) -> None:
        self.line = line
        self.version = 0
        self.view: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self._commands = 0
        self._send(type="hello", protocol=1, table=code, token=token)
        self.hear(lambda message: message["type"] == "welcome")

    def hear(self, wanted: Callable[[dict[str, Any]], bool], seconds: float = HANG) -> dict[str, Any]:
        """Everything up to the message that is wanted."""
        while True:
            message: dict[str, Any] = json.loads(self.line.recv(timeout=seconds))
            if message["type"] == "ping":
                self._send(type="pong", n=message["n"])
            if message["type"] in ("welcome", "update"):
                self.version = message["version"]
                self.view = message["view"] or self.view
                self.table = message["table"] or self.table
                self.events += message.get("events", ())
            if wanted(message):
                return message

    @property
    def is_on_turn(self) -> bool:
        return self.view.get("to_act") == self.view.get("you")

    def on_turn(self) -> None:
        while not self.is_on_turn:
            self.hear(lambda message: message["type"] == "update")

    def say(self, move: str) -> dict[str, Any]:
        return self.command("move", move=move, version=self.version)

    def draw(self) -> None:
        """Draw a card and keep it, whatever it is."""
        for move in ("draw", "keep"):
            assert self.say(move)["type"] == "ack"
            self.hear(lambda message: message["type"] == "update")

    def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        self._commands += 1
        name = f"c{self._commands}"
        self._send(type=kind, cmd_id=name, **fields)
        return self.hear(lambda message: message.get("cmd_id") == name and message["type"] in ("ack", "refused"))

    def _send(self, **message: Any) -> None:
        self.line.send(json.dumps(message))


def line_to(address: str) -> AbstractContextManager[ClientConnection]:
    place = f"ws{address.removeprefix('http')}/ws"
    return connect(place, origin=Origin(address), open_timeout=HANG, ping_interval=None)


def make_table(
    address: str, name: str = "Ana", bots: dict[str, str] | None = None, start: bool = False, **settings: Any
) -> Any:
    body = {"name": name, "settings": {**PLAIN, **settings}, "bots": bots or {}, "start": start}
    status, seated = ask(f"{address}/api/tables", body)
    assert status == 201, seated
    return seated


def join(address: str, code: str, name: str) -> Any:
    status, seated = ask(f"{address}/api/tables/{code}/seats", {"name": name})
    assert status == 201, seated
    return seated


def lead(seats: Sequence[SeatSocket | None], scene: StagedScene) -> None:
    """Say what leads to the scene, as far as these people say it (None: somebody in a browser)."""
    for number, move in scene.said:
        seat = seats[number]
        assert seat is not None, "this scene needs the browser to play first"
        seat.on_turn()
        assert seat.say(move)["type"] == "ack"


def plays(match: Match, seat: int, face: str) -> list[str]:
    """What a seat may play whose light face begins so, without a word of UNO."""
    return [text for text in map(str, match.legal(seat)) if text.startswith(face) and not text.endswith("!")]


Stage = Callable[..., tuple[Person, SeatSocket, SeatSocket]]

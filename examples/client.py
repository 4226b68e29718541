#!/usr/bin/env python3
"""A client for the online table (docs/wire.md): it makes a table or joins one, and plays moves that are legal.

    examples/client.py http://127.0.0.1:8000                      makes a table for two, and tells its code
    examples/client.py http://127.0.0.1:8000 --table K7QM-2XRD    sits down there

It needs the package ``websockets``, which ``pip install 'flipdeck[server]'`` brings.  It knows no rules: the server
lists what is legal.  Connections may be lost and the server may restart: it connects again, and repeats what was not
answered.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import random
import secrets
import time
import urllib.error
import urllib.request
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

Message = dict[str, Any]
FINAL = {1008, 1009, 4000, 4001, 4003, 4004}  # close codes after which a program stays away
PAUSES = [0.2, 0.5, 1, 2, 5, 10]  # seconds before another try; the last is for all that follow


def route_of(code: str) -> str:
    """What a proxy in front of several servers goes by: the people of a table get to the same one."""
    plain = code.replace("-", "").upper()
    return hashlib.sha256(b"flipdeck route\n" + plain.encode()).hexdigest()[:4]


def post(url: str, body: Message) -> Message:
    """Until there is an answer: the token in the body makes sure that it is done once."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310
    for pause in itertools.chain(PAUSES, itertools.repeat(PAUSES[-1])):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # status 201
                seated: Message = json.load(answer)
                return seated
        except urllib.error.HTTPError as refused:
            if refused.code not in (429, 500, 502, 503, 504):
                raise SystemExit(f"Refused: {json.load(refused)['message']}") from None
            time.sleep(float(refused.headers.get("Retry-After", pause)))
        except OSError:
            time.sleep(pause)
    raise AssertionError("it tries for ever")


class Player:
    def __init__(self, server: str, seated: Message, matches: int, pause: float) -> None:
        self.url = f"{server.replace('http', 'ws', 1)}/ws?t={route_of(seated['code'])}"
        self.code, self.token = seated["code"], seated["token"]
        self.matches, self.pause = matches, pause
        self.version = self.needed = 0  # the version that is known, and the one to wait for before the next command
        self.you = 0
        self.table: Message = {}
        self.view: Message | None = None
        self.pending: Message | None = None  # the command that was not answered yet
        self.retry_after = 0.0  # seconds, where the server has said when to come back

    def play(self) -> None:
        """Connect, again and again if need be, until the last match is over."""
        tries = 0
        while True:
            try:
                with connect(self.url, max_size=None) as socket:
                    self.greet(socket)
                    tries = 0
                    while not self.is_done():
                        self.hear(socket, json.loads(socket.recv()))
                    return
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in FINAL:
                    raise SystemExit(f"The server closed the connection: {closed.rcvd.code}.") from None
            except (OSError, InvalidStatus):
                pass  # it is not there, or too busy
            pause = PAUSES[min(tries, len(PAUSES) - 1)] * random.uniform(0.5, 1)  # noqa: S311
            time.sleep(max(pause, self.retry_after))
            tries, self.retry_after = tries + 1, 0.0

    def greet(self, socket: ClientConnection) -> None:
        hello = {"type": "hello", "protocol": 1, "table": self.code, "token": self.token}
        self.send(socket, {**hello, "have": self.version} if self.version else hello)
        while (message := json.loads(socket.recv()))["type"] != "welcome":
            self.hear(socket, message)
        self.hear(socket, message)
        if self.pending is not None:  # the very same command: if it was carried out, this only brings its answer
            self.send(socket, self.pending)

    def hear(self, socket: ClientConnection, message: Message) -> None:
        kind = message["type"]
        if kind == "ping":
            self.send(socket, {"type": "pong", "n": message["n"]})
        elif kind in ("welcome", "update"):
            self.version, self.you, self.view = message["version"], message["you"], message["view"]
            self.table = message["table"] or self.table
        elif kind in ("ack", "refused") and self.pending and message["cmd_id"] == self.pending["cmd_id"]:
            self.pending, self.needed = None, message["version"]
            if kind == "refused":
                print(message["message"], flush=True)
        elif kind == "refused" or kind == "bye":
            print(message["message"], flush=True)
            self.retry_after = message["facts"].get("retry_after", 0.0)
        if self.table and self.pending is None and self.version >= self.needed and (wish := self.choose()):
            time.sleep(self.pause)
            self.pending = {"cmd_id": secrets.token_urlsafe(8), **wish}
            self.send(socket, self.pending)

    def choose(self) -> Message | None:
        """The command to send now, if there is one."""
        seats, phase = self.table["seats"], self.table["phase"]
        me = seats[self.you]
        if phase == "waiting" and me["host"] and all(seat["kind"] != "empty" for seat in seats):
            return {"type": "start"}
        if phase == "playing" and self.view is not None and self.view["to_act"] == self.you:
            plays = [move for move in self.view["legal"] if move not in ("draw", "keep", "pass")]
            said = [move for move in plays if move.endswith("!")]  # with UNO, where it is due
            move = random.choice(said or plays or self.view["legal"])  # noqa: S311
            return {"type": "move", "version": self.version, "move": move}
        if phase == "between" and not me["ready"]:
            return {"type": "ready"}
        if phase == "over" and me["host"] and self.table["match"] < self.matches:
            return {"type": "rematch"}
        return None

    def is_done(self) -> bool:
        return bool(self.table["phase"] == "over" and self.table["match"] >= self.matches)

    def send(self, socket: ClientConnection, message: Message) -> None:
        socket.send(json.dumps(message))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("--table", help="the code of the table to join; none: make one")
    parser.add_argument("--name", default="Robin")
    parser.add_argument("--settings", type=json.loads, default={"seats": 2}, help="of the table to make, as JSON")
    parser.add_argument("--matches", type=int, default=1, help="how many to play")
    parser.add_argument("--pause", type=float, default=0.2, help="seconds before each command: servers limit the rate")
    asked = parser.parse_args()
    mine = {"name": asked.name, "token": secrets.token_urlsafe(16)}
    if asked.table:
        seated = post(f"{asked.server}/api/tables/{asked.table}/seats?t={route_of(asked.table)}", mine)
    else:
        seated = post(f"{asked.server}/api/tables", {**mine, "settings": asked.settings})
        print(f"table {seated['code']}", flush=True)
    player = Player(asked.server, seated, asked.matches, asked.pause)
    player.play()
    print(f"scores {player.table['rounds'][-1]['scores']}")
    print(f"record {asked.server}/api/replays/{player.table['replay']}")


if __name__ == "__main__":
    main()

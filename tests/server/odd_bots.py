"""A worker with bots that go wrong, each in its own way: ``python -m tests.server.odd_bots [PORT]``.

It is the worker of the house in all else: the levels it does not know are those of the ladder.  Whoever listens at the
port hears of what takes its time (``houses.Thought``): a bot that waits, one that never ends, a search that is loaded.
Each says what it is, and waits there until it is told to go on.
"""

from __future__ import annotations

import os
import socket
import sys

from flipdeck.bots import Bot
from flipdeck.bots.registry import bot_named
from flipdeck.core.notation import Move, SayUno
from flipdeck.core.view import View
from flipdeck.server.default_move import default_move
from flipdeck.server.thinkers import memories, worker

NAMES = ("broken", "fatal", "cheat", "loud", "endless", "waits")
BROKEN_COMPILER, LOST_COMPILER = "broken-compiler", "lost-compiler"
PORT = int(sys.argv[-1]) if sys.argv[-1].isdigit() else None
LOADING, SEARCHING = "loading", "searching"


def wait_for_a_word(what: str) -> None:
    if PORT is not None:
        with socket.create_connection(("127.0.0.1", PORT)) as line:
            line.sendall(f"{what}\n".encode())
            line.recv(1)


class Odd:
    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: View, *_: object) -> Move:
        if self.name == "broken":
            raise RuntimeError("lost my cards")
        if self.name == "cheat":
            return SayUno()
        if self.name == "loud":
            print("I have got the best cards!", flush=True)
            os.write(1, b"\x00" * 64)
        if self.name in ("fatal", "waits", "endless"):
            wait_for_a_word(self.name)
        if self.name == "fatal":
            os._exit(3)
        while self.name == "endless":
            pass
        return default_move(view)

    interrupt = choose

    def close(self) -> None:
        pass


def odd_or_even(level: str) -> Bot:
    if level.startswith("master"):
        wait_for_a_word(SEARCHING)
    return Odd(level) if level in NAMES else bot_named(level)


def load_when_told() -> None:
    if sys.argv[-1] == BROKEN_COMPILER:
        raise RuntimeError("LLVM is not here")
    if sys.argv[-1] == LOST_COMPILER:
        os._exit(3)
    wait_for_a_word(LOADING)  # what it loads is loaded when it is used


if __name__ == "__main__":
    setattr(memories, "bot_named", odd_or_even)  # noqa: B010  # mypy would not have it as an assignment
    setattr(worker, "load_search", load_when_told)  # noqa: B010
    worker.main()

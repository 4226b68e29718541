"""A worker with bots that go wrong, each in its own way: ``python -m tests.server.odd_bots``.

It is the worker of the house in all else: the levels it does not know are those of the ladder.
"""

from __future__ import annotations

import os
import time

from flipdeck.bots import Bot
from flipdeck.bots.registry import bot_named
from flipdeck.core.notation import Move, SayUno
from flipdeck.core.view import View
from flipdeck.server.default_move import default_move
from flipdeck.server.thinkers import memories, worker

NAMES = ("broken", "fatal", "cheat", "loud", "endless", "slow")


class Odd:
    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: View, *_: object) -> Move:
        if self.name == "broken":
            raise RuntimeError("lost my cards")
        if self.name == "fatal":
            os._exit(3)
        if self.name == "cheat":
            return SayUno()
        if self.name == "loud":
            print("I have got the best cards!", flush=True)
            os.write(1, b"\x00" * 64)
        end = time.monotonic() + {"endless": 3600.0, "slow": 0.7}.get(self.name, 0.0)
        while time.monotonic() < end:
            pass
        return default_move(view)

    interrupt = choose

    def close(self) -> None:
        pass


def odd_or_even(level: str) -> Bot:
    return Odd(level) if level in NAMES else bot_named(level)


if __name__ == "__main__":
    setattr(memories, "bot_named", odd_or_even)  # noqa: B010  # mypy would not have it as an assignment
    worker.main()

"""Programs for tests of bots that are programs: written into a folder, started for real, and gone when the test is."""

from __future__ import annotations

import itertools
import os
import random
import select
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flipdeck.bots import Bot, program
from flipdeck.bots.belief.memory import Memory
from flipdeck.bots.external import ExternalBot
from flipdeck.bots.match_runner import MatchRunner
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.random_bot import RandomBot
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.core.view import View
from tests.patience import HANG

NEVER = HANG  # a limit that no program reaches; one that does has failed the test
A_TICK = 0.001  # seconds: the limit for programs that never answer; the clocks below say when it is over
FAR = 10.0  # seconds: beyond any limit of a tick

# every program says that it was started, can be asked in one word, and leaves at the end of its input
_PROLOGUE = """
import json, os, select, signal, subprocess, sys, time
with open({pids!r}, "a") as pids:
    print(os.getpid(), file=pids)
START = len(open({pids!r}).readlines())  # 1 for the first that is started, then 2 …
def asked():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)
def say(text):
    print(text, flush=True)
def lifeline():
    return os.open({lifeline!r}, os.O_WRONLY)
def here():
    os.write(lifeline(), b".")
"""


class Workshop:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bots: list[ExternalBot] = []
        os.mkfifo(folder / "lifeline")
        self._lifeline = os.open(folder / "lifeline", os.O_RDONLY | os.O_NONBLOCK)

    def command(self, body: str) -> str:
        """The command that starts a program; it shares ``say``, ``asked`` and the rest."""
        prologue = _PROLOGUE.format(pids=str(self._folder / "pids"), lifeline=str(self._folder / "lifeline"))
        script = self._folder / f"program {len(list(self._folder.iterdir()))}.py"
        script.write_text(prologue + body, encoding="utf-8")
        return shlex.join([sys.executable, "-I", "-S", str(script)])

    def bot(self, body: str, seconds: float = NEVER) -> ExternalBot:
        return self.named(self.command(body), seconds)

    def named(self, command: str, seconds: float = NEVER) -> ExternalBot:
        self._bots.append(ExternalBot(command, seconds))
        return self._bots[-1]

    @property
    def started(self) -> list[int]:
        """The numbers of all processes that came to life so far."""
        pids = self._folder / "pids"
        return [int(line) for line in pids.read_text().splitlines()] if pids.exists() else []

    def read_lifeline(self, want: bytes) -> None:
        """Wait until somebody writes this to the lifeline."""
        heard = b""
        while want not in heard:
            assert self._ready(), "nothing comes"
            more = os.read(self._lifeline, 100)
            assert more, f"whoever held it left with {heard!r}"
            heard += more

    def is_heard(self) -> bool:
        """Somebody has written to the lifeline since this was asked last."""
        try:
            return bool(os.read(self._lifeline, 1))
        except BlockingIOError:
            return False

    def assert_lifeline_cut(self) -> None:
        """Nobody who held the lifeline lives: the system closes it for them, whoever their parent is."""
        assert self._ready(), "somebody still lives"
        assert os.read(self._lifeline, 100) == b""

    def _ready(self) -> bool:
        poll = select.poll()
        poll.register(self._lifeline, select.POLLIN)
        return bool(poll.poll(NEVER * 1000))

    def close(self) -> None:
        for bot in self._bots:
            bot.close()
        os.close(self._lifeline)
        for pid in self.started:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    """Whatever a test does, no process of it is left and no file is left open."""
    before = open_files()
    workshop = Workshop(tmp_path)
    yield workshop
    workshop.close()
    assert open_files() == before


def open_files() -> set[str]:
    return {name for name in os.listdir("/dev/fd") if Path("/dev/fd", name).exists()}


# ---------------------------------------------------------------- time
@contextmanager
def stopped_clock(workshop: Workshop) -> Iterator[None]:
    """Time stands still until a program says that it is ``here()``; then every limit is over.

    So a program that hangs has come to where it hangs, on the slowest machine, and nobody waits longer than that.
    It must not say so before it has its question: the limit begins just before that is sent.
    """
    now = 0.0

    def monotonic() -> float:
        nonlocal now
        now += FAR * workshop.is_heard()
        return now

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "time", SimpleNamespace(monotonic=monotonic))
        yield


@contextmanager
def ticking_clock() -> Iterator[None]:
    """Time goes on by a tick whenever somebody looks, and not otherwise."""
    ticks = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "time", SimpleNamespace(monotonic=lambda: next(ticks) * A_TICK))
        yield


# ---------------------------------------------------------------- playing
class CountingBot:
    """A bot that counts what it is asked."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.questions = 0

    @property
    def name(self) -> str:
        return self.bot.name

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        self.questions += 1
        return self.bot.choose(view, legal, memory, rng)

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        self.questions += 1
        return self.bot.interrupt(view, legal, memory, rng)

    def close(self) -> None:
        self.bot.close()


def play(*bots: Bot, players: int = 2, rounds: int = 1, seed: str = "abc", **options: Any) -> int:
    """Whole rounds among these bots and random ones; how many questions the first was asked.

    The table refuses whatever is illegal, so rounds that end were legal.
    """
    match = Match(players=players, seed=seed, options=options)
    first, *others = bots
    counted = CountingBot(first)
    sitting: list[Bot] = [counted, *others, *(RandomBot() for _ in range(players - len(bots)))]
    seats = {
        seat: BotPlayer(bot, seat, players, match.options, random.Random(seat)) for seat, bot in enumerate(sitting)
    }
    table = MatchRunner(match, seats, random.Random(5))
    for _ in range(rounds):
        table.play_round()
        if match.over:
            break
        match.next_round()
    return counted.questions


def ask(bot: Bot, match: Match, seat: int | None = None) -> Move | None:
    """What a bot says now: in this seat, or else as the player on turn."""
    who = match.to_act if seat is None else seat
    assert who is not None
    return BotPlayer(bot, who, match.players, match.options, random.Random(1)).answer(match.view(who))

"""A match whose seats are asked through the port to the thinkers, as a table asks them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from flipdeck.bots.player import BotPlayer, worth_asking
from flipdeck.core.events import Event
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.server.thinkers.port import Question, Shown, Thinkers

MOVES = 5_000  # of a match of these tests: far more than one needs


class Desk:
    def __init__(self, match: Match, levels: Iterable[str], name: str = "table") -> None:
        self.match = match
        self.levels = tuple(levels)
        self.name = name
        self.asked = [0] * match.players  # how many of what a seat was shown came with a question
        self.shown: list[list[Shown]] = [[] for _ in range(match.players)]
        self.show(match.history[-1].dealt)

    def show(self, events: Iterable[Event]) -> None:
        events = tuple(events)
        for seat, shown in enumerate(self.shown):
            shown.append(Shown(self.match.seen(events, seat), self.match.view(seat)))

    def question(self, seat: int | None = None, level: str | None = None) -> Question:
        """What the seat was shown since the last one, or the present again; the seat on turn, unless one is named."""
        place = self.on_turn if seat is None else seat
        everything = self.shown[place]
        first = min(self.asked[place], len(everything) - 1)
        self.asked[place] = len(everything)
        shown = everything[first:]
        who = f"{self.name}/{place}"
        return Question(who, level or self.levels[place], self.match.players, self.match.options, first, tuple(shown))

    @property
    def on_turn(self) -> int:
        assert self.match.to_act is not None
        return self.match.to_act

    def say(self, seat: int, move: Move) -> None:
        self.show(self.match.say(seat, move))

    async def one_move(self, thinkers: Thinkers) -> None:
        """Whoever may interrupt is asked before the seat on turn; a move that is not legal is refused by the match."""
        on_turn = self.on_turn
        others = [seat for seat in range(self.match.players) if seat != on_turn and worth_asking(self.match.view(seat))]
        for seat in (*others, on_turn):
            move = (await thinkers.ask(self.question(seat))).move
            if move is not None:
                self.say(seat, move)
                return
        raise AssertionError(f"seat {on_turn} is on turn and says nothing")

    async def play_beside(self, thinkers: Thinkers, players: Sequence[BotPlayer]) -> int:
        """A round in which players here are shown the same, and must say the same; how many moves it took."""
        said = 0
        while not self.match.round.over:
            seat = self.on_turn
            question = self.question(seat)
            for shown in question.shown:
                players[seat].see(shown.events, shown.view)
            move = (await thinkers.ask(question)).move
            assert move == players[seat].answer(question.shown[-1].view)
            assert move is not None
            self.say(seat, move)
            said += 1
        return said

    async def play(self, thinkers: Thinkers, rounds: int = 1000) -> None:
        for _ in range(MOVES):
            if self.match.round.over:
                rounds -= 1
                if self.match.over or not rounds:
                    return
                self.show(self.match.next_round())
            await self.one_move(thinkers)
        raise AssertionError("the match does not end")


# the tests are no part of what is installed, so the worker is told where they are
FROM_HERE = "import sys, runpy; sys.path.insert(0, sys.argv[1]); runpy.run_module(sys.argv[2], run_name='__main__')"
ODD = (sys.executable, "-c", FROM_HERE, str(Path(__file__).parents[2]), "tests.server.odd_bots")


def desk(seed: str = "abc", level: str = "regular", name: str = "table") -> Desk:
    return Desk(Match(players=3, seed=seed, options={"target": 60}), [level] * 3, name)

"""A match from the first move to the last: asks the seats, carries out what they say, tells what happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..bots import Bot
from ..core.cards import Seat
from ..core.events import Event
from ..core.match import Match
from ..core.notation import Catch, Move
from ..core.view import View

Player = Callable[[View], Move | None]


def bot_player(bot: Bot, rng: random.Random) -> Player:
    return lambda view: bot.choose(view, rng)


class Table:
    def __init__(
        self,
        match: Match,
        players: Mapping[int, Player],
        rng: random.Random,
        tell: Callable[[Iterable[Event]], None],
    ) -> None:
        self._match = match
        self._players = players
        self._rng = rng
        self._tell = tell

    def play_round(self) -> None:
        """All moves of the round that was dealt."""
        while not self._match.round.over:
            self._one_move()

    def _one_move(self) -> None:
        """Whoever may interrupt is asked once, in any order, then the player on turn; the first word counts."""
        on_turn = self._match.to_act
        catchable = self._match.view(None).catchable
        seats = (Seat(seat) for seat in range(self._match.players) if seat != on_turn)
        others = [seat for seat in seats if self._may_interrupt(seat, catchable)]
        self._rng.shuffle(others)
        for seat in (*others, on_turn):
            assert seat is not None  # noqa: S101  # somebody is on turn until the round is over
            move = self._players[seat](self._match.view(seat))
            if move is not None:
                self._tell(self._match.say(seat, move))
                return
        raise RuntimeError(f"seat {on_turn} is on turn and says nothing")

    def _may_interrupt(self, seat: Seat, catchable: Sequence[Seat]) -> bool:
        """There is something to say that matters: a catch in vain is nothing to be asked about."""
        return any(not isinstance(move, Catch) or move.seat in catchable for move in self._match.legal(seat))

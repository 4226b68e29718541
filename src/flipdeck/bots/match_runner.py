"""Runs the rounds of a match: asks the seats, applies their moves, shows each seat what it may see."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ..core.cards import Seat
from ..core.events import Event
from ..core.match import Match
from ..core.notation import Move
from ..core.view import View
from .player import is_forced_keep, worth_asking


class Participant(Protocol):
    """Whoever sits at the table: a ``BotPlayer``, or a person."""

    def see(self, events: Iterable[Event], view: View) -> None: ...
    def answer(self, view: View) -> Move | None: ...


def replay_for(
    match: Match, seat: Seat, see: Callable[[Iterable[Event], View], object], moves: int | None = None
) -> Match:
    """Play a match again, up to so many moves; ``see`` gets what the seat saw of every deal and move."""
    again = Match(
        match.edition.name,
        match.players,
        seed=match.seed,
        options=match.options.differences(match.edition.options),
        dealer=match.given_dealer,
        deck=match.given_deck,
    )
    left = sum(len(played.said) for played in match.history) if moves is None else moves
    for played in match.history:
        if played.number > 1:
            again.next_round()
        see(again.seen(again.history[-1].dealt, seat), again.view(seat))
        for said in played.said:
            if left == 0:
                return again
            left -= 1
            see(again.seen(again.say(said.seat, said.move), seat), again.view(seat))
    return again


class MatchRunner:
    def __init__(
        self,
        match: Match,
        seats: Mapping[int, Participant],
        rng: random.Random,
        tell: Callable[[Iterable[Event]], None] | None = None,
    ) -> None:
        """``tell`` gets every event, with hidden cards; ``rng`` orders the interrupters."""
        self._match = match
        self._seats = seats
        self._rng = rng
        self._tell = tell
        self._views: dict[int, View] = {}  # by seat, after the last move

    def play_round(self) -> int:
        """Play the round that was dealt to its end; the number of turns it took, without forced keeps."""
        turns = 0
        self._show(self._match.history[-1].dealt)
        while not self._match.round.over:
            turns += self._one_move()
        return turns

    def _one_move(self) -> bool:
        """Ask the possible interrupters in random order, then the player on turn; apply the first move.

        True if the player on turn made it, and had a choice.
        """
        match = self._match
        on_turn = match.to_act
        others = [seat for seat in self._seats if seat != on_turn] if self._open_to_all() else []
        self._rng.shuffle(others)
        for seat in (*others, on_turn):
            assert seat is not None  # noqa: S101  # there is a player on turn until the round is over
            view = self._views[seat]
            if seat != on_turn and not worth_asking(view):
                continue
            move = self._seats[seat].answer(view)
            if move is not None:
                self._show(match.say(seat, move))
                return seat == on_turn and not is_forced_keep(view)
        raise RuntimeError(f"seat {on_turn} is on turn and made no move")

    def _open_to_all(self) -> bool:
        """A seat that is not on turn may have a move."""
        return self._match.options.jump_in or any(view.catchable for view in self._views.values())

    def _show(self, events: Iterable[Event]) -> None:
        events = tuple(events)
        if self._tell:
            self._tell(events)
        for seat, sitting in self._seats.items():
            self._views[seat] = self._match.view(seat)
            sitting.see(self._match.seen(events, seat), self._views[seat])

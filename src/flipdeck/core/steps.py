"""A match played again, move by move: for whoever analyses it.

for step in match.steps():
    view = step.match.view(step.seat)  # what the seat could see when it decided
    print(step.seat, step.move, len(view.legal))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .cards import Seat
from .events import Event
from .match import Match
from .notation import Move


class Step(NamedTuple):
    """One move of a match that is played again."""

    match: Match  # as it stood before the move; it is played on when the next step is asked for
    seat: Seat
    move: Move
    events: tuple[Event, ...]  # what the move caused, all cards open

    def __repr__(self) -> str:
        return f"<Step: seat {self.seat} says {self.move}>"


def steps_of(match: Match) -> Iterator[Step]:
    whole = match if all(played.dealt for played in match.history) else type(match).from_record(match.record())
    now = type(match)(
        match.edition.name,
        match.players,
        seed=match.secret,
        options=match.options,
        dealer=match.given_dealer,
        deck=match.given_deck,
        values=match.values,
    )
    for played in whole.history:
        if played.number > 1:
            now.next_round()
        for said in played.said:
            yield Step(now, said.seat, said.move, said.events)
            now.say(said.seat, said.move)

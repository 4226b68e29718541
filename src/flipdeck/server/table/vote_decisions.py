"""Decides votes against slow players: all other people who are there can have a bot play on.

Slow is who takes nearly all of the clock three turns in a row.  Whose turns those are and how long they take is public
already, so a vote tells nothing about cards.
"""

from __future__ import annotations

from collections.abc import Collection

from ...wire import client_messages
from ...wire.errors import TableRefusal
from . import entries
from .entries import AnyEntry
from .host_decisions import address_to_keep_out, seat_at
from .seat_decisions import STAND_IN
from .seats import SeatState
from .state import TableState

FEWEST_SEATS = 3  # at a table of two it would be one against the other


def check_not_voted_out(state: TableState, seat_state: SeatState, request: client_messages.Command) -> None:
    """Whoever was voted out can watch and leave; when the match is over they have their say again."""
    if seat_state.voted_out and state.phase != "over" and not isinstance(request, client_messages.Leave):
        raise TableRefusal("voted-out")


def vote_out(
    state: TableState, seat_state: SeatState, request: client_messages.VoteOut, here: Collection[SeatState]
) -> AnyEntry:
    accused, by = seat_at(state, request.seat), state.seat_of(seat_state)
    if accused is seat_state:
        raise TableRefusal("not-now", "own-seat", problem="to give up your own seat, leave.")
    if not _can_be_accused(state, accused):
        problem = "only a slow player can be voted out, at a table of three or more."
        raise TableRefusal("not-now", "not-slow", problem=problem)
    votes = {*accused.votes, by} if request.on else {*accused.votes} - {by}
    if request.on and _are_enough(state, accused, votes, here):
        address = address_to_keep_out(state, accused)
        return entries.StoodIn(
            seat=request.seat, by=by, cmd_id=request.cmd_id, level=STAND_IN, why="voted", address=address
        )
    return entries.Voted(seat=request.seat, by=by, cmd_id=request.cmd_id, on=request.on)


def count_votes(state: TableState, here: Collection[SeatState]) -> AnyEntry | None:
    """Somebody who had not voted has gone: the votes there are may be enough now."""
    for seat, accused in enumerate(state.seats):
        if accused.votes and _can_be_accused(state, accused) and _are_enough(state, accused, accused.votes, here):
            address = address_to_keep_out(state, accused)
            return entries.StoodIn(seat=seat, level=STAND_IN, why="voted", address=address)
    return None


def _can_be_accused(state: TableState, accused: SeatState) -> bool:
    in_match = state.phase in ("playing", "between") and len(state.seats) >= FEWEST_SEATS
    return in_match and accused.kind == "person" and accused.slow and not accused.voted_out


def _are_enough(state: TableState, accused: SeatState, votes: Collection[int], here: Collection[SeatState]) -> bool:
    """Whether all other people have voted: those who are there, and play for themselves."""
    others = {
        seat for seat, each in enumerate(state.seats) if each is not accused and each in here and each.played_by_person
    }
    return bool(others) and others <= {*votes}

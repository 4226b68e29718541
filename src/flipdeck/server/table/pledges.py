"""Decides what seats add to the secret of a match: pledges before the start, their values while it is starting.

A value is not journaled before the deal: nobody can read it anywhere as long as somebody could still choose.  After a
restart the pages open theirs again.
"""

from __future__ import annotations

from collections.abc import Collection

from ...core.seeds import pledge_of
from ...wire.client_messages import Open, Pledge, Start
from ...wire.errors import TableRefusal
from .entries import Frozen, Pledged, Started
from .requests import DealFirst
from .seats import SeatState
from .state import TableState


def decide_value(state: TableState, seat_state: SeatState, request: Pledge | Open) -> Pledged | None:
    """A pledge is an entry; an opened value waits in memory."""
    if isinstance(request, Pledge):
        return _decide_pledge(state, seat_state, request)
    _check_value(state, seat_state, request)
    return None


def _decide_pledge(state: TableState, seat_state: SeatState, request: Pledge) -> Pledged:
    if state.phase != "waiting":
        raise TableRefusal("not-now", "begun", problem="the match has begun.")
    seat = state.seat_of(seat_state)
    return Pledged(seat=seat, by=seat, cmd_id=request.cmd_id, pledge=request.pledge)


def decide_start(state: TableState, seat_state: SeatState, request: Start) -> Frozen | Started:
    """The deal, unless there are values to wait for."""
    by = state.seat_of(seat_state)
    if any(each.pledge is not None for each in state.seats):
        return Frozen(by=by, cmd_id=request.cmd_id, dealer=request.dealer)
    return Started(by=by, cmd_id=request.cmd_id, dealer=request.dealer)


def _check_value(state: TableState, seat_state: SeatState, request: Open) -> None:
    """A TableRefusal if it can't be taken; a value that is in the deal already is fine, and changes nothing."""
    value = bytes.fromhex(request.value)
    if state.match is not None and state.match.values.get(state.seat_of(seat_state)) == value:
        return  # sent again: the answer was lost
    if state.phase != "starting":
        raise TableRefusal("not-now", "not-starting", problem="values are opened while a match is starting.")
    if seat_state.pledge is None:
        raise TableRefusal("not-now", "no-pledge", problem="this seat has pledged no value.")
    if pledge_of(state.commitment, value) != seat_state.pledge:
        raise TableRefusal("wrong-value")


def decide_first_deal(state: TableState, request: DealFirst) -> Started | None:
    if state.phase != "starting" or state.deciding_since != request.version:
        return None
    opened = request.opened
    values = {seat: opened[each].hex() for seat, each in enumerate(state.seats) if each in opened}
    return Started(dealer=state.named_dealer, values=values)


def all_are_in(state: TableState, opened: Collection[SeatState]) -> bool:
    """Whether there is nobody to wait for: whoever has left, or is played by a bot, opens nothing."""
    return all(each.pledge is None or each.sits_in or each in opened for each in state.seats)

"""Decides who gets a seat, and who plays it: people come, go, return, and move to other devices."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

from ...wire import client_messages
from ...wire.errors import TableRefusal
from ...wire.parts import BotLevel
from .. import identity
from ..names import unlike
from . import entries
from .entries import AnyEntry
from .host_decisions import note_host, seat_at
from .requests import Lapse, MoveSeat, NoteGreeting, NoteHost, Return, Sit, StandIn
from .seats import SeatState
from .state import TableState

STAND_IN: BotLevel = "regular"
MISSED_TURNS = 2  # in a row, until a bot stands in


class SittingTerms(TypedDict):
    """Of an entry that gives somebody a seat."""

    name: str
    token: str
    awaits_greeting: bool
    address: str
    local: bool


# ---------------------------------------------------------------- a seat
def sit(state: TableState, request: Sit, here: Collection[SeatState]) -> AnyEntry | None:
    if state.seat_with_token(request.token, identity.same) is not None:
        return None  # a repeated request: the first answer was lost
    if state.is_banned(request.token, request.address.hashed if request.address else ""):
        raise TableRefusal("banned")
    if request.address and any(each.out_address == request.address.hashed for each in state.seats):
        raise TableRefusal("voted-out")
    if state.locked:
        raise TableRefusal("locked")
    address = request.address or identity.PeerAddress("", local=False)
    who = SittingTerms(
        name=unlike(request.name, [*state.names, *request.watchers]),
        token=request.token,
        awaits_greeting=True,
        address=address.hashed,
        local=address.local,
    )
    if state.phase != "waiting":
        return entries.Reserved(seat=_bot_to_replace(state, request.seat), **who)
    free = [seat for seat, seat_state in enumerate(state.seats) if seat_state.kind == "empty"]
    if not free:
        raise TableRefusal("table-full")
    if request.seat is not None and seat_at(state, request.seat).kind != "empty":
        raise TableRefusal("seat-taken", seat=request.seat)
    seat = free[0] if request.seat is None else request.seat
    return entries.Sat(seat=seat, host_here=state.awaits_host and state.host in here, **who)


def _bot_to_replace(state: TableState, seat: int | None) -> int:
    """The seat of a bot that plays for nobody: the one that is asked for, or the first."""
    if not state.settings.takeover:
        raise TableRefusal("not-now", "begun", problem="the match has begun; you can watch.")
    free = [at for at, each in enumerate(state.seats) if each.kind == "bot" and each.next is None]
    if seat is None and free:
        return free[0]
    if seat is None or seat_at(state, seat).kind != "bot":
        problem = "in a match only a bot's own seat can be taken, from the next deal on."
        raise TableRefusal("not-now", "bot-seats-only", problem=problem)
    if seat not in free:
        raise TableRefusal("seat-taken", seat=seat)
    return seat


def takes(state: TableState, here: Collection[SeatState]) -> tuple[int, ...]:
    """The seats that are taken over with the deal: whoever has reserved one has to be there."""
    return tuple(seat for seat, each in enumerate(state.seats) if each.next is not None and each.next in here)


def note_greeting(state: TableState, request: NoteGreeting | NoteHost) -> AnyEntry | None:
    if isinstance(request, NoteHost):
        return note_host(state, request)
    seat = state.place_of(request.seat_state)
    return entries.Greeted(seat=seat) if seat is not None and request.seat_state.awaits_greeting else None


def lapse(state: TableState, request: Lapse, here: Collection[SeatState]) -> AnyEntry | None:
    """A seat is for whoever connects.  A host who is alone keeps nobody waiting."""
    seat_state, seat = request.seat_state, state.place_of(request.seat_state)
    if seat is None or seat_state in here:
        return None
    if seat_state not in state.seats:
        return entries.Unreserved(seat=seat)
    if state.phase != "waiting" or (seat_state is state.host and len(state.people()) == 1):
        return None
    return entries.Cleared(seat=seat)


def move_seat(state: TableState, request: MoveSeat) -> AnyEntry | None:
    if request.token in request.seat_state.tokens:
        return None  # a repeated request
    if request.seat_state not in state.seats or request.seat_state.kind != "person":
        raise TableRefusal("bad-token")
    return entries.Transferred(seat=state.seat_of(request.seat_state), token=request.token)


# ---------------------------------------------------------------- go and return
def leave(state: TableState, seat_state: SeatState, request: client_messages.Leave) -> AnyEntry:
    seat = state.seat_of(seat_state)
    if state.phase == "waiting":
        return entries.Cleared(seat=seat, by=seat, cmd_id=request.cmd_id)
    return entries.StoodIn(seat=seat, by=seat, cmd_id=request.cmd_id, level=STAND_IN, why="left")


def go_back(state: TableState, seat_state: SeatState, request: client_messages.Back) -> AnyEntry:
    if not seat_state.sits_in:
        raise TableRefusal("not-now", "not-away", problem="no bot sits in for you.")
    seat = state.seat_of(seat_state)
    return entries.Returned(seat=seat, by=seat, cmd_id=request.cmd_id)


def return_to_seat(state: TableState, request: Return, here: Collection[SeatState]) -> AnyEntry | None:
    seat_state = request.seat_state
    if seat_state not in here:
        return None  # gone again: the table would wait for nobody
    if seat_state not in state.seats or not seat_state.sits_in or seat_state.voted_out:
        return None
    return entries.Returned(seat=state.seat_of(seat_state))


def stand_in(state: TableState, request: StandIn) -> AnyEntry | None:
    seat_state = request.seat_state
    if seat_state not in state.seats or not seat_state.played_by_person or state.phase == "waiting":
        return None
    if seat_state.missed < MISSED_TURNS:  # they have moved meanwhile
        return None
    return entries.StoodIn(seat=state.seat_of(request.seat_state), level=STAND_IN, why="absent")

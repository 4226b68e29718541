"""Decides what a host asks for before and beside the match: bots, removals, the lock."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

from ...wire import client_messages
from ...wire.errors import TableRefusal
from . import entries
from .entries import AnyEntry
from .requests import NoteHost
from .seats import SeatState
from .state import TableState


# ---------------------------------------------------------------- whose rights they are
def host_only(state: TableState, seat_state: SeatState, here: Collection[SeatState]) -> None:
    """While the host is away anybody at the table has their rights, so that nobody has to wait for them; but not before
    the host has been there."""
    if seat_state is not state.host and (state.host in here or state.awaits_host):
        raise TableRefusal("not-host")


def host_before_start(state: TableState, seat_state: SeatState, here: Collection[SeatState]) -> None:
    host_only(state, seat_state, here)
    if state.phase != "waiting":
        raise TableRefusal("not-now", "begun", problem="the match has begun.")


def seat_at(state: TableState, seat: int) -> SeatState:
    if seat >= len(state.seats):
        raise TableRefusal("not-now", "no-such-seat", problem=f"there is no seat {seat}.")
    return state.seats[seat]


def note_host(state: TableState, request: NoteHost) -> AnyEntry | None:
    if not state.awaits_host or request.seat_state is not state.host:
        return None
    return entries.HostCame(seat=state.seat_of(request.seat_state))


# ---------------------------------------------------------------- bots and removals
def seat_bot(
    state: TableState, seat_state: SeatState, request: client_messages.SeatBot, here: Collection[SeatState]
) -> AnyEntry:
    host_only(state, seat_state, here)
    other, by = seat_at(state, request.seat), state.seat_of(seat_state)
    if state.phase == "waiting":
        _check_removal(state, seat_state, other, here)
        ban = _ban(state, seat_state, other)
        return entries.BotSat(seat=request.seat, by=by, cmd_id=request.cmd_id, level=request.level, **ban)
    if other in here or not other.played_by_person:
        raise TableRefusal("not-now", "not-away", problem="a bot takes the place of a person who is away only.")
    return entries.StoodIn(seat=request.seat, by=by, cmd_id=request.cmd_id, level=request.level, why="host")


def clear_seat(
    state: TableState, seat_state: SeatState, request: client_messages.ClearSeat, here: Collection[SeatState]
) -> AnyEntry:
    host_before_start(state, seat_state, here)
    other, by = seat_at(state, request.seat), state.seat_of(seat_state)
    _check_removal(state, seat_state, other, here)
    if other.kind != "empty":
        return entries.Cleared(seat=request.seat, by=by, cmd_id=request.cmd_id, **_ban(state, seat_state, other))
    if len(state.seats) == 2:
        raise TableRefusal("not-now", "two-seats", problem="a table has at least two seats.")
    return entries.TakenAway(seat=request.seat, by=by, cmd_id=request.cmd_id)


def _check_removal(state: TableState, seat_state: SeatState, other: SeatState, here: Collection[SeatState]) -> None:
    if other is seat_state:
        raise TableRefusal("not-now", "own-seat", problem="to give up your own seat, leave.")
    if seat_state is not state.host and (other is state.host or other in here):
        raise TableRefusal("not-host")  # who stands in for the host removes nobody


class RemovalTerms(TypedDict, total=False):
    """Of an entry that removes a person: how long, and whether their address stays out too."""

    banned: bool
    address: str
    spared: bool


def _ban(state: TableState, seat_state: SeatState, other: SeatState) -> RemovalTerms:
    """Whether a removal is for good, and the address to keep out.

    An address is spared while somebody else at the table shares it, but not twice: two who share one would come back
    in turns for ever.
    """
    if other.kind != "person" or seat_state is not state.host:
        return {}
    address = other.address
    if address is None or address.local:
        return {"banned": True}
    again = any(ban.address == address.hashed for ban in state.bans)
    return {"banned": True, "address": address.hashed, "spared": not again and not address_to_keep_out(state, other)}


def address_to_keep_out(state: TableState, other: SeatState) -> str:
    """The keyed hash of where somebody came from, unless it is local or somebody else at the table shares it."""
    address = other.address
    shared = any(each.address == address for each in (*state.seats, *state.reserved) if each is not other)
    return "" if address is None or address.local or shared else address.hashed


def lock(state: TableState, seat_state: SeatState, request: client_messages.Lock) -> AnyEntry:
    """The host's alone: a table that goes on without them needs no lock."""
    if seat_state is not state.host:
        raise TableRefusal("not-host")
    return entries.Locked(by=state.seat_of(seat_state), cmd_id=request.cmd_id, locked=request.locked)

"""What follows from an entry, an arrival or a departure: requests that the table submits to itself."""

from __future__ import annotations

from collections.abc import Iterator

from . import entries
from .requests import CountVotes, NoteGreeting, NoteHost, OwnRequest, Return, StandIn
from .seat_decisions import MISSED_TURNS
from .seats import SeatState
from .state import TableState


def of_entry(state: TableState, entry: entries.AnyEntry) -> Iterator[OwnRequest]:
    if isinstance(entry, entries.Moved) and entry.who == "clock":
        seat_state = state.seats[entry.seat]
        if seat_state.missed >= MISSED_TURNS:
            yield StandIn(seat_state)
    if isinstance(entry, entries.StoodIn):
        yield from _of_one_voter_less(state)


def of_arrival(state: TableState, seat_state: SeatState | None) -> Iterator[OwnRequest]:
    if seat_state is None:
        return
    if seat_state.sits_in:
        yield Return(seat_state)
    if seat_state is state.host and state.awaits_host and len(state.people()) > 1:
        yield NoteHost(seat_state)  # alone, a host has nobody whom it matters to


def of_departure(state: TableState, seat_state: SeatState | None) -> Iterator[OwnRequest]:
    if seat_state is None:
        return
    if seat_state is state.host and state.awaits_host:
        yield NoteHost(seat_state)
    elif seat_state.awaits_greeting:
        yield NoteGreeting(seat_state)
    yield from _of_one_voter_less(state)


def _of_one_voter_less(state: TableState) -> Iterator[OwnRequest]:
    if any(each.votes for each in state.seats):
        yield CountVotes()

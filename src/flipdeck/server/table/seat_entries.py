"""Entries about the seats of a table: who sits there, who was removed, who plays for whom."""

from __future__ import annotations

from typing import Literal

from ...wire.parts import BotLevel
from .entry import Entry, Events
from .seats import SeatState, TableBan
from .state import TableState


# ---------------------------------------------------------------- before the start
class Sat(Entry, frozen=True):
    name: str
    token: str  # its hash
    host_here: bool = False  # the host was connected: from now on the table can do without them

    def change(self, state: TableState) -> Events:
        seat_state = SeatState("person", self.name, tokens=[self.token])
        state.seats[self.seat] = seat_state
        state.host = state.host or seat_state
        state.awaits_host = state.awaits_host and not self.host_here
        return ()


class HostCame(Entry, frozen=True):
    """The host was connected for the first time."""

    def change(self, state: TableState) -> Events:
        state.awaits_host = False
        return ()


class RemovingEntry(Entry, frozen=True, kw_only=True):
    """An entry that may remove a person for good."""

    banned: bool = False  # the host has removed them
    address: str = ""  # the keyed hash of where they came from, if it is kept out too

    def remove(self, state: TableState) -> SeatState:
        """Whoever is gone; their seat is still theirs, until it is given away."""
        gone = state.seats[self.seat]
        if self.banned:
            state.ban(TableBan(gone.tokens, self.address))
        return gone


class BotSat(RemovingEntry, frozen=True):
    """A bot takes an empty seat, that of another bot, or that of a person whom the host removes."""

    level: BotLevel

    def change(self, state: TableState) -> Events:
        gone = self.remove(state)
        state.seat_bot(self.seat, self.level)
        state.pass_host_on(gone, self.seat)
        return ()


class Cleared(RemovingEntry, frozen=True):
    """Before the start: a seat is empty again."""

    def change(self, state: TableState) -> Events:
        gone = self.remove(state)
        state.seats[self.seat] = SeatState()
        state.pass_host_on(gone, self.seat)
        return ()


class Unbanned(Entry, frozen=True):
    """Somebody who was removed may come back, or all of them."""

    name: str = ""  # of the ban; none: of all

    def change(self, state: TableState) -> Events:
        state.bans = [ban for ban in state.bans if self.name and ban.name != self.name]
        return ()


class Closed(Entry, frozen=True):
    """The operator has closed the table for good; a running match ends there, without a record."""

    word: str  # to its people

    def change(self, state: TableState) -> Events:
        state.closed = self.word
        return ()


class TakenAway(Entry, frozen=True):
    """Before the start: an empty seat is removed."""

    def change(self, state: TableState) -> Events:
        del state.seats[self.seat]
        return ()


class Locked(Entry, frozen=True):
    """The table takes no new people, or takes them again."""

    locked: bool

    def change(self, state: TableState) -> Events:
        state.locked = self.locked
        return ()


# ---------------------------------------------------------------- in a match
class StoodIn(Entry, frozen=True):
    """A bot plays for a person: until they return, or, voted out, until the match is over."""

    level: BotLevel
    why: Literal["absent", "host", "left", "voted"]

    def change(self, state: TableState) -> Events:
        seat_state = state.seats[self.seat]
        seat_state.level, seat_state.sits_in, seat_state.ready = self.level, True, True
        seat_state.left = self.why == "left"
        seat_state.voted_out = seat_state.voted_out or self.why == "voted"
        seat_state.votes = []
        if seat_state.left or seat_state.voted_out:
            state.pass_host_on(seat_state, self.seat)
            state.withdraw_votes(self.seat)
        return ()


class Returned(Entry, frozen=True):
    """The person plays again."""

    def change(self, state: TableState) -> Events:
        seat_state = state.seats[self.seat]
        seat_state.level, seat_state.sits_in, seat_state.left, seat_state.missed = None, False, False, 0
        state.host = state.host or seat_state
        return ()


class Voted(Entry, frozen=True):
    """Somebody wants a slow player out, or no longer."""

    on: bool

    def change(self, state: TableState) -> Events:
        accused = state.seats[self.seat]
        accused.votes = sorted({*accused.votes, self.by} if self.on else {*accused.votes} - {self.by})
        return ()


class Reserved(Entry, frozen=True):
    """Somebody is to have the seat of a bot from the next deal on."""

    name: str
    token: str  # its hash

    def change(self, state: TableState) -> Events:
        state.seats[self.seat].next = SeatState("person", self.name, tokens=[self.token])
        return ()


class Unreserved(Entry, frozen=True):
    """… and is not, after all."""

    def change(self, state: TableState) -> Events:
        state.seats[self.seat].next = None
        return ()


# ---------------------------------------------------------------- tokens
class TokenAdded(Entry, frozen=True):
    """Another device may play the seat as well: no longer written, but there are journals that have it."""

    token: str  # its hash

    def change(self, state: TableState) -> Events:
        state.seats[self.seat].add_token(self.token)
        return ()


class Transferred(Entry, frozen=True):
    """Another device plays the seat from now on."""

    token: str  # its hash

    def change(self, state: TableState) -> Events:
        seat_state = state.seats[self.seat]
        seat_state.tokens = [self.token]
        if state.phase == "waiting":
            seat_state.pledge = None  # the value is on the other device: this one pledges its own
        return ()

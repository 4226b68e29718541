"""Entries about the seats of a table: who sits there, who was removed, who plays for whom."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from ...wire.parts import BotLevel, Speed
from ..identity import PeerAddress
from .entry import Entry, Events
from .seats import SeatState, TableBan
from .state import TableState


class SittingEntry(Entry, frozen=True, kw_only=True):
    """An entry that gives somebody a seat, or the right to one."""

    name: str
    token: str  # its hash
    awaits_greeting: bool = False  # not so in old journals
    address: str = ""  # its keyed hash
    local: bool = False  # it is one of the local network

    def newcomer(self) -> SeatState:
        address = PeerAddress(self.address, self.local) if self.address else None
        return SeatState(
            "person", self.name, tokens=[self.token], awaits_greeting=self.awaits_greeting, address=address
        )


# ---------------------------------------------------------------- before the start
class Sat(SittingEntry, frozen=True):
    host_here: bool = False  # the host was connected: from now on the table can do without them

    def change(self, state: TableState) -> Events:
        seat_state = self.newcomer()
        state.seats[self.seat] = seat_state
        state.host = state.host or seat_state
        state.awaits_host = state.awaits_host and not self.host_here
        return ()


class HostCame(Entry, frozen=True):
    """The host was connected for the first time."""

    def change(self, state: TableState) -> Events:
        state.awaits_host = False
        state.seats[self.seat].awaits_greeting = False
        return ()


class Greeted(Entry, frozen=True):
    """Somebody with a seat, or with a reserved one, was connected, and has gone without a command."""

    def change(self, state: TableState) -> Events:
        seat_state = state.seats[self.seat]
        (seat_state.next or seat_state).awaits_greeting = False
        return ()


class RemovingEntry(Entry, frozen=True, kw_only=True):
    """An entry that may remove a person for good."""

    banned: bool = False  # the host has removed them
    address: str = ""  # the keyed hash of where they came from, if it is kept out too
    spared: bool = False  # … or will be, when one more is removed who came from there

    def remove(self, state: TableState) -> SeatState:
        """Whoever is gone; their seat is still theirs, until it is given away."""
        gone = state.seats[self.seat]
        if self.banned:
            state.ban(TableBan(gone.tokens, self.address, self.spared))
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


class SpeedSet(Entry, frozen=True):
    """Bots appear to think for a longer or shorter time from now on."""

    speed: Speed

    def change(self, state: TableState) -> Events:
        state.settings = replace(state.settings, speed=self.speed)
        return ()


# ---------------------------------------------------------------- in a match
class StoodIn(Entry, frozen=True):
    """A bot plays for a person: until they return, or, voted out, until the match is over."""

    level: BotLevel
    why: Literal["absent", "host", "left", "voted"]
    address: str = ""  # of somebody who was voted out: its keyed hash

    def change(self, state: TableState) -> Events:
        seat_state = state.seats[self.seat]
        seat_state.level, seat_state.sits_in, seat_state.ready = self.level, True, True
        seat_state.left = self.why == "left"
        seat_state.voted_out = seat_state.voted_out or self.why == "voted"
        seat_state.out_address = self.address or seat_state.out_address
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


class Reserved(SittingEntry, frozen=True):
    """Somebody is to have the seat of a bot from the next deal on."""

    def change(self, state: TableState) -> Events:
        state.seats[self.seat].next = self.newcomer()
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

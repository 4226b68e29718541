"""A snapshot of a table: all of its state that later entries and decisions depend on, as plain data.

It is used in two ways.  In the middle of a match its bytes are a cache, with a version and a checksum: what can't be
read is ignored, and the entries are replayed.  In the waiting room it becomes an entry that replaces all before it
(``entries.Compacted``), so it must stay readable for ever: a new field needs a default.

The steps for catch-up are not in it: they come from the entries after it.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec
from msgspec import Struct

from ...core.history import SavedMatch
from ...core.match import Match
from ...wire.parts import BotLevel, LastMatch, RoundInfo, Settings, TablePhase
from ..identity import PeerAddress
from .seats import SeatKind, SeatState, TableBan
from .state import TableState

VERSION = 1  # of the bytes: a server that would read them otherwise, or play on by other rules, has another one
_BEGINNING = b"flipdeck snapshot %d\n" % VERSION
_DIGEST = 16


class SeatSnapshot(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    kind: SeatKind = "empty"
    name: str | None = None
    level: BotLevel | None = None
    sits_in: bool = False
    left: bool = False
    ready: bool = False
    missed: int = 0
    tokens: list[str] = []
    done: dict[str, int] = {}
    slow_turns: int = 0
    votes: list[int] = []
    voted_out: bool = False
    out_address: str = ""
    next: SeatSnapshot | None = None
    pledge: str | None = None
    awaits_greeting: bool = False
    address: PeerAddress | None = None


class TableSnapshot(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    code: str
    settings: Settings
    seed: bytes
    replay: str
    seats: list[SeatSnapshot]
    host: int | None  # a seat
    phase: TablePhase
    number: int
    version: int
    since: int
    deciding_since: int
    timed_since: int
    drawn: bool = False
    overdue: bool = False
    named_dealer: int | None = None
    rounds: list[RoundInfo] = []
    last: LastMatch | None = None
    match: SavedMatch | None = None
    awaits_host: bool = False
    locked: bool = False
    bans: list[TableBan] = []
    closed: str | None = None
    moves: int = 0


_SEAT = tuple(name for name in SeatSnapshot.__struct_fields__ if name != "next")
_OTHERWISE = {"seats", "host", "match"}  # kept in another form than the state has
_PLAIN = tuple(name for name in TableSnapshot.__struct_fields__ if name not in _OTHERWISE)


# ---------------------------------------------------------------- from a state and back
def take(state: TableState) -> TableSnapshot:
    """It shares its lists with the state: encode it before the next entry."""
    return TableSnapshot(
        seats=[_take_seat(seat_state) for seat_state in state.seats],
        host=None if state.host is None else state.seat_of(state.host),
        match=None if state.match is None else state.match.save(),
        **{name: getattr(state, name) for name in _PLAIN},
    )


def _take_seat(seat_state: SeatState) -> SeatSnapshot:
    coming = None if seat_state.next is None else _take_seat(seat_state.next)
    return SeatSnapshot(**{name: getattr(seat_state, name) for name in _SEAT}, next=coming)


def restore(snapshot: TableSnapshot) -> TableState:
    """The table as it was, without steps.  ValueError if its match was saved by another version."""
    state = TableState(snapshot.code, snapshot.settings, snapshot.seed.hex(), snapshot.replay)
    for name in _PLAIN:
        setattr(state, name, getattr(snapshot, name))
    state.seats = [_restore_seat(seat) for seat in snapshot.seats]
    state.host = None if snapshot.host is None else state.seats[snapshot.host]
    state.match = None if snapshot.match is None else Match.restore(snapshot.match)
    state.steps_since = snapshot.version
    return state


def _restore_seat(seat: SeatSnapshot) -> SeatState:
    seat_state = SeatState()
    for name in _SEAT:
        if name != "done":
            setattr(seat_state, name, getattr(seat, name))
    seat_state.done.update(seat.done)
    seat_state.next = None if seat.next is None else _restore_seat(seat.next)
    return seat_state


# ---------------------------------------------------------------- as bytes
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(TableSnapshot).decode


def to_bytes(snapshot: TableSnapshot) -> bytes:
    body = _encode(snapshot)
    return _BEGINNING + blake2b(body, digest_size=_DIGEST).digest() + body


def from_bytes(stored: bytes) -> TableState | None:
    """None: damaged, or of another version."""
    start = len(_BEGINNING) + _DIGEST
    body = memoryview(stored)[start:]
    if (
        not stored.startswith(_BEGINNING)
        or blake2b(body, digest_size=_DIGEST).digest() != stored[start - _DIGEST : start]
    ):
        return None
    try:
        return restore(_decode(body))
    except (msgspec.MsgspecError, ValueError, IndexError):
        return None

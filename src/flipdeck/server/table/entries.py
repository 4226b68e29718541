"""The entries of a table's journal (event sourcing), and what each changes: the list of them is the table.

An entry is what was decided, never the request: replaying decides nothing.  ``by`` and ``cmd_id`` are those of the
command, so that a repeated command is recognized after a restart too.  ``apply`` is deterministic: the same entries
give the same table, so that a restart is a replay.  An entry that can't be applied would break its table for good:
``try_out`` finds out before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from ...core.cards import Seat
from ...core.events import drew
from ...core.match import Match
from ...core.notation import OUT_OF_TURN, Draw
from ...wire.parts import BotLevel, Settings
from ..journal import StoredReplay
from .entry import Entry as Entry
from .entry import Events
from .entry import UnknownEntry as UnknownEntry
from .seat_entries import BotSat as BotSat
from .seat_entries import Cleared as Cleared
from .seat_entries import Closed as Closed
from .seat_entries import Greeted as Greeted
from .seat_entries import HostCame as HostCame
from .seat_entries import Locked as Locked
from .seat_entries import RemovingEntry as RemovingEntry
from .seat_entries import Reserved as Reserved
from .seat_entries import Returned as Returned
from .seat_entries import Sat as Sat
from .seat_entries import SpeedSet as SpeedSet
from .seat_entries import StoodIn as StoodIn
from .seat_entries import TakenAway as TakenAway
from .seat_entries import TokenAdded as TokenAdded
from .seat_entries import Transferred as Transferred
from .seat_entries import Unbanned as Unbanned
from .seat_entries import Unreserved as Unreserved
from .seat_entries import Voted as Voted
from .snapshot import TableSnapshot, restore
from .state import TableState

MOST_MOVES = 2000  # of a round, and then it is void (PILE-4): no table plays for ever
ARCHIVED_AT_ONCE = 100  # moves: half a millisecond, so that the record of a long match takes no time at its end
_DRAW = str(Draw())

# The version of a table's journal: the rules by which its entries are replayed.  The first entry has it; journals of
# version 1 don't, and go by other rules (after a draw, only a card that could be played had to be kept or played).
VERSION = 2


# ---------------------------------------------------------------- the table
class Made(Entry, frozen=True, omit_defaults=False):
    """The first entry: it makes the table."""

    code: str
    settings: Settings
    seed: str
    replay: str
    bots: dict[str, BotLevel] = msgspec.field(default_factory=dict)
    host: str = ""  # the host's name, so that no bot gets it
    version: int = VERSION
    awaits_host: bool = False  # until they have connected, nobody else has their rights; not so in old journals

    def make_state(self) -> TableState:
        state = TableState(self.code, self.settings, self.seed, self.replay)
        for seat, level in self.bots.items():
            state.seat_bot(int(seat), level, self.host)
        state.awaits_host = self.awaits_host
        return state


class Compacted(Entry, frozen=True, omit_defaults=False):
    """The first entry in place of all that were before it: no match is running."""

    state: TableSnapshot
    version: int = VERSION

    def make_state(self) -> TableState:
        return restore(self.state)


# ---------------------------------------------------------------- the match
class Pledged(Entry, frozen=True):
    """A seat will add a value to the secret, of which this is the hash."""

    pledge: str

    def change(self, state: TableState) -> Events:
        state.seats[self.seat].pledge = self.pledge
        return ()


class Frozen(Entry, frozen=True):
    """Seats and pledges don't change any more: the values are opened now."""

    dealer: int | None = None  # the seat that the host has named

    def change(self, state: TableState) -> Events:
        state.phase, state.named_dealer = "starting", self.dealer
        state.deciding_since = state.version
        state.keep_seats()
        return ()


class Started(Entry, frozen=True):
    """The first round is dealt."""

    dealer: int | None = None  # the seat that the host has named; None: the rules find one (DEALER-1)
    values: dict[int, str] = msgspec.field(default_factory=dict)  # by seat, what was added to the secret

    def change(self, state: TableState) -> Events:
        s, options = state.settings, {**state.settings.options, "most_moves": MOST_MOVES}
        state.awaits_host = False  # nobody else starts before the host has been there
        state.keep_seats()
        state.named_dealer, state.moves = None, 0
        values = {seat: bytes.fromhex(value) for seat, value in self.values.items()}
        state.match = Match(
            s.edition, len(state.seats), seed=state.seed, options=options, dealer=self.dealer, values=values
        )
        return _begin_round(state, state.match.history[-1].dealt)


class Moved(Entry, frozen=True):
    move: str
    number: int = -1  # of the move in the rules, so that replaying need not search for it
    who: Literal["person", "bot", "clock"] = "person"
    slow: bool = False  # it took nearly all of the clock

    def change(self, state: TableState) -> Events:
        match, seat_state = _match_of(state), state.seats[self.seat]
        on_turn = match.to_act == self.seat and not self.move.startswith(OUT_OF_TURN)
        if self.who == "clock" and not state.overdue:  # keeping what the clock drew belongs to the same turn
            seat_state.missed += 1
        if self.number >= 0:
            events = match.say_again(self.seat, self.move, self.number)
        else:
            events = match.say(self.seat, self.move)
        if self.who == "person":
            seat_state.missed = 0
        state.moves += 1
        self._set_decision(state, events, match.to_act)
        if on_turn and self.who != "bot" and not state.drawn:  # a draw and the word about the card are one turn
            seat_state.note_pace(self.slow or self.who == "clock")
        if match.to_act is None:
            state.end_round(match)
        if len(match.history[-1].said) >= ARCHIVED_AT_ONCE:
            match.archive()
        return events

    def _set_decision(self, state: TableState, events: Events, to_act: Seat | None) -> None:
        """What the player on turn decides, and since when; whether a drawn card fits makes no difference (SEE-2)."""
        on_turn = not self.move.startswith(OUT_OF_TURN)
        if on_turn:
            state.drawn = self.move == _DRAW and to_act == self.seat  # a pass ends the turn (PILE-2)
            state.overdue = state.drawn and self.who == "clock"
        if on_turn or drew(events, to_act):  # … there is more to choose from
            state.deciding_since = state.version
            if not state.drawn:
                state.timed_since = state.version


class SaidReady(Entry, frozen=True):
    def change(self, state: TableState) -> Events:
        state.seats[self.seat].ready = True
        return ()


class NextRound(Entry, frozen=True):
    """The next round is dealt."""

    takes: tuple[int, ...] = ()  # seats of bots that are taken over by whoever has reserved them, and is there

    def change(self, state: TableState) -> Events:
        match = _match_of(state)
        match.archive()
        state.give_reserved(self.takes)
        return _begin_round(state, match.next_round())


class Rematched(Entry, frozen=True):
    """Another match, with a new secret."""

    seed: str
    replay: str
    takes: tuple[int, ...] = ()  # as for the next round

    def change(self, state: TableState) -> Events:
        state.last = state.as_last()
        state.seed, state.replay = bytes.fromhex(self.seed), self.replay
        state.rounds = []
        state.phase, state.match = "waiting", None
        state.number += 1
        state.since, state.steps = state.version, []
        for seat_state in state.seats:
            seat_state.begin_match()
        state.give_reserved(self.takes)
        return ()


AnyEntry = (
    Made
    | Compacted
    | Sat
    | BotSat
    | Cleared
    | Unbanned
    | TakenAway
    | Locked
    | SpeedSet
    | HostCame
    | Greeted
    | StoodIn
    | Returned
    | Voted
    | Reserved
    | Unreserved
    | TokenAdded
    | Transferred
    | Pledged
    | Frozen
    | Closed
    | Started
    | Moved
    | SaidReady
    | NextRound
    | Rematched
)


def _match_of(state: TableState) -> Match:
    assert state.match is not None  # noqa: S101  # such entries are written only while there is one
    return state.match


def _begin_round(state: TableState, events: Events) -> Events:
    state.phase = "playing"
    state.deciding_since = state.timed_since = state.version
    state.drawn = state.overdue = False  # a round may have ended as void in the middle of a draw
    return events


# ---------------------------------------------------------------- applying
def apply(state: TableState, entry: AnyEntry) -> Events:
    """The next version, and the events of the game.  The type checker finds an entry without ``change``."""
    if isinstance(entry, (Made, Compacted)):  # quicker than a union, and every move passes here
        raise TypeError("a table begins once, with its first entry")
    state.version += 1
    if entry.cmd_id and entry.by >= 0:  # before the entry is applied: removing a seat renumbers the others
        state.note_command(entry.by, entry.cmd_id)
    events = entry.change(state)
    if events:
        state.add_step(events)
    return events


def try_out(state: TableState, entry: AnyEntry) -> StoredReplay | None:
    """Raise what ``apply`` would raise, and change nothing; the replay to store with the entry that ends a match.

    A move was found legal just now.  Trying it as well would make all moves a twentieth slower, so that is done only
    where it may end the match.
    """
    if (
        isinstance(entry, Moved)
        and state.match is not None
        and not state.match.may_end_with(entry.seat)
        and not state.may_be_too_long
    ):
        return None
    after = apply_to_twin(state, entry)
    return None if state.phase == "over" else after.to_keep


def apply_to_twin(state: TableState, entry: AnyEntry) -> TableState:
    twin = state.twin()
    apply(twin, entry)
    return twin


def begin(entry: AnyEntry) -> TableState:
    """The table that a journal begins with."""
    if not isinstance(entry, Made | Compacted):
        raise TypeError(f"a table begins with being made, not with {type(entry).__name__}")
    return entry.make_state()


def replay(bodies: Iterable[bytes]) -> TableState:
    """The table that the entries of a journal make."""
    first, *rest = map(decode, bodies)
    state = begin(first)
    for entry in rest:
        apply(state, entry)
    return state


# ---------------------------------------------------------------- as bytes
class _Beginning(Struct):
    version: int = 1


_beginning = msgspec.json.Decoder(_Beginning)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEntry)


def version_of(first: bytes) -> int:
    """The version of the journal that begins with this entry."""
    return _beginning.decode(first).version


def encode(entry: AnyEntry) -> bytes:
    return _encoder.encode(entry)


def decode(body: bytes) -> AnyEntry:
    """UnknownEntry if a newer server has written it; any other error, and it is damaged."""
    try:
        entry: AnyEntry = _decoder.decode(body)
    except msgspec.ValidationError as error:
        raise (UnknownEntry() if _is_newer(body, str(error)) else error) from None
    return entry


class _Tagged(Struct):
    what: str


_tagged = msgspec.json.Decoder(_Tagged)
ENTRY_KINDS = frozenset(str(each.__struct_config__.tag) for each in get_args(AnyEntry))


def _is_newer(body: bytes, problem: str) -> bool:
    """Whole, but with a tag or a field that is not known here."""
    try:
        return _tagged.decode(body).what not in ENTRY_KINDS or problem.startswith("Object contains unknown field")
    except msgspec.MsgspecError:
        return False

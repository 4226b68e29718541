"""The state of a seat: who plays it, and which of their commands were applied."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Literal

from msgspec import Struct

from ...wire.parts import BotLevel, SeatInfo
from ..bounded import BoundedDict
from ..identity import PeerAddress

BOT_NAMES = ("Alba", "Bruno", "Celia", "Diego", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas")
MOST_TOKENS = 4  # devices that can play one seat; the oldest is forgotten
MOST_DONE = (
    1000  # idempotency keys a seat: a client repeats only what it has no answer to, and that is its last command
)
SLOW_TURNS = 3  # in a row, until somebody can be voted out
SeatKind = Literal["empty", "person", "bot"]


class TableBan(Struct, frozen=True, omit_defaults=True):
    """Somebody whom the host has removed for good."""

    tokens: list[str]  # hashes
    address: str = ""  # its keyed hash
    spared: bool = False  # somebody else who was there shares it: others from there may come

    @property
    def name(self) -> str:
        """By which the operator can tell it from others: it is no hash of a token that would be one."""
        return f"b-{hashlib.blake2b(''.join(self.tokens).encode(), digest_size=4).hexdigest()}"


@dataclass(slots=True, eq=False)
class SeatState:
    kind: SeatKind = "empty"
    name: str | None = None
    level: BotLevel | None = None  # of the bot that plays
    sits_in: bool = False  # … for a person
    left: bool = False  # the person has left, and may come back
    ready: bool = False
    pledge: str | None = None  # for this match
    missed: int = 0  # turns in a row that the clock ended
    slow_turns: int = 0  # turns in a row that took nearly all of the clock
    votes: list[int] = field(default_factory=list)  # seats that want this person out
    voted_out: bool = False  # a bot plays until the match is over
    out_address: str = ""  # … and nobody else comes from there meanwhile: its keyed hash
    tokens: list[str] = field(default_factory=list)  # hashes
    done: dict[str, int] = field(
        default_factory=lambda: BoundedDict(MOST_DONE)
    )  # the last commands: the version each became
    next: SeatState | None = None  # who takes this seat of a bot over with the next deal
    awaits_greeting: bool = False  # nobody has connected since the seat was taken, as far as the journal knows
    address: PeerAddress | None = None  # where the person came from last; after a restart, when the seat was taken

    @property
    def played_by_bot(self) -> bool:
        return self.level is not None

    @property
    def played_by_person(self) -> bool:
        return self.kind == "person" and self.level is None

    @property
    def slow(self) -> bool:
        return self.slow_turns >= SLOW_TURNS

    def note_pace(self, slow: bool) -> None:
        """The person has finished a turn."""
        self.slow_turns = self.slow_turns + 1 if slow else 0
        if not slow:
            self.votes = []

    def begin_match(self) -> None:
        """The match is over; whoever was voted out has the seat again."""
        self.missed = self.slow_turns = 0
        self.votes, self.pledge = [], None
        if self.voted_out:
            self.level, self.sits_in, self.voted_out, self.out_address = None, False, False, ""

    def note_done(self, cmd_id: str, version: int) -> None:
        """A command of this seat became this version."""
        self.done[cmd_id] = version

    def add_token(self, token: str) -> None:
        self.tokens = [*self.tokens, token][-MOST_TOKENS:]

    def twin(self) -> SeatState:
        """A copy to try an entry out on; it starts without command ids."""
        return replace(self, done={}, next=None if self.next is None else self.next.twin())

    def info(self, seat: int, host: bool, here: bool) -> SeatInfo:
        return SeatInfo(
            seat=seat,
            kind=self.kind,
            name=self.name,
            level=self.level,
            sits_in=self.sits_in,
            host=host,
            here=here,
            ready=self.ready,
            left=self.left,
            slow=self.slow,
            votes=self.votes,
            voted_out=self.voted_out,
            next=None if self.next is None else self.next.name,
        )

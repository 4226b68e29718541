"""The state of a seat: who plays it, and which of their commands were applied."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from ...wire.parts import BotLevel, SeatInfo
from ..bounded import BoundedDict

BOT_NAMES = ("Alba", "Bruno", "Celia", "Diego", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas")
MOST_TOKENS = 4  # devices that can play one seat; the oldest is forgotten
MOST_DONE = (
    1000  # idempotency keys a seat: a client repeats only what it has no answer to, and that is its last command
)
SeatKind = Literal["empty", "person", "bot"]


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
    tokens: list[str] = field(default_factory=list)  # hashes
    done: dict[str, int] = field(
        default_factory=lambda: BoundedDict(MOST_DONE)
    )  # the last commands: the version each became

    @property
    def played_by_bot(self) -> bool:
        return self.level is not None

    @property
    def played_by_person(self) -> bool:
        return self.kind == "person" and self.level is None

    def note_done(self, cmd_id: str, version: int) -> None:
        """A command of this seat became this version."""
        self.done[cmd_id] = version

    def add_token(self, token: str) -> None:
        self.tokens = [*self.tokens, token][-MOST_TOKENS:]

    def twin(self) -> SeatState:
        """A copy to try an entry out on; it starts without command ids."""
        return replace(self, done={})

    def info(self, seat: int, host: bool, here: bool) -> SeatInfo:
        return SeatInfo(seat, self.kind, self.name, self.level, self.sits_in, host, here, self.ready, self.left)

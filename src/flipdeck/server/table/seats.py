"""A chair of a table: who sits in it, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from ...wire.parts import BotLevel, SeatInfo

BOT_NAMES = ("Alba", "Bruno", "Celia", "Diego", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas")
MOST_TOKENS = 4  # devices that can play one seat; the oldest is forgotten
MOST_DONE = (
    1000  # commands that are known again: a client asks again for what it has no answer to, and that is the last
)


@dataclass(slots=True, eq=False)
class Chair:
    kind: Literal["empty", "person", "bot"] = "empty"
    name: str | None = None
    level: BotLevel | None = None  # of the bot that plays
    sits_in: bool = False  # … for the person whose chair it is
    left: bool = False  # the person has gone for good, unless they come back
    ready: bool = False
    missed: int = 0  # turns in a row that the clock had to end
    tokens: list[str] = field(default_factory=list)  # hashes
    done: dict[str, int] = field(default_factory=dict)  # the last commands: the version each became

    @property
    def played_by_bot(self) -> bool:
        return self.level is not None

    @property
    def played_by_person(self) -> bool:
        return self.kind == "person" and self.level is None

    def carried_out(self, cmd_id: str, version: int) -> None:
        """A command of this chair became this version."""
        self.done[cmd_id] = version
        if len(self.done) > MOST_DONE:
            del self.done[next(iter(self.done))]

    def add_token(self, token: str) -> None:
        self.tokens = [*self.tokens, token][-MOST_TOKENS:]

    def twin(self) -> Chair:
        """To try something out with: of what it commanded it knows nothing."""
        return replace(self, done={})

    def info(self, seat: int, host: bool, here: bool) -> SeatInfo:
        return SeatInfo(seat, self.kind, self.name, self.level, self.sits_in, host, here, self.ready, self.left)

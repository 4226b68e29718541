"""What is written of a table: its entries, one after the other, are the table.

Every entry says what became of a wish, never the wish itself: replaying them asks nobody and decides nothing.
``seat`` and ``cmd_id`` are those of the command, so that a command sent twice is known as such after a restart too.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from ...wire.parts import BotLevel, Settings


class Entry(Struct, frozen=True, tag_field="what", tag=str.lower, omit_defaults=True, kw_only=True):
    seat: int = -1  # of whom it is about
    by: int = -1  # the seat that commanded it, if one did
    cmd_id: str = ""


class Made(Entry, frozen=True):
    code: str
    settings: Settings
    seed: str
    replay: str
    bots: dict[str, BotLevel] = {}
    host: str = ""  # how the host will be called, so that no bot is called that


class Sat(Entry, frozen=True):
    name: str
    token: str  # its hash


class BotSat(Entry, frozen=True):
    """A bot in an empty seat, or in that of another bot."""

    level: BotLevel


class Cleared(Entry, frozen=True):
    """Before the start, a seat is empty again."""


class TakenAway(Entry, frozen=True):
    """Before the start, there is one seat less."""


class StoodIn(Entry, frozen=True):
    """A bot plays for a person until they return."""

    level: BotLevel
    why: Literal["absent", "host", "left"]


class Returned(Entry, frozen=True):
    """The person plays themself again."""


class TokenAdded(Entry, frozen=True):
    """Another device may play the seat."""

    token: str  # its hash


class Started(Entry, frozen=True):
    """The first round is dealt."""


class Moved(Entry, frozen=True):
    move: str
    number: int = -1  # of the move in the rules: makes a replay quick
    who: Literal["person", "bot", "clock"] = "person"


class SaidReady(Entry, frozen=True):
    pass


class NextRound(Entry, frozen=True):
    """The next round is dealt."""


class Rematched(Entry, frozen=True):
    """Another match, with a seed of its own."""

    seed: str
    replay: str


AnyEntry = (
    Made
    | Sat
    | BotSat
    | Cleared
    | TakenAway
    | StoodIn
    | Returned
    | TokenAdded
    | Started
    | Moved
    | SaidReady
    | NextRound
    | Rematched
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEntry)


def encode(entry: AnyEntry) -> bytes:
    return _encoder.encode(entry)


def decode(body: bytes) -> AnyEntry:
    entry: AnyEntry = _decoder.decode(body)
    return entry

"""The entries of a table's journal (event sourcing): the list of them is the table.

An entry is what was decided, never the request: replaying decides nothing.  ``by`` and ``cmd_id`` are those of the
command, so that a repeated command is recognized after a restart too.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from ...wire.parts import BotLevel, Settings


class Entry(Struct, frozen=True, tag_field="what", tag=str.lower, omit_defaults=True, kw_only=True):
    seat: int = -1  # that it is about
    by: int = -1  # the seat whose command it was, if any
    cmd_id: str = ""


class Made(Entry, frozen=True):
    code: str
    settings: Settings
    seed: str
    replay: str
    bots: dict[str, BotLevel] = {}
    host: str = ""  # the host's name, so that no bot gets it


class Sat(Entry, frozen=True):
    name: str
    token: str  # its hash


class BotSat(Entry, frozen=True):
    """A bot takes an empty seat, or that of another bot."""

    level: BotLevel


class Cleared(Entry, frozen=True):
    """Before the start: a seat is empty again."""


class TakenAway(Entry, frozen=True):
    """Before the start: an empty seat is removed."""


class StoodIn(Entry, frozen=True):
    """A bot plays for a person until they return."""

    level: BotLevel
    why: Literal["absent", "host", "left"]


class Returned(Entry, frozen=True):
    """The person plays again."""


class TokenAdded(Entry, frozen=True):
    """Another device may play the seat."""

    token: str  # its hash


class Started(Entry, frozen=True):
    """The first round is dealt."""

    dealer: int | None = None  # the seat that the host has named; None: the rules find one (DEALER-1)


class Moved(Entry, frozen=True):
    move: str
    number: int = -1  # of the move in the rules, so that replaying need not search for it
    who: Literal["person", "bot", "clock"] = "person"


class SaidReady(Entry, frozen=True):
    pass


class NextRound(Entry, frozen=True):
    """The next round is dealt."""


class Rematched(Entry, frozen=True):
    """Another match, with a new seed."""

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

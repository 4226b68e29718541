"""The entries of a table's journal (event sourcing): the list of them is the table.

An entry is what was decided, never the request: replaying decides nothing.  ``by`` and ``cmd_id`` are those of the
command, so that a repeated command is recognized after a restart too.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from ...wire.parts import BotLevel, Settings

# The version of a table's journal: the rules by which its entries are replayed.  The first entry has it; journals of
# version 1 don't, and go by other rules (after a draw, only a card that could be played had to be kept or played).
VERSION = 2


class Entry(Struct, frozen=True, tag_field="what", tag=str.lower, omit_defaults=True, kw_only=True):
    seat: int = -1  # that it is about
    by: int = -1  # the seat whose command it was, if any
    cmd_id: str = ""


class Made(Entry, frozen=True, omit_defaults=False):
    code: str
    settings: Settings
    seed: str
    replay: str
    bots: dict[str, BotLevel] = {}
    host: str = ""  # the host's name, so that no bot gets it
    version: int = VERSION


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
    entry: AnyEntry = _decoder.decode(body)
    return entry

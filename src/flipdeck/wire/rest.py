"""The bodies of HTTP requests and answers: finding and making tables, sitting down, what is kept of a match."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from .errors import Code
from .parts import DisplayName, Level, Phase, SeatNumber, Settings, TableInfo


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Make a table and sit down at it as its host, in seat 0."""

    name: DisplayName
    settings: Settings = field(default_factory=Settings)
    bots: dict[str, Level] = {}  # by seat number
    start: bool = False  # deal at once; every seat must have a bot


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down: in a certain seat, or in the first empty one."""

    name: DisplayName
    seat: SeatNumber | None = None


class Redeem(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a transfer link, for a token of one's own."""

    secret: Annotated[str, Meta(min_length=1, max_length=64)]


class Seated(Struct, frozen=True):
    """The token is told once, here, and is known to nobody else."""

    code: str
    seat: int
    token: str
    invite: str  # the way to the table, from the root of this server
    commitment: str


class TableCard(Struct, frozen=True):
    """A line of the list of public tables."""

    code: str
    edition: str
    house_rules: int
    players: int
    free: int
    people: int
    watching: int
    phase: Phase
    host: str
    turn_seconds: int


class Tables(Struct, frozen=True):
    """The public tables that can be joined or looked at, and how many more there are than are listed."""

    tables: list[TableCard]
    more: int


class OptionInfo(Struct, frozen=True, omit_defaults=True):
    """One option of the rules: a switch, a choice, or a number in a range."""

    name: str
    kind: Literal["switch", "choice", "number"]
    choices: list[str] = []
    low: int | None = None
    high: int | None = None


class EditionInfo(Struct, frozen=True):
    """An edition, and every option as it has it."""

    name: str
    options: dict[str, str | int | bool]


class Editions(Struct, frozen=True):
    """What a table can be made with: editions, options, levels of bots."""

    editions: list[EditionInfo]
    options: list[OptionInfo]
    levels: list[Level]


class Failure(Struct, frozen=True):
    """What every refused request gets, with a fitting HTTP status."""

    code: Code
    reason: str
    message: str


ANSWERS = (Seated, Tables, TableInfo, Editions, Failure)
BODIES = (NewTable, Join, Redeem)

"""Bodies of HTTP requests and answers: tables, seats, replays."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from .errors import Code
from .parts import (
    BotLevel,
    DisplayName,
    EventInfo,
    RoundInfo,
    SeatNumber,
    Settings,
    TableInfo,
    TablePhase,
    Token,
    ViewInfo,
)


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Make a table and sit down at it as its host, in seat 0."""

    name: DisplayName
    settings: Settings = field(default_factory=Settings)
    bots: dict[str, BotLevel] = {}  # by seat number
    start: bool = False  # deal at once; every seat must have a bot


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat: a certain one, or the first that is empty.

    With a token of the client's own (128 random bits), the request is idempotent: repeated when no answer came, it
    gets the same seat.
    """

    name: DisplayName
    seat: SeatNumber | None = None
    token: Token | None = None  # none: the server makes one


class Redeem(Struct, frozen=True, forbid_unknown_fields=True):
    """Exchange the secret of a transfer link for a token."""

    secret: Annotated[str, Meta(min_length=1, max_length=64)]


class Seated(Struct, frozen=True):
    """The seat that was taken.  The token is sent once, here, and to nobody else."""

    code: str
    seat: int
    token: str
    invite: str  # path to the table, from the root of this server
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
    phase: TablePhase
    host: str
    turn_seconds: int


class Tables(Struct, frozen=True):
    """The public tables that can be joined or watched, and how many there are beyond those listed."""

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
    levels: list[BotLevel]


class PlayedRound(RoundInfo, frozen=True):
    """A round of a match that is over."""

    dealer: int
    steps: int  # the deal is the first of them, and then one for everything that was said


class ReplayInfo(Struct, frozen=True):
    """A finished match, to be replayed."""

    edition: str
    options: dict[str, str | int | bool]  # changed from the edition
    players: int
    names: list[str]  # by seat; none where they are not known
    levels: list[BotLevel | None]  # of bots, by seat; none where that is not known
    seed: str
    commitment: str
    rounds: list[PlayedRound]
    winners: list[int]


class ReplayStep(Struct, frozen=True):
    """A move, its events, and the view after it."""

    seat: int | None  # null, and no move: the deal
    move: str | None
    events: list[EventInfo]
    view: ViewInfo
    hands: list[list[str]] | None  # of an open replay: every hand, whole cards in hand order, by seat


class ReplayRound(Struct, frozen=True):
    """A round step by step: as one seat saw it, or, with no seat, with all cards open."""

    number: int
    seat: int | None
    steps: list[ReplayStep]


class Failure(Struct, frozen=True):
    """The body of every refused request; the HTTP status fits the code."""

    code: Code
    reason: str
    message: str
    facts: dict[str, str | int] = {}  # values in the sentence, for translations


ANSWERS = (Seated, Tables, TableInfo, Editions, ReplayInfo, ReplayRound, Failure)
BODIES = (NewTable, Join, Redeem)

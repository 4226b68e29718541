"""The bodies of HTTP requests and responses: creating, finding and joining tables, records and replays."""

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
    """Create a table and join it as its host, in seat 0.

    With a token of the client's own, 22 letters from a secure random source, the request is idempotent: sent again
    because no answer came, it gets the same table and seat, not a second table.
    """

    name: DisplayName
    settings: Settings = field(default_factory=Settings)
    bots: dict[str, BotLevel] = {}  # by seat number
    start: bool = False  # deal at once, with no value of yours in the deal; every seat must have a bot
    token: Token | None = None  # none: the server makes one


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Join a table: in a certain seat, or in the first empty one.

    In a match, where the table allows it (``takeover``), the seat is that of a bot, and is taken with the next deal.

    With a token of the client's own, 22 letters from a secure random source, the request is idempotent: sent again
    because no answer came, it gets the same seat, not a second one.
    """

    name: DisplayName
    seat: SeatNumber | None = None
    token: Token | None = None  # none: the server makes one


class Redeem(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a transfer link, in exchange for a token; the seat's former tokens end.

    With a token of the client's own the request is idempotent, as in ``Join``.
    """

    secret: Annotated[str, Meta(min_length=1, max_length=64)]
    token: Token | None = None  # none: the server makes one


class Seated(Struct, frozen=True):
    """A seat that was taken. The token is sent only here: it proves whose seat it is."""

    code: str
    seat: int
    token: str
    invite: str  # the path of the table on this server
    commitment: str


class TableCard(Struct, frozen=True):
    """An entry of the list of public tables."""

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
    locked: bool = False  # no new people


class Tables(Struct, frozen=True):
    """The public tables that can be joined or watched, and how many more there are than are listed."""

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
    """An edition, and its value of every option that a table can choose."""

    name: str
    options: dict[str, str | int | bool]


class Editions(Struct, frozen=True):
    """What a table can be created with: editions, options, levels of bots."""

    editions: list[EditionInfo]
    options: list[OptionInfo]
    levels: list[BotLevel]


class PlayedRound(RoundInfo, frozen=True):
    """A round of a finished match."""

    dealer: int
    steps: int  # the deal, then one for every move


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


MOST_STEPS = 400  # of a page of a replay: some 30 ms of work, and up to 1 MB


class ReplayRound(Struct, frozen=True):
    """A round step by step, or a page of it: as one seat saw it, or, with no seat, with all cards face up."""

    number: int
    seat: int | None
    first: int  # the number of the first step here; 0 is the deal
    steps: list[ReplayStep]
    next: int | None  # the first step of the next page; null: the round ends here


class Health(Struct, frozen=True, omit_defaults=True):
    """Whether the server can save what is played, and takes new people."""

    ok: bool
    state: Literal["ready", "draining", "failing"]  # draining: it is about to stop; failing: `problem` says why
    tables: int  # in memory
    problem: str | None = None


class Liveness(Struct, frozen=True):
    """The server answers; whether it can save is another question."""

    ok: bool


class Failure(Struct, frozen=True):
    """The body of every refused request, with a fitting HTTP status."""

    code: Code
    reason: str
    message: str
    facts: dict[str, str | int] = {}  # the values in the sentence, for other languages


ANSWERS = (Seated, Tables, TableInfo, Editions, ReplayInfo, ReplayRound, Health, Liveness, Failure)
BODIES = (NewTable, Join, Redeem)

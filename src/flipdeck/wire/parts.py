"""The parts of messages: the public state of a table, a view, events, the clock."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..core.view import Backs, View
from .declared import Declared, json_hints

SeatNumber = Annotated[int, Meta(ge=0, le=9)]
Version = Annotated[int, Meta(ge=0, le=2**53 - 1)]
CommandId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_-]{1,36}$(?!\n)",
        description="idempotency key: chosen by the client, new for each command",
    ),
]
CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O: read as digits; no U: fewer words by accident
CODE_LENGTH = 8
TableCode = Annotated[str, Meta(min_length=8, max_length=12, description="8 letters and digits; dashes don't count")]
Token = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{22}$(?!\n)", description="128 secret bits; proves whose seat it is")
]
DisplayName = Annotated[str, Meta(min_length=1, max_length=1000, description="shortened and cleaned by the server")]
PUBLIC_TURN_SECONDS = 60  # of a public table that was made without a clock
BotLevel = Literal["rookie", "casual", "regular", "sharp", "master"]
Speed = Literal["slow", "normal", "fast"]
TablePhase = Literal["waiting", "starting", "playing", "between", "over"]
SubstituteReason = Literal["busy", "warming-up", "unavailable", "down", "failed"]
Digits = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)", description="256 bits as hexadecimal digits")]


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """What a table was made with.  None of it changes while the table lasts."""

    edition: Annotated[str, Meta(max_length=40)] = "classic"
    options: dict[str, str | int | bool] = {}  # changed from the edition; see the rule book
    seats: Annotated[int, Meta(ge=2, le=10)] = 4
    turn_seconds: Annotated[
        int,
        Meta(ge=0, le=300, description=f"0 is no clock (a public table gets {PUBLIC_TURN_SECONDS}), else 15 to 300"),
    ] = 0
    public: bool = False  # listed, and open to anybody
    watchers: bool = True  # spectators may watch; never with own_backs=hidden
    chat: bool = True
    speed: Speed = "normal"  # how long bots appear to think
    grace_ms: Annotated[
        int, Meta(ge=0, le=5000, description="how long the next move is held while someone can be caught")
    ] = 1000
    next_round_seconds: Annotated[int, Meta(ge=3, le=300, description="before the next round is dealt anyway")] = 30
    takeover: bool = False  # a spectator may take a bot's own seat, with its score, from the next deal on
    watchers_chat: bool = False  # spectators may chat too


class Substitute(Struct, frozen=True):
    """Who plays in the place of a bot at present, and why.

    ``busy``: too many bots had to think.  ``warming-up``: the search is being compiled.  ``unavailable``: this server
    can't play the level.  ``down``: no process of the bots runs.  ``failed``: the bot found no move; as this depends on
    its cards, it is told when the round is over.
    """

    level: BotLevel | None  # null: no bot at all, the server makes the default move
    reason: SubstituteReason


class SeatInfo(Struct, frozen=True):
    """Who sits where.  Bots have names too."""

    seat: int
    kind: Literal["empty", "person", "bot"]
    name: str | None
    level: BotLevel | None  # of the bot in it, also of one that stands in for a person
    sits_in: bool  # a bot plays for the person until they return
    host: bool
    here: bool  # the person is connected
    ready: bool  # for the next round
    left: bool  # the person has gone; the seat is theirs if they come back while the match lasts
    slow: bool = False  # took nearly all of the clock three turns in a row: can be voted out
    votes: list[int] = []  # seats that have voted this one out
    voted_out: bool = False  # a bot plays for the person until the match is over
    next: str | None = None  # who takes this seat over from its bot with the next deal
    substitute: Substitute | None = None  # who plays in the place of the bot, while its own level does not


class Fairness(Struct, frozen=True):
    """What proves that nobody chose the cards: hashes before the deal, what they are of after it (docs/fairness.md)."""

    commitment: str  # to the secret of the table, chosen before anybody asked for this match
    seed: str | None = None  # when the match is over: it decides every card
    secret: str | None = None  # when the match is over: what the commitment is of; without values it is the seed
    pledges: list[str | None] = []  # by seat
    values: list[str | None] = []  # by seat, once the cards are dealt: the opened ones, which made the seed
    unopened: list[int] = []  # seats whose pledge was not opened in time, and is left out


class RoundInfo(Struct, frozen=True):
    """How a round ended: points won in it, and the scores after it."""

    number: int
    winner: int | None  # null: nobody, it was void
    points: list[int]
    scores: list[int]


class LastMatch(Struct, frozen=True):
    """The previous match: everything that proves it was fair."""

    replay: str
    commitment: str
    seed: str
    secret: str | None = None  # none: from before there were values, and the seed is the secret
    pledges: list[str | None] = []
    values: list[str | None] = []
    unopened: list[int] = []


class TableInfo(Struct, frozen=True):
    """The public state of a table, besides the game."""

    code: str
    settings: Settings
    players: int  # seats there are now: an empty one can be removed before the start
    phase: TablePhase
    match: int  # 1, and one more with every rematch
    seats: list[SeatInfo]
    watching: int
    fairness: Fairness
    replay: str | None = None  # when the match is over: the name under which its record is kept
    next_round_ms: int | None = None  # between rounds: until the next is dealt
    rounds: list[RoundInfo] = []  # of this match, those that have ended
    last: LastMatch | None = None  # after a rematch
    locked: bool = False  # no new people
    awaits_host: bool = False  # the host has never been here: nobody else may do what a host may


class BacksInfo(Declared, frozen=True):
    __doc__ = Backs.__doc__
    __annotations__ = json_hints(Backs, {})


class ViewInfo(Declared, frozen=True):
    __doc__ = View.__doc__
    __annotations__ = json_hints(View, {Backs: BacksInfo})


EventName = Literal[
    "dealer_card",
    "dealer_chosen",
    "dealt",
    "turned_up",
    "returned",
    "played",
    "jumped_in",
    "called_color",
    "drew",
    "revealed",
    "kept",
    "passed",
    "skipped",
    "reversed",
    "flipped",
    "reshuffled",
    "said_uno",
    "caught",
    "caught_in_vain",
    "accepted",
    "challenged",
    "found_guilty",
    "found_innocent",
    "went_out",
    "round_void",
    "laid_open",
    "scored",
    "won",
]


class EventInfo(Struct, frozen=True, omit_defaults=True):
    """An event, redacted for the reader."""

    event: EventName
    side: Literal["light", "dark"]
    seat: int | None = None
    card: str | None = None
    cards: list[str] | None = None
    color: str | None = None
    by: int | None = None
    direction: int | None = None
    points: list[int] | None = None
    scores: list[int] | None = None
    winners: list[int] | None = None


class ClockInfo(Struct, frozen=True):
    """The turn clock: whose it is, and how much of it is left."""

    seat: int
    left_ms: int
    of_ms: int
    running: bool  # it is paused while nobody is at the table


class MissedStep(Struct, frozen=True):
    """One version of a table, and the events that made it."""

    version: int
    events: list[EventInfo]

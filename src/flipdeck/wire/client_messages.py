"""Messages of a client.  ``Hello`` comes first and once; commands are idempotent: one ``cmd_id`` is carried out once,
however often it is sent."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from .parts import BotLevel, CommandId, SeatNumber, TableCode, Token, Version

EmoteName = Literal["hello", "thanks", "nice", "oops", "hurry", "flip", "laugh", "wow"]
EMOTES: tuple[EmoteName, ...] = get_args(EmoteName)


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The tag is the name of the message in small letters."""


class Hello(ClientMessage, frozen=True):
    """The greeting: which table, whose seat, and the last version this client has seen."""

    protocol: Annotated[int, Meta(ge=0, le=2**31)]
    table: TableCode
    token: Token | None = None  # none: to look on
    have: Version | None = None  # 0: tell me the match so far; none: only how things stand


class Command(ClientMessage, frozen=True):
    """Whatever changes the table; sent again with the same ``cmd_id``, it gets the same answer and changes nothing."""

    cmd_id: CommandId


class MakeMove(Command, frozen=True, tag="move"):
    """Say a move of the game, in its notation; ``version`` is that of the view it was chosen from."""

    version: Version
    move: Annotated[str, Meta(min_length=1, max_length=24)]


class Start(Command, frozen=True):
    """Host: deal.  Every seat must be taken."""


class SeatBot(Command, frozen=True, tag="seat_bot"):
    """Host: a bot for an empty seat, or in the place of someone who is away."""

    seat: SeatNumber
    level: BotLevel = "regular"


class ClearSeat(Command, frozen=True, tag="clear_seat"):
    """Host, before the start: whoever sits there has to go; an empty seat is taken away from the table."""

    seat: SeatNumber


class Ready(Command, frozen=True):
    """The next round can be dealt."""


class Back(Command, frozen=True):
    """The bot that sits in for me may go."""


class Leave(Command, frozen=True):
    """I go; if the match has begun, a bot plays on for me."""


class Rematch(Command, frozen=True):
    """When the match is over: another with the same people."""


class Transfer(Command, frozen=True):
    """A secret with which another device can sit down in my seat."""


class Chat(ClientMessage, frozen=True):
    """Something to say to everybody at the table; cleaned and shortened by the server."""

    text: Annotated[str, Meta(min_length=1, max_length=1000)]


class Emote(ClientMessage, frozen=True):
    """One of the emotes the server knows, for everybody to see."""

    emote: EmoteName


class Pong(ClientMessage, frozen=True):
    """The answer to a ``ping``, with its number."""

    n: Annotated[int, Meta(ge=0, le=2**53 - 1)]


AnyCommand = MakeMove | Start | SeatBot | ClearSeat | Ready | Back | Leave | Rematch | Transfer
AnyClientMessage = Hello | AnyCommand | Chat | Emote | Pong

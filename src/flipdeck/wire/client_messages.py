"""Messages of a client.  ``Hello`` comes first and once; commands are idempotent: one ``cmd_id`` is carried out once,
however often it is sent."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from .parts import BotLevel, CommandId, Digits, DisplayName, SeatNumber, Speed, TableCode, Token, Version

EmoteName = Literal["hello", "thanks", "nice", "oops", "hurry", "flip", "laugh", "wow"]
EMOTES: tuple[EmoteName, ...] = get_args(EmoteName)


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """Base of all messages of a client; the tag is the name in lower case."""


class Hello(ClientMessage, frozen=True):
    """The greeting: which table, whose seat, and the last version this client has seen."""

    protocol: Annotated[int, Meta(ge=0, le=2**31)]
    table: TableCode
    token: Token | None = None  # none: as a spectator
    have: Version | None = None  # catch-up since this version; 0: the whole match; none: only the present view
    name: DisplayName | None = None  # of a spectator who may chat


class Command(ClientMessage, frozen=True):
    """Whatever changes the table; idempotent: sent again with the same ``cmd_id``, it only gets the same answer."""

    cmd_id: CommandId


class MakeMove(Command, frozen=True, tag="move"):
    """Make a move, in the notation; ``version`` is that of the view it was chosen from."""

    version: Version
    move: Annotated[str, Meta(min_length=1, max_length=24)]


class Pledge(Command, frozen=True):
    """Before the start: the hash of a value that this seat adds to the secret of the table; a later one replaces it."""

    pledge: Digits


class Start(Command, frozen=True):
    """Host: deal.  Every seat must be taken.  Where the first dealer is chosen (DEALER-1), the host may name one.

    If anybody has pledged a value, seats and pledges are frozen, and the cards are dealt when all values are in."""

    dealer: SeatNumber | None = None


class Open(Command, frozen=True):
    """While the match is starting: the value that this seat has pledged.  It is durable, and shown, with the deal."""

    value: Digits


class SeatBot(Command, frozen=True, tag="seat_bot"):
    """Host: seat a bot in an empty seat; before the start in place of a person too, who is removed in the same step,
    and later in place of somebody who is away."""

    seat: SeatNumber
    level: BotLevel = "regular"


class ClearSeat(Command, frozen=True, tag="clear_seat"):
    """Host, before the start: remove whoever sits there, for good; remove the seat itself if it is empty."""

    seat: SeatNumber


class Lock(Command, frozen=True):
    """Host: a locked table takes no new people."""

    locked: bool


class SetSpeed(Command, frozen=True, tag="speed"):
    """Host: how long bots appear to think from now on."""

    speed: Speed


class VoteOut(Command, frozen=True, tag="vote_out"):
    """Vote a slow player out, or take the vote back.  When all other people who are there have voted, a bot plays that
    seat until the match is over."""

    seat: SeatNumber
    on: bool = True


class Ready(Command, frozen=True):
    """Ready for the next round."""


class Back(Command, frozen=True):
    """Take the seat back from the bot that stands in."""


class Leave(Command, frozen=True):
    """Leave the table; once the match has begun, a bot plays on."""


class Rematch(Command, frozen=True):
    """When the match is over: another one with the same players."""


class Transfer(Command, frozen=True):
    """Ask for a secret with which another device can take over this seat."""


class Chat(ClientMessage, frozen=True):
    """A line of chat to everybody at the table; cleaned and shortened by the server."""

    text: Annotated[str, Meta(min_length=1, max_length=1000)]


class Emote(ClientMessage, frozen=True):
    """One of the emotes the server knows, for everybody to see."""

    emote: EmoteName


class Hurry(ClientMessage, frozen=True):
    """Seen enough of the bots: when everybody who plays has said so, they make the shortest pauses until it is a
    person's turn.  Not while somebody can be caught."""


class Probe(ClientMessage, frozen=True):
    """Is anybody there?  Answered at once by ``echo`` with the same number."""

    n: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Pong(ClientMessage, frozen=True):
    """The answer to a ``ping``, with its number."""

    n: Annotated[int, Meta(ge=0, le=2**53 - 1)]


# commands that a table decides; the session handles the others
HostCommand = Start | SeatBot | ClearSeat | Lock | SetSpeed
TableCommand = HostCommand | MakeMove | Pledge | Open | VoteOut | Ready | Back | Leave | Rematch
AnyCommand = TableCommand | Transfer
AnyClientMessage = Hello | AnyCommand | Chat | Emote | Hurry | Probe | Pong

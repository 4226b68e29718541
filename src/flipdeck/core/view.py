"""What a seat or a spectator may see (SEE-1 to SEE-8): the only way anything outside ``core`` sees a match.

``View`` is the one declaration of a view.  Its JSON, the strict parser, the schema, the TypeScript types and the tables
of the documentation are derived from these fields.  A new field is a line here, and its value in ``moment``.

A view is built up from what is visible, never cut down from the whole state.  It names faces, never cards by number,
so that nothing in it can be followed through a shuffle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal, TypeVar

from .cards import Card, Color, Face, Seat, Side
from .errors import BadRequest
from .events import Event, What
from .json_form import Mismatch, fields_of, to_plain
from .notation import Move
from .options import Options
from .state import CHALLENGE, DRAWN, FLIPPER_CALLS, OVER, STARTER_CALLS, TURN, Game

Direction = Literal[1, -1]
T = TypeVar("T")


class Phase(Enum):
    """What has to be decided now."""

    TURN = "turn"
    DRAWN = "drawn"
    COLOR = "color"
    CHALLENGE = "challenge"
    ROUND_OVER = "round-over"
    MATCH_OVER = "match-over"

    __hash__ = object.__hash__  # there is one of each, and enums hash slowly


_PHASES = {
    TURN: Phase.TURN,
    DRAWN: Phase.DRAWN,
    CHALLENGE: Phase.CHALLENGE,
    FLIPPER_CALLS: Phase.COLOR,
    STARTER_CALLS: Phase.COLOR,
    OVER: Phase.ROUND_OVER,
}


def phase_of(g: Game) -> Phase:
    return Phase.MATCH_OVER if g.winners else _PHASES[g.phase]


@dataclass(frozen=True, slots=True)
class Backs:
    """The hand of another seat as everybody sees it: the inactive faces, in hand order."""

    seat: Seat
    backs: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class PublicView:
    """The part of a view that is the same for everybody."""

    side: Annotated[Side, "the side in play"]
    direction: Annotated[Direction, "1: clockwise, to the next higher seat"]
    phase: Annotated[Phase, "what `to_act` has to do; `drawn`: play the card just drawn, if it fits, or keep it"]
    to_act: Annotated[Seat | None, "the seat on turn; null when the round is over"]
    color: Annotated[Color | None, "the color in force; null while one has to be called"]
    top: Annotated[Face, "the face on top of the discard pile"]
    draw_back: Annotated[Face | None, "the visible back of the draw pile's top card; null if there is none"]
    draw_count: Annotated[int, "cards in the draw pile"]
    discard_count: Annotated[int, "cards in the discard pile"]
    catchable: Annotated[tuple[Seat, ...], "who has one card, did not say UNO and can still be caught"]
    scores: Annotated[tuple[int, ...], "points of the match, by seat"]
    round: Annotated[int, "number of the round in the match, from 1"]
    dealer: Annotated[Seat, "dealer of this round"]
    owed: Annotated[int, "stacked draw cards that `to_act` has to answer; 0: none"]
    winners: Annotated[tuple[Seat, ...], "winners of the match; empty until it is over"]
    laid_open: Annotated[tuple[tuple[Card, ...], ...] | None, "all hands, by seat, when the round is over; else null"]


@dataclass(frozen=True, slots=True, repr=False)
class View(PublicView):
    """All that one seat may know of the game now; a spectator has no hand and nothing to say."""

    you: Annotated[Seat | None, "whose view it is; null for a spectator"]
    others: Annotated[tuple[Backs, ...], "every hand but your own, by seat"]
    hand: Annotated[tuple[Card, ...], "your cards in order of arrival; `?` is a face you may not see"]
    legal: Annotated[tuple[Move, ...], "all that you may say now, on turn or not"]
    drawn: Annotated[Card | None, "the card that you have just drawn, in your phase `drawn`; else null"]

    def __repr__(self) -> str:
        whose = "a spectator" if self.you is None else f"seat {self.you}"
        turn = self.phase.value if self.to_act is None else f"seat {self.to_act} to act ({self.phase.value})"
        hand = f", hand {' '.join(map(str, self.hand))}" if self.hand else ""
        return f"<View of {whose}: {self.side.value} side, top {self.top}, {turn}{hand}>"

    @property
    def players(self) -> int:
        return len(self.scores)

    def to_dict(self) -> dict[str, object]:
        """As JSON has it."""
        return to_plain(self)

    @classmethod
    def from_dict(cls, data: object) -> View:
        """Parse what ``to_dict`` writes; a Refusal for anything else.

        The types are checked, not whether a game could look like that.
        """
        if not isinstance(data, dict):
            raise BadRequest("view-shape")
        wanted = fields_of(cls)
        names = [each.name for each in wanted]
        if missing := [name for name in names if name not in data]:
            raise BadRequest("view-field", name=missing[0])
        if extra := [name for name in data if name not in names]:
            raise BadRequest("view-extra", name=extra[0])
        values = {}
        for each in wanted:
            try:
                values[each.name] = each.form.read(data[each.name])
            except Mismatch as mismatch:
                raise BadRequest("view-value", name=each.name, value=mismatch.value) from None
        return cls(**values)


def seen_by(events: Iterable[Event], seat: Seat | None, options: Options) -> tuple[Event, ...]:
    """Events as one seat may see them; ``None`` is a spectator."""
    return seen_by_each(events, (seat,), options)[0]


def seen_by_each(events: Iterable[Event], seats: Iterable[Seat | None], options: Options) -> list[tuple[Event, ...]]:
    """Events redacted for several viewers; equal redactions share one object."""
    viewers = tuple(seats)
    seen = [_seen_by_each(event, viewers, options.own_backs, _itself) for event in events]
    return list(zip(*seen, strict=True)) if seen else [()] * len(viewers)


def texts_by_each(events: Iterable[Event], seats: Sequence[Seat | None], options: Options) -> list[str]:
    """The same as elements of a JSON list."""
    seen = [_seen_by_each(event, seats, options.own_backs, Event.to_text) for event in events]
    if len(seen) == 1:
        return list(seen[0])
    return list(map(",".join, zip(*seen, strict=True))) if seen else [""] * len(seats)


# everybody sees both faces of these cards
_ON_THE_TABLE = {What.DEALER_CARD, What.TURNED_UP, What.RETURNED, What.FLIPPED, What.LAID_OPEN}
# everybody sees these cards; an owner who may not look at backs has not seen the back of their own
_OUT_OF_A_HAND = {What.PLAYED, What.REVEALED}
_CHALLENGED = What.CHALLENGED
_NOBODY = -1


def _itself(event: Event) -> Event:
    return event


def _seen_by_each(
    event: Event, seats: Sequence[Seat | None], own_backs: str, form: Callable[[Event], T]
) -> Sequence[T]:
    """The form of it that is for each.  Cards are hidden unless a line here shows them: a new kind of event leaks
    nothing by being new.
    """
    what, whole = event.what, form(event)
    if (event.card is None and event.cards is None) or what in _ON_THE_TABLE:
        return (whole,) * len(seats)
    if what in _OUT_OF_A_HAND and own_backs == "shown":
        return (whole,) * len(seats)
    owner = _NOBODY if event.seat is None else event.seat
    own = whole if own_backs == "shown" else form(_from_one_side(event, event.side))  # SEE-4
    if what in _OUT_OF_A_HAND:
        return [own if seat == owner else whole for seat in seats]
    behind = form(_from_one_side(event, event.side.other))
    if what is not _CHALLENGED:
        return [own if seat == owner else behind for seat in seats]
    shown_to = _NOBODY if event.by is None else event.by  # SEE-6
    return [own if seat == owner else whole if seat == shown_to else behind for seat in seats]


def _from_one_side(event: Event, side: Side) -> Event:
    """The same event, of whose cards one side is seen."""
    card, cards = event.card, event.cards
    seen = None if cards is None else tuple([each.only(side) for each in cards])
    return Event(event.what, event.side, event.seat, None if card is None else card.only(side), seen, *event[5:])

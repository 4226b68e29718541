"""What happened, in the past tense and in order.

An event tells all of it.  What a seat may see of an event is decided in ``view`` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple, overload

from .cards import Card, Color, Seat, Side, color_of
from .reading import SEATS, card_named, hand_in_order, seats_in
from .rules import log
from .state import Game


class What(Enum):
    """The names of events; each is followed by what it tells besides the seat."""

    DEALER_CARD = "dealer_card"  # card: its light face
    DEALER_CHOSEN = "dealer_chosen"
    DEALT = "dealt"  # cards
    TURNED_UP = "turned_up"  # card
    RETURNED = "returned"  # card
    PLAYED = "played"  # card
    JUMPED_IN = "jumped_in"
    CALLED_COLOR = "called_color"  # color
    DREW = "drew"  # card
    REVEALED = "revealed"  # card
    KEPT = "kept"
    PASSED = "passed"
    SKIPPED = "skipped"
    REVERSED = "reversed"  # direction
    FLIPPED = "flipped"  # side: the new one, card: on top now
    RESHUFFLED = "reshuffled"
    SAID_UNO = "said_uno"
    CAUGHT = "caught"  # by
    CAUGHT_IN_VAIN = "caught_in_vain"  # by
    ACCEPTED = "accepted"
    CHALLENGED = "challenged"  # by, cards: the hand shown
    FOUND_GUILTY = "found_guilty"  # by
    FOUND_INNOCENT = "found_innocent"  # by
    WENT_OUT = "went_out"
    ROUND_VOID = "round_void"
    LAID_OPEN = "laid_open"  # cards: a hand that was left
    SCORED = "scored"  # points, scores
    WON = "won"  # winners

    __hash__ = object.__hash__  # there is one of each, and enums hash slowly


_NAMES = tuple(What)  # in the order of the numbers of rules.log
_ABOUT_NOBODY = {What.RESHUFFLED, What.ROUND_VOID, What.SCORED, What.WON}
_WITH_CARD = {What.TURNED_UP, What.RETURNED, What.PLAYED, What.DREW, What.REVEALED, What.FLIPPED}
_WITH_NOTHING = {  # but the seat
    *(What.DEALER_CHOSEN, What.JUMPED_IN, What.KEPT, What.PASSED, What.SKIPPED, What.SAID_UNO, What.ACCEPTED),
    What.WENT_OUT,
}
_AS_IT_STANDS_NOW = {  # they depend on the state, not on the log alone: decoded at once
    *(log.DEALT, log.REVERSED, log.CHALLENGED, log.LAID_OPEN, log.SCORED, log.WON),
}
_WITH_OTHER = {What.CAUGHT, What.CAUGHT_IN_VAIN, What.CHALLENGED, What.FOUND_GUILTY, What.FOUND_INNOCENT}


class Event(NamedTuple):
    """One thing that happened; what is None does not belong to it."""

    what: What
    side: Side  # in play just then; after a flip, the new one
    seat: Seat | None = None
    card: Card | None = None
    cards: tuple[Card, ...] | None = None
    color: Color | None = None
    by: Seat | None = None
    direction: int | None = None
    points: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    winners: tuple[Seat, ...] | None = None

    def __repr__(self) -> str:
        told = {name: value for name, value in self.to_dict().items() if name != "event"}
        return f"<Event {self.what.value}: {', '.join(f'{name} {value}' for name, value in told.items())}>"

    def to_dict(self) -> dict[str, object]:
        """As JSON has it: the name, the side, and the fields that are not None."""
        plain: dict[str, object] = {"event": self.what._value_, "side": self.side._value_}
        for name, value in zip(_TOLD, self[2:], strict=True):
            if value is not None:
                plain[name] = value if type(value) is int else _plain(value)
        return plain

    def to_text(self) -> str:
        """The same, encoded; there is nothing in it to escape.  A table sends it to everybody after every move."""
        text, card = _beginning(self.what, self.side, self.seat), self.card
        if card is not None:
            text = f'{text},"card":"{card}"'
        if self[4:] != _NOTHING_ELSE:
            rest = zip(_TOLD[2:], self[4:], strict=True)
            text += "".join([f',"{name}":{_text(value)}' for name, value in rest if value is not None])
        return f"{text}}}"


_TOLD = Event._fields[2:]
_NOTHING_ELSE = (None,) * len(_TOLD[2:])


@cache
def _beginning(what: What, side: Side, seat: Seat | None) -> str:
    about = "" if seat is None else f',"seat":{seat}'
    return f'{{"event":"{what.value}","side":"{side.value}"{about}'


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{','.join(map(_text, value))}]"
    if isinstance(value, int):
        return str(value)
    return f'"{value.value if isinstance(value, Enum) else value}"'


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    return value if isinstance(value, int) else str(value)


def events_of(g: Game, side: Side) -> tuple[Event, ...]:
    """The log of the last move or deal; ``side`` was in play when it began."""
    return _read(g, g.log[: g.log_size], side)


def lazy_events_of(g: Game, side: Side) -> Sequence[Event]:
    """The same, decoded whenever they are looked at: replays seldom do."""
    numbers = g.log[: g.log_size]
    for number in numbers:
        if number & 255 in _AS_IT_STANDS_NOW:
            return _read(g, numbers, side)
    return _LazyEvents(g, numbers, side)


def drew(events: Sequence[Event], seat: Seat | None) -> bool:
    """Whether a seat drew a card; nothing is decoded for it."""
    if isinstance(events, _LazyEvents):
        return events.drew(seat)
    return any(event.what is What.DREW and event.seat == seat for event in events)


class _LazyEvents(Sequence[Event]):
    """Events decoded at every access, from their numbers and the faces of the cards, which stay the same all match.

    They are not kept: most are looked at once, and a history of objects is what the collector has most to do with.
    """

    __slots__ = ("_game", "_numbers", "_side")

    def __init__(self, g: Game, numbers: list[int], side: Side) -> None:
        self._game = g
        self._numbers = numbers
        self._side = side

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | Sequence[Event]:
        return self._all()[at]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._all())

    def drew(self, seat: Seat | None) -> bool:
        return any(number & 255 == log.DREW and number >> log.SEAT_AT & 255 == seat for number in self._numbers)

    def _all(self) -> tuple[Event, ...]:
        return _read(self._game, self._numbers, self._side)


def _read(g: Game, numbers: Sequence[int], side: Side) -> tuple[Event, ...]:
    events: list[Event] = []
    for number in numbers:
        kind, seat, thing = number & 255, number >> log.SEAT_AT & 255, number >> log.THING_AT
        what = _NAMES[kind]
        if kind == log.FLIPPED:
            side = side.other
        if what in _WITH_CARD:
            events.append(Event(what, side, SEATS[seat], card_named(g, thing)))
        elif what in _WITH_NOTHING:
            events.append(_about_seat(what, side, seat))
        elif kind == log.DEALT:
            events.extend(_hands_dealt(g, side))
        elif kind == log.LAID_OPEN:
            events.extend(_hands_left(g, side))
        else:
            events.append(_event(g, what, side, Seat(seat), thing))
    return tuple(events)


@cache
def _about_seat(what: What, side: Side, seat: int) -> Event:
    """There are so few of these events that each is made once."""
    return Event(what, side, SEATS[seat])


def _event(g: Game, what: What, side: Side, seat: Seat, thing: int) -> Event:
    about = None if what in _ABOUT_NOBODY else seat
    if what is What.DEALER_CARD:
        return Event(what, side, about, card=card_named(g, thing).only(Side.LIGHT))
    if what is What.CALLED_COLOR:
        return Event(what, side, about, color=color_of(side, thing))
    if what is What.REVERSED:
        return Event(what, side, about, direction=g.direction)
    if what is What.SCORED:
        points, scores = tuple(g.points[: g.players]), tuple(g.scores[: g.players])
        return Event(what, side, about, points=points, scores=scores)
    if what is What.WON:
        return Event(what, side, about, winners=seats_in(g.winners))
    by = Seat(thing) if what in _WITH_OTHER else None
    shown = _hand_shown(g, seat) if what is What.CHALLENGED else None
    return Event(what, side, about, cards=shown, by=by)


def _hands_dealt(g: Game, side: Side) -> list[Event]:
    """DEAL-1, hand by hand: an opening Draw One may have added to one of them since."""
    order = [Seat((g.dealer + step) % g.players) for step in range(1, g.players + 1)]
    return [Event(What.DEALT, side, seat, cards=_named(g, hand_in_order(g, seat)[: g.hand_size])) for seat in order]


def _hands_left(g: Game, side: Side) -> list[Event]:
    """SEE-8, hand by hand: cards drawn for the last effect are among them."""
    return [
        Event(What.LAID_OPEN, side, Seat(seat), cards=_named(g, hand_in_order(g, seat)))
        for seat in range(g.players)
        if g.counts[seat]
    ]


def _hand_shown(g: Game, seat: int) -> tuple[Card, ...]:
    """CHAL-2: the hand as it was just after the play, without what was drawn since."""
    return _named(g, [card for card in hand_in_order(g, seat) if g.arrived[card] <= g.shown_until])


def _named(g: Game, cards: list[int]) -> tuple[Card, ...]:
    return tuple(card_named(g, card) for card in cards)

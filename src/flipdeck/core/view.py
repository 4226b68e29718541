"""What a seat or a spectator may see (SEE-1 to SEE-7): the only way anything outside ``core`` sees a match.

A view is built up from what is visible, never cut down from the whole state.  It names faces, never cards by number,
so that nothing in it can be followed through a shuffle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from .cards import Card, Color, Face, Seat, Side, face_of, faces_of
from .codes import DARK
from .events import Event, What
from .notation import Move
from .options import Options
from .reading import card_named, color_in_force, hand_in_order, moves_of, seats_in, shown_card, side_in_play
from .state import CHALLENGE, DRAWN, FLIPPER_CALLS, OVER, STARTER_CALLS, TURN, Game
from .writing import Hand, or_null, quoted, sayings_of


class Phase(Enum):
    TURN = "turn"
    DRAWN = "drawn"
    COLOR = "color"
    CHALLENGE = "challenge"
    ROUND_OVER = "round-over"
    MATCH_OVER = "match-over"


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
class View:
    you: Seat | None  # None for a spectator
    side: Side
    direction: int
    phase: Phase
    to_act: Seat | None
    color: Color | None
    top: Face
    draw_back: Face | None
    draw_count: int
    discard_count: int
    hand: tuple[Card, ...]
    others: tuple[Backs, ...]
    catchable: tuple[Seat, ...]
    scores: tuple[int, ...]
    legal: tuple[Move, ...]
    # public too, and useful to whoever plays
    round_number: int
    dealer: Seat
    owed: int  # draw cards stacked up, to be answered
    winners: tuple[Seat, ...]

    @property
    def players(self) -> int:
        return len(self.scores)

    def to_dict(self) -> dict[str, object]:
        """As JSON tells it."""
        return {
            "you": self.you,
            "side": self.side.value,
            "direction": self.direction,
            "phase": self.phase.value,
            "to_act": self.to_act,
            "color": self.color.value if self.color else None,
            "top": str(self.top),
            "draw_back": str(self.draw_back) if self.draw_back else None,
            "draw_count": self.draw_count,
            "discard_count": self.discard_count,
            "hand": [str(card) for card in self.hand],
            "others": [{"seat": other.seat, "backs": [str(face) for face in other.backs]} for other in self.others],
            "catchable": list(self.catchable),
            "scores": list(self.scores),
            "legal": [str(move) for move in self.legal],
        }


class Moment:
    """A game as it stands now, for everybody who looks: what views have in common is read once.

    It is of no use any more when the game has moved on, but for ``hands``: those that are still the same.
    """

    __slots__ = (
        "_backs",
        "_backs_texts",
        "_moves",
        "_options",
        "_public",
        "_sayings",
        "_side",
        "_views",
        "game",
        "hands",
    )

    def __init__(self, g: Game, options: Options, hands: Mapping[Seat, Hand]) -> None:
        self.game = g
        self.hands = {seat: hand for seat, hand in hands.items() if hand.lies_in(g)}
        self._options = options
        self._side = side_in_play(g)
        self._backs: dict[Seat, Backs] = {}
        self._moves: dict[Seat, dict[Move, int]] = {}
        self._sayings: dict[Seat, dict[str, int]] = {}
        self._views: dict[Seat | None, View] = {}
        self._public: str | None = None
        self._backs_texts: list[str] | None = None

    def view(self, seat: Seat | None) -> View:
        """All that one seat may know now; ``None`` is a spectator."""
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self._seen_from(seat)
        return view

    def moves(self, seat: Seat) -> dict[Move, int]:
        """What a seat may say, with the number of each move."""
        moves = self._moves.get(seat)
        if moves is None:
            moves = self._moves[seat] = moves_of(self.game, seat, self._options.own_backs)
        return moves

    def sayings(self, seat: Seat) -> dict[str, int]:
        """The same, every move as it is written."""
        sayings = self._sayings.get(seat)
        if sayings is None:
            sayings = self._sayings[seat] = sayings_of(self.game, self._hand(seat), seat, self._options.own_backs)
        return sayings

    def text(self, seat: Seat | None) -> str:
        """The view as JSON, with all its fields.

        A table shows it to everybody after every move, so it is written straight from the game; what is public is
        written once.  It says what ``view`` says: a test compares them.
        """
        if self._backs_texts is None:
            self._public = self._public_text()
            self._backs_texts = [self._hand(Seat(each)).backs_text() for each in range(self.game.players)]
        backs = self._backs_texts
        if seat is None:
            return f'{{"you":null,{self._public},"others":[{",".join(backs)}],"hand":[],"legal":[]}}'
        others = ",".join(backs[:seat] + backs[seat + 1 :])
        hand, legal = self._hand(seat).own_text(self._options.own_backs), quoted(list(self.sayings(seat)))
        return f'{{"you":{seat},{self._public},"others":[{others}],"hand":[{hand}],"legal":[{legal}]}}'

    def _public_text(self) -> str:
        g, side = self.game, self._side
        over, color = g.phase == OVER, color_in_force(g)
        back = or_null(self._back(g.stock[g.stock_size - 1]).text if g.stock_size else None)
        catchable = "" if over else ",".join(map(str, seats_in(g.silent)))
        return (
            f'"side":"{side.value}","direction":{g.direction},"phase":"{phase_of(g).value}",'
            f'"to_act":{"null" if over else g.turn},"color":{or_null(color and color.value)},'
            f'"top":"{face_of(side, g.faces[g.side + g.pile[g.pile_size - 1]]).text}","draw_back":{back},'
            f'"draw_count":{g.stock_size},"discard_count":{g.pile_size},"catchable":[{catchable}],'
            f'"scores":[{",".join(map(str, g.scores[: g.players]))}],"round":{g.round},"dealer":{g.dealer},'
            f'"owed":{g.owed},"winners":[{",".join(map(str, seats_in(g.winners)))}]'
        )

    def _seen_from(self, seat: Seat | None) -> View:
        g, side, own_backs = self.game, self._side, self._options.own_backs
        hand = [] if seat is None else self._hand(seat).cards
        over = g.phase == OVER
        return View(
            you=seat,
            side=side,
            direction=g.direction,
            phase=phase_of(g),
            to_act=None if over else Seat(g.turn),
            color=color_in_force(g),
            top=face_of(side, g.faces[g.side + g.pile[g.pile_size - 1]]),
            draw_back=self._back(g.stock[g.stock_size - 1]) if g.stock_size else None,
            draw_count=g.stock_size,
            discard_count=g.pile_size,
            hand=tuple([shown_card(card_named(g, card), side, own_backs) for card in hand]),
            others=tuple([self._hand_of(Seat(other)) for other in range(g.players) if other != seat]),
            catchable=() if over else seats_in(g.silent),
            scores=tuple(g.scores[: g.players]),
            legal=() if seat is None else tuple(self.moves(seat)),
            round_number=g.round,
            dealer=Seat(g.dealer),
            owed=g.owed,
            winners=seats_in(g.winners),
        )

    def _hand(self, seat: Seat) -> Hand:
        hand = self.hands.get(seat)
        if hand is None:
            hand = self.hands[seat] = Hand(self.game, seat, hand_in_order(self.game, seat))
        return hand

    def _hand_of(self, seat: Seat) -> Backs:
        """SEE-1: the backs of a hand are the same to everybody but its owner."""
        backs = self._backs.get(seat)
        if backs is None:
            back = self._back
            backs = self._backs[seat] = Backs(seat, tuple([back(card) for card in self._hand(seat).cards]))
        return backs

    def _back(self, card: int) -> Face:
        """SEE-1: the face that everybody but the owner sees."""
        g = self.game
        return faces_of(self._side.other)[g.faces[DARK - g.side + card]]


def seen_by(events: Iterable[Event], seat: Seat | None, options: Options) -> tuple[Event, ...]:
    """Events as one seat may see them; ``None`` is a spectator."""
    return seen_by_each(events, (seat,), options)[0]


def seen_by_each(events: Iterable[Event], seats: Iterable[Seat | None], options: Options) -> list[tuple[Event, ...]]:
    """Events as each of some seats may see them; where two see an event from behind, it is the same to both."""
    happened, own_backs = tuple(events), options.own_backs
    from_behind: dict[int, Event] = {}
    return [tuple([_seen(event, seat, own_backs, from_behind) for event in happened]) for seat in seats]


# everybody sees these cards; nobody held them
_ON_THE_TABLE = {What.DEALER_CARD, What.TURNED_UP, What.RETURNED, What.FLIPPED}
# everybody sees these cards; an owner who may not look at backs has not seen the back of their own
_OUT_OF_A_HAND = {What.PLAYED, What.REVEALED}


def _seen(event: Event, seat: Seat | None, own_backs: str, from_behind: dict[int, Event]) -> Event:
    """Cards are hidden unless a line here shows them: a new kind of event leaks nothing by being new."""
    if (event.card is None and event.cards is None) or event.what in _ON_THE_TABLE:
        return event
    if seat is not None and event.seat == seat:
        if own_backs == "shown":
            return event
        return _with_cards(event, lambda card: shown_card(card, event.side, own_backs))
    shown_to_me = event.what is What.CHALLENGED and seat is not None and event.by == seat  # SEE-6
    if event.what in _OUT_OF_A_HAND or shown_to_me:
        return event
    behind = from_behind.get(id(event))
    if behind is None:
        behind = from_behind[id(event)] = _with_cards(event, lambda card: card.only(event.side.other))
    return behind


def _with_cards(event: Event, see: Callable[[Card], Card]) -> Event:
    """The same event with its cards seen otherwise.  Written out: ``dataclasses.replace`` takes four times as long."""
    return Event(
        event.what,
        event.side,
        event.seat,
        None if event.card is None else see(event.card),
        None if event.cards is None else tuple([see(card) for card in event.cards]),
        event.color,
        event.by,
        event.direction,
        event.points,
        event.scores,
        event.winners,
    )

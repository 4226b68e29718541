"""A game as it stands now, for everybody who looks: where views are made, as objects and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import cast

from .cards import Card, Face, Seat, color_of, face_of, faces_of
from .codes import DARK
from .json_form import fields_of, writer
from .notation import Move
from .options import Options
from .reading import SEATS, card_named, color_in_force, hand_in_order, moves_of, seats_in, shown_card, side_in_play
from .rules.legal import has_a_say
from .state import DRAWN, OVER, Game
from .view import Backs, PublicView, View, phase_of
from .writing import Hand, quoted, sayings_of

_public_values = attrgetter(*(each.name for each in fields_of(PublicView)))
_write_public = cast("type[PublicView]", writer(PublicView))  # its text in place of the object


class Moment:
    """The views of one position; what they have in common is read once.

    It is valid until the next move.  The next moment goes on from its ``hands``.
    """

    __slots__ = (
        *("_backs", "_backs_texts", "_moves", "_options", "_public", "_sayings", "_side", "_text", "_views"),
        *("game", "hands"),
    )

    def __init__(self, g: Game, options: Options, hands: Mapping[Seat, Hand]) -> None:
        self.game = g
        self.hands = {seat: hand.now(g) for seat, hand in hands.items()}
        self._options = options
        self._side = side_in_play(g)
        self._backs: dict[Seat, Backs] = {}
        self._moves: dict[Seat, dict[Move, int]] = {}
        self._sayings: dict[Seat, dict[str, int]] = {}
        self._views: dict[Seat | None, View] = {}
        self._public: PublicView | None = None
        self._text = ""  # of the public part
        self._backs_texts: list[str] = []

    def view(self, seat: Seat | None) -> View:
        """All that one seat may know now; ``None`` is a spectator."""
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self._seen_from(seat)
        return view

    def moves(self, seat: Seat) -> dict[Move, int]:
        """The legal moves of a seat, with the number of each."""
        moves = self._moves.get(seat)
        if moves is None:
            moves = self._moves[seat] = moves_of(self.game, seat, self._options.own_backs)
        return moves

    def sayings(self, seat: Seat) -> dict[str, int]:
        """The same in the notation."""
        sayings = self._sayings.get(seat)
        if sayings is None:
            sayings = self._sayings[seat] = sayings_of(self.game, seat, self._options.own_backs)
        return sayings

    def texts(self, seats: Iterable[Seat | None]) -> list[str]:
        """The views as JSON.

        A table shows them to everybody after every move, so they are written straight from the game, and their public
        part once.  They say what ``View.to_dict`` says: a test compares them.
        """
        return list(map(self.text, seats))

    def text(self, seat: Seat | None) -> str:
        """One of them."""
        if not self._text:
            self._text = str(self._seen_by_all(_write_public))
            self._backs_texts = [self._hand(each).backs_text() for each in SEATS[: self.game.players]]
        backs = self._backs_texts
        if seat is None:
            return f'{{{self._text},"you":null,"others":[{",".join(backs)}],"hand":[],"legal":[],"drawn":null}}'
        others, hand = ",".join(backs[:seat] + backs[seat + 1 :]), self.hands[seat].own_text()
        legal = quoted(self.sayings(seat)) if has_a_say(self.game, seat) else ""
        drawn = f'"{self._drawn()}"' if self._has_drawn(seat) else "null"
        return f'{{{self._text},"you":{seat},"others":[{others}],"hand":[{hand}],"legal":[{legal}],"drawn":{drawn}}}'

    def _public_part(self) -> PublicView:
        if self._public is None:
            self._public = self._seen_by_all(PublicView)
        return self._public

    def _seen_by_all(self, make: type[PublicView]) -> PublicView:
        g, side = self.game, self._side
        over = g.phase == OVER
        return make(
            side=side,
            direction=1 if g.direction > 0 else -1,
            phase=phase_of(g),
            to_act=None if over else SEATS[g.turn],
            color=color_of(side, g.color),
            top=face_of(side, g.faces[g.side + g.pile[g.pile_size - 1]]),
            draw_back=self._back(g.stock[g.stock_size - 1]) if g.stock_size else None,
            draw_count=g.stock_size,
            discard_count=g.pile_size,
            catchable=() if over else seats_in(g.silent),
            scores=tuple(g.scores[: g.players]),
            round=g.round,
            dealer=SEATS[g.dealer],
            owed=g.owed,
            winners=seats_in(g.winners),
            laid_open=tuple([self._whole_hand(seat) for seat in SEATS[: g.players]]) if over else None,
        )

    def _seen_from(self, seat: Seat | None) -> View:
        g, side, own_backs = self.game, self._side, self._options.own_backs
        cards = [] if seat is None else self._hand(seat).cards
        others = tuple([self._hand_of(other) for other in SEATS[: g.players] if other != seat])
        hand = tuple([shown_card(card_named(g, card), side, own_backs) for card in cards])
        legal = () if seat is None else tuple(self.moves(seat))
        drawn = self._drawn() if self._has_drawn(seat) else None
        values = (*_public_values(self._public_part()), seat, others, hand, legal, drawn)
        return View(*values)

    def _has_drawn(self, seat: Seat | None) -> bool:
        return self.game.phase == DRAWN and self.game.turn == seat

    def _drawn(self) -> Card:
        """TURN-2: the card just drawn, as its owner sees it; for nobody else."""
        return shown_card(card_named(self.game, self.game.drawn), self._side, self._options.own_backs)

    def _whole_hand(self, seat: Seat) -> tuple[Card, ...]:
        """SEE-8: a hand laid open."""
        return tuple([card_named(self.game, card) for card in self._hand(seat).cards])

    def _hand(self, seat: Seat) -> Hand:
        hand = self.hands.get(seat)
        if hand is None:
            hand = self.hands[seat] = Hand(self.game, seat, self._options.own_backs)
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


def secret_state(g: Game, edition: str) -> dict[str, object]:
    """The complete state as JSON, hidden cards too."""
    color, over = color_in_force(g), g.phase == OVER
    return {
        "edition": edition,
        "side": side_in_play(g).value,
        "direction": g.direction,
        "phase": phase_of(g).value,
        "to_act": None if over else Seat(g.turn),
        "color": color.value if color else None,
        "top": str(card_named(g, g.pile[g.pile_size - 1])),
        "dealer": Seat(g.dealer),
        "hands": [_texts(g, hand_in_order(g, seat)) for seat in range(g.players)],
        "draw": _texts(g, g.stock[: g.stock_size][::-1]),
        "discard": _texts(g, g.pile[: g.pile_size][::-1]),
        "catchable": [] if over else list(seats_in(g.silent)),
        "round": {
            "number": g.round,
            "winner": None if g.winner < 0 else Seat(g.winner),
            "points": g.points[: g.players],
        },
        "scores": g.scores[: g.players],
        "winners": list(seats_in(g.winners)),
        "owed": g.owed,
    }


def _texts(g: Game, cards: list[int]) -> list[str]:
    return [str(card_named(g, card)) for card in cards]

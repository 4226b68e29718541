"""Strict parser for a view given as JSON: impossible views are refused before any search.

It is what ``View.to_dict``, the referee and the server write, alone or as the ``view`` of a whole answer or message.
``core`` checks the types; this module checks that a game could look like that.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from ..core.cards import Card, Face, Seat, Side, card_of, full_deck
from ..core.codes import MAX_PLAYERS
from ..core.errors import BadRequest
from ..core.options import Options
from ..core.reading import moves_of, shown_card
from ..core.view import Phase, View
from .belief.memory import Memory
from .belief.pools import public_pairs

MOST = 1_000_000_000  # of any number in it
_OVER = (Phase.ROUND_OVER, Phase.MATCH_OVER)


def read_view(text: str, options: Options) -> View:
    """The view in a text of JSON; a BadRequest says what is wrong with it."""
    data = _json_in(text)
    view = View.from_dict(data)
    _Check(view, data, options).fields()
    _check_cards(view, options)
    if view.you is not None:
        _check_legal(view, options)
    return view


def _json_in(text: str) -> Any:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRequest("view-json", line=getattr(error, "lineno", 1), column=getattr(error, "colno", 1)) from None
    return data["view"] if isinstance(data, dict) and "view" in data else data


class _Check:
    """Checks each field against the others and the options."""

    def __init__(self, view: View, data: dict[str, Any], options: Options) -> None:
        self._view = view
        self._data = data
        self._options = options

    def fields(self) -> None:
        self._numbers()
        self._seats()
        self._faces()
        self._color()
        self._hands()
        self._drawn()
        self._laid_open()
        self._middle()

    def _expect(self, fine: bool, name: str) -> None:
        if not fine:
            self._bad(name)

    def _bad(self, name: str) -> NoReturn:
        raise BadRequest("view-value", name=name, value=self._data[name])

    def _numbers(self) -> None:
        view, expect = self._view, self._expect
        expect(2 <= view.players <= MAX_PLAYERS and all(0 <= score < MOST for score in view.scores), "scores")
        expect(0 <= view.draw_count < self._options.cards, "draw_count")
        expect(1 <= view.discard_count < self._options.cards, "discard_count")
        expect(1 <= view.round < MOST, "round")
        expect(1 <= view.owed < MOST if view.phase is Phase.CHALLENGE else view.owed == 0, "owed")

    def _seats(self) -> None:
        view, expect = self._view, self._expect
        expect(view.you is None or self._is_seat(view.you), "you")
        expect(view.to_act is None if view.phase in _OVER else self._is_seat(view.to_act), "to_act")
        expect(self._is_seat(view.dealer), "dealer")
        expect(self._are_seats(view.catchable), "catchable")
        expect(self._are_seats(view.winners), "winners")
        expect([other.seat for other in view.others] == [n for n in range(view.players) if n != view.you], "others")

    def _is_seat(self, seat: Seat | None) -> bool:
        return seat is not None and 0 <= seat < self._view.players

    def _are_seats(self, seats: Sequence[Seat]) -> bool:
        return all(map(self._is_seat, seats)) and len(set(seats)) == len(seats)

    def _faces(self) -> None:
        view, expect = self._view, self._expect
        front, back = (full_deck(side, self._options.cards) for side in (view.side, view.side.other))
        expect(view.top in front, "top")
        expect((view.draw_back is None) is (view.draw_count == 0), "draw_back")
        expect(view.draw_back is None or view.draw_back in back, "draw_back")
        expect(all(face in back for other in view.others for face in other.backs), "others")

    def _drawn(self) -> None:
        """TURN-2: the drawn card is named to the seat that has to say what becomes of it."""
        view = self._view
        if view.phase is Phase.DRAWN and view.to_act == view.you:
            self._expect(view.drawn in view.hand, "drawn")
        else:
            self._expect(view.drawn is None, "drawn")

    def _laid_open(self) -> None:
        """SEE-8: when the round is over, every hand as a whole; what else is seen of it agrees."""
        view, expect = self._view, self._expect
        if view.phase not in _OVER:
            expect(view.laid_open is None, "laid_open")
            return
        hands, own_backs = view.laid_open or (), self._options.own_backs
        expect(len(hands) == view.players, "laid_open")
        expect("?" not in "".join(str(card) for hand in hands for card in hand), "laid_open")
        if view.you is not None:
            expect(tuple(shown_card(card, view.side, own_backs) for card in hands[view.you]) == view.hand, "hand")
        behind = [tuple(card.face(view.side.other) for card in hand) for hand in hands]
        expect(all(other.backs == behind[other.seat] for other in view.others), "others")

    def _color(self) -> None:
        """None while one has to be called; when the round is over, either."""
        view = self._view
        if view.color is None:
            self._expect(view.phase in (Phase.COLOR, *_OVER), "color")
        else:
            colors = {face.color for face in full_deck(view.side, self._options.cards)}
            self._expect(view.color in colors and view.phase is not Phase.COLOR, "color")

    def _hands(self) -> None:
        """Own cards show their backs exactly if ``own_backs`` says so."""
        view, own_backs = self._view, self._options.own_backs
        if view.you is None:
            self._expect(not view.hand, "hand")
            self._expect(not view.legal, "legal")
        for card in view.hand:
            seen = card if own_backs == "shown" else card.only(view.side)
            if card.face(view.side) is None or card != seen or (own_backs == "shown" and "?" in str(card)):
                raise BadRequest("view-own-backs", card=card, own_backs=own_backs)

    def _middle(self) -> None:
        """The phase, the top card and the color belong together."""
        view, expect = self._view, self._expect
        if view.phase in _OVER:
            return
        expect(view.you is None or bool(view.hand), "hand")
        expect(all(other.backs for other in view.others), "others")
        expect(view.phase is not Phase.COLOR or view.top.is_wild, "top")
        expect(view.phase is not Phase.CHALLENGE or "+" in view.top.symbol.value, "top")
        expect(view.top.is_wild or view.color is view.top.color, "color")


# ---------------------------------------------------------------- the whole
def _check_cards(view: View, options: Options) -> None:
    """There are as many cards as the deck has, and no face shows more often than it is there."""
    held = 0 if view.you is None else len(view.hand)
    total = held + sum(len(other.backs) for other in view.others) + view.draw_count + view.discard_count
    if total != options.cards:
        raise BadRequest("view-count", want=options.cards, got=total)
    seen = _cards_seen(view)
    for side in (view.side, view.side.other):
        want, got = full_deck(side, options.cards), Counter(_known(card.face(side) for card in seen))
        for face, number in got.items():
            if number > want[face]:
                raise BadRequest("view-faces", side=side.value, face=face, want=want[face], got=number)
    if pairs := public_pairs(options):
        _check_pairing(seen, [card_of(*pair) for pair in pairs])


def _cards_seen(view: View) -> list[Card]:
    """All that shows a face: hands, the card on the discard pile, the one on the draw pile."""
    behind = view.side.other
    if view.laid_open is not None:
        held = [card for hand in view.laid_open for card in hand]
    else:
        held = [*view.hand, *(_showing(back, behind) for other in view.others for back in other.backs)]
    drawn_next = [] if view.draw_back is None else [_showing(view.draw_back, behind)]
    return [*held, _showing(view.top, view.side), *drawn_next]


def _known(faces: Iterable[Face | None]) -> list[Face]:
    return [face for face in faces if face is not None]


def _showing(face: Face, side: Side) -> Card:
    return Card(face, None) if side is Side.LIGHT else Card(None, face)


def _check_pairing(seen: Sequence[Card], deck: Sequence[Card]) -> None:
    """The visible faces fit distinct cards of a deck whose pairs are public (bipartite matching)."""
    taken: dict[int, int] = {}  # by a card of the deck: which of those seen it is

    def find(one: int, tried: set[int]) -> bool:
        """Find a card for this one along an augmenting path."""
        for number, card in enumerate(deck):
            if number in tried or seen[one] not in (card, card.only(Side.LIGHT), card.only(Side.DARK)):
                continue
            tried.add(number)
            if number not in taken or find(taken[number], tried):
                taken[number] = one
                return True
        return False

    for one, card in enumerate(seen):
        if not find(one, set()):
            raise BadRequest("view-pairing", card=card)


def _check_legal(view: View, options: Options) -> None:
    """``legal`` must be what the rules allow here; a difference usually means other options."""
    assert view.you is not None  # noqa: S101
    memory = Memory(options, view.players, view.you)
    memory.see((), view)
    allowed = moves_of(memory.game, view.you, options.own_backs)
    for move in view.legal:
        if move not in allowed or view.legal.count(move) > 1:
            raise BadRequest("view-not-legal", move=move)
    for move in allowed:
        if move not in view.legal:
            raise BadRequest("view-legal", move=move)

"""What a seat knows of its match, from the views and events it was shown: nothing else comes in.

``game`` is the seat's own picture of the table, a ``Game`` whose cards have numbers of the seat's own and whose unseen
faces are ``UNKNOWN``.  ``pools`` hold the cards that have no known place.  Hidden cards are dealt to the picture by
``belief``; the rules and the judgement of the bots run on it as on any other game.  What an event changes in the
picture is in ``witness``, what a way of playing tells beyond that in ``noting``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.cards import Card, Face, Seat, Side, color_of, face_of
from ...core.codes import CARDS, COLOR_AT, DARK, LIGHT, NO_COLOR, RANK_BITS, nth_face
from ...core.events import Event, What
from ...core.options import Options
from ...core.reading import hand_in_order
from ...core.rules.hands import DARK_COLORS, DARK_RANKS, HALF, empty_hands, put_in_hand
from ...core.setting_up import game_with
from ...core.state import CHALLENGE, DRAWN, FLIPPER_CALLS, OVER, STARTER_CALLS, TURN
from ...core.view import Phase, View
from . import inference, observation
from .ambiguity import Doubt
from .pools import UNKNOWN, Deck, Pair, Pool, merged

__all__ = ["UNKNOWN", "Memory", "code_of_face"]

_PHASES = {Phase.TURN: TURN, Phase.DRAWN: DRAWN, Phase.CHALLENGE: CHALLENGE, Phase.COLOR: STARTER_CALLS}
_START = {Side.LIGHT: LIGHT, Side.DARK: DARK}
# faces are few and made once, so looking one up by identity saves the hashing of three objects
_BY_IDENTITY = {id(face_of(side, nth_face(i))): nth_face(i) for side in Side for i in range(CARDS)}
_COLORS = {color_of(side, number): number for side in Side for number in range(NO_COLOR)} | {None: NO_COLOR}


def code_of_face(face: Face) -> int:
    return _BY_IDENTITY[id(face)] if id(face) in _BY_IDENTITY else _BY_IDENTITY[id(Face.parse(str(face)))]


class Memory:
    def __init__(self, options: Options, players: int, seat: Seat) -> None:
        self.options = options
        self.seat = seat
        self.deck = Deck(options)
        self.game = game_with(options, players)
        self.game.logging = 0
        self.pools: list[Pool] = []
        self.group = [0] * CARDS  # of each card: the pool it was dealt from
        self.dealt_first = [False] * CARDS  # in a hand, or turned up, before the draw pile lay there
        self.color_before = NO_COLOR  # the color in force when the last card was played; who comes late doesn't know
        self.bans: list[int] = [0] * (2 * CARDS)  # bit sets of kinds that a face of a card is certainly none of
        self.notes: list[int] = [0] * (2 * CARDS)  # … and hardly one of
        self.doubts: dict[int, Doubt] = {}  # of a seat: what is known of its hand, and not of which card
        self.flipped_at = 0  # how many cards had come to hands when everything was turned over last
        self._round = -1

    def see(self, events: Iterable[Event], view: View) -> None:
        """What the seat saw of a deal or a move, and what it sees now.  One that comes late begins with the view."""
        events = tuple(events)
        if any(event.what is What.DEALT for event in events):
            self._start_round()
        elif self._round != view.round_number:
            self._start_round()
            self._start_from(view)
            events = ()
        drawing, color = inference.drawing(self, events), inference.paying(self)
        for event in events:
            observation.take_in(self, event, view)
        self._look(events, view)
        self._end_doubts()
        if drawing:
            inference.note_draw(self, *drawing, events, view)
        if color is not None:
            inference.note_payment(self, color, events, view)
        inference.note_innocence(self, events)

    # ------------------------------------------------------------ the picture
    def _start_round(self) -> None:
        g = self.game
        empty_hands(g)
        g.stock_size, g.pile_size, g.reshuffles, g.passes, g.winner = self.options.deck, 0, 0, 0, -1
        g.phase, self.color_before, self.flipped_at = OVER, NO_COLOR, 0
        g.side = LIGHT if self.options.start_side == "light" else DARK
        g.color = NO_COLOR
        for card in range(CARDS):
            g.stock[card] = card
            self.group[card], self.dealt_first[card] = 0, False
            g.faces[LIGHT + card] = g.faces[DARK + card] = UNKNOWN
            self.bans[card] = self.bans[CARDS + card] = self.notes[card] = self.notes[CARDS + card] = 0
        g.with_color[:] = [0] * len(g.with_color)
        g.with_rank[:] = [0] * len(g.with_rank)
        self.pools, self.doubts = [self.deck.pool()], {}

    def _start_from(self, view: View) -> None:
        """The table as it lies, with nothing known of how it came about."""
        g = self.game
        g.side = _START[view.side]
        for other in view.others:
            for _ in other.backs:
                self.deal(other.seat)
        for _ in view.hand:
            self.deal(self.seat)
        for _ in range(view.discard_count):
            self.turn_up()
        g.shown_until = g.arrivals

    def deal(self, seat: int) -> int:
        card = self._top_of_stock()
        put_in_hand(self.game, seat, card)
        return card

    def turn_up(self) -> int:
        g = self.game
        card = self._top_of_stock()
        g.pile[g.pile_size] = card
        g.pile_size += 1
        return card

    def _top_of_stock(self) -> int:
        self.game.stock_size -= 1
        return self.game.stock[self.game.stock_size]

    def learn(self, card: int, seen: Card) -> None:
        """A card of the picture shows these faces."""
        if seen.light is not None:
            self.learn_face(card, LIGHT, code_of_face(seen.light))
        if seen.dark is not None:
            self.learn_face(card, DARK, code_of_face(seen.dark))

    def learn_face(self, card: int, side: int, face: int) -> None:
        g = self.game
        if g.faces[side + card] == face:
            return
        assert g.faces[side + card] == UNKNOWN, "a face does not change"  # noqa: S101
        for doubt in self.doubts.values():
            if card in doubt.places:
                doubt.see(self, card, side, face)
        g.faces[side + card] = face
        self._index(card, side, face)
        if g.faces[DARK - side + card] != UNKNOWN:
            pair = g.faces[LIGHT + card], g.faces[DARK + card]
            if self.pools[self.group[card]].take(pair):
                self.deck.learn([pair])

    def _index(self, card: int, side: int, face: int) -> None:
        """Put a card into the bit sets of its color and rank, or take it out of them."""
        g = self.game
        half = card // HALF
        bit = 1 << (card - HALF * half)
        colors, ranks = (DARK_COLORS, DARK_RANKS) if side else (0, 0)
        g.with_color[colors + 2 * (face >> COLOR_AT) + half] ^= bit
        g.with_rank[ranks + 2 * (face & RANK_BITS) + half] ^= bit

    def forget(self, card: int) -> None:
        """It is shuffled: what is known of it stays in a pool, its number begins anew."""
        g = self.game
        for side in (LIGHT, DARK):
            if g.faces[side + card] != UNKNOWN:
                self._index(card, side, g.faces[side + card])
            g.faces[side + card] = UNKNOWN
            self.bans[side + card] = self.notes[side + card] = 0

    def merge_pools(self) -> int:
        """Nobody knows any more which card came from which shuffle."""
        self.pools = [merged(self.pools)]
        self.group = [0] * CARDS
        return 0

    def _end_doubts(self) -> None:
        """Where one way is left, it is so."""
        for seat in [seat for seat, doubt in self.doubts.items() if len(doubt.ways) <= 1]:
            doubt = self.doubts.pop(seat)
            for way in doubt.ways:
                for card, one in zip(doubt.places, way, strict=True):
                    self.dealt_first[card], self.bans[doubt.side + card] = one.first, one.ban
                    for side, face in ((LIGHT, one.light), (DARK, one.dark)):
                        if face != UNKNOWN:
                            self.learn_face(card, side, face)

    # ------------------------------------------------------------ what a card can be
    def known_pair(self, card: int) -> tuple[int, int] | None:
        pair = self.game.faces[LIGHT + card], self.game.faces[DARK + card]
        return None if UNKNOWN in pair else pair

    @staticmethod
    def faces_of(seen: Card) -> Pair:
        light = UNKNOWN if seen.light is None else code_of_face(seen.light)
        return light, UNKNOWN if seen.dark is None else code_of_face(seen.dark)

    def may_be(self, card: int, seen: Card) -> bool:
        faces = self.game.faces
        for side, face in ((LIGHT, seen.light), (DARK, seen.dark)):
            if face is not None and faces[side + card] not in (UNKNOWN, code_of_face(face)):
                return False
        return True

    def may_pair(self, card: int, seen: Card) -> bool:
        """There is a card with the face that is known and the one that shows now."""
        light, dark = self.game.faces[LIGHT + card], self.game.faces[DARK + card]
        if UNKNOWN not in (light, dark):
            return True
        light = light if seen.light is None else code_of_face(seen.light)
        dark = dark if seen.dark is None else code_of_face(seen.dark)
        return UNKNOWN in (light, dark) or self.pools[self.group[card]].has((light, dark))

    # ------------------------------------------------------------ what lies there now
    def _look(self, events: Sequence[Event], view: View) -> None:
        g = self.game
        back, before = view.side.other, g.phase
        for other in view.others:
            for card, face in zip(hand_in_order(g, other.seat), other.backs, strict=True):
                self.learn_face(card, _START[back], code_of_face(face))
        for card, seen in zip(hand_in_order(g, self.seat), view.hand, strict=True):
            self.learn(card, seen)
        if view.draw_back is not None:
            self.learn_face(g.stock[g.stock_size - 1], _START[back], code_of_face(view.draw_back))
        self.learn_face(g.pile[g.pile_size - 1], g.side, code_of_face(view.top))
        self._read_numbers(view)
        if view.phase is Phase.COLOR and (before == FLIPPER_CALLS or self._flipper_calls(events, view)):
            g.phase = FLIPPER_CALLS
        if g.phase != DRAWN:
            g.drawn = -1
        elif before != DRAWN:  # else it may have got cards since, for a catch in vain
            g.drawn = hand_in_order(g, g.turn)[-1]

    def _read_numbers(self, view: View) -> None:
        g = self.game
        g.round = self._round = view.round_number
        g.phase = _PHASES.get(view.phase, OVER)
        g.turn = g.dealer if view.to_act is None else view.to_act
        g.direction, g.dealer, g.owed = view.direction, view.dealer, view.owed
        g.color = _COLORS[view.color]
        g.silent = sum(1 << seat for seat in view.catchable)
        g.winners = sum(1 << seat for seat in view.winners)
        g.heard = 0
        g.scores[: len(view.scores)] = view.scores

    def _flipper_calls(self, events: Sequence[Event], view: View) -> bool:
        """FLIP-4; who comes late goes by what the house has agreed."""
        if events:
            return any(event.what is What.FLIPPED and event.seat == view.to_act for event in events)
        choice = self.options.wild_after_flip_to_dark if self.game.side else self.options.wild_after_flip_to_light
        return choice == "flipper" and view.discard_count > 1

"""Knowledge: the information set of one seat, as data.  Only this module changes it; all others read.

``game`` is the seat's own picture of the table: a ``Game`` whose cards have numbers of the seat's own and whose unseen
faces are ``UNKNOWN``.  ``pools`` hold the cards that have no known place.  The rules and the judgement of the bots run
on a picture as on any other game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_

from ...core.cards import Card, Seat, Side, color_of
from ...core.codes import CARDS, COLOR_AT, DARK, LIGHT, NO_COLOR, RANK_BITS
from ...core.options import Options
from ...core.reading import hand_in_order
from ...core.rules.hands import DARK_COLORS, DARK_RANKS, HALF, empty_hands, put_in_hand, take_from_hand
from ...core.rules.piles import turn_over
from ...core.setting_up import game_with
from ...core.state import CHALLENGE, DRAWN, OVER, STARTER_CALLS, TURN
from ...core.view import Phase, View
from .ambiguity import Ambiguity, Hypothesis, Known
from .faces import SIDES, code_of_face, faces_of
from .pools import UNKNOWN, Deck, FacePair, Pool, merged

_PHASES = {Phase.TURN: TURN, Phase.DRAWN: DRAWN, Phase.CHALLENGE: CHALLENGE, Phase.COLOR: STARTER_CALLS}
_COLORS = {color_of(side, number): number for side in Side for number in range(NO_COLOR)} | {None: NO_COLOR}


class Knowledge:
    def __init__(self, options: Options, players: int, seat: Seat) -> None:
        self.options = options
        self.seat = seat
        self.deck = Deck(options)
        self.game = game_with(options, players)
        self.game.logging = 0
        self.pools: list[Pool] = []
        self.group = [0] * CARDS  # of each card: the pool it was dealt from
        self.dealt_first = [False] * CARDS  # in a hand, or turned up, before the draw pile lay there
        self.color_before = NO_COLOR  # in force when the last card was played; unknown to a seat that came late
        self.bans: list[int] = [0] * (2 * CARDS)  # by face of a card: bit set of kinds that it certainly is none of
        self.unlikely: list[int] = [0] * (2 * CARDS)  # … and hardly one of
        self.ambiguities: dict[int, Ambiguity] = {}  # by seat
        self.flipped_at = 0  # how many cards had come to hands at the last flip
        self.saw_draw = False  # in phase DRAWN: it is known which card was drawn

    # ------------------------------------------------------------ reading
    def known_pair(self, card: int) -> FacePair | None:
        pair = self.game.faces[LIGHT + card], self.game.faces[DARK + card]
        return None if UNKNOWN in pair else pair

    def known(self, card: int) -> Known:
        light, dark = self.game.faces[LIGHT + card], self.game.faces[DARK + card]
        ban = self.bans[self.game.side + card] if UNKNOWN in (light, dark) else 0
        has_late = self.pools[self.group[card]].late.total() > 0
        return Known(light, dark, self.dealt_first[card] and has_late, ban)

    def may_be(self, card: int, seen: Card) -> bool:
        """A card of the picture can be one that shows these faces, and there is such a card."""
        known, shown = (self.game.faces[LIGHT + card], self.game.faces[DARK + card]), faces_of(seen)
        if any(UNKNOWN not in (mine, face) and mine != face for mine, face in zip(known, shown, strict=True)):
            return False
        if UNKNOWN not in known:
            return True
        light, dark = (mine if face == UNKNOWN else face for mine, face in zip(known, shown, strict=True))
        return UNKNOWN in (light, dark) or self.pools[self.group[card]].has((light, dark))

    def copies(self, places: Sequence[int], hypothesis: Hypothesis, card: int, pair: FacePair) -> float:
        """How many cards with these faces there are for a place, as far as they are not elsewhere already."""
        elsewhere = sum(
            one.pair == pair and self.known_pair(place) is None
            for place, one in zip(places, hypothesis, strict=True)
            if place != card
        )
        return self.pools[self.group[card]].expected_copies(pair, elsewhere)

    # ------------------------------------------------------------ a round begins
    def start_round(self) -> None:
        g = self.game
        empty_hands(g)
        g.stock_size, g.pile_size, g.reshuffles, g.passes, g.winner = self.options.cards, 0, 0, 0, -1
        g.phase, self.color_before, self.flipped_at = OVER, NO_COLOR, 0
        g.moves, self.saw_draw = 0, False
        g.side = LIGHT if self.options.start_side == "light" else DARK
        g.color = NO_COLOR
        for card in range(CARDS):
            g.stock[card] = card
            self.group[card], self.dealt_first[card] = 0, False
            g.faces[LIGHT + card] = g.faces[DARK + card] = UNKNOWN
            self.bans[card] = self.bans[CARDS + card] = self.unlikely[card] = self.unlikely[CARDS + card] = 0
        g.with_color[:] = [0] * len(g.with_color)
        g.with_rank[:] = [0] * len(g.with_rank)
        self.pools, self.ambiguities = [self.deck.pool()], {}

    def start_from(self, view: View) -> None:
        """Lay out the table of a view, knowing nothing of how it came about."""
        g = self.game
        g.side = SIDES[view.side]
        for other in view.others:
            for _ in other.backs:
                self.deal(other.seat)
        for _ in view.hand:
            self.deal(self.seat)
        for _ in range(view.discard_count):
            self.turn_up()
        g.shown_until = g.arrivals

    # ------------------------------------------------------------ cards move
    def deal(self, seat: int, first: bool = False) -> int:
        card = self._top_of_stock(first)
        put_in_hand(self.game, seat, card)
        return card

    def turn_up(self, first: bool = False) -> int:
        g = self.game
        card = self._top_of_stock(first)
        g.pile[g.pile_size] = card
        g.pile_size += 1
        return card

    def _top_of_stock(self, first: bool) -> int:
        g = self.game
        g.stock_size -= 1
        card = g.stock[g.stock_size]
        self.dealt_first[card] |= first
        return card

    def return_opening_card(self) -> None:
        """OPEN-6: it is somewhere in the draw pile, and in no hand."""
        g = self.game
        g.pile_size -= 1
        card = g.pile[g.pile_size]
        pair = self.known_pair(card)
        assert pair is not None, "whatever is turned up shows both faces"  # noqa: S101
        self.pools[0].put_back(pair, late=True)
        self.forget(card)
        self.dealt_first[card] = False
        g.stock[g.stock_size] = card
        g.stock_size += 1

    def play(self, seat: int, card: int) -> None:
        g = self.game
        self.color_before = g.color
        take_from_hand(g, seat, card)
        g.pile[g.pile_size] = card
        g.pile_size += 1
        g.passes, g.shown_until = 0, g.arrivals

    def draw(self, seat: int) -> int:
        self.game.passes = 0
        return self.deal(seat)

    def count_move(self) -> None:
        """A seat that came late counts from there."""
        self.game.moves += 1

    def pass_turn(self) -> None:
        self.game.passes += 1

    def flip(self) -> None:
        g = self.game
        turn_over(g.pile, g.pile_size)
        turn_over(g.stock, g.stock_size)
        g.side = DARK - g.side
        self.flipped_at = g.arrivals

    def reshuffle(self, most_groups: int) -> None:
        """PILE-1: the reshuffled cards form a group of their own.

        If a face of one of them was never seen (an own card with a hidden back, or the seat came late), nobody can
        say which card left its old group: all groups become one.  That is approximate: cards of the discard pile may
        then be dealt to hands that were held before the reshuffle.
        """
        g = self.game
        cards, top = g.pile[: g.pile_size - 1], g.pile[g.pile_size - 1]
        pairs = [self.known_pair(card) for card in cards]
        if len(self.pools) == most_groups or None in pairs:
            group = self.merge_pools()
        else:
            group = len(self.pools)
            self.pools.append(Pool())
        for card, pair in zip(cards, pairs, strict=True):
            if pair is not None:
                self.pools[group].put_back(pair)
            self.forget(card)
            self.group[card] = group
        g.stock[: len(cards)] = cards
        g.stock_size, g.pile[0], g.pile_size = len(cards), top, 1
        g.reshuffles += 1

    def merge_pools(self) -> int:
        """From now on nobody knows which card came from which shuffle."""
        self.pools = [merged(self.pools)]
        self.group = [0] * CARDS
        return 0

    # ------------------------------------------------------------ faces
    def learn(self, card: int, seen: Card) -> None:
        """A card of the picture shows these faces."""
        for side, face in zip((LIGHT, DARK), faces_of(seen), strict=True):
            if face != UNKNOWN:
                self.learn_face(card, side, face)

    def learn_face(self, card: int, side: int, face: int) -> None:
        g = self.game
        if g.faces[side + card] == face:
            return
        assert g.faces[side + card] == UNKNOWN, "a face does not change"  # noqa: S101
        for ambiguity in self.ambiguities.values():
            if card in ambiguity.places:
                ambiguity.see(card, side, face, self.copies)
        g.faces[side + card] = face
        self._index(card, side, face)
        if g.faces[DARK - side + card] != UNKNOWN:
            pair = g.faces[LIGHT + card], g.faces[DARK + card]
            if self.pools[self.group[card]].take(pair):
                self.deck.learn([pair])

    def _index(self, card: int, side: int, face: int) -> None:
        """Toggle a card in the bit sets of its color and rank."""
        g = self.game
        half = card // HALF
        bit = 1 << (card - HALF * half)
        colors, ranks = (DARK_COLORS, DARK_RANKS) if side else (0, 0)
        g.with_color[colors + 2 * (face >> COLOR_AT) + half] ^= bit
        g.with_rank[ranks + 2 * (face & RANK_BITS) + half] ^= bit

    def forget(self, card: int) -> None:
        """A card is shuffled: what was known of it stays in a pool, its number starts afresh."""
        g = self.game
        for side in (LIGHT, DARK):
            if g.faces[side + card] != UNKNOWN:
                self._index(card, side, g.faces[side + card])
            g.faces[side + card] = UNKNOWN
            self.bans[side + card] = self.unlikely[side + card] = 0

    # ------------------------------------------------------------ conclusions
    def make_unlikely(self, cards: Iterable[int], kinds: int) -> None:
        for card in cards:
            self.unlikely[self.game.side + card] |= kinds

    def ban(self, cards: Sequence[int], kinds: int) -> None:
        """The fronts of these cards are certainly none of these kinds, in every hypothesis."""
        side = self.game.side
        for card in cards:
            if self.game.faces[side + card] == UNKNOWN:
                self.bans[side + card] |= kinds
        for ambiguity in self.ambiguities.values():
            ambiguity.ban(cards, kinds)

    def begin_ambiguity(self, seat: int, cards: list[int], hypotheses: dict[Hypothesis, float], most: int) -> None:
        """These cards of a hand are as one of the hypotheses says; of too many, only what they share is kept."""
        self.ambiguities.pop(seat, None)
        if cards:
            self._keep_common(cards, list(hypotheses) or [(Known(UNKNOWN, UNKNOWN, False, 0),) * len(cards)])
        if 1 < len(hypotheses) <= most:
            self.ambiguities[seat] = Ambiguity(cards, self.game.side, hypotheses)

    def _keep_common(self, cards: Sequence[int], hypotheses: Sequence[Hypothesis]) -> None:
        """The picture keeps what holds in all hypotheses."""
        side = self.game.side
        unlikely = reduce(and_, (self.unlikely[side + card] for card in cards))
        for card in cards:
            pair = self.known_pair(card)
            if pair is not None:
                self.pools[self.group[card]].put_back(pair)
            self.forget(card)
        for card, ones in zip(cards, zip(*hypotheses, strict=True), strict=True):
            self.dealt_first[card] = all(one.first for one in ones)
            self.bans[side + card] = reduce(and_, (one.ban for one in ones))
            self.unlikely[side + card] = unlikely
            for at, faces in ((LIGHT, {one.light for one in ones}), (DARK, {one.dark for one in ones})):
                if len(faces) == 1 and UNKNOWN not in faces:
                    self.learn_face(card, at, faces.pop())

    def resolve_ambiguities(self) -> None:
        """A single hypothesis that is left is a fact."""
        for seat in [seat for seat, it in self.ambiguities.items() if len(it.hypotheses) <= 1]:
            ambiguity = self.ambiguities.pop(seat)
            for hypothesis in ambiguity.hypotheses:
                for card, one in zip(ambiguity.places, hypothesis, strict=True):
                    self.dealt_first[card], self.bans[ambiguity.side + card] = one.first, one.ban
                    for side, face in ((LIGHT, one.light), (DARK, one.dark)):
                        if face != UNKNOWN:
                            self.learn_face(card, side, face)

    # ------------------------------------------------------------ the table as it is now
    def look(self, view: View) -> None:
        """Learn every face that a view shows; when the round is over, all hands are laid open (SEE-8)."""
        g, back = self.game, SIDES[view.side.other]
        for other in view.others:
            for card, face in zip(hand_in_order(g, other.seat), other.backs, strict=True):
                self.learn_face(card, back, code_of_face(face))
        for card, seen in zip(hand_in_order(g, self.seat), view.hand, strict=True):
            self.learn(card, seen)
        for seat, cards in enumerate(view.laid_open or ()):
            for card, seen in zip(hand_in_order(g, seat), cards, strict=True):
                self.learn(card, seen)
        if view.draw_back is not None:
            self.learn_face(g.stock[g.stock_size - 1], back, code_of_face(view.draw_back))
        self.learn_face(g.pile[g.pile_size - 1], g.side, code_of_face(view.top))

    def read_numbers(self, view: View) -> None:
        """Phase, turn, color, scores: what a view says in numbers."""
        g = self.game
        g.round = view.round
        g.phase = _PHASES.get(view.phase, OVER)
        g.turn = g.dealer if view.to_act is None else view.to_act
        g.direction, g.dealer, g.owed = view.direction, view.dealer, view.owed
        g.color = _COLORS[view.color]
        g.silent = sum(1 << seat for seat in view.catchable)
        g.winners = sum(1 << seat for seat in view.winners)
        g.heard = 0
        g.scores[: len(view.scores)] = view.scores

    def set_phase(self, phase: int, drawn: int, saw_draw: bool) -> None:
        """Phase and drawn card, where a view alone doesn't tell them apart."""
        self.game.phase, self.game.drawn, self.saw_draw = phase, drawn, saw_draw

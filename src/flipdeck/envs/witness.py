"""What a seat can know, written from the events alone: the other side of the leak test.

A slot is one face of one card: ``(side, card)``.  A witness follows the slots that a seat has seen for as long as the
card lies where the seat can follow it: in a hand or in the discard pile.  Nothing here reads an observation or its
memory.
"""

from __future__ import annotations

from random import Random

from ..core.codes import CARDS, DARK, LIGHT
from ..core.reading import hand_in_order
from ..core.rules import log
from ..core.rules.hands import HALF, index_faces
from ..core.state import OVER, Game

FaceSlot = tuple[int, int]
_ABOUT_A_CARD = {log.DEALER_CARD, log.TURNED_UP, log.RETURNED, log.PLAYED, log.DREW, log.REVEALED, log.FLIPPED}
_ON_THE_TABLE = {log.TURNED_UP, log.RETURNED, log.FLIPPED}
_OUT_OF_A_HAND = {log.PLAYED, log.REVEALED}


class SeatWitness:
    """One seat of one game, from the deal on."""

    def __init__(self, g: Game, seat: int, own_backs: bool) -> None:
        self.seat, self.own_backs = seat, own_backs
        self.slots: set[FaceSlot] = set()
        self.ever: set[FaceSlot] = set()  # all that the seat has seen in the match, wherever the cards are now
        self.see(g)

    def see(self, g: Game) -> None:
        """After a deal or a move of this game, whose event log is on."""
        in_stock = set(g.stock[: g.stock_size])
        shown, visible = self._told(g), self._visible(g)
        self.slots = {slot for slot in self.slots | shown if slot[1] not in in_stock} | visible
        self.ever |= shown | visible

    def _visible(self, g: Game) -> set[FaceSlot]:
        """SEE-1 to SEE-4, SEE-8."""
        back = DARK - g.side
        slots = {(g.side, card) for card in g.pile[: g.pile_size]}
        if self.own_backs:
            slots |= {(back, card) for card in g.pile[: g.pile_size]}
        if g.stock_size:
            slots.add((back, g.stock[g.stock_size - 1]))
        for seat in range(g.players):
            mine = seat == self.seat
            for card in hand_in_order(g, seat):
                if mine or g.phase == OVER:
                    slots.add((g.side, card))
                if not mine or self.own_backs or g.phase == OVER:
                    slots.add((back, card))
        return slots

    def _told(self, g: Game) -> set[FaceSlot]:
        """SEE-6, and what everybody saw of cards that were played or turned up."""
        slots: set[FaceSlot] = set()
        for number in g.log[: g.log_size]:
            what, seat, thing = number & 255, number >> log.SEAT_AT & 255, number >> log.THING_AT
            mine = seat == self.seat and not self.own_backs
            if what in _ON_THE_TABLE or (what in _OUT_OF_A_HAND and not mine):
                slots |= {(LIGHT, thing), (DARK, thing)}
            if what == log.DEALT:
                slots |= self._dealt(g)
            if what == log.CHALLENGED and thing == self.seat:
                shown = [card for card in hand_in_order(g, seat) if g.arrived[card] <= g.shown_until]
                slots |= {(side, card) for card in shown for side in (LIGHT, DARK)}
        return slots

    def _dealt(self, g: Game) -> set[FaceSlot]:
        """DEAL-1: an opening Flip may have turned the hands over since."""
        active = DARK if g.start_side else LIGHT
        hands = {seat: hand_in_order(g, seat)[: g.hand_size] for seat in range(g.players)}
        mine = {(active, card) for card in hands[self.seat]}
        if self.own_backs:
            mine |= {(DARK - active, card) for card in hands[self.seat]}
        return mine | {(DARK - active, card) for seat in hands if seat != self.seat for card in hands[seat]}


def redrawn(g: Game, slots: set[FaceSlot], dice: Random) -> tuple[Game, list[int]]:
    """Another game that looks the same to who knows these slots: all other faces change places, the cards get new
    numbers (which are given back, by the old ones), and the secrets of the match are replaced."""
    other = g.copy()
    for side in (LIGHT, DARK):
        hidden = [card for card in range(g.deck) if (side, card) not in slots]
        faces = [g.faces[side + card] for card in hidden]
        dice.shuffle(faces)
        for card, face in zip(hidden, faces, strict=True):
            other.faces[side + card] = face
    numbers = _renumber(other, dice)
    index_faces(other)
    other.key = [dice.getrandbits(32) for _ in other.key]
    other.words = [dice.getrandbits(32) for _ in other.words]
    other.guilty = dice.randrange(2)  # nobody knows before the challenge
    return other, numbers


def _renumber(g: Game, dice: Random) -> list[int]:
    """SEE-7: the number of a card must not be seen, neither itself nor by what it puts in order."""
    new = [*dice.sample(range(g.deck), g.deck), *range(g.deck, CARDS)]
    faces, arrived = g.faces[:], g.arrived[:]
    for card in range(g.deck):
        for side in (LIGHT, DARK):
            g.faces[side + new[card]] = faces[side + card]
        g.arrived[new[card]] = arrived[card]
    for at in range(0, 2 * g.players, 2):
        g.sets[at], g.sets[at + 1] = renumbered_set(g.sets[at], g.sets[at + 1], new)
    g.stock = [new[card] for card in g.stock]
    g.pile = [new[card] for card in g.pile]
    if g.drawn >= 0:
        g.drawn = new[g.drawn]
    for at, number in enumerate(g.log[: g.log_size]):
        if number & 255 in _ABOUT_A_CARD:
            g.log[at] = number & 0xFFFF | new[number >> log.THING_AT] << log.THING_AT
    return new


def renumbered_set(low: int, high: int, new: list[int]) -> tuple[int, int]:
    """A bit set of cards in two halves, with the new numbers."""
    bits = sum(1 << new[card] for card in range(CARDS) if (high if card >= HALF else low) >> card % HALF & 1)
    return bits & (1 << HALF) - 1, bits >> HALF

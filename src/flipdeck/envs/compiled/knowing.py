"""What seats remember of each other's hands (SEE-5, SEE-6): cards of which they have seen both faces.  Compilable.

A flip shows everybody both faces of every card in a hand; a challenge shows a hand to the challenger; where ACT-8 has a
card shown, everybody knows it.  A card that leaves the hand is forgotten.
"""

from __future__ import annotations

from ...bulk.acting import KINDS, kind_of
from ...core.codes import DARK, LIGHT
from ...core.rules.hands import HALF
from ...core.rules.log import REVEALED, SEAT_AT, THING_AT
from ...core.rules.moves import DISPUTE, WHAT_BITS
from ...core.rules.order import seat_after
from ...core.state import Game
from .episode import Episode


def sort_faces(g: Game, e: Episode) -> None:
    """The kind of every face: once a match."""
    for card in range(g.deck):
        e.kinds[LIGHT + card] = kind_of(g.faces[LIGHT + card])
        e.kinds[DARK + card] = kind_of(g.faces[DARK + card])


def forget_all(g: Game, e: Episode) -> None:
    """A new round."""
    for i in range(2 * g.players):
        e.known[i] = 0
    e.knowing = e.piled = 0
    count_pile(g, e)


def count_pile(g: Game, e: Episode) -> None:
    """Keep the counts of the discard pile: most moves add a card at most."""
    if e.piled_on != g.side or e.piled_after != g.reshuffles or e.piled == 0:
        e.piled, e.piled_on, e.piled_after = 0, g.side, g.reshuffles
        for i in range(2 * KINDS):
            e.pile_kinds[i] = 0
    for i in range(e.piled, g.pile_size):
        e.pile_kinds[e.kinds[g.side + g.pile[i]]] += 1
        e.pile_kinds[KINDS + e.kinds[DARK - g.side + g.pile[i]]] += 1
    e.piled = g.pile_size


def learn_before(g: Game, e: Episode, seat: int, move: int) -> None:
    """CHAL-2: whoever challenges sees the hand as it was just after the play."""
    if move & WHAT_BITS == DISPUTE:
        e.knowing = 1
        challenged = seat_after(g, -1)
        for half in range(2):
            cards = g.sets[2 * challenged + half]
            while cards:
                lowest = cards & -cards
                cards ^= lowest
                if g.arrived[HALF * half + lowest.bit_length() - 1] <= g.shown_until:
                    e.known[2 * seat + half] |= lowest


def learn_after(g: Game, e: Episode, side: int) -> None:
    """A move was made that began on ``side``."""
    count_pile(g, e)
    if g.side != side:
        e.knowing = 1
    if e.knowing:
        learn_hands(g, e, g.side != side)
    if g.reveal_draw_color:
        learn_revealed(g, e)


def learn_hands(g: Game, e: Episode, flipped: bool) -> None:
    for half in range(2):
        held = 0
        for seat in range(g.players):
            held |= g.sets[2 * seat + half]
        for seat in range(g.players):
            e.known[2 * seat + half] = held if flipped else e.known[2 * seat + half] & held


def learn_revealed(g: Game, e: Episode) -> None:
    for i in range(g.log_size):
        if g.log[i] & 255 == REVEALED:
            owner, card = g.log[i] >> SEAT_AT & 255, g.log[i] >> THING_AT
            half = card // HALF
            e.knowing = 1
            for seat in range(g.players):
                if seat != owner or e.own_backs:
                    e.known[2 * seat + half] |= 1 << (card - HALF * half)


def knows(e: Episode, seat: int, card: int) -> bool:
    half = card // HALF
    return e.known[2 * seat + half] >> (card - HALF * half) & 1 != 0

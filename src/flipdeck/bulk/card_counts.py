"""Expected card counts: how many cards of which kind a seat expects in every hand.  Compilable, like the rules.

It reads what the seat was shown and no more: its own hand, the inactive faces of the others, the discard pile, the back
on the draw pile, and the active faces of ``known`` cards (a bit set in two halves: cards that were held through a flip
have shown both sides).  The rest is expectation: with the printed pairing a back leaves the unseen fronts that are
printed behind it; with a shuffled one every unseen front is equally likely.

``eyes`` is one flat array: ROW numbers for each seat and for the top of the draw pile, each with the side in play
(FRONT) and the other (BACK), then working space.
"""

from __future__ import annotations

from ..core.codes import (
    CARDS,
    COLOR_AT,
    COLORED_FACES,
    DARK,
    DRAW,
    FIRST_WILD,
    MAX_PLAYERS,
    MINI_CARDS,
    RANK_BITS,
    WILD,
)
from ..core.options import PRINTED
from ..core.pairing import PRINTED_DARK, PRINTED_LIGHT
from ..core.rules.hands import HALF
from ..core.state import Game

# one side of one hand: expected cards of each color, of each kind that does something …
COLORS, WILDS, WILD_DRAWS, DRAWS, REVERSES, SKIPS, FLIPS = 0, 4, 5, 6, 7, 8, 9
KINDS = 10
NONE_OF, NO_WILD = 10, 14  # … the chance that there is none of a color, and no wild
SIDE = 15
FRONT, BACK, ROW = 0, SIDE, 2 * SIDE
STOCK_ROW = MAX_PLAYERS * ROW  # the card on the draw pile
POOL = STOCK_ROW + ROW  # the share of each kind among the fronts that have not been seen
ONE = POOL + KINDS  # a single card, on the way
RANKS = ONE + KINDS  # how many cards of each rank the seat holds, front and back
ORDER = RANKS + 32  # the place of each color, front and back
SEEN = ORDER + 8  # printed cards that have been seen
EYES = SEEN + CARDS

# the book of printed pairs: both faces of each card as in ``g.faces``, then for every face the cards that have it
BEHIND = 2 * CARDS
MOST_BEHIND, FACES = 4, 80
BOOK = BEHIND + 2 * FACES * MOST_BEHIND


def printed_book() -> list[int]:
    """The printed pairs as ``look_around`` reads them; -1 where a face has no further card."""
    book = [*PRINTED_LIGHT, *PRINTED_DARK] + [-1] * (BOOK - BEHIND)
    for side, faces in enumerate((PRINTED_LIGHT, PRINTED_DARK)):
        for card, face in enumerate(faces):
            start = BEHIND + (side * FACES + face) * MOST_BEHIND
            book[book.index(-1, start)] = card
    return book


def look_around(g: Game, seat: int, known_low: int, known_high: int, book: list[int], eyes: list[float]) -> None:
    """Fill ``eyes`` for one seat, once per decision."""
    for i in range(EYES):
        eyes[i] = 0.0
    see_own_hand(g, seat, eyes)
    see_what_is_gone(g, seat, known_low, known_high, book, eyes)
    for other in range(g.players):
        if other != seat:
            clear_chances(eyes, other * ROW)
            for half in range(2):
                known = known_high if half else known_low
                cards = g.sets[2 * other + half]
                while cards:
                    lowest = cards & -cards
                    cards ^= lowest
                    card = HALF * half + lowest.bit_length() - 1
                    see_card(g, card, known & lowest, book, eyes, other * ROW)
    clear_chances(eyes, STOCK_ROW)
    if g.stock_size:
        see_card(g, g.stock[g.stock_size - 1], 0, book, eyes, STOCK_ROW)


def remember_cards(g: Game, side: int, known: list[int]) -> None:
    """A move was made on this side: a flip shows both sides of every card in a hand; what leaves it is forgotten."""
    for half in range(2):
        held = 0
        for seat in range(g.players):
            held |= g.sets[2 * seat + half]
        known[half] = held if g.side != side else known[half] & held


def clear_chances(eyes: list[float], row: int) -> None:
    for i in range(NONE_OF, SIDE):
        eyes[row + FRONT + i] = eyes[row + BACK + i] = 1.0


def is_face(face: int) -> bool:
    """A face that is known."""
    return face >= 0 and face & RANK_BITS != 0


def count_face(eyes: list[float], at: int, face: int, weight: float) -> None:
    """Add ``weight`` cards with this face to the counts that begin at ``at``."""
    rank = face & RANK_BITS
    if face >= FIRST_WILD:
        eyes[at + WILDS + rank - WILD] += weight
    else:
        eyes[at + COLORS + (face >> COLOR_AT)] += weight
        if rank >= DRAW:
            eyes[at + DRAWS + rank - DRAW] += weight


def count_own(g: Game, seat: int, card: int, weight: float, eyes: list[float]) -> None:
    front, back = g.faces[g.side + card], g.faces[DARK - g.side + card]
    count_face(eyes, seat * ROW + FRONT, front, weight)
    eyes[RANKS + (front & RANK_BITS)] += weight
    if is_face(back):
        count_face(eyes, seat * ROW + BACK, back, weight)
        eyes[RANKS + 16 + (back & RANK_BITS)] += weight


def see_own_hand(g: Game, seat: int, eyes: list[float]) -> None:
    for half in range(2):
        cards = g.sets[2 * seat + half]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            card = HALF * half + lowest.bit_length() - 1
            count_own(g, seat, card, 1.0, eyes)


def see_what_is_gone(g: Game, seat: int, known_low: int, known_high: int, book: list[int], eyes: list[float]) -> None:
    """The distribution of the unseen fronts; printed cards that are seen elsewhere are marked."""
    count_deck(g, eyes)
    left = g.deck * 1.0
    for half in range(2):
        known = known_high if half else known_low
        cards = g.sets[2 * seat + half]
        for other in range(g.players):
            cards |= g.sets[2 * other + half] & known
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            left -= cross_out(g, HALF * half + lowest.bit_length() - 1, book, eyes)
    for i in range(g.pile_size):
        left -= cross_out(g, g.pile[i], book, eyes)
    for i in range(KINDS):
        eyes[POOL + i] = max(eyes[POOL + i], 0.0) / max(left, 1.0)


def count_deck(g: Game, eyes: list[float]) -> None:
    """The fronts of the whole deck, by kind."""
    if g.deck == MINI_CARDS:  # DECK-6
        eyes[POOL + COLORS] = eyes[POOL + COLORS + 1] = 3.0
        eyes[POOL + FLIPS] = 2.0
        eyes[POOL + WILDS] = eyes[POOL + WILD_DRAWS] = 1.0
        return
    for i in range(4):
        eyes[POOL + COLORS + i] = 26.0
        eyes[POOL + DRAWS + i] = 8.0
    eyes[POOL + WILDS] = eyes[POOL + WILD_DRAWS] = (g.deck - COLORED_FACES) / 2


def cross_out(g: Game, card: int, book: list[int], eyes: list[float]) -> float:
    """Remove a card whose front is seen from the unseen ones; 1.0 if there was anything to remove."""
    front, back = g.faces[g.side + card], g.faces[DARK - g.side + card]
    if not is_face(front):
        return 0.0
    count_face(eyes, POOL, front, -1.0)
    if g.pairing == PRINTED and is_face(back):
        side = 1 if g.side == DARK else 0
        for k in range(MOST_BEHIND):
            printed = book[BEHIND + (side * FACES + front) * MOST_BEHIND + k]
            if printed >= 0 and book[DARK - g.side + printed] == back and eyes[SEEN + printed] == 0.0:
                eyes[SEEN + printed] = 1.0
                break
    return 1.0


def see_card(g: Game, card: int, known: int, book: list[int], eyes: list[float], row: int) -> None:
    """Count one card of another hand: its back as it is, its front as a distribution."""
    front, back = g.faces[g.side + card] if known else 0, g.faces[DARK - g.side + card]
    if is_face(back):
        clear_one(eyes)
        count_face(eyes, ONE, back, 1.0)
        add_one(eyes, row + BACK)
    clear_one(eyes)
    if is_face(front):
        count_face(eyes, ONE, front, 1.0)
    elif g.pairing != PRINTED or not is_face(back) or not guess_printed(g, back, book, eyes):
        for i in range(KINDS):
            eyes[ONE + i] = eyes[POOL + i]
    add_one(eyes, row + FRONT)


def clear_one(eyes: list[float]) -> None:
    for i in range(KINDS):
        eyes[ONE + i] = 0.0


def add_one(eyes: list[float], at: int) -> None:
    for i in range(KINDS):
        eyes[at + i] += eyes[ONE + i]
    for color in range(4):
        eyes[at + NONE_OF + color] *= 1.0 - eyes[ONE + COLORS + color]
    eyes[at + NO_WILD] *= 1.0 - eyes[ONE + WILDS] - eyes[ONE + WILD_DRAWS]


def guess_printed(g: Game, back: int, book: list[int], eyes: list[float]) -> bool:
    """Spread a card evenly over the unseen fronts printed behind its back; False if there is none."""
    start = BEHIND + ((0 if g.side == DARK else 1) * FACES + back) * MOST_BEHIND
    left = 0
    for k in range(MOST_BEHIND):
        printed = book[start + k]
        if printed >= 0 and eyes[SEEN + printed] == 0.0:
            left += 1
    if left == 0:
        return False
    for k in range(MOST_BEHIND):
        printed = book[start + k]
        if printed >= 0 and eyes[SEEN + printed] == 0.0:
            count_face(eyes, ONE, book[g.side + printed], 1.0 / left)
    return True

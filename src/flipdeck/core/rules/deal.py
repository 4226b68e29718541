"""Before the first move: pairing, dealer, deal, opening card (DECK-4, DEALER-1, DEALER-2, DEAL-1, OPEN-1 to OPEN-7)."""

from __future__ import annotations

from ..codes import (
    COLOR_AT,
    DARK,
    DRAW,
    FLIP,
    LIGHT,
    MINI_CARDS,
    NO_COLOR,
    RANK_BITS,
    REVERSE,
    SKIP,
    WILD_DRAW,
    nth_face,
)
from ..options import APPLY, CHOSEN, IGNORE, PRINTED, STAYS
from ..pairing import MINI_DARK, MINI_LIGHT, PRINTED_DARK, PRINTED_LIGHT
from ..state import STARTER_CALLS, TURN, Game
from .chance import DEAL, DEALER, OPENING, PAIRING, open_stream, random_below, shuffle, shuffle_top
from .effects import flip_everything
from .hands import empty_hands, index_faces, put_in_hand
from .log import DEALER_CARD, DEALER_CHOSEN, DEALT, RETURNED, REVERSED, TURNED_UP, tell
from .order import pass_turn, seat_after, skip_player, top_face
from .piles import draw_cards, put_on_pile

# After so many redraws a card that can open is searched for: a deck set by hand may have hardly any, and the opening
# must end.  A shuffled deck of 108 or more needs this once in 10**20 rounds, the mini deck now and then.
MOST_RETURNS = 20


# ---------------------------------------------------------------- once a match
def new_match(g: Game) -> None:
    """Pair the faces and clear the totals; the options, the key and ``players`` are set."""
    pair_faces(g)
    g.round = g.winners = g.log_size = 0
    for seat in range(g.players):
        g.scores[seat] = 0


def pair_faces(g: Game) -> None:
    """DECK-4: which dark face is on the back of which light face, for the whole match."""
    for card in range(g.deck):
        if g.deck == MINI_CARDS:  # DECK-6
            g.faces[LIGHT + card], g.faces[DARK + card] = MINI_LIGHT[card], MINI_DARK[card]
        elif g.pairing == PRINTED:
            g.faces[LIGHT + card], g.faces[DARK + card] = PRINTED_LIGHT[card], PRINTED_DARK[card]
        else:
            g.faces[LIGHT + card] = g.faces[DARK + card] = nth_face(card)
    if is_paired_at_random(g):
        open_stream(g, PAIRING, 0)
        shuffle(g, g.faces, DARK, g.deck)
    index_faces(g)


def is_paired_at_random(g: Game) -> bool:
    return g.pairing != PRINTED and g.deck != MINI_CARDS


def choose_dealer(g: Game) -> int:
    """DEALER-1: the highest number deals; players who tie draw again from the whole deck, shuffled."""
    if g.first_dealer == CHOSEN:
        open_stream(g, DEALER, 0)
        dealer = random_below(g, g.players)
    else:
        dealer, draws = -1, 0
        tied = (1 << g.players) - 1
        while dealer < 0:
            tied = draw_for_the_deal(g, tied, draws)
            draws += 1
            if tied & (tied - 1) == 0:
                dealer = tied.bit_length() - 1
    tell(g, DEALER_CHOSEN, dealer, 0)
    return dealer


def draw_for_the_deal(g: Game, tied: int, number: int) -> int:
    """Every tied player draws a card; the bit set of those with the highest number."""
    for card in range(g.deck):
        g.stock[card] = card
    open_stream(g, DEALER, number)
    shuffle_top(g, g.stock, 0, g.deck, g.players)
    highest, best, top = -1, 0, g.deck
    for seat in range(g.players):
        if tied >> seat & 1:
            top -= 1
            tell(g, DEALER_CARD, seat, g.stock[top])
            rank = g.faces[LIGHT + g.stock[top]] & RANK_BITS
            number_shown = rank if rank < DRAW else 0
            if number_shown > highest:
                highest, best = number_shown, 0
            if number_shown == highest:
                best |= 1 << seat
    return best


# ---------------------------------------------------------------- once a round
def next_dealer(g: Game) -> int:
    """DEALER-2."""
    return (g.dealer + 1) % g.players


def new_round(g: Game, dealer: int) -> None:
    start_round(g, dealer)
    for card in range(g.deck):
        g.stock[card] = card
    open_stream(g, DEAL, 0)
    shuffle(g, g.stock, 0, g.deck)
    deal(g)


def start_round(g: Game, dealer: int) -> None:
    """An empty table and the whole deck in the draw pile, in no order yet."""
    g.round += 1
    g.dealer = g.turn = dealer
    g.side = DARK if g.start_side else LIGHT
    g.direction, g.phase, g.color, g.drawn = 1, TURN, NO_COLOR, -1
    g.owed, g.guilty, g.shown_until, g.silent, g.heard, g.passes = 0, 0, 0, 0, 0, 0
    g.winner, g.reshuffles, g.pile_size, g.log_size, g.moves = -1, 0, 0, 0, 0
    g.stock_size = g.deck
    for seat in range(g.players):
        g.points[seat] = 0
    empty_hands(g)


def deal(g: Game) -> None:
    """DEAL-1, from the draw pile as it lies; then the opening card."""
    for _ in range(g.hand_size):
        for step in range(1, g.players + 1):
            g.stock_size -= 1
            put_in_hand(g, seat_after(g, step), g.stock[g.stock_size])
    tell(g, DEALT, g.dealer, 0)
    open_pile(g)


# ---------------------------------------------------------------- the opening card
def open_pile(g: Game) -> None:
    """OPEN-1 to OPEN-7; ``g.turn`` is the dealer."""
    rank = turn_up(g)
    if g.opening_actions == IGNORE and g.opening_ignored == STAYS:
        while rank >= DRAW and g.stock_size > 0:  # OPEN-7
            rank = turn_up(g)
        rank = 0
    else:
        rank = redraw_opening(g, rank)
    g.color = top_face(g) >> COLOR_AT
    open_with(g, rank)
    if g.color == NO_COLOR:
        g.phase = STARTER_CALLS  # OPEN-5


def open_with(g: Game, rank: int) -> None:
    """The effect of the opening card; on the dark side, as if the dealer had played it."""
    if rank == REVERSE:  # OPEN-3: the dealer plays first
        g.direction = -1
        tell(g, REVERSED, g.dealer, 0)
    elif rank == SKIP and g.side == DARK:
        pass_turn(g, 0)
    else:
        pass_turn(g, 1)
    if rank == DRAW:  # OPEN-2
        draw_cards(g, g.turn, 1 if g.side == LIGHT else 5)
        skip_player(g)
    elif rank == SKIP and g.side == LIGHT:  # OPEN-4
        skip_player(g)
    elif rank == FLIP and g.opening_flip == APPLY:  # OPEN-6b
        flip_everything(g, g.dealer)


def turn_up(g: Game) -> int:
    """Turn the top card of the draw pile over onto the discard pile; its rank."""
    g.stock_size -= 1
    card = g.stock[g.stock_size]
    put_on_pile(g, card)
    tell(g, TURNED_UP, g.dealer, card)
    return g.faces[g.side + card] & RANK_BITS


def redraw_opening(g: Game, rank: int) -> int:
    """OPEN-6, and OPEN-7 with ``goes_back``: back into the draw pile, shuffle, another.

    A card that can't be replaced stays without effect.
    """
    returned = 0
    while goes_back(g, rank):
        if not another_can_open(g):
            return 0
        g.pile_size -= 1
        g.stock_size += 1
        tell(g, RETURNED, g.dealer, g.pile[g.pile_size])
        open_stream(g, OPENING, returned)
        shuffle(g, g.stock, 0, g.stock_size)
        returned += 1
        if returned == MOST_RETURNS:
            bring_up_an_opener(g)
        rank = turn_up(g)
    return rank


def bring_up_an_opener(g: Game) -> None:
    """The first card of the shuffled draw pile that can open changes places with its top."""
    top = g.stock_size - 1
    place = top
    while goes_back(g, g.faces[g.side + g.stock[place]] & RANK_BITS):
        place -= 1
    g.stock[top], g.stock[place] = g.stock[place], g.stock[top]


def goes_back(g: Game, rank: int) -> bool:
    if g.opening_actions == IGNORE:
        return rank >= DRAW
    return rank == WILD_DRAW or (rank == FLIP and g.opening_flip != APPLY)


def another_can_open(g: Game) -> bool:
    for i in range(g.stock_size):
        if not goes_back(g, g.faces[g.side + g.stock[i]] & RANK_BITS):
            return True
    return False

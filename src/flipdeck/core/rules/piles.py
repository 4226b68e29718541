"""The draw pile (``g.stock``) and the discard pile (``g.pile``), tops last: drawing, reshuffling, turning over."""

from __future__ import annotations

from ..codes import COLOR_AT
from ..state import Game
from .chance import RESHUFFLE, open_stream, shuffle
from .hands import put_in_hand
from .log import DREW, RESHUFFLED, REVEALED, tell


def put_on_pile(g: Game, card: int) -> None:
    g.pile[g.pile_size] = card
    g.pile_size += 1


def draw_card(g: Game, seat: int) -> int:
    """Give the top card of the draw pile to a seat; -1 if there is none left anywhere (PILE-2)."""
    if g.stock_size == 0:
        turn_pile_into_stock(g)
        if g.stock_size == 0:
            return -1
    g.stock_size -= 1
    card = g.stock[g.stock_size]
    put_in_hand(g, seat, card)
    g.silent &= ~(1 << seat)  # UNO-5
    tell(g, DREW, seat, card)
    return card


def draw_cards(g: Game, seat: int, number: int) -> None:
    for _ in range(number):
        draw_card(g, seat)


def draw_until_color(g: Game, seat: int) -> None:
    """ACT-7, ACT-8 and PILE-3."""
    card = draw_card(g, seat)
    while card >= 0 and g.faces[g.side + card] >> COLOR_AT != g.color:
        card = draw_card(g, seat)
    if card >= 0 and g.reveal_draw_color:
        tell(g, REVEALED, seat, card)


def turn_pile_into_stock(g: Game) -> None:
    """PILE-1: everything under the top card is shuffled into a new draw pile."""
    last = g.pile_size - 1
    if last == 0:
        return
    for i in range(last):
        g.stock[i] = g.pile[i]
    g.stock_size = last
    g.pile[0] = g.pile[last]
    g.pile_size = 1
    open_stream(g, RESHUFFLE, g.reshuffles)
    shuffle(g, g.stock, 0, last)
    g.reshuffles += 1
    tell(g, RESHUFFLED, g.turn, 0)


def turn_over(cards: list[int], size: int) -> None:
    for i in range(size // 2):
        other = size - 1 - i
        cards[i], cards[other] = cards[other], cards[i]

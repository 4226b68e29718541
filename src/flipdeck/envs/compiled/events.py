"""The history of an episode: every event as a row of numbers, with the cards in it.  Compilable.

The rows name cards; ``encode_history`` shows a seat the faces that it has seen, as ``core.view`` shows events.
"""

from __future__ import annotations

from ...core.codes import CARDS, DARK
from ...core.rules.hands import HALF
from ...core.rules.log import (
    CALLED_COLOR,
    CAUGHT,
    CAUGHT_IN_VAIN,
    CHALLENGED,
    DEALER_CARD,
    DEALT,
    DREW,
    FLIPPED,
    FOUND_GUILTY,
    FOUND_INNOCENT,
    LAID_OPEN,
    PLAYED,
    RETURNED,
    REVEALED,
    SEAT_AT,
    THING_AT,
    TURNED_UP,
)
from ...core.state import Game
from .episode import Episode

WHAT, SEAT, CARD, OTHER, COLOR, SIDE = range(6)
ROW = 6
NOTHING = -1


def keep_deal(g: Game, e: Episode, history: list[list[int]]) -> None:
    keep_log(g, e, DARK if g.start_side else 0, history)


def keep_log(g: Game, e: Episode, side: int, history: list[list[int]]) -> None:
    """The events of the last move or deal, which began on ``side``.  An episode is cut off before there is no room."""
    for i in range(g.log_size):
        what, seat, thing = g.log[i] & 255, g.log[i] >> SEAT_AT & 255, g.log[i] >> THING_AT
        if what == FLIPPED:
            side = DARK - side
        if what in (DEALT, LAID_OPEN):
            for each in range(g.players):
                keep_hand(g, e, what, each, NOTHING, side, history)
        elif what == CHALLENGED:
            keep_hand(g, e, what, seat, thing, side, history)
        elif what in (DEALER_CARD, TURNED_UP, RETURNED, PLAYED, DREW, REVEALED, FLIPPED):
            keep_event(e, what, seat, thing, NOTHING, NOTHING, side, history)
        elif what in (CAUGHT, CAUGHT_IN_VAIN, FOUND_GUILTY, FOUND_INNOCENT):
            keep_event(e, what, seat, NOTHING, thing, NOTHING, side, history)
        else:
            keep_event(e, what, seat, NOTHING, NOTHING, thing if what == CALLED_COLOR else NOTHING, side, history)


def keep_hand(g: Game, e: Episode, what: int, seat: int, other: int, side: int, history: list[list[int]]) -> None:
    """An event for each card of a hand, in the order of the hand.

    A deal has those that were dealt, though an opening card may have added to them; a challenge those that it shows.
    """
    last, card = 0, next_card(g, seat, 0)
    dealt = 0
    while card < CARDS:
        last = g.arrived[card]
        if what == DEALT and dealt == g.hand_size or what == CHALLENGED and last > g.shown_until:
            return
        dealt += 1
        keep_event(e, what, seat, card, other, NOTHING, side, history)
        card = next_card(g, seat, last)


def next_card(g: Game, seat: int, after: int) -> int:
    """The card of a hand that came next after one that arrived as number ``after``; CARDS if there is none."""
    best = CARDS
    for half in range(2):
        cards = g.sets[2 * seat + half]
        while cards:
            lowest = cards & -cards
            cards ^= lowest
            card = HALF * half + lowest.bit_length() - 1
            if g.arrived[card] > after and (best == CARDS or g.arrived[card] < g.arrived[best]):
                best = card
    return best


def keep_event(
    e: Episode, what: int, seat: int, card: int, other: int, color: int, side: int, history: list[list[int]]
) -> None:
    if e.events < len(history):
        event = history[e.events]
        event[WHAT], event[SEAT], event[CARD], event[OTHER], event[COLOR], event[SIDE] = (
            what, seat, card, other, color, 1 if side == DARK else 0,
        )  # fmt: skip
        e.events += 1

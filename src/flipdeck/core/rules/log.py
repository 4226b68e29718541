"""The event log of a move: kind of event, seat, and card (or color, or other seat) in one number.

``events`` turns these numbers into the events that people and programs read.
"""

from __future__ import annotations

from ..state import LOG, Game

(
    DEALER_CARD,  # seat drew card for the deal
    DEALER_CHOSEN,  # seat deals
    DEALT,  # every seat got its hand
    TURNED_UP,  # card began the discard pile, or covered what began it
    RETURNED,  # card went back into the draw pile, which was shuffled
    PLAYED,
    JUMPED_IN,
    CALLED_COLOR,  # seat called color
    DREW,
    REVEALED,  # seat showed the card that ended its drawing
    KEPT,
    PASSED,
    SKIPPED,
    REVERSED,
    FLIPPED,  # by seat; card is on top now
    RESHUFFLED,
    SAID_UNO,
    CAUGHT,  # seat was caught by seat
    CAUGHT_IN_VAIN,  # seat could not be caught by seat
    ACCEPTED,
    CHALLENGED,  # seat was challenged by seat
    FOUND_GUILTY,  # seat was challenged by seat
    FOUND_INNOCENT,
    WENT_OUT,
    VOID,
    LAID_OPEN,  # all hands, when the round is over
    SCORED,
    WON,
) = range(28)

SEAT_AT, THING_AT = 8, 16


def tell(g: Game, what: int, seat: int, thing: int) -> None:
    if g.logging and g.log_size < LOG:
        g.log[g.log_size] = what | seat << SEAT_AT | thing << THING_AT
        g.log_size += 1

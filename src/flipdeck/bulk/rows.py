"""The record of a round in bulk play: one row of integers, counted from its events.  Compilable, like the rules."""

from __future__ import annotations

from ..core.codes import CARDS, DARK
from ..core.rules.log import WON
from ..core.rules.moves import WHAT_BITS
from ..core.state import Game

EVENTS = WON + 1  # a row begins with how often each kind of event happened
# and goes on with these
(
    MATCH,  # its number in the run
    ROUND,  # its number in the match
    DEALER,
    WINNER,  # -1 if nobody went out
    WON_BY,  # bit set of the seats that won the match with this round
    DECISIONS,  # how often somebody was asked
    DARK_DECISIONS,  # … on the dark side
    TURNS,  # moves of the player on turn, without forced keeps
    FORCED_KEEPS,  # drawn cards that were kept because they did not fit: nobody was asked
    MISSED_UNO,  # next-to-last cards played in silence
    POINTS,  # of all seats together
    ENDED_DARK,  # the side it ended on
    UNFINISHED,  # given up at the limit of decisions
) = range(EVENTS, EVENTS + 13)
WIDTH = UNFINISHED + 1


def clear_row(row: list[int]) -> None:
    for i in range(WIDTH):
        row[i] = 0


def count_events(g: Game, row: list[int]) -> None:
    for i in range(g.log_size):
        row[g.log[i] & 255] += 1


def count_move(g: Game, seat: int, on_turn: int, move: int, row: list[int]) -> None:
    """After a move: what it caused, and whether UNO was missed with it."""
    count_events(g, row)
    row[TURNS] += on_turn
    if move & WHAT_BITS < CARDS and g.counts[seat] == 1:
        row[MISSED_UNO] += g.silent >> seat & 1


def close_row(g: Game, match: int, row: list[int]) -> None:
    row[MATCH], row[ROUND], row[DEALER], row[WINNER], row[WON_BY] = match, g.round, g.dealer, g.winner, g.winners
    row[ENDED_DARK] = 1 if g.side == DARK else 0
    for seat in range(g.players):
        row[POINTS] += g.points[seat]

"""How a round ends, what it is worth, who has won the match (END-1 to END-8, PILE-4).  Compilable, like ``rules``."""

from __future__ import annotations

from .options import LOWEST, POINTS, QUICK
from .rules.hands import hand_points
from .rules.log import LAID_OPEN, SCORED, VOID, WENT_OUT, WON, tell
from .state import OVER, Game


def finish(g: Game, winner: int) -> None:
    """END-1: a player has no cards left, and the last card has taken effect."""
    g.phase = OVER
    g.winner = winner
    tell(g, WENT_OUT, winner, 0)
    tell(g, LAID_OPEN, winner, 0)  # SEE-8
    if g.scoring == QUICK:  # END-7
        g.winners = 1 << winner
    else:
        score_round(g, winner)
        tell(g, SCORED, winner, 0)
        if target_reached(g):
            g.winners = 1 << winner if g.scoring == POINTS else lowest(g)
    if g.winners:
        tell(g, WON, winner, 0)


def score_round(g: Game, winner: int) -> None:
    """END-5 ``points``: the winner scores all hands.  END-6 ``lowest``: everyone is charged with their own."""
    for seat in range(g.players):
        worth = hand_points(g, seat)
        g.points[seat if g.scoring == LOWEST else winner] += worth
    for seat in range(g.players):
        g.scores[seat] += g.points[seat]


def target_reached(g: Game) -> bool:
    for seat in range(g.players):
        if g.scores[seat] >= g.target:
            return True
    return False


def lowest(g: Game) -> int:
    """END-6: the bit set of the seats with the lowest total; a tie shares the win."""
    least, winners = g.scores[0], 0
    for seat in range(g.players):
        if g.scores[seat] < least:
            least, winners = g.scores[seat], 0
        if g.scores[seat] == least:
            winners |= 1 << seat
    return winners


def void_round(g: Game) -> None:
    """PILE-4: nobody can go on, or the limit of moves is reached; nobody scores."""
    g.phase = OVER
    g.owed = 0
    tell(g, VOID, g.turn, 0)
    tell(g, LAID_OPEN, g.turn, 0)  # SEE-8

"""The steady player, on whose judgement bots rely: it says nothing in vain, and its rounds end."""

from __future__ import annotations

import pytest

from flipdeck.bulk.heuristic import pick_steadily
from flipdeck.bulk.policies import next_rng
from flipdeck.core.match import Match
from flipdeck.core.rules.legal import legal_moves, let_go, speaker
from flipdeck.core.rules.moves import CATCH, MAX_MOVES, WHAT_BITS
from flipdeck.core.rules.turn import apply
from flipdeck.core.state import OVER

MOST = 3000  # decisions of a round: ten times as many as it takes


@pytest.mark.parametrize("bluffing", [True, False])
@pytest.mark.parametrize("players", [2, 3])
def test_nobody_is_caught_in_vain_whatever_that_costs_and_every_round_ends(players: int, bluffing: bool) -> None:
    """With a Wild Draw on the table there is only accepting, where nobody may bluff; and catching, always."""
    options = {"false_catch_penalty": 10, "bluffing": bluffing, "start_side": "dark", "draw_until_playable": True}
    out = [0] * MAX_MOVES
    for number in range(30):
        g = Match("classic", players, seed=f"steady {number}", options=options)._game
        x = number
        for _ in range(MOST):
            seat = speaker(g)
            n = legal_moves(g, seat, out)
            x = next_rng(x)
            choice = pick_steadily(g, seat, out, n, x >> 30)
            if choice == n:
                let_go(g, seat)
                continue
            what = out[choice] & WHAT_BITS
            assert what < CATCH or g.silent >> (what - CATCH) & 1, "caught in vain"
            apply(g, seat, out[choice])
            if g.phase == OVER:
                break
        assert g.phase == OVER

"""The fingerprint of a round: a hash over every seat asked, legal list, move, event and score.  Compilable.

Interpreted and compiled play of the same match must have the same fingerprint; that is how the twins are compared.
"""

from __future__ import annotations

from ..core.rules.chance import MASK
from ..core.rules.legal import legal_moves, let_go, speaker
from ..core.rules.turn import apply
from ..core.state import OVER, Game
from .policies import keeps_by_force, next_rng, pick


def mix(trace: int, number: int) -> int:
    return ((trace ^ (number & MASK)) * 16777619) & MASK


def mix_events(g: Game, trace: int) -> int:
    for i in range(g.log_size):
        trace = mix(trace, g.log[i])
    return trace


def trace_round(g: Game, policies: list[int], out: list[int], x: int, trace: int, limit: int) -> int:
    """Play a round to its end, or for ``limit`` decisions, and hash all of it."""
    trace = mix_events(g, trace)
    decisions = 0
    while g.phase != OVER and decisions < limit:
        forced = keeps_by_force(g)
        seat = g.turn if forced else speaker(g)
        n = legal_moves(g, seat, out)
        trace = mix(trace, seat * 512 + n)
        for i in range(n):
            trace = mix(trace, out[i])
        choice = 0  # where the keep is forced, it comes first
        if not forced:
            x = next_rng(x)
            choice = pick(g, seat, policies[seat], out, n, x)
            decisions += 1
        trace = mix(trace, choice)
        if choice == n:
            let_go(g, seat)
        else:
            apply(g, seat, out[choice])
            trace = mix_events(g, trace)
    return mix_result(g, trace)


def mix_result(g: Game, trace: int) -> int:
    trace = mix(trace, g.winner + 1)
    trace = mix(trace, g.winners)
    for seat in range(g.players):
        trace = mix(trace, g.points[seat])
        trace = mix(trace, g.scores[seat])
    return trace

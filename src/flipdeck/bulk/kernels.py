"""The compiled entry points.  Each takes a whole batch: a call of compiled code per move is slower than interpreting.

All release the interpreter lock, so that threads share the cores.  None allocates: ``out``, space for a list of legal
moves, comes from the caller, so no references are counted (a third of the speed).  ``time_play`` and ``trace_matches``
are here for benchmarks and tests: what they time and compare must be what everybody runs.
"""

from __future__ import annotations

from typing import Any

from ..core.rules.legal import let_go, speaker
from ..core.rules.moves import KEEP
from ..core.rules.turn import apply
from ..core.state import OVER
from . import playing, twin
from .acting import LET_GO, move_for, observe, write_mask
from .fingerprint import trace_round
from .playing import LIMIT, MOST_VOID, start_match, start_next_round, take_key
from .policies import keeps_by_force, rng_stream
from .twin import compiled

twin.prepare()

play_round = compiled(playing.play_round)
play_out = compiled(playing.play_out)


@compiled
def play_matches(
    games: Any, run_key: Any, first: int, count: int, policies: Any, out: Any, table: Any, cursor: Any
) -> int:
    """Play matches ``first`` to ``first + count``, one row of ``table`` per round; how many rows were filled.

    When the table is full it stops in the middle of a match; ``cursor`` (matches played, match under way, generator
    state, void rounds in a row) and ``games[0]`` say where to continue.
    """
    g = games[0]
    rows = 0
    while cursor[0] < count and rows < table.shape[0]:
        number = first + cursor[0]
        if cursor[1]:
            start_next_round(g)
        else:
            cursor[1], cursor[2] = 1, start_match(g, run_key, number)
        cursor[2] = play_round(g, policies, out, cursor[2], number, table[rows])
        rows += 1
        cursor[3] = cursor[3] + 1 if g.winner < 0 else 0
        if g.winners or cursor[3] == MOST_VOID:
            cursor[0] += 1
            cursor[1] = cursor[3] = 0
    return rows


@compiled
def roll_out(
    roots: Any, scratch: Any, run_key: Any, first: int, policies: Any, out: Any, winners: Any, points: Any
) -> int:
    """Rollouts of each root in ``scratch[0]``, every one with its own future shuffles; the decisions taken.

    ``winners[root, k]`` and ``points[root, k, seat]`` get the result of the k-th rollout of a root.
    """
    g = scratch[0]
    decisions = 0
    for root in range(roots.shape[0]):
        for k in range(winners.shape[1]):
            scratch[0] = roots[root]
            number = first + root * winners.shape[1] + k
            played = g.round
            rng = take_key(g, run_key, number)
            g.round = played
            decisions += play_out(g, policies, out, rng, LIMIT)
            winners[root, k] = g.winner
            for seat in range(g.players):
                points[root, k, seat] = g.points[seat]
    return decisions


@compiled
def time_play(games: Any, run_key: Any, first: int, count: int, policies: Any, out: Any) -> int:
    """Rounds without any bookkeeping, with one deck; the decisions taken.  Benchmarks time this."""
    g = games[0]
    rng = start_match(g, run_key, first)
    decisions = 0
    for i in range(count):
        if i:
            g.phase = OVER
            g.winners = 0
            start_next_round(g)
        decisions += play_out(g, policies, out, rng_stream(rng, i), LIMIT)
    return decisions


@compiled
def trace_matches(
    games: Any, run_key: Any, first: int, rounds: int, limit: int, policies: Any, out: Any, traces: Any
) -> None:
    """The fingerprint of each match, over so many rounds and decisions per round, for tests to compare."""
    g = games[0]
    for i in range(traces.size):
        rng = start_match(g, run_key, first + i)
        traces[i] = trace_round(g, policies, out, rng, 0, limit)
        for number in range(1, rounds):
            if g.phase == OVER and not g.winners:
                start_next_round(g)
                traces[i] = trace_round(g, policies, out, rng_stream(rng, number), traces[i], limit)


@compiled
def look(games: Any, own_backs: int, out: Any, seats: Any, observations: Any, masks: Any) -> None:
    """For each game: the seat that is asked, its observation and its legal mask."""
    for i in range(games.shape[0]):
        g = games[i]
        seats[i] = speaker(g)
        observe(g, seats[i], own_backs, observations[i])
        write_mask(g, seats[i], out, masks[i])


@compiled
def start_games(games: Any, run_key: Any, first: int) -> None:
    for i in range(games.shape[0]):
        start_match(games[i], run_key, first + i)


@compiled
def step_games(games: Any, run_key: Any, actions: Any, out: Any, numbers: Any, rewards: Any, dones: Any) -> None:
    """One action in every game, and a forced keep after it.

    Where a round ends, rewards are set and the next one is dealt at once.
    """
    for i in range(games.shape[0]):
        g = games[i]
        seat = speaker(g)
        dones[i] = 0
        for other in range(g.players):
            rewards[i, other] = 0.0
        if actions[i] == LET_GO:
            let_go(g, seat)
            continue
        apply(g, seat, move_for(g, seat, actions[i], out))
        if keeps_by_force(g):
            apply(g, g.turn, KEEP)
        if g.phase == OVER:
            dones[i] = 2 if g.winners else 1
            if g.winner >= 0:
                for other in range(g.players):
                    rewards[i, other] = 1.0 if other == g.winner else -1.0 / (g.players - 1)
            if g.winners:
                numbers[i] += games.shape[0]
                start_match(g, run_key, numbers[i])
            else:
                start_next_round(g)

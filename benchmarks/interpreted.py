"""The rules as they are, interpreted: what one decision costs a server, a bot or a terminal."""

from __future__ import annotations

from itertools import count
from statistics import mean, median
from time import perf_counter_ns

from flipdeck.bulk.batches import Setting
from flipdeck.bulk.playing import start_match, start_next_round
from flipdeck.bulk.policies import keeps_by_force, next_rng
from flipdeck.core.rules.legal import legal_moves, let_go, speaker
from flipdeck.core.rules.moves import KEEP, MAX_MOVES
from flipdeck.core.rules.turn import apply
from flipdeck.core.seeds import key_words, seed_of
from flipdeck.core.state import OVER, Game

from .measuring import Effort, Row, one_core

BAR = 10.0  # µs


def rows(effort: Effort) -> list[Row]:
    setting, key = Setting("classic", players=4), key_words(seed_of("interpreted"))
    with one_core():
        times: list[int] = []
        for number in count():
            g = setting.game()
            time_match(g, start_match(g, key, number), times)
            if len(times) > effort.size(200_000):
                break
        clock = cost_of_clock()
    usual, average = (median(times) - clock) / 1000, (mean(times) - clock) / 1000
    note = (
        "Who is asked, all legal moves, one of them by dice, carried out and its events told; "
        f"{len(times):,} decisions of random play, classic, 4 players. Mean {average:.1f} µs. "
        "The reading of the clock itself is taken off."
    )
    return [
        Row("one decision, interpreted (median)", f"{usual:.1f} µs", bar=f"< {BAR:g} µs", passed=usual < BAR, note=note)
    ]


def time_match(g: Game, luck: int, times: list[int]) -> None:
    """Play a match of at most three rounds, and note how long each decision took, in nanoseconds.

    A forced keep belongs to the draw before it.
    """
    out = [0] * MAX_MOVES
    while True:
        while g.phase != OVER:
            started = perf_counter_ns()
            seat = speaker(g)
            n = legal_moves(g, seat, out)
            luck = next_rng(luck)
            choice = (luck >> 30) * (n if seat == g.turn else n + 1) >> 32
            if choice == n:
                let_go(g, seat)
            else:
                apply(g, seat, out[choice])
            if keeps_by_force(g):
                apply(g, g.turn, KEEP)
            times.append(perf_counter_ns() - started)
        if g.winners or g.round == 3:
            return
        start_next_round(g)


def cost_of_clock() -> float:
    """Nanoseconds between two readings with nothing between them."""
    times: list[int] = []
    for _ in range(10_000):
        started = perf_counter_ns()
        times.append(perf_counter_ns() - started)
    return median(times)

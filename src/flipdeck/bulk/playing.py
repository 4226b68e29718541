"""Whole rounds and matches played by policies.  Compilable, like the rules: ``kernels`` compiles it."""

from __future__ import annotations

from ..core.codes import DARK
from ..core.rules.chance import open_stream, random_word
from ..core.rules.deal import choose_dealer, new_match, new_round, next_dealer
from ..core.rules.legal import legal_moves, let_go, speaker
from ..core.rules.moves import KEEP
from ..core.rules.turn import apply
from ..core.state import OVER, Game
from .policies import DICE, keeps_by_force, next_rng, pick
from .rows import DARK_DECISIONS, DECISIONS, FORCED_KEEPS, UNFINISHED, clear_row, close_row, count_events, count_move

MATCH_KEYS = 64  # the number of the random stream that keys come from: none of the game's own
MOST_VOID = 1000  # void rounds in a row after which a match is abandoned: with ``most_moves`` nobody may ever go out
LIMIT = 100_000  # decisions after which a round is abandoned; random play has been seen to need 9,000


def take_key(g: Game, run_key: list[int], number: int) -> int:
    """Derive the key of match ``number`` from the key of the run; the result: a generator state for its policies."""
    for i in range(8):
        g.key[i] = run_key[i]
    g.round = number >> 32
    open_stream(g, MATCH_KEYS, number & 0xFFFFFFFF)
    a, b, c, d = random_word(g), random_word(g), random_word(g), random_word(g)
    e, f, h, i = random_word(g), random_word(g), random_word(g), random_word(g)
    g.key[0], g.key[1], g.key[2], g.key[3] = a, b, c, d
    g.key[4], g.key[5], g.key[6], g.key[7] = e, f, h, i
    return (random_word(g) << 30 ^ random_word(g)) & DICE


def start_match(g: Game, run_key: list[int], number: int) -> int:
    """Deal the first round of match ``number`` of a run; the generator state for its policies."""
    rng = take_key(g, run_key, number)
    new_match(g)
    dealer = choose_dealer(g)
    new_round(g, dealer)
    return rng


def start_next_round(g: Game) -> None:
    new_round(g, next_dealer(g))


def play_round(g: Game, policies: list[int], out: list[int], x: int, match: int, row: list[int]) -> int:
    """Play a round and count it in ``row``; the generator state after it."""
    clear_row(row)
    count_events(g, row)
    while g.phase != OVER and row[DECISIONS] < LIMIT:
        if keeps_by_force(g):
            apply(g, g.turn, KEEP)
            count_events(g, row)
            row[FORCED_KEEPS] += 1
            continue
        seat = speaker(g)
        n = legal_moves(g, seat, out)
        x = next_rng(x)
        choice = pick(g, seat, policies[seat], out, n, x)
        row[DECISIONS] += 1
        if g.side == DARK:
            row[DARK_DECISIONS] += 1
        if choice == n:
            let_go(g, seat)
        else:
            on_turn = 1 if seat == g.turn else 0
            move = out[choice]
            apply(g, seat, move)
            count_move(g, seat, on_turn, move, row)
    if g.phase != OVER:
        row[UNFINISHED] = 1
        g.phase = OVER
    close_row(g, match, row)
    return x


def play_out(g: Game, policies: list[int], out: list[int], x: int, most: int) -> int:
    """Rollout: play a round to its end, or for ``most`` decisions, without bookkeeping; the decisions it took."""
    decisions = 0
    while g.phase != OVER and decisions < most:
        if keeps_by_force(g):
            apply(g, g.turn, KEEP)
            continue
        seat = speaker(g)
        n = legal_moves(g, seat, out)
        x = next_rng(x)
        choice = pick(g, seat, policies[seat], out, n, x)
        if choice == n:
            let_go(g, seat)
        else:
            apply(g, seat, out[choice])
        decisions += 1
    return decisions

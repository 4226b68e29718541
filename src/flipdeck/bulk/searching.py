"""The compiled entry points of search: determinizations dealt from a plan, every root move tried in each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from ..core.rules.moves import MAX_MOVES
from . import twin
from .arrays import np
from .card_counts import EYES, printed_book
from .determinize import DealPlan, deal_world, take_future
from .features import FEATURES
from .ismcts import (
    ROLLOUT_LIMIT,
    Node,
    Trail,
    backpropagate,
    begin_descent,
    chance_for,
    descend,
    end_rollout,
    worth_for,
)
from .kernels import play_out
from .learning import HIDDEN
from .policies import NAMES, next_rng
from .twin import compiled

DEAL_PLAN, NODE, TRAIL = twin.record_of(DealPlan), twin.record_of(Node), twin.record_of(Trail)
NODES = 100_000  # capacity of a tree: about a second of search


@compiled
def deal_worlds(base: Any, plan: Any, games: Any, x: int) -> int:
    """Fill every game with a determinization; the generator state after it."""
    for i in range(games.shape[0]):
        games[i] = base[0]
        x = deal_world(games[i], plan[0], x)
    return x


@compiled
def outcome(
    g: Any, nodes: Any, trails: Any, node: int, seat: int, move: int, policies: Any, out: Any, x: int, scales: Any
) -> int:
    """One iteration of ISMCTS below a root move: selection, expansion, rollout, backpropagation.  The result: the value
    for the mover, in millionths of a win, less the price of time."""
    trail = trails[0]
    begin_descent(g, trail, node, seat, move, scales)
    x = descend(g, nodes, trail, nodes.shape[0], out, x, scales)
    end_rollout(trail, play_out(g, policies, out, x, ROLLOUT_LIMIT))
    backpropagate(g, nodes, trail)
    return worth_for(g, trail, seat)


@compiled
def start_tree(nodes: Any, trails: Any, seat: int, seats: int, moves: int, price: int, late: int, weighs: int) -> None:
    """A node for every root move: node 0 is none, so the first move has node 1."""
    trail = trails[0]
    trail.size, trail.seats, trail.price, trail.late, trail.weighs = moves + 1, seats, price, late, weighs
    for i in range(moves + 1):
        it = nodes[i]
        it.key, it.mover, it.child, it.sibling, it.visits, it.available, it.wins = 0, seat, 0, 0, 0, 1, 0


@compiled
def try_moves(
    base: Any, plan: Any, scratch: Any, moves: Any, live: Any, policies: Any, out: Any, count: int,
    sums: Any, wins: Any, nodes: Any, trails: Any, scales: Any, x: int,
) -> int:  # fmt: skip
    """Every live move in ``count`` worlds, with the same random numbers for all; the generator state after it."""
    d, world, g = plan[0], scratch[0], scratch[1]
    for _ in range(count):
        scratch[0] = base[0]
        x = take_future(world, deal_world(world, d, x))
        for i in range(moves.shape[0]):
            if live[i]:
                scratch[1] = scratch[0]
                sums[i] += outcome(g, nodes, trails, i + 1, d.seat, moves[i], policies, out, x, scales)
                wins[i] += chance_for(g, trails[0], d.seat)
        x = next_rng(x)
    return x


def is_compiled() -> bool:
    """The search is in the compiler's cache: nobody has to wait for it."""
    return any(Path(try_moves.stats.cache_path or os.devnull).glob(f"{Path(__file__).stem}.try_moves*.nbi"))


class Scales(NamedTuple):
    """The net's weights and its working space."""

    weights: Any
    book: Any  # of printed pairs
    eyes: Any
    before: Any
    x: Any
    hidden: Any
    known: Any  # at the root: held cards of which all have seen both sides
    chances: Any  # of the moves that were evaluated last …
    ahead: Any
    worths: Any


def scales(weights: Any) -> Scales:
    return Scales(
        weights=weights,
        book=np.array(printed_book(), np.int64),
        eyes=np.zeros(EYES),
        before=np.zeros(FEATURES, np.float32),
        x=np.zeros(FEATURES, np.float32),
        hidden=np.zeros(HIDDEN, np.float32),
        known=np.zeros(2, np.int64),
        chances=np.zeros(MAX_MOVES),
        ahead=np.zeros(MAX_MOVES),
        worths=np.zeros(MAX_MOVES),
    )


class Search:
    """The workspace of a search, one per thread.  Without weights the heuristic stands in for the net."""

    def __init__(self, players: int, weights: Any = None, policy: str = "steady") -> None:
        self.base, self.plan, self.scratch = np.zeros(1, twin.GAME), np.zeros(1, DEAL_PLAN), np.zeros(2, twin.GAME)
        self.nodes, self.trails = np.zeros(NODES, NODE), np.zeros(1, TRAIL)
        self.out = twin.move_list()
        self.weighs = 0 if weights is None else 1
        self.scales = scales(np.zeros(0, np.float32) if weights is None else weights)
        self.policies = np.full(players, NAMES.index(policy), np.int64)

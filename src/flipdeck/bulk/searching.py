"""The compiled entry points of search: worlds dealt from a draft, every move tried in each of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..core.rules.legal import let_go
from ..core.rules.turn import apply
from . import twin
from .arrays import np
from .kernels import play_out
from .policies import NAMES, next_luck
from .trees import Node, Trail, descend, remember
from .twin import compiled
from .worlds import Draft, deal_world, take_future

PASS = -1  # as a move: let the moment go
WIN = 1_000_000  # what a round that is won at once is worth
DRAFT, NODE, TRAIL = twin.record_of(Draft), twin.record_of(Node), twin.record_of(Trail)
NODES = 100_000  # of a tree: a second of thought
LONGEST = 500  # decisions of a round that is imagined: with some house rules steady players go on for ever


@compiled
def deal_worlds(base: Any, draft: Any, games: Any, x: int) -> int:
    """As many worlds as there are games; the dice as they lie then."""
    for i in range(games.shape[0]):
        games[i] = base[0]
        x = deal_world(games[i], draft[0], x)
    return x


@compiled
def outcome(
    g: Any, nodes: Any, trails: Any, node: int, seat: int, move: int, policies: Any, out: Any, x: int,
    price: int, late: int,
) -> int:  # fmt: skip
    """Make a move, follow the tree below it, play the round to its end from there; what it is worth to who moved.

    Every decision on the way costs who wins its ``price``, and everybody what it costs when it is ``late``.
    """
    if move == PASS:
        let_go(g, seat)
    else:
        apply(g, seat, move)
    trail = trails[0]
    x = descend(g, nodes, trail, node, nodes.shape[0], out, x)
    decisions = play_out(g, policies, out, x, LONGEST) + trail.length
    value, cost = WIN - min(price * decisions, WIN // 2), min(late * decisions, WIN)
    remember(nodes, trail, g.winner, max(0, value - cost))
    worth: int = (value if g.winner == seat else 0) - cost
    return worth


@compiled
def start_tree(nodes: Any, trails: Any, seat: int, seats: int, moves: int) -> None:
    """A node for every move: node 0 is none, so the first move has node 1."""
    trails[0].size, trails[0].seats = moves + 1, seats
    for i in range(moves + 1):
        it = nodes[i]
        it.key, it.mover, it.child, it.sister, it.visits, it.available, it.wins = 0, seat, 0, 0, 0, 1, 0


@compiled
def try_moves(
    base: Any, draft: Any, scratch: Any, moves: Any, live: Any, policies: Any, out: Any, count: int,
    price: int, late: int, sums: Any, wins: Any, nodes: Any, trails: Any, x: int,
) -> int:  # fmt: skip
    """Every live move in ``count`` worlds, the same worlds and the same luck for all; the dice as they lie then."""
    d, world, g = draft[0], scratch[0], scratch[1]
    for _ in range(count):
        scratch[0] = base[0]
        x = take_future(world, deal_world(world, d, x))
        for i in range(moves.shape[0]):
            if live[i]:
                scratch[1] = scratch[0]
                sums[i] += outcome(g, nodes, trails, i + 1, d.seat, moves[i], policies, out, x, price, late)
                wins[i] += 1 if g.winner == d.seat else 0
        x = next_luck(x)
    return x


def is_compiled() -> bool:
    """Nobody has to wait for the compiler any more."""
    return any(Path(try_moves.stats.cache_path or os.devnull).glob(f"{Path(__file__).stem}.try_moves*.nbi"))


class Search:
    """Room to work in: one for each thread that searches."""

    def __init__(self, players: int, policy: str = "steady") -> None:
        self.base, self.draft, self.scratch = np.zeros(1, twin.GAME), np.zeros(1, DRAFT), np.zeros(2, twin.GAME)
        self.nodes, self.trails = np.zeros(NODES, NODE), np.zeros(1, TRAIL)
        self.out = twin.move_list()
        self.policies = np.full(players, NAMES.index(policy), np.int64)

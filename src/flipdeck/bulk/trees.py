"""A tree of what may follow a move, shared by all worlds in which it is tried.  Compilable, like the rules.

A node is what those who choose in the tree have done so far, as everybody sees it: which faces were played, which
colors called, who drew.  In each world only some of its branches can be taken, so a branch remembers how often it could
have been (information-set tree search).  Who chooses takes the branch that did best for them so far, a little curious
about the others, and first goes where a steady player would.  Everybody else, and all below the tree, plays steadily.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

from ..core.codes import CARDS
from ..core.rules.legal import legal_moves, let_go, speaker
from ..core.rules.moves import SAY_UNO, UNO_SHIFT, WHAT_BITS
from ..core.rules.turn import apply
from ..core.state import OVER, Game, row
from .judging import pick_steadily
from .policies import next_luck

DEPTH = 64  # of the tree, in decisions
CURIOSITY = 0.45
DOUBT = 0.04  # what an untried branch is thought to be worth less than its sisters


@dataclass(slots=True)
class Node:
    key: int = 0  # what is seen of the move that leads here
    mover: int = 0  # who made it
    child: int = 0  # the first branch; 0 is none
    sister: int = 0  # the next branch of the same node
    visits: int = 0
    available: int = 0  # how often it could have been taken
    wins: int = 0  # of the mover, in millionths


@dataclass(slots=True)
class Trail:
    """The way through the tree in one world."""

    size: int = 0  # of the tree
    seats: int = 0  # bit set of those who choose in it; the others are steady
    length: int = 0
    nodes: list[int] = row(DEPTH + 1, "i4")


def key_of(g: Game, move: int) -> int:
    """A move as it is seen: a play by its face, whichever copy it is."""
    what = move & WHAT_BITS
    return move if what >= CARDS else move - what + 256 * 256 + g.faces[g.side + what] * 256 * 16


def branch(nodes: list[Node], node: int, key: int) -> int:
    """The branch of a node with a key; 0 if it was never taken."""
    child = nodes[node].child
    while child and nodes[child].key != key:
        child = nodes[child].sister
    return child


def worth_trying(g: Game, seat: int, move: int) -> bool:
    """UNO is never left out, and words that cost nothing are for steady players to say."""
    what = move & WHAT_BITS
    return what < SAY_UNO and (what >= CARDS or g.counts[seat] != 2 or move >> UNO_SHIFT == 1)


def expected(nodes: list[Node], node: int) -> float:
    """How the branches of a node did so far, all together."""
    visits, wins = 0, 0
    child = nodes[node].child
    while child:
        visits += nodes[child].visits
        wins += nodes[child].wins
        child = nodes[child].sister
    return wins / 1e6 / visits if visits else 0.5


def choose_branch(g: Game, seat: int, out: list[int], n: int, favorite: int, nodes: list[Node], node: int) -> int:
    """The place in ``out`` of the move to follow."""
    best, most = favorite, -1.0
    if branch(nodes, node, key_of(g, out[favorite])) == 0:
        return favorite
    untried = expected(nodes, node) - DOUBT
    for i in range(n):
        if worth_trying(g, seat, out[i]):
            child = branch(nodes, node, key_of(g, out[i]))
            if child:
                it = nodes[child]
                it.available += 1
                score = it.wins / 1e6 / it.visits + CURIOSITY * sqrt(log(it.available + 1) / it.visits)
            else:
                score = untried + CURIOSITY * sqrt(log(nodes[node].visits + 1) / 2)
            if score > most:
                best, most = i, score
    return best


def add_branch(nodes: list[Node], trail: Trail, node: int, key: int, mover: int) -> int:
    new = trail.size
    trail.size += 1
    it = nodes[new]
    it.key, it.mover, it.child, it.sister = key, mover, 0, nodes[node].child
    it.visits, it.available, it.wins = 0, 1, 0
    nodes[node].child = new
    return new


def descend(g: Game, nodes: list[Node], trail: Trail, node: int, room: int, out: list[int], x: int) -> int:
    """Follow the tree from a node until it ends, and let it grow by one; the dice as they lie then."""
    trail.nodes[0], trail.length = node, 1
    grown = False
    while g.phase != OVER and not grown and trail.length <= DEPTH:
        seat = speaker(g)
        n = legal_moves(g, seat, out)
        x = next_luck(x)
        favorite = pick_steadily(g, seat, out, n, x >> 30)
        if favorite == n:
            let_go(g, seat)
            continue
        if seat != g.turn or not trail.seats >> seat & 1 or not worth_trying(g, seat, out[favorite]):
            apply(g, seat, out[favorite])
            continue
        choice = choose_branch(g, seat, out, n, favorite, nodes, node)
        key = key_of(g, out[choice])
        child = branch(nodes, node, key)
        if child == 0:
            if trail.size >= room:
                return x
            child = add_branch(nodes, trail, node, key, seat)
            grown = True
        apply(g, seat, out[choice])
        node = child
        trail.nodes[trail.length] = node
        trail.length += 1
    return x


def remember(nodes: list[Node], trail: Trail, winner: int, value: int) -> None:
    """What came of it, for every node on the way."""
    for i in range(trail.length):
        it = nodes[trail.nodes[i]]
        it.visits += 1
        if it.mover == winner:
            it.wins += value

"""ISMCTS: one search tree shared by all determinizations (Cowling, Powley, Whitehouse 2012).  Compilable.

A node is a history of public moves by the seats that choose in the tree: faces played, colors called, draws.  In each
determinization only some of its branches are legal, so a branch counts how often it was available, and selection is
UCB1 (Auer, Cesa-Bianchi, Fischer 2002) over availability.  With the net, its evaluation of a move in this very hand
is the prior of a branch; without it, the heuristic's move is expanded first.  All other seats, and the rollout below
the tree, play the steady policy.

The value of a path is the result of the rollout, or its mean with the net's value at the leaf: the result is unbiased
and noisy, the net is precise and biased.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from ..core.codes import CARDS
from ..core.rules.legal import legal_moves, let_go, speaker
from ..core.rules.moves import KEEP, SAY_UNO, UNO_SHIFT, WHAT_BITS
from ..core.rules.turn import apply
from ..core.state import OVER, Game, row
from .card_counts import remember_cards
from .evaluation import WIN, weigh_moves, worth_of
from .features import LET_GO, sound_moves
from .heuristic import pick_steadily
from .policies import keeps_by_force, next_rng

DEPTH = 64  # of the tree, in decisions
UCB_C = 0.45  # weight of the exploration term
UNTRIED_PENALTY = 0.04  # an untried branch is expected to be worth so much less than its siblings
PRIOR_VISITS = 2.0  # the net's prior counts as so many visits …
UCB_C_WITH_PRIOR = 0.15  # … and errs less than one rollout, so there is less to explore
ROLLOUT_LIMIT = 500  # decisions: with some house rules steady players go on for ever
NOBODY = -1
LEAST = -1e9  # when it is late, every value may be negative


@dataclass(slots=True)
class Node:
    key: int = 0  # the public part of the move that leads here
    mover: int = 0  # who made it
    child: int = 0  # the first branch; 0 is none
    sibling: int = 0  # the next branch of the same parent
    visits: int = 0
    available: int = 0  # in how many visits of the parent it was legal
    wins: int = 0  # total value for the mover, in millionths of a win


@dataclass(slots=True)
class Trail:
    """The path through the tree in one determinization."""

    size: int = 0  # of the tree
    seats: int = 0  # bit set of those who choose in it; the others play the steady policy
    price: int = 0  # of a decision to the winner, in millionths of a win …
    late: int = 0  # … and to everybody
    weighs: int = 0  # the net evaluates moves; else the heuristic does
    length: int = 0
    decisions: int = 0  # on the path
    judge: int = NOBODY  # who made the last move that the net evaluated, at the leaf
    chance: int = 0  # … its chance to win, in millionths
    ahead: int = 0  # … and how many decisions were expected; after the rollout, how many there were
    known: list[int] = row(2, "i8")  # held cards of which all have seen both sides, as a bit set in two halves
    nodes: list[int] = row(DEPTH + 1, "i4")


def key_of(g: Game, seat: int, move: int) -> int:
    """The public part of a move: who makes it, and a play by its face, whichever copy it is.

    The mover is part of it because who comes next can depend on the world: a challenge may be won or lost.
    """
    what = move & WHAT_BITS
    seen = move if what >= CARDS else move - what + 256 * 256 + g.faces[g.side + what] * 256 * 16
    return seen + (seat << 32)


def branch(nodes: list[Node], node: int, key: int) -> int:
    """The branch of a node with a key; 0 if there is none."""
    child = nodes[node].child
    while child and nodes[child].key != key:
        child = nodes[child].sibling
    return child


def is_tree_move(g: Game, seat: int, move: int) -> bool:
    """A move to choose in the tree: UNO is never left out, and free calls are left to the steady policy."""
    what = move & WHAT_BITS
    return what < SAY_UNO and (what >= CARDS or g.counts[seat] != 2 or move >> UNO_SHIFT == 1)


def sum_of_branches(nodes: list[Node], node: int) -> tuple[int, float]:
    """How often the branches of a node were visited so far, and their mean value."""
    visits, wins = 0, 0
    child = nodes[node].child
    while child:
        visits += nodes[child].visits
        wins += nodes[child].wins
        child = nodes[child].sibling
    return visits, wins / WIN / visits if visits else 0.5


def tried_branch(nodes: list[Node], node: int, key: int) -> int:
    """The branch with a key, if it was ever chosen; 0 otherwise: forced keeps go through a branch and try nothing."""
    child = branch(nodes, node, key)
    return child if child and nodes[child].visits else 0


def select_branch(g: Game, seat: int, out: list[int], n: int, favorite: int, nodes: list[Node], node: int) -> int:
    """Selection by UCB1: the index in ``out`` of the move to follow.  The heuristic's favorite is expanded first."""
    best, most = favorite, LEAST
    if tried_branch(nodes, node, key_of(g, seat, out[favorite])) == 0:
        return favorite
    visits, mean = sum_of_branches(nodes, node)
    visits, untried = max(visits, nodes[node].visits), mean - UNTRIED_PENALTY
    for i in range(n):
        if is_tree_move(g, seat, out[i]):
            child = tried_branch(nodes, node, key_of(g, seat, out[i]))
            if child:
                it = nodes[child]
                it.available += 1
                score = it.wins / WIN / it.visits + UCB_C * sqrt(log(it.available + 1) / it.visits)
            else:
                score = untried + UCB_C * sqrt(log(visits + 1) / 2)
            if score > most:
                best, most = i, score
    return best


def select_with_prior(
    g: Game, seat: int, out: list[int], n: int, nodes: list[Node], node: int, worths: list[float]
) -> int:
    """Selection by UCB1 where the net has given every move a prior."""
    best, most = 0, LEAST
    for i in range(n):
        wins, visits, available = 0.0, PRIOR_VISITS, 1
        child = branch(nodes, node, key_of(g, seat, out[i]))
        if child:
            it = nodes[child]
            it.available += 1
            wins, visits, available = it.wins / WIN, it.visits + PRIOR_VISITS, it.available
        score = (wins + PRIOR_VISITS * worths[i]) / visits + UCB_C_WITH_PRIOR * sqrt(log(available + 1) / visits)
        if score > most:
            best, most = i, score
    return best


def add_branch(nodes: list[Node], trail: Trail, node: int, key: int, mover: int) -> int:
    new = trail.size
    trail.size += 1
    it = nodes[new]
    it.key, it.mover, it.child, it.sibling = key, mover, 0, nodes[node].child
    it.visits, it.available, it.wins = 0, 1, 0
    nodes[node].child = new
    return new


def follow(nodes: list[Node], trail: Trail, node: int, room: int, key: int, mover: int) -> int:
    """Go to the branch with a key, or expand a new one if there is room; 0 where the tree ends."""
    child = branch(nodes, node, key)
    if child == 0 and trail.size < room:
        child = -add_branch(nodes, trail, node, key, mover)
    if child:
        trail.nodes[trail.length] = abs(child)
        trail.length += 1
    return max(child, 0) if trail.length <= DEPTH else 0


def begin_descent(g: Game, trail: Trail, node: int, seat: int, move: int, scales: Any) -> None:
    """Make the root move that is tried: the path begins at its node."""
    trail.nodes[0], trail.length = node, 1
    trail.decisions, trail.judge = 0, NOBODY
    trail.known[0], trail.known[1] = scales.known[0], scales.known[1]
    side = g.side
    if move == LET_GO:
        let_go(g, seat)
    else:
        apply(g, seat, move)
    remember_cards(g, side, trail.known)


def descend(g: Game, nodes: list[Node], trail: Trail, room: int, out: list[int], x: int, scales: Any) -> int:
    """Selection and expansion: follow the tree to a leaf and add one node; the generator state after it."""
    node = trail.nodes[0]
    while g.phase != OVER and node and trail.decisions < ROLLOUT_LIMIT:
        if keeps_by_force(g):
            node = keep_by_force(g, nodes, trail, node, room)
            continue
        seat, side = speaker(g), g.side
        n = legal_moves(g, seat, out)
        trail.decisions += 1
        if trail.weighs and seat == g.turn and trail.seats >> seat & 1:
            node = play_by_prior(g, seat, nodes, trail, node, room, out, n, scales)
        else:
            x = next_rng(x)
            node = play_steadily(g, seat, nodes, trail, node, room, out, n, x >> 30)
        if trail.weighs:
            remember_cards(g, side, trail.known)
    return x


def keep_by_force(g: Game, nodes: list[Node], trail: Trail, node: int, room: int) -> int:
    """Keep a card that doesn't fit; the node it leads to.

    To the others it is the same as a keep by choice, so it goes through the same branch.  But nothing was chosen: the
    branch is not on the path, and its value stays that of chosen keeps.
    """
    seat = g.turn
    if trail.seats >> seat & 1:
        key = key_of(g, seat, KEEP)
        child = branch(nodes, node, key)
        if child == 0 and trail.size < room:
            child = add_branch(nodes, trail, node, key, seat)
        node = child if child else node
    apply(g, seat, KEEP)
    return node


def play_steadily(
    g: Game, seat: int, nodes: list[Node], trail: Trail, node: int, room: int, out: list[int], n: int, word: int
) -> int:
    """The steady policy, or UCB with its favorite for a seat that chooses in the tree; the node it leads to."""
    choice = pick_steadily(g, seat, out, n, word)
    if choice == n:
        let_go(g, seat)
        return node
    if seat == g.turn and trail.seats >> seat & 1 and is_tree_move(g, seat, out[choice]):
        choice = select_branch(g, seat, out, n, choice, nodes, node)
        node = follow(nodes, trail, node, room, key_of(g, seat, out[choice]), seat)
    apply(g, seat, out[choice])
    return node


def play_by_prior(
    g: Game, seat: int, nodes: list[Node], trail: Trail, node: int, room: int, out: list[int], n: int, scales: Any
) -> int:
    """Selection with the net's priors; at a leaf, keep the net's value.  The node it leads to."""
    n = sound_moves(g, seat, out, n)
    choice = 0
    if n > 1 or not is_forced(g, seat, out[0]):
        if n > 1 or branch(nodes, node, key_of(g, seat, out[0])) == 0:
            weigh_moves(g, seat, out, n, trail, scales)
            choice = select_with_prior(g, seat, out, n, nodes, node, scales.worths)
        node = follow(nodes, trail, node, room, key_of(g, seat, out[choice]), seat)
        if node == 0:
            trail.judge = seat
            trail.chance, trail.ahead = int(WIN * scales.chances[choice]), int(scales.ahead[choice])
    apply(g, seat, out[choice])
    if g.phase == OVER:
        trail.judge = NOBODY
    return node


def is_forced(g: Game, seat: int, move: int) -> bool:
    """A free call, or the last card: there is nothing to choose."""
    what = move & WHAT_BITS
    return what >= SAY_UNO or (what < CARDS and g.counts[seat] == 1)


def end_rollout(trail: Trail, decisions: int) -> None:
    """The rollout took so many decisions: its length and the length that the net expected count alike."""
    trail.ahead = decisions if trail.judge == NOBODY else (trail.ahead + decisions) // 2


def chance_for(g: Game, trail: Trail, seat: int) -> int:
    """The chance to win of a path for a seat: the result of the rollout, or its mean with the net's value."""
    played = WIN if g.winner == seat else 0
    if trail.judge == NOBODY:
        return played
    weighed = trail.chance if trail.judge == seat else (WIN - trail.chance) // (g.players - 1)
    return (weighed + played) // 2


def worth_for(g: Game, trail: Trail, seat: int) -> int:
    decisions = trail.decisions + trail.ahead
    return int(WIN * worth_of(chance_for(g, trail, seat) / WIN, decisions, trail.price, trail.late))


def backpropagate(g: Game, nodes: list[Node], trail: Trail) -> None:
    """Add the value of the path to every node on it."""
    for i in range(trail.length):
        it = nodes[trail.nodes[i]]
        it.visits += 1
        it.wins += worth_for(g, trail, it.mover)

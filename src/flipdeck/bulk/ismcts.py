"""A tree of what may follow a move, shared by all worlds in which it is tried.  Compilable, like the rules.

A node is what those who choose in the tree have done so far, as everybody sees it: which faces were played, which
colors called, who drew.  In each world only some of its branches can be taken, so a branch remembers how often it could
have been (information-set tree search).  Who chooses takes the branch that did best for them so far, a little curious
about the others.  Before a branch was taken often, its worth is what the net thinks of the move in this very hand; a
search without the net first goes where a steady player would.  Everybody else, and all below the tree, plays steadily.

What comes of a way is how the round ends, and half of it what the net thought where the tree ended: the one is right on
average and takes many worlds to tell, the other tells at once and errs always alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from ..core.codes import CARDS
from ..core.rules.legal import legal_moves, let_go, speaker
from ..core.rules.moves import SAY_UNO, UNO_SHIFT, WHAT_BITS
from ..core.rules.turn import apply
from ..core.state import OVER, Game, row
from .card_counts import remember_cards
from .evaluation import WIN, weigh_moves, worth_of
from .features import LET_GO, sound_moves
from .heuristic import pick_steadily
from .policies import next_luck

DEPTH = 64  # of the tree, in decisions
CURIOSITY = 0.45
DOUBT = 0.04  # what an untried branch is thought to be worth less than its sisters
WEIGHED = 2.0  # the net's opinion of a move counts as so many visits …
CURIOSITY_WEIGHED = 0.15  # … and as it errs less than one round that is played out, there is less to be curious about
LONGEST = 500  # decisions of a round that is imagined: with some house rules steady players go on for ever
NOBODY = -1
LEAST = -1e9  # when it is late, everything may be worth less than nothing


@dataclass(slots=True)
class Node:
    key: int = 0  # what is seen of the move that leads here
    mover: int = 0  # who made it
    child: int = 0  # the first branch; 0 is none
    sister: int = 0  # the next branch of the same node
    visits: int = 0
    available: int = 0  # how often it could have been taken
    wins: int = 0  # of the mover, less what time costs, in millionths


@dataclass(slots=True)
class Trail:
    """The way through the tree in one world."""

    size: int = 0  # of the tree
    seats: int = 0  # bit set of those who choose in it; the others are steady
    price: int = 0  # of a decision to who wins, in millionths of a win …
    late: int = 0  # … and to everybody
    weighs: int = 0  # the net weighs moves; else steady judgement does
    length: int = 0
    decisions: int = 0  # on the way
    judge: int = NOBODY  # who weighed the last move
    chance: int = 0  # … and found so many millionths in it
    ahead: int = 0  # … and so many decisions; and then how many there were
    known: list[int] = row(2, "i8")  # the cards in hands of which all have seen both sides, in two halves
    nodes: list[int] = row(DEPTH + 1, "i4")


def key_of(g: Game, seat: int, move: int) -> int:
    """A move as it is seen: who makes it, and a play by its face, whichever copy it is.

    Who comes next can depend on the world: whoever drew may have something to decide, or not.
    """
    what = move & WHAT_BITS
    seen = move if what >= CARDS else move - what + 256 * 256 + g.faces[g.side + what] * 256 * 16
    return seen + (seat << 32)


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
    return wins / WIN / visits if visits else 0.5


def choose_branch(g: Game, seat: int, out: list[int], n: int, favorite: int, nodes: list[Node], node: int) -> int:
    """The place in ``out`` of the move to follow."""
    best, most = favorite, LEAST
    if branch(nodes, node, key_of(g, seat, out[favorite])) == 0:
        return favorite
    untried = expected(nodes, node) - DOUBT
    for i in range(n):
        if worth_trying(g, seat, out[i]):
            child = branch(nodes, node, key_of(g, seat, out[i]))
            if child:
                it = nodes[child]
                it.available += 1
                score = it.wins / WIN / it.visits + CURIOSITY * sqrt(log(it.available + 1) / it.visits)
            else:
                score = untried + CURIOSITY * sqrt(log(nodes[node].visits + 1) / 2)
            if score > most:
                best, most = i, score
    return best


def choose_weighed(
    g: Game, seat: int, out: list[int], n: int, nodes: list[Node], node: int, worths: list[float]
) -> int:
    """The same where every move has been weighed."""
    best, most = 0, LEAST
    for i in range(n):
        wins, visits, available = 0.0, WEIGHED, 1
        child = branch(nodes, node, key_of(g, seat, out[i]))
        if child:
            it = nodes[child]
            it.available += 1
            wins, visits, available = it.wins / WIN, it.visits + WEIGHED, it.available
        score = (wins + WEIGHED * worths[i]) / visits + CURIOSITY_WEIGHED * sqrt(log(available + 1) / visits)
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


def follow(nodes: list[Node], trail: Trail, node: int, room: int, key: int, mover: int) -> int:
    """On to the branch with a key, a new one if there is none and there is room; 0 where the tree has ended."""
    child = branch(nodes, node, key)
    if child == 0 and trail.size < room:
        child = -add_branch(nodes, trail, node, key, mover)
    if child:
        trail.nodes[trail.length] = abs(child)
        trail.length += 1
    return max(child, 0) if trail.length <= DEPTH else 0


def set_out(g: Game, trail: Trail, node: int, seat: int, move: int, scales: Any) -> None:
    """Make the move that is tried: the way begins at its node."""
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
    """Follow the tree from where the way begins until it ends, and let it grow by one; the dice as they lie then."""
    node = trail.nodes[0]
    while g.phase != OVER and node and trail.decisions < LONGEST:
        seat, side = speaker(g), g.side
        n = legal_moves(g, seat, out)
        trail.decisions += 1
        if trail.weighs and seat == g.turn and trail.seats >> seat & 1:
            node = play_by_weight(g, seat, nodes, trail, node, room, out, n, scales)
        else:
            x = next_luck(x)
            node = play_steadily(g, seat, nodes, trail, node, room, out, n, x >> 30)
        if trail.weighs:
            remember_cards(g, side, trail.known)
    return x


def play_steadily(
    g: Game, seat: int, nodes: list[Node], trail: Trail, node: int, room: int, out: list[int], n: int, word: int
) -> int:
    """As steady players do; who chooses in the tree, with that in mind.  The node it leads to."""
    choice = pick_steadily(g, seat, out, n, word)
    if choice == n:
        let_go(g, seat)
        return node
    if seat == g.turn and trail.seats >> seat & 1 and worth_trying(g, seat, out[choice]):
        choice = choose_branch(g, seat, out, n, choice, nodes, node)
        node = follow(nodes, trail, node, room, key_of(g, seat, out[choice]), seat)
    apply(g, seat, out[choice])
    return node


def play_by_weight(
    g: Game, seat: int, nodes: list[Node], trail: Trail, node: int, room: int, out: list[int], n: int, scales: Any
) -> int:
    """As the tree and the net advise; where the tree ends, what the net found.  The node it leads to."""
    n = sound_moves(g, seat, out, n)
    choice = 0
    if n > 1 or not goes_without_saying(g, seat, out[0]):
        if n > 1 or branch(nodes, node, key_of(g, seat, out[0])) == 0:
            weigh_moves(g, seat, out, n, trail, scales)
            choice = choose_weighed(g, seat, out, n, nodes, node, scales.worths)
        node = follow(nodes, trail, node, room, key_of(g, seat, out[choice]), seat)
        if node == 0:
            trail.judge = seat
            trail.chance, trail.ahead = int(WIN * scales.chances[choice]), int(scales.ahead[choice])
    apply(g, seat, out[choice])
    if g.phase == OVER:
        trail.judge = NOBODY
    return node


def goes_without_saying(g: Game, seat: int, move: int) -> bool:
    """A word that costs nothing, or the last card: nothing that somebody else could have done in another world."""
    what = move & WHAT_BITS
    return what >= SAY_UNO or (what < CARDS and g.counts[seat] == 1)


def settle(trail: Trail, decisions: int) -> None:
    """Steady players have ended the round in so many decisions: what was weighed and what was played count alike."""
    trail.ahead = decisions if trail.judge == NOBODY else (trail.ahead + decisions) // 2


def chance_for(g: Game, trail: Trail, seat: int) -> int:
    """What the way through the tree has come to for a seat: as the round has ended, and as it was weighed before."""
    played = WIN if g.winner == seat else 0
    if trail.judge == NOBODY:
        return played
    weighed = trail.chance if trail.judge == seat else (WIN - trail.chance) // (g.players - 1)
    return (weighed + played) // 2


def worth_for(g: Game, trail: Trail, seat: int) -> int:
    decisions = trail.decisions + trail.ahead
    return int(WIN * worth_of(chance_for(g, trail, seat) / WIN, decisions, trail.price, trail.late))


def remember(g: Game, nodes: list[Node], trail: Trail) -> None:
    """What came of it, for every node on the way."""
    for i in range(trail.length):
        it = nodes[trail.nodes[i]]
        it.visits += 1
        it.wins += worth_for(g, trail, it.mover)

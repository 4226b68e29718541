"""Self-play of the net, for training and evaluation.  Compiled on its own: only ``train`` needs it.

A round depends on the seed of the run, its number and the weights, and on nothing else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core.codes import MAX_PLAYERS
from ..core.rules.legal import legal_moves, let_go, speaker
from ..core.rules.moves import KEEP
from ..core.rules.turn import apply
from ..core.state import OVER
from . import twin
from .arrays import np
from .card_counts import EYES, look_around, remember_cards
from .evaluation import logit_of_move
from .features import FEATURES, LET_GO, sound_moves, write_features
from .learning import HIDDEN, LONG, W4, WEIGHTS, backward, chance_of, forward, last, loss_of
from .playing import start_match
from .policies import keeps_by_force, next_rng, pick, rng_stream
from .twin import compiled

twin.prepare()

NET = -1  # in place of the number of a policy
LIMIT = 1000  # decisions after which a round counts as won by nobody: time has a price
KEPT, ROUNDS, WINS, DECISIONS = range(4)  # what is counted: decisions kept, rounds, rounds won by nets, decisions


class Lesson(NamedTuple):
    """What is played, and how: the read-only arguments of the kernels."""

    templates: Any  # games with their options, nothing dealt
    lottery: Any  # which of them is played in round i
    key: Any
    rivals: Any  # numbers of policies
    book: Any  # of printed pairs
    weights: Any
    learning: int  # 0 to measure
    wander: float  # exploration: how often a move is random
    trust: float  # bootstrapping: how much of a target is the net's own later value


class Room(NamedTuple):
    """The workspace of one thread: all that the kernels write to."""

    games: Any
    out: Any
    known: Any
    drivers: Any
    eyes: Any
    before: Any
    hidden: Any
    slopes: Any
    best: Any
    ahead: Any
    x: Any  # the decisions kept, and one row more to evaluate moves in
    seats: Any
    values: Any
    targets: Any
    times: Any  # when each was taken; after the round, how long it took from there
    tally: Any
    gradient: Any


def room(kept: int) -> Room:
    """A workspace for so many decisions."""
    return Room(
        games=np.zeros(1, twin.GAME),
        out=twin.move_list(),
        known=np.zeros(2, np.int64),
        drivers=np.zeros(MAX_PLAYERS, np.int64),
        eyes=np.zeros(EYES),
        before=np.zeros(FEATURES, np.float32),
        hidden=np.zeros(HIDDEN, np.float32),
        slopes=np.zeros(HIDDEN, np.float32),
        best=np.zeros(1, np.int64),
        ahead=np.zeros(MAX_PLAYERS),
        x=np.zeros((kept + 1, FEATURES), np.float32),
        seats=np.zeros(kept + 1, np.int64),
        values=np.zeros(kept + 1, np.float32),
        targets=np.zeros(kept + 1, np.float32),
        times=np.zeros(kept + 1, np.float32),
        tally=np.zeros(4, np.int64),
        gradient=np.zeros(WEIGHTS, np.float32),
    )


@compiled
def draw_lots(number: int, rng: int, learning: int, rivals: Any, players: int, drivers: Any) -> None:
    """Who plays: the net in one seat, which moves on from round to round; rivals in the others.

    While learning, half of the tables are nets alone, and at the others half of the rivals are nets too.
    """
    alone = learning and rng >> 40 & 1
    x = rng
    for seat in range(players):
        x = next_rng(x)
        word = x >> 30
        if seat == number % players or alone or (learning and word & 1):
            drivers[seat] = NET
        else:
            drivers[seat] = rivals[(word >> 1) % rivals.size]


@compiled
def best_of(g: Any, seat: int, n: int, lesson: Any, room: Any, x: Any) -> float:
    """Evaluate the first ``n`` moves; ``room.best[0]`` gets the index of the best one, the result is its logit."""
    look_around(g, seat, room.known[0], room.known[1], lesson.book, room.eyes)
    best = 0.0
    for i in range(n):
        logit = logit_of_move(g, seat, room.out, i, lesson.weights, room.eyes, room.before, x, room.hidden)
        if i == 0 or logit > best:
            best, room.best[0] = logit, i
    return best


@compiled
def decide(g: Any, seat: int, n: int, now: int, dice: int, lesson: Any, room: Any) -> int:
    """The move of a net; while learning, the decision is kept with the value of its best move and its time."""
    n = sound_moves(g, seat, room.out, n)
    if n == 1:
        return room.out[0]  # type: ignore[no-any-return]
    kept = room.tally[KEPT]
    logit = best_of(g, seat, n, lesson, room, room.x[kept])
    choice = room.best[0]
    if lesson.learning:
        word = dice >> 30
        if (word & 0xFFFFF) < lesson.wander * 0x100000:
            choice = (word >> 20) % n
        if kept < room.x.shape[0] - 1:
            write_features(g, seat, room.out[choice], room.eyes, room.x[kept])
            room.seats[kept], room.values[kept], room.times[kept] = seat, chance_of(logit), now
            room.tally[KEPT] += 1
    return room.out[choice]  # type: ignore[no-any-return]


@compiled
def play_to_end(g: Any, dice: int, lesson: Any, room: Any) -> int:
    """Play one round; the number of decisions it took."""
    room.known[0] = room.known[1] = 0
    decisions = 0
    while g.phase != OVER and decisions < LIMIT:
        if keeps_by_force(g):
            seat, move = g.turn, KEEP
        else:
            decisions += 1
            seat = speaker(g)
            n = legal_moves(g, seat, room.out)
            dice = next_rng(dice)
            if room.drivers[seat] == NET:
                move = decide(g, seat, n, decisions, dice, lesson, room)
            else:
                choice = pick(g, seat, room.drivers[seat], room.out, n, dice)
                move = room.out[choice] if choice < n else LET_GO
        if move == LET_GO:
            let_go(g, seat)
        else:
            side = g.side
            apply(g, seat, move)
            remember_cards(g, side, room.known)
    return decisions


@compiled
def set_targets(g: Any, start: int, decisions: int, trust: float, room: Any) -> None:
    """The training targets of a round: its result, mixed with the net's value at the seat's next decision (a lambda
    return), and the time that was left."""
    for seat in range(g.players):
        room.ahead[seat] = 1.0 if g.winner == seat else 0.0
    for i in range(room.tally[KEPT] - 1, start - 1, -1):
        seat = room.seats[i]
        room.targets[i] = room.ahead[seat]
        room.ahead[seat] = trust * room.values[i] + (1.0 - trust) * room.ahead[seat]
        room.times[i] = min((decisions - room.times[i]) / LONG, 1.0)


@compiled
def play_rounds(lesson: Any, first: int, count: int, room: Any) -> None:
    """Play rounds ``first`` to ``first + count``; while learning, keep every decision of a net with its targets."""
    g = room.games[0]
    for i in range(room.tally.size):
        room.tally[i] = 0
    for number in range(first, first + count):
        room.games[0] = lesson.templates[lesson.lottery[number % lesson.lottery.size]]
        rng = start_match(g, lesson.key, number)
        draw_lots(number, rng, lesson.learning, lesson.rivals, g.players, room.drivers)
        start = room.tally[KEPT]
        decisions = play_to_end(g, rng_stream(rng, 1), lesson, room)
        room.tally[DECISIONS] += decisions
        room.tally[ROUNDS] += 1
        if g.winner >= 0 and room.drivers[g.winner] == NET:
            room.tally[WINS] += 1
        set_targets(g, start, decisions, lesson.trust, room)


@compiled
def add_gradients(w: Any, x: Any, targets: Any, times: Any, rows: Any, room: Any) -> float:
    """Sum the gradients over some rows into ``room.gradient``; the result: the sum of the losses in the chance to
    win."""
    total = 0.0
    for i in range(room.gradient.size):
        room.gradient[i] = 0.0
    for k in range(rows.size):
        i = rows[k]
        chance = chance_of(forward(w, x[i], room.hidden))
        total += loss_of(chance, targets[i])
        late = chance_of(last(w, room.hidden, W4)) - times[i]
        backward(w, x[i], room.hidden, chance - targets[i], late, room.slopes, room.gradient)
    return total


@compiled
def write_all(games: Any, seats: Any, moves: Any, known: Any, book: Any, eyes: Any, x: Any) -> None:
    """The features of one move in each of many games: what tests compare with the interpreted functions."""
    for i in range(games.shape[0]):
        look_around(games[i], seats[i], known[i, 0], known[i, 1], book, eyes)
        write_features(games[i], seats[i], moves[i], eyes, x[i])

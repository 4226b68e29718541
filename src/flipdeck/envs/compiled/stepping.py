"""An episode from decision to decision: the answer, then everything up to the next question.  Compilable.

Policies in the other seats, forced moves and automatic interrupts are played in between.  No rule is here:
``core.rules`` plays.  All that is said counts towards the limit, whether somebody was asked for it or not, so that the
moment at which an episode is cut off tells nobody what another had to choose from.
"""

from __future__ import annotations

from ...bulk.playing import start_match, start_next_round
from ...bulk.policies import next_rng, pick
from ...core.options import LOWEST
from ...core.rules.legal import legal_moves, let_go
from ...core.rules.moves import SAY_UNO, WHAT_BITS
from ...core.rules.turn import apply
from ...core.state import LOG, OVER, Game
from .actions import NO_MOVE, automatic_catch, catcher, list_choices, seat_to_ask
from .episode import LEARNER, LEFT_ALONE, MATCH, OUTSIDE, RUNNING, TERMINATED, TRUNCATED, Episode
from .episode import POINTS as IN_POINTS
from .events import keep_deal, keep_log
from .knowing import forget_all, learn_after, learn_before, sort_faces

MOST_EMPTY = 1000  # episodes in a row that end before the learner is asked, after which the last one is taken as it is
SEAT_OF_WORD = 16  # a word that is kept: its move, and the seat from this bit on


def deal_episode(g: Game, e: Episode, out: list[int], said: list[int], history: list[list[int]]) -> None:
    """The next match of this game's run, up to its first decision of a learner."""
    for _ in range(MOST_EMPTY):
        g.winners = 0
        e.rng = start_match(g, e.run_key, e.number)
        e.words = e.events = 0
        for seat in range(g.players):
            e.drivers[seat] = e.seating[(seat - e.number * e.turning) % g.players]
        e.done = RUNNING
        for seat in range(g.players):
            e.rewards[seat] = 0.0
        for i in range(len(said)):
            said[i] = 0
        sort_faces(g, e)
        forget_all(g, e)
        if e.keep_events:
            keep_deal(g, e, history)
        go_on(g, e, out, said, history)
        if e.done == RUNNING:
            break
        e.number += 1
    e.mover = e.asked
    for seat in range(g.players):
        e.rewards[seat] = 0.0


def answer(g: Game, e: Episode, move: int, out: list[int], said: list[int], history: list[list[int]]) -> None:
    """The seat that is asked says ``move``; then on to the next decision, or to the end."""
    e.mover = e.actor = e.asked
    for seat in range(g.players):
        e.rewards[seat] = 0.0
    say(g, e, e.asked, move, said, history)
    go_on(g, e, out, said, history)
    e.ended = e.done
    for seat in range(g.players):
        e.gains[seat] = e.rewards[seat]


def wait(g: Game, e: Episode) -> None:
    """A step of an episode that has ended."""
    e.ended = e.done
    for seat in range(g.players):
        e.gains[seat] = 0.0


def go_on(g: Game, e: Episode, out: list[int], said: list[int], history: list[list[int]]) -> None:
    while not has_ended(g, e, history):
        seat, move = next_word(g, e, out)
        if move == NO_MOVE:
            e.asked = seat
            return
        say(g, e, seat, move, said, history)


def next_word(g: Game, e: Episode, out: list[int]) -> tuple[int, int]:
    """Who speaks next, and what; NO_MOVE if that is a learner's decision."""
    if e.auto and g.silent:
        move = automatic_catch(g)
        return catcher(g, move), move
    seat = seat_to_ask(g, e)
    if e.drivers[seat] == OUTSIDE:
        e.choices = 0
        return seat, NO_MOVE
    if e.drivers[seat] != LEARNER:
        return seat, word_of_policy(g, e, seat, out)
    e.choices = list_choices(g, e, seat, out)
    if e.choices == 1 and (e.inside or is_automatic(e.moves[0])):
        return seat, e.moves[0]
    return seat, NO_MOVE


def is_automatic(move: int) -> bool:
    """A catch or a late UNO as the only choice: the compact action space leaves them to the environment."""
    return move & WHAT_BITS >= SAY_UNO and move != LEFT_ALONE


def word_of_policy(g: Game, e: Episode, seat: int, out: list[int]) -> int:
    n = legal_moves(g, seat, out)
    if n == 0:
        return LEFT_ALONE
    e.rng = next_rng(e.rng)
    choice = pick(g, seat, e.drivers[seat], out, n, e.rng)
    return out[choice] if choice < n else LEFT_ALONE


def say(g: Game, e: Episode, seat: int, move: int, said: list[int], history: list[list[int]]) -> None:
    if move == LEFT_ALONE:
        let_go(g, seat)
    else:
        if e.keep_words and e.words < e.limit:
            said[e.words] = (move | seat << SEAT_OF_WORD) + 1  # 0 is none
        side = g.side
        learn_before(g, e, seat, move)
        apply(g, seat, move)
        learn_after(g, e, side)
        if e.keep_events:
            keep_log(g, e, side, history)
    e.words += 1


def has_ended(g: Game, e: Episode, history: list[list[int]]) -> bool:
    """Rewards where a round is over; the next one is dealt where the episode is a match."""
    if g.phase == OVER:
        add_rewards(g, e)
        if g.winners or not e.whole_match:
            close(g, e, TERMINATED)
            return True
        start_next_round(g)
        forget_all(g, e)
        if e.keep_events:
            keep_deal(g, e, history)
    if e.words >= e.limit or (e.keep_events and e.events + LOG > len(history)):
        close(g, e, TRUNCATED)
        return True
    return False


def close(g: Game, e: Episode, how: int) -> None:
    e.done = how
    e.choices = 0
    e.asked = e.mover
    for i in range(8):
        e.seed[i] = g.key[i]


def add_rewards(g: Game, e: Episode) -> None:
    """A round is over.  All rewards of a moment add up to nothing: what one seat gains, others lose."""
    if e.reward == IN_POINTS:
        add_points(g, e)
    elif e.reward == MATCH:
        if g.winners:
            share(g, e, g.winners)
    elif g.winner >= 0:
        share(g, e, 1 << g.winner)


def share(g: Game, e: Episode, winners: int) -> None:
    """1 shared by the winners, -1 by the others; nothing where all have won."""
    count = 0
    for seat in range(g.players):
        count += winners >> seat & 1
    if count < g.players:
        for seat in range(g.players):
            e.rewards[seat] += 1.0 / count if winners >> seat & 1 else -1.0 / (g.players - count)


def add_points(g: Game, e: Episode) -> None:
    """Hundreds of points more than the others have made on average; fewer, where the lowest total wins."""
    total = 0
    for seat in range(g.players):
        total += g.points[seat]
    sign = -1.0 if g.scoring == LOWEST else 1.0
    for seat in range(g.players):
        others = (total - g.points[seat]) / (g.players - 1)
        e.rewards[seat] += sign * (g.points[seat] - others) / 100.0

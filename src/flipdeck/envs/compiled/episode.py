"""An episode as plain data: what an environment knows of a game beside the game itself.

Like ``Game``, it is declared once: interpreted it is an ``Episode``, compiled it is one row of a NumPy array.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...bulk.acting import KINDS
from ...core.codes import CARDS, MAX_PLAYERS
from ...core.rules.moves import MAX_MOVES
from ...core.state import row

FULL, COMPACT = 0, 1  # action spaces
ROUND, POINTS, MATCH = 0, 1, 2  # rewards
RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
LEARNER, OUTSIDE = -1, -2  # as drivers: the environment asks, somebody outside says; else the number of a policy
LEFT_ALONE = -1  # as a move: a seat that was asked lets the moment go


@dataclass(slots=True)
class Episode:
    # the settings of the environment
    compact: int = FULL
    auto: int = 0  # interrupts are made by the environment, and nobody is asked out of turn
    inside: int = 0  # a decision with one choice is played without asking
    reward: int = ROUND
    whole_match: int = 0  # an episode is a match; else a round
    own_backs: int = 1  # SEE-4: a seat may look at the backs of its own cards
    turning: int = 0  # from episode to episode everybody moves on by a seat
    limit: int = 0  # words after which an episode is cut off
    keep_words: int = 0
    keep_events: int = 0

    # where it stands
    number: int = 0  # of the match in the run of this game's seed
    rng: int = 0  # the generator state of the policies
    words: int = 0  # what was said so far, moments let go and forced moves included
    asked: int = 0  # the seat that is asked
    mover: int = 0  # the seat that was asked before
    actor: int = 0  # the seat that took the last step
    ended: int = RUNNING  # how the last step left its episode; ``done`` is about the one that goes on
    choices: int = 0
    done: int = RUNNING
    events: int = 0  # tokens in the history
    knowing: int = 0  # some seat may remember a card
    piled: int = 0  # cards of the discard pile that are counted …
    piled_on: int = 0  # … on this side …
    piled_after: int = 0  # … after so many reshuffles
    run_key: list[int] = row(8, "i8")
    seed: list[int] = row(8, "i8")  # of the match that has ended
    seating: list[int] = row(MAX_PLAYERS)  # who sits where in episode 0: LEARNER, or the number of a policy
    drivers: list[int] = row(MAX_PLAYERS)  # … in this one
    known: list[int] = row(
        2 * MAX_PLAYERS, "i8"
    )  # for each seat, a bit set: cards in hands of which it knows both faces
    kinds: list[int] = row(2 * CARDS, "u1")  # the kind of every face of the deck, as ``g.faces`` has them
    pile_kinds: list[int] = row(
        2 * KINDS, "u1"
    )  # how many of each kind lie in the discard pile: on this side, on the other
    rewards: list[float] = row(MAX_PLAYERS, "f4")  # since the last decision
    gains: list[float] = row(MAX_PLAYERS, "f4")  # those of the last step
    moves: list[int] = row(MAX_MOVES, "i2")  # the choices: LEFT_ALONE or the number of a move …
    actions: list[int] = row(MAX_MOVES, "i2")  # … and the action that stands for it

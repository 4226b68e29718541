"""Rookie, Casual and Regular: one heuristic, with the parameters of its level."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ..bulk.heuristic import BLUFF, best_color, is_bluff, likely_guilty, plain_worth, worth_of_play
from ..core.codes import CARDS, FLIP, RANK_BITS
from ..core.notation import Catch, Move, SayUno
from ..core.reading import move_named
from ..core.rules.legal import legal_moves
from ..core.rules.moves import ACCEPT, CALL, COLOR_SHIFT, DISPUTE, MAX_MOVES, UNO_SHIFT, WHAT_BITS
from ..core.state import CHALLENGE, FLIPPER_CALLS, Game
from ..core.view import View
from .belief.memory import Memory
from .levels import Eye, LadderLevel

Worth = Callable[[int], int]  # the value of a play, given as a number of the rules


class LadderBot:
    def __init__(self, level: LadderLevel) -> None:
        self.name = level.name
        self._level = level

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        word = self._call_out(view, legal, rng)
        if word is not None:
            return word
        g, seat = memory.game, memory.seat
        numbers = moves_on_turn(g, seat)
        number = self._decide(memory, numbers, rng)
        return move_named(g, number, memory.options.own_backs)

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        word = self._call_out(view, legal, rng)
        if word is not None:
            return word
        plays = [number for number in moves_on_turn(memory.game, memory.seat) if number & WHAT_BITS < CARDS]
        if not plays or rng.random() >= (self._level.jumps_in or 0):
            return None
        return move_named(memory.game, self._best_play(memory, plays, rng), memory.options.own_backs)

    def close(self) -> None:
        pass

    # ------------------------------------------------------------ deciding
    def _call_out(self, view: View, legal: Sequence[Move], rng: random.Random) -> Move | None:
        """A catch or a late UNO; never a catch in vain."""
        if not view.catchable:
            return None
        for move in legal:
            if isinstance(move, SayUno) and rng.random() < self._level.says_it_late:
                return move
            if isinstance(move, Catch) and move.seat in view.catchable and rng.random() < self._level.catches:
                return move
        return None

    def _decide(self, memory: Memory, numbers: Sequence[int], rng: random.Random) -> int:
        g = memory.game
        plays = [number for number in numbers if number & WHAT_BITS < CARDS]
        if plays:
            return self._best_play(memory, plays, rng)
        if g.phase >= FLIPPER_CALLS:
            return CALL | self._color(memory, rng) << COLOR_SHIFT
        if g.phase == CHALLENGE and DISPUTE in numbers:
            return DISPUTE if self._challenges(memory, rng) else ACCEPT
        return numbers[0]

    def _best_play(self, memory: Memory, plays: Sequence[int], rng: random.Random) -> int:
        """The play of the highest value, ties broken at random; mostly with UNO where it is due."""
        g, seat = memory.game, memory.seat
        aloud = g.counts[seat] == 2 and rng.random() < self._level.says_uno
        wanted = [number for number in plays if number >> UNO_SHIFT == aloud]
        if self._level.wanders and rng.random() < self._level.wanders:
            return rng.choice(wanted)
        worth = self._worth(memory, bold=rng.random() < (self._level.bluffs or 0))
        start = rng.randrange(len(wanted))
        return max((*wanted[start:], *wanted[:start]), key=worth)

    def _worth(self, memory: Memory, bold: bool) -> Worth:
        g, seat, eye = memory.game, memory.seat, self._level.eye

        def worth(number: int) -> int:
            card = number & WHAT_BITS
            looks_up = eye >= Eye.TABLE or (eye >= Eye.FLIPS and g.faces[g.side + card] & RANK_BITS == FLIP)
            found = worth_of_play(g, seat, number) if looks_up else plain_worth(g, seat, number)
            return found + BLUFF if bold and is_bluff(g, seat, card) else found

        return worth

    def _color(self, memory: Memory, rng: random.Random) -> int:
        return best_color(memory.game, memory.seat, rng.getrandbits(32))

    def _challenges(self, memory: Memory, rng: random.Random) -> bool:
        if self._level.challenges is None:
            return likely_guilty(memory.game)
        return rng.random() < self._level.challenges


def moves_on_turn(g: Game, seat: int) -> list[int]:
    """The legal moves of a seat, as numbers of the rules."""
    out = [0] * MAX_MOVES
    return out[: legal_moves(g, seat, out)]

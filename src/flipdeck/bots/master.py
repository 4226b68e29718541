"""The Master: tries every move in many worlds that agree with all it has seen, and plays the one that wins most.

The worlds are dealt by ``belief``; in each of them every move is tried, a tree of what may follow is gone down, and
steady players end the round, all of it compiled; between two, the net has its say in the tree and where it ends.  Time
goes to the moves that may still be best: after each stage the worse half is given up.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from time import perf_counter

from ..bulk.arrays import np
from ..bulk.evaluation import WIN
from ..bulk.features import LET_GO
from ..bulk.searching import Search, start_tree, try_moves
from ..bulk.twin import to_record
from ..core.codes import DARK
from ..core.notation import Catch, Move, Play, SayUno
from ..core.reading import moves_of
from ..core.state import Game
from ..core.view import View
from .belief.memory import Memory
from .belief.sampler import TRIES, Belief
from .levels import LEVELS
from .net import open_cards, shipped_net
from .player import in_earnest

BUDGET = LEVELS["master"].seconds  # a move
PRICE = 1500  # of a decision, in millionths of a win: who can win now should not wait
LATE = 15_000  # … and for everybody when it gets late in a round: nobody holds out for ever
WEIGHED_SEATS = 2  # where the net helps: one of 4 against Regulars won 42 of 100 rounds with it, 48 without
SLICE = 0.004  # seconds between looks at the clock
FIRST = 8  # worlds before the first look
DRAFTS = 128  # worlds from one draft, where places have to be settled first
DOUBTED = 16  # … and where nobody knows which card is which


@dataclass(frozen=True, slots=True)
class Tried:
    """A move and how it did: its chance to win, and that less the price of time, over so many worlds."""

    move: Move | None
    chance: float
    value: float
    worlds: int


class Master:
    """Sharp and Master: the one imagines a few worlds, the other as many as its time allows."""

    def __init__(
        self, seconds: float = BUDGET, worlds: int | None = None, name: str = "master", *, weighs: bool = True
    ) -> None:
        """So much time a move; or so many worlds, for the same answer on every machine.  At two
        seats it may weigh by the net."""
        self.name = name
        self.seconds = seconds
        self.worlds = worlds
        self.weighs = weighs
        self._search: Search | None = None

    def choose(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move:
        started = perf_counter()
        word = call_out(view, legal)
        if word is not None:
            return word
        moves = sensible(legal, view)
        if len(moves) == 1:
            return moves[0]
        best = self.tried(memory, moves, rng, started)[0].move
        assert best is not None  # noqa: S101  # on turn there is no letting go
        return best

    def interrupt(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Move | None:
        started = perf_counter()
        word = call_out(view, legal)
        if word is not None:
            return word
        return self.tried(memory, [*sensible(legal, view), None], rng, started)[0].move

    def close(self) -> None:
        pass

    # ------------------------------------------------------------ searching
    def tried(
        self, memory: Memory, moves: Sequence[Move | None], rng: random.Random, started: float | None = None
    ) -> list[Tried]:
        """All moves, the best first; those that were given up early come after those that were not."""
        search = self._room(memory)
        numbers = moves_of(memory.game, memory.seat, memory.options.own_backs)
        trial = Trial(search, memory, [LET_GO if move is None else numbers[move] for move in moves], rng)
        stages = max(1, ceil(log2(len(moves))))
        begun = perf_counter() if started is None else started
        ranks: list[int] = []
        for stage in range(stages):
            if self.worlds is None:
                trial.run_until(begun + self.seconds * (stage + 1) / stages)
            else:
                trial.run(max(1, self.worlds // stages))
            ranks = trial.give_up_half() + ranks
        order = trial.ranking() + ranks
        return [Tried(moves[i], trial.chance(i), trial.value(i), int(trial.counts[i])) for i in order]

    def _room(self, memory: Memory) -> Search:
        players = memory.game.players
        if self._search is None or len(self._search.policies) != players:
            weighs = self.weighs and players == WEIGHED_SEATS
            self._search = Search(players, shipped_net().weights if weighs else None)
        return self._search


class Trial:
    """The moves of one decision, tried in the same worlds."""

    def __init__(self, search: Search, memory: Memory, moves: Sequence[int], rng: random.Random) -> None:
        self._search = search
        self._memory = memory
        self._rng = rng
        self._luck = rng.getrandbits(62)
        self._moves = np.array(moves, np.int64)
        self._live = np.ones(len(moves), np.int64)
        self._sums, self._wins = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        self.counts = np.zeros(len(moves), np.int64)
        self._belief = Belief(memory)
        search.scales.known[:] = open_cards(memory)
        late = int(LATE * lateness(memory.game))
        tree = search.nodes, search.trails, memory.seat, who_chooses(memory), len(moves)
        start_tree(*tree, PRICE, late, search.weighs)
        self._drafted = False
        self._rate = 0.0  # seconds a world and move

    def run_until(self, end: float) -> None:
        """A machine that stalls may have no time left at all: even then a few worlds are tried, or it chose blindly."""
        while (now := perf_counter()) < end or self._rate == 0:
            live = max(1, int(self._live.sum()))
            room = min(end - now, SLICE)
            count = FIRST if self._rate == 0 else max(1, int(room / (self._rate * live)))
            self.run(count)
            took = perf_counter() - now
            self._rate = took / (count * live)

    def run(self, count: int) -> None:
        """So many worlds more."""
        while count > 0:
            now = count if self._belief.certain else min(count, DOUBTED if self._memory.doubts else DRAFTS)
            self._draft()
            s = self._search
            places = (s.base, s.draft, s.scratch, self._moves, self._live, s.policies, s.out, now)
            found = self._sums, self._wins, s.nodes, s.trails
            self._luck = try_moves(*places, *found, s.scales, self._luck)
            self.counts += now * self._live
            count -= now

    def _draft(self) -> None:
        if self._drafted and self._belief.certain:
            return
        s, g = self._search, self._memory.game
        draft, settled = self._belief.draft(self._rng, TRIES)
        to_record(draft, s.draft[0])
        if not self._drafted:
            to_record(g, s.base[0])
            self._drafted = True
        for place, front, back in settled:
            s.base[0]["faces"][g.side + place], s.base[0]["faces"][DARK - g.side + place] = front, back

    def value(self, i: int) -> float:
        return float(self._sums[i] / (WIN * max(1, self.counts[i])))

    def chance(self, i: int) -> float:
        return float(self._wins[i] / (WIN * max(1, self.counts[i])))

    def ranking(self) -> list[int]:
        """The live moves, best first."""
        live = [i for i in range(len(self._moves)) if self._live[i]]
        return sorted(live, key=self.value, reverse=True)

    def give_up_half(self) -> list[int]:
        """The worse half of the live moves, best first, goes no further; one stays."""
        order = self.ranking()
        worse = order[(len(order) + 1) // 2 :]
        self._live[worse] = 0
        return worse


def lateness(g: Game) -> float:
    """0 until half of the draw pile is gone, then more and more: 1 when the cards are shuffled again, for each time.

    BOTS.md says how long two Masters need.  With a price from the first shuffle on only, and without
    the net, they needed a third longer.
    """
    gone = 1 - g.stock_size / (g.deck - g.hand_size * g.players)
    return g.reshuffles + max(0.0, 2 * gone - 1)


def who_chooses(memory: Memory) -> int:
    """The seats, as a bit set, that take the best branch of the tree; the others play steadily.

    Measured at 500 worlds a move, with rounds played to their end: at 2 seats a tree for both beats none in 65 of 100
    rounds.  At 4 it makes too much of the other three: one against Regulars won 40 of 100 with a tree for all, 46 with
    none, 47 with one of its own.
    """
    return 0b11 if memory.game.players == 2 else 1 << memory.seat


def call_out(view: View, legal: Sequence[Move]) -> Move | None:
    """What costs nothing: saying UNO, catching who has not."""
    for move in legal:
        if isinstance(move, SayUno) or (isinstance(move, Catch) and move.seat in view.catchable):
            return move
    return None


def sensible(legal: Sequence[Move], view: View) -> list[Move]:
    """The moves worth thinking about: UNO is never left out, and nobody is caught in vain."""
    loud = {(move.card, move.color) for move in legal if isinstance(move, Play) and move.uno}
    return [
        move
        for move in in_earnest(legal, view)
        if not isinstance(move, Play) or move.uno or (move.card, move.color) not in loud
    ]
